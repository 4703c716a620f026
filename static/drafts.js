// Keeps what is typed: at once in the browser, every two seconds on the server; puts it back.
"use strict";
(() => {
  const EVERY = 2_000;
  const LONGEST = 15_000;
  const SKIPPED = new Set(["csrfmiddlewaretoken", "form_key"]);
  const WEEK = 7 * 24 * 3600 * 1000;
  const form = () => document.getElementById("answer-form");
  const keyOf = (of) => `apt-draft:${of.dataset.owner}:${of.dataset.assignment}:${of.dataset.phase}`;
  const say = (state) => window.apt.connection.say(state);
  let changed = false;
  let saving = false;
  let sent = false;
  let leaving = false;

  const pairsOf = (of) => [...new FormData(of)].filter(([name]) => !SKIPPED.has(name));

  const read = (of) => {
    try { return JSON.parse(localStorage.getItem(keyOf(of))); } catch { return null; }
  };

  // Clocks differ between machines: what tells old from new is whether the server has had it.
  const keepHere = (unsaved = true) => {
    const kept = { at: Date.now(), unsaved, pairs: pairsOf(form()) };
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

  const fill = (of, pairs) => {
    const values = new Map();
    for (const [name, value] of pairs) values.set(name, [...(values.get(name) || []), value]);
    for (const field of of.elements) {
      if (!field.name || SKIPPED.has(field.name) || field.name === "phase") continue;
      const mine = values.get(field.name) || [];
      if (field.type === "radio" || field.type === "checkbox") field.checked = mine.includes(field.value);
      else if (mine.length) field.value = mine.at(-1);
    }
  };

  const putBack = () => {
    const of = form();
    const kept = of && read(of);
    if (!kept?.unsaved) return;
    fill(of, kept.pairs);
    changed = true;
  };

  const save = async (keepalive = false) => {
    const of = form();
    if (!of || !changed || saving || sent) return;
    changed = false;
    saving = true;
    try {
      const answer = await fetch(of.dataset.draft, {
        method: "POST",
        body: new URLSearchParams(new FormData(of)),
        headers: { "HX-Request": "true", "X-CSRFToken": of.elements.csrfmiddlewaretoken.value },
        signal: AbortSignal.timeout(LONGEST),
        keepalive,
      });
      if (answer.status === 401) { changed = true; say("ended"); return; }
      if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
      const part = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("saved");
      if (!part) throw new Error("no answer of ours");
      document.getElementById("saved")?.replaceWith(part);
      document.dispatchEvent(new Event("htmx:afterSettle"));
      // The next page may have been made before this was stored: it is to put it back.
      if (leaving) changed = true;
      else if (!changed && form() === of) keepHere(false);
      if (window.apt.connection.state() !== "waiting") say("");
    } catch {
      changed = true;
      if (window.apt.connection.state() !== "waiting") say(navigator.onLine ? "unsaved" : "offline");
    } finally {
      saving = false;
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
  addEventListener("online", () => save());
  addEventListener("visibilitychange", () => { if (document.hidden) save(true); });
  addEventListener("beforeunload", () => {
    leaving = true;
    setTimeout(() => { leaving = false; }, EVERY); // it was a download, or the person stayed
  });
  // The same item in two tabs: what is typed in one stands in the other, which is not in use.
  addEventListener("storage", (event) => {
    const of = form();
    if (!of || !document.hidden || event.key !== keyOf(of) || !event.newValue) return;
    fill(of, JSON.parse(event.newValue).pairs);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    // A session that ended answers with the login page: go there, the text is kept.
    const address = event.detail.xhr.responseURL || "";
    if (!address || new URL(address).pathname === new URL(event.detail.pathInfo.requestPath, location.href).pathname) return;
    event.detail.shouldSwap = false;
    location.assign(address);
  });
  document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.elt === form()) sent = true; });
  document.addEventListener("htmx:afterRequest", (event) => {
    // Of the form that was sent: where another stands in its place by now, its parent tells of it.
    const { xhr, requestConfig: { elt } } = event.detail;
    if (elt.id !== "answer-form") return;
    if (xhr.status < 400 && xhr.getResponseHeader("HX-Redirect")) forget(elt);
    else sent = false;
  });
  // The answer is stored and the open phase stands in its place: what is typed from now on is its.
  document.addEventListener("answered", (event) => {
    forget(event.target);
    changed = false;
  });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  document.addEventListener("DOMContentLoaded", () => { forgetOld(); putBack(); });
})();
