// Counts active seconds of a phase: not while the page is hidden or nothing happened for a minute.
"use strict";
(() => {
  const IDLE = 60_000;
  let last = Date.now();
  let before = Date.now();
  for (const kind of ["pointermove", "pointerdown", "keydown", "scroll", "wheel", "touchstart"]) {
    addEventListener(kind, () => { last = Date.now(); }, { passive: true, capture: true });
  }
  setInterval(() => {
    const now = Date.now();
    const passed = Math.min(now - before, 2_000);
    before = now;
    const field = document.querySelector("[data-timer]");
    if (!field || document.hidden || now - last > IDLE) return;
    field.value = (Number(field.value) + passed / 1000).toFixed(1);
  }, 1_000);
})();
