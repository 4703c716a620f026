// Ways through the source: steps, folds, pieces, hits. Keys and buttons call them.
"use strict";
(() => {
  const EDGE = 60;
  const steps = () => [...document.querySelectorAll(".source .step")];
  const sheet = () => document.getElementById("question-sheet");

  const go = (step) => {
    if (!step) return;
    step.open = true;
    step.scrollIntoView();
    // The step takes the focus, not its summary: there Enter would fold the step, not send.
    step.tabIndex = -1;
    step.focus({ preventScroll: true });
  };

  const edge = () => (matchMedia("(max-width: 1019px)").matches && sheet()?.open ? document.querySelector(".question-column").offsetHeight + EDGE : EDGE);

  const current = () => {
    const held = document.activeElement?.closest?.(".source .step");
    return held || steps().findLast((step) => step.getBoundingClientRect().top <= edge()) || steps()[0];
  };

  // At the end of the page no step reaches the top: the one that was walked to counts.
  const isAtEnd = () => scrollY + innerHeight >= document.documentElement.scrollHeight - 2;

  const walk = (change) => {
    const all = steps();
    const held = all.indexOf(document.activeElement?.closest?.(".source .step"));
    const isHeld = isAtEnd() && held >= 0 && all[held].getBoundingClientRect().top < innerHeight;
    const at = isHeld ? held : all.findLastIndex((step) => step.getBoundingClientRect().top <= edge());
    go(all[Math.max(0, Math.min(all.length - 1, at + change))]);
  };

  const fold = () => {
    const step = current();
    if (!step) return;
    step.open = !step.open;
    if (step.getBoundingClientRect().top < edge()) step.scrollIntoView();
  };

  const foldAll = () => {
    const [step, all] = [current(), steps()];
    const open = !all.some((each) => each.open);
    for (const each of all) each.open = open;
    step?.scrollIntoView();
  };

  const openPiece = () => current()?.querySelector(".fold a[hx-get]")?.click();

  const hit = (change) => {
    const all = [...document.querySelectorAll("#hits a")];
    if (!all.length) return;
    const at = all.findIndex((link) => link.hasAttribute("aria-current"));
    const next = all[at < 0 ? (change > 0 ? 0 : all.length - 1) : (at + change + all.length) % all.length];
    next.click();
    next.scrollIntoView({ block: "nearest" });
  };

  const search = () => {
    const box = document.getElementById("search-box");
    document.documentElement.classList.remove("without-outline");
    box?.focus();
    box?.select();
  };

  window.apt = { ...window.apt, moves: { go, walk, fold, foldAll, openPiece, hit, search } };
})();
