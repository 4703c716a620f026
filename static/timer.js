// Counts active seconds of a phase: not while the page is hidden or nothing happened for a minute.
// Kept in this browser too, so that a page that is only read and loaded again goes on counting.
"use strict";
(() => {
  const IDLE = 60_000;
  const EVERY = 1_000;
  const MOST = 2 * EVERY;
  // Not the time of day: that may be set while somebody reads.
  const now = () => performance.now();
  let last = now();
  let before = now();

  const field = () => document.querySelector("[data-timer]");
  const keyOf = ({ form }) => `apt-time:${form.dataset.owner}:${form.dataset.assignment}:${form.dataset.phase}`;

  const keep = () => {
    const box = field();
    if (!box) return;
    try { sessionStorage.setItem(keyOf(box), box.value); } catch { /* private mode */ }
  };

  const goOn = () => {
    const box = field();
    if (!box) return;
    let kept = 0;
    try { kept = Number(sessionStorage.getItem(keyOf(box))) || 0; } catch { /* private mode */ }
    if (kept > Number(box.value)) box.value = String(kept);
  };

  for (const kind of ["pointermove", "pointerdown", "keydown", "scroll", "wheel", "touchstart"]) {
    addEventListener(kind, () => { last = now(); }, { passive: true, capture: true });
  }
  addEventListener("visibilitychange", () => { before = now(); if (document.hidden) keep(); });
  addEventListener("pagehide", keep);
  setInterval(() => {
    const passed = Math.min(now() - before, MOST);
    before = now();
    const box = field();
    if (!box || document.hidden || before - last > IDLE) return;
    box.value = (Number(box.value) + passed / 1000).toFixed(1);
  }, EVERY);
  document.addEventListener("DOMContentLoaded", goOn);
  document.addEventListener("htmx:afterSettle", goOn);
})();
