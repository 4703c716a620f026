// Where the reader is: marks the step in the outline, keeps the place when the page loads again.
"use strict";
(() => {
  const KEY = `apt-place:${location.pathname}`;
  const links = new Map();
  let current = null;

  const mark = (step) => {
    if (step === current) return;
    current = step;
    for (const link of links.values()) link.removeAttribute("aria-current");
    const link = links.get(step.id);
    if (!link) return;
    link.setAttribute("aria-current", "true");
    const list = link.closest(".outline");
    const [box, place] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
    if (place.top < box.top || place.bottom > box.bottom) list.scrollTop += place.top - box.top - box.height / 3;
  };

  const openTarget = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll(".outline a")) links.set(link.hash.slice(1), link);
    const watcher = new IntersectionObserver(
      (seen) => { for (const entry of seen) if (entry.isIntersecting) mark(entry.target); },
      { rootMargin: "-56px 0px -80% 0px" },
    );
    for (const step of document.querySelectorAll(".step")) watcher.observe(step);
    try {
      const kept = sessionStorage.getItem(KEY);
      if (kept && !location.hash) document.getElementById(kept)?.scrollIntoView();
    } catch { /* private mode */ }
    openTarget();
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    // A refused form comes back with its errors on top: go there.
    if (event.target.id === "question") event.target.querySelector("div.error")?.focus();
  });
  addEventListener("hashchange", openTarget);
  addEventListener("pagehide", () => {
    try { if (current) sessionStorage.setItem(KEY, current.id); } catch { /* private mode */ }
  });
})();
