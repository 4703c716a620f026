// What was sent while the server could not be reached: kept in the browser, and sent until it answers.
// It goes with the key of its form, so that the server stores it once however often it comes.
"use strict";
(() => {
  const SHORTEST = 2_000;
  const LONGEST = 30_000;
  const TIMEOUT = 20_000;
  const PASSING = new Set([0, 408, 429, 502, 503, 504]);
  const PREFIX = "apt-outbox:";
  const form = () => document.getElementById("answer-form");
  const keyOf = (of) => `${PREFIX}${of.dataset.owner}:${of.dataset.assignment}:${of.dataset.phase}`;
  const say = (state) => window.apt.connection.say(state);
  let pause = SHORTEST;
  let timer = 0;

  const read = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  const drop = (key) => { try { localStorage.removeItem(key); } catch { /* private mode */ } };

  const keep = (of) => {
    const pairs = [...new FormData(of)].filter(([name]) => name !== "csrfmiddlewaretoken");
    const kept = { at: Date.now(), address: new URL(of.action).pathname, pairs };
    try { localStorage.setItem(keyOf(of), JSON.stringify(kept)); } catch { /* full or private: this page still sends it */ }
  };

  const again = (soon = false) => {
    clearTimeout(timer);
    timer = setTimeout(() => form()?.requestSubmit(), soon ? 0 : pause);
    pause = Math.min(pause * 2, LONGEST);
  };

  const wait = (of) => { keep(of); say("waiting"); again(); };
  const isWaiting = () => window.apt.connection.state() === "waiting";

  const done = (of) => { clearTimeout(timer); drop(keyOf(of)); pause = SHORTEST; };

  // Items left behind: sent from whichever page is open, with its own token.
  const sendOthers = async () => {
    const owner = document.body.dataset.owner || form()?.dataset.owner;
    const token = JSON.parse(document.body.getAttribute("hx-headers") || "{}")["X-CSRFToken"];
    const own = form() && keyOf(form());
    let names = [];
    try { names = Object.keys(localStorage); } catch { return; }
    for (const key of names.filter((name) => owner && name.startsWith(`${PREFIX}${owner}:`) && name !== own)) {
      const kept = read(key);
      if (!kept) { drop(key); continue; }
      try {
        const answer = await fetch(kept.address, {
          method: "POST",
          body: new URLSearchParams(kept.pairs),
          headers: { "HX-Request": "true", "X-CSRFToken": token },
          signal: AbortSignal.timeout(TIMEOUT),
        });
        // Refused for what it says: it waits as a draft in its own page, where the reason is shown.
        const isOurs = !answer.redirected && ![401, 403].includes(answer.status);
        if (isOurs && !PASSING.has(answer.status) && answer.status < 500) drop(key);
      } catch { return; }
    }
  };

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt === form()) event.detail.timeout = TIMEOUT;
  });
  for (const kind of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(kind, (event) => { if (event.detail.elt.id === "answer-form") wait(event.detail.elt); });
  }
  document.addEventListener("htmx:responseError", (event) => {
    const { elt, xhr } = event.detail;
    if (elt.id !== "answer-form") return;
    if (PASSING.has(xhr.status)) wait(elt);
    // A stale security mark: the page comes again with a fresh one, and what was kept is sent.
    else if (xhr.status === 403) { keep(elt); location.reload(); }
    else if (xhr.status === 401) say("ended");
    else say("refused");
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    // The form that was sent; another may stand in its place by now.
    const { xhr, requestConfig: { elt } } = event.detail;
    if (elt.id !== "answer-form" || !xhr?.status || PASSING.has(xhr.status) || xhr.status === 403) return;
    done(elt);
    if (xhr.status < 500 && window.apt.connection.state() !== "refused") say("");
  });
  // Until it is stored, what is changed in the meantime is what will be sent.
  document.addEventListener("input", () => { if (isWaiting() && form()) keep(form()); });
  addEventListener("online", () => { if (isWaiting()) again(true); else sendOthers(); });

  document.addEventListener("DOMContentLoaded", () => {
    const kept = form() && read(keyOf(form()));
    if (kept) {
      // Sent before the page was left: the same key, so that it is stored once.
      const key = kept.pairs.find(([name]) => name === "form_key");
      if (key && form().elements.form_key) form().elements.form_key.value = key[1];
      say("sending");
      again(true);
    }
    sendOthers();
  });
})();
