// Where the reader is: marks the step in the outline, keeps the place when the page loads again.
"use strict";
(() => {
  const KEY = `apt-place:${location.pathname}`;
  const MOST = 200;
  const links = new Map();
  const usual = new Map();
  let current = null;
  let marked = null;

  const mark = (step) => {
    if (step === current) return;
    current = step;
    marked?.removeAttribute("aria-current");
    const link = links.get(step.id);
    marked = link || null;
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const list = link.closest(".outline");
    const [box, place] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
    const covered = list.querySelector(".search")?.offsetHeight || 0;
    if (place.top < box.top || place.bottom > box.bottom - covered) list.scrollTop += place.top - box.top - box.height / 3;
  };

  const openTarget = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  };

  // At the end of the page no step reaches the top: the one that was gone to stays marked.
  const held = () => document.activeElement?.closest(".source .step");
  const isHeld = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 2 && held()?.getBoundingClientRect().top < innerHeight;

  const watch = () => {
    const steps = [...document.querySelectorAll(".source .step")];
    const seen = new Set();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target);
        const top = steps.find((step) => seen.has(step));
        if (top && !isHeld()) mark(top);
      },
      { rootMargin: "-56px 0px -80% 0px" },
    );
    for (const step of steps) watcher.observe(step);
  };

  // Steps and sections that are not as the page came: by id, whether they are open.
  const folds = () => [...usual].filter(([box, open]) => box.open !== open).map(([box]) => [box.id, box.open]);

  const keep = () => {
    const step = current && scrollY > 0 ? { id: current.id, top: current.getBoundingClientRect().top } : null;
    const kept = { at: Date.now(), step, folds: folds() };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
      const old = Object.keys(localStorage).filter((key) => key.startsWith("apt-place:"));
      if (old.length > MOST) old.sort((a, b) => atOf(a) - atOf(b)).slice(0, -MOST).forEach((key) => localStorage.removeItem(key));
    } catch { /* full or private */ }
  };

  const atOf = (key) => { try { return JSON.parse(localStorage.getItem(key)).at || 0; } catch { return 0; } };

  const comeBack = () => {
    let place = null;
    try { place = JSON.parse(localStorage.getItem(KEY)); } catch { /* private mode */ }
    for (const [id, open] of place?.folds || []) {
      const box = document.getElementById(id);
      if (box?.matches(".step, .sheet")) box.open = open;
    }
    const step = place?.step && !location.hash && document.getElementById(place.step.id);
    if (!step) return;
    step.scrollIntoView();
    // Steps off screen have a guessed height until they are drawn: correct once they are.
    const correct = () => scrollBy(0, step.getBoundingClientRect().top - place.step.top);
    requestAnimationFrame(() => requestAnimationFrame(() => { correct(); requestAnimationFrame(correct); }));
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll(".outline > details a")) links.set(link.hash.slice(1), link);
    for (const box of document.querySelectorAll(".source .step, .sheet")) usual.set(box, box.open);
    watch();
    comeBack();
    openTarget();
  });
  document.addEventListener("focusin", () => { if (held()) mark(held()); });
  addEventListener("pagehide", keep);
  addEventListener("visibilitychange", () => { if (document.hidden) keep(); });
  document.addEventListener("htmx:afterSettle", (event) => {
    // A refused form comes back with its errors on top, the open phase with gold: go there.
    if (event.target.id === "question") event.target.querySelector("div.error, #gold")?.focus();
  });
  addEventListener("hashchange", openTarget);
})();
