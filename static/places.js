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
    const covered = list.querySelector(".search")?.offsetHeight || 0;
    if (place.top < box.top || place.bottom > box.bottom - covered) list.scrollTop += place.top - box.top - box.height / 3;
  };

  const openTarget = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let box = target.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    target.scrollIntoView();
  };

  const watch = () => {
    const steps = [...document.querySelectorAll(".source .step")];
    const seen = new Set();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) seen[entry.isIntersecting ? "add" : "delete"](entry.target);
        const top = steps.find((step) => seen.has(step));
        if (top) mark(top);
      },
      { rootMargin: "-56px 0px -80% 0px" },
    );
    for (const step of steps) watcher.observe(step);
  };

  const keep = () => {
    const place = current && scrollY > 0 ? { id: current.id, top: current.getBoundingClientRect().top } : null;
    try { sessionStorage.setItem(KEY, JSON.stringify(place)); } catch { /* private mode */ }
  };

  const comeBack = () => {
    let place = null;
    try { place = JSON.parse(sessionStorage.getItem(KEY)); } catch { /* private mode */ }
    const step = place && !location.hash && document.getElementById(place.id);
    if (!step) return;
    step.scrollIntoView();
    // Steps off screen have a guessed height until they are drawn: correct once they are.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      scrollBy(0, step.getBoundingClientRect().top - place.top);
    }));
  };

  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll(".outline > details a")) links.set(link.hash.slice(1), link);
    watch();
    comeBack();
    openTarget();
  });
  addEventListener("pagehide", keep);
  document.addEventListener("htmx:afterSettle", (event) => {
    // A refused form comes back with its errors on top: go there.
    if (event.target.id === "question") event.target.querySelector("div.error")?.focus();
  });
  addEventListener("hashchange", openTarget);
})();
