// Keeps what is typed: at once in the browser, every two seconds on the server; puts it back.
"use strict";
(() => {
  const EVERY = 2_000;
  const SKIPPED = new Set(["csrfmiddlewaretoken", "form_key"]);
  const WEEK = 7 * 24 * 3600 * 1000;
  const form = () => document.getElementById("answer-form");
  const keyOf = (of) => `apt-draft:${of.dataset.owner}:${of.dataset.assignment}:${of.dataset.phase}`;
  let changed = false;
  let sending = false;
  let sent = false;

  const pairsOf = (of) => [...new FormData(of)].filter(([name]) => !SKIPPED.has(name));

  const keepHere = () => {
    const kept = { at: Date.now(), pairs: pairsOf(form()) };
    try { localStorage.setItem(keyOf(form()), JSON.stringify(kept)); } catch { /* full or private */ }
  };

  const forget = (of) => { try { localStorage.removeItem(keyOf(of)); } catch { /* private mode */ } };

  const forgetOld = () => {
    try {
      for (const key of Object.keys(localStorage).filter((name) => name.startsWith("apt-draft:"))) {
        if (Date.now() - JSON.parse(localStorage.getItem(key)).at > WEEK) localStorage.removeItem(key);
      }
    } catch { /* private mode */ }
  };

  const putBack = () => {
    const of = form();
    if (!of) return;
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem(keyOf(of))); } catch { return; }
    const saved = Date.parse(document.getElementById("saved")?.dataset.savedAt || "") || 0;
    if (!kept || kept.at <= saved) return;
    const values = new Map();
    for (const [name, value] of kept.pairs) values.set(name, [...(values.get(name) || []), value]);
    for (const field of of.elements) {
      if (!field.name || SKIPPED.has(field.name) || field.name === "phase") continue;
      const mine = values.get(field.name) || [];
      if (field.type === "radio" || field.type === "checkbox") field.checked = mine.includes(field.value);
      else if (mine.length) field.value = mine.at(-1);
    }
    changed = true;
  };

  const say = (text) => {
    const place = document.getElementById("saved");
    if (place) { place.textContent = text; place.classList.add("attention"); }
  };

  const save = async (keepalive = false) => {
    const of = form();
    if (!of || !changed || sending || sent) return;
    changed = false;
    sending = true;
    try {
      const answer = await fetch(of.dataset.draft, {
        method: "POST",
        body: new URLSearchParams(new FormData(of)),
        headers: { "HX-Request": "true", "X-CSRFToken": of.elements.csrfmiddlewaretoken.value },
        keepalive,
      });
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      const part = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("saved");
      document.getElementById("saved")?.replaceWith(part);
      document.dispatchEvent(new Event("htmx:afterSettle"));
    } catch {
      changed = true;
      say(document.body.dataset.notSaved);
    } finally {
      sending = false;
    }
  };

  const note = (event) => {
    if (!event.target.closest?.("#answer-form")) return;
    changed = true;
    keepHere();
  };

  document.addEventListener("input", note);
  document.addEventListener("change", note);
  setInterval(save, EVERY);
  addEventListener("visibilitychange", () => { if (document.hidden) save(true); });
  document.addEventListener("htmx:beforeSwap", (event) => {
    // A session that ended answers with the login page: go there, the text is kept.
    const address = event.detail.xhr.responseURL || "";
    if (!address || new URL(address).pathname === new URL(event.detail.pathInfo.requestPath, location.href).pathname) return;
    event.detail.shouldSwap = false;
    location.assign(address);
  });
  document.addEventListener("htmx:beforeRequest", (event) => { sent = event.detail.elt === form(); });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.id !== "answer-form") return;
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) forget(event.detail.elt);
    else sent = false;
  });
  document.addEventListener("htmx:sendError", () => say(document.body.dataset.notSaved));
  document.addEventListener("htmx:responseError", (event) => {
    // A stale security mark: the page comes again with a fresh one, and the text from this browser.
    if (event.detail.xhr.status === 403) location.reload();
    else say(document.body.dataset.notSaved);
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  document.addEventListener("DOMContentLoaded", () => { forgetOld(); putBack(); });
})();
