// Keeps what is typed on the edit page in this browser, and puts it back after a crash or a way out.
"use strict";
(() => {
  const WEEK = 7 * 24 * 3600 * 1000;
  const SKIPPED = new Set(["csrfmiddlewaretoken", "form_key", "base", "seen", "confirmed", "reviews_seen"]);
  const form = () => document.getElementById("edit-form");
  const keyOf = (of) => `apt-edit:${of.dataset.key}`;

  const keep = () => {
    const pairs = [...new FormData(form())].filter(([name]) => !SKIPPED.has(name));
    try { localStorage.setItem(keyOf(form()), JSON.stringify({ at: Date.now(), pairs })); } catch { /* full or private */ }
  };

  const forget = () => { try { localStorage.removeItem(keyOf(form())); } catch { /* private mode */ } };

  const forgetOld = () => {
    try {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith("apt-edit:"))) {
        if (Date.now() - JSON.parse(localStorage.getItem(key)).at > WEEK) localStorage.removeItem(key);
      }
    } catch { /* private mode */ }
  };

  const putBack = () => {
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem(keyOf(form()))); } catch { return; }
    if (!kept) return;
    const values = new Map();
    for (const [name, value] of kept.pairs) values.set(name, [...(values.get(name) || []), value]);
    let differs = false;
    for (const field of form().elements) {
      if (!field.name || SKIPPED.has(field.name) || field.type === "submit") continue;
      const mine = values.get(field.name) || [];
      if (field.type === "radio" || field.type === "checkbox") {
        const checked = mine.includes(field.value);
        differs ||= checked !== field.checked;
        field.checked = checked;
      } else if (mine.length) {
        // A form sends line ends in pairs; a box holds single ones.
        const text = mine.at(-1).replaceAll("\r\n", "\n");
        differs ||= field.tagName === "TEXTAREA" && text !== field.value;
        field.value = text;
      }
    }
    if (differs) document.querySelector("[data-restored]").hidden = false;
  };

  // What was put back, by this or by the browser, or typed before the page was ready, is checked too.
  const isTyped = () => [...form().querySelectorAll(".boxes textarea, .boxes [name=gold]")].some((field) =>
    field.tagName === "TEXTAREA" ? field.value !== field.defaultValue : field.checked !== field.defaultChecked);

  const note = (event) => { if (event.target.closest?.("#edit-form")) keep(); };

  document.addEventListener("input", note);
  document.addEventListener("change", note);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-discards]")) return;
    forget();
    location.assign(form().getAttribute("action"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    if (event.target.closest?.("#edit-form")) form().requestSubmit(form().querySelector("[value=save]"));
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    // A session that ended answers with the login page: go there, the text is kept.
    const address = event.detail.xhr.responseURL || "";
    if (!address || new URL(address).pathname === location.pathname) return;
    event.detail.shouldSwap = false;
    location.assign(address);
  });
  const warn = () => {
    const place = document.getElementById("what-changes");
    if (place) place.textContent = document.body.dataset.notSaved;
  };
  document.addEventListener("htmx:sendError", warn);
  document.addEventListener("htmx:responseError", warn);
  document.addEventListener("DOMContentLoaded", () => {
    forgetOld();
    if (form().hasAttribute("data-refused")) keep();
    else putBack();
    if (isTyped()) document.querySelector(".boxes").dispatchEvent(new Event("input"));
  });
})();
