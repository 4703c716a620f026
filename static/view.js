// How the page is set: text size, column widths, what is folded away; remembered in this browser.
// Runs before the page is drawn, so that nothing moves.
"use strict";
(() => {
  const KEY = "apt-view";
  const SIZES = [85, 100, 115, 130, 150];
  const root = document.documentElement;
  const WIDTHS = { outline: { least: 140, most: 480, usual: 220 }, question: { least: 320, most: 760, usual: 420 } };

  const read = () => {
    try { return JSON.parse(localStorage.getItem(KEY)) || {}; } catch { return {}; }
  };
  const within = (name, width) => Math.round(Math.max(WIDTHS[name].least, Math.min(WIDTHS[name].most, width)));
  let view = read();

  const apply = () => {
    const size = SIZES.includes(view.size) ? view.size : 100;
    root.style.setProperty("--text-size", String(size / 100));
    for (const name of Object.keys(WIDTHS)) {
      if (Number.isFinite(view[name])) root.style.setProperty(`--${name}-width`, `${within(name, view[name])}px`);
      else root.style.removeProperty(`--${name}-width`);
      root.classList.toggle(`without-${name}`, Boolean(view.away?.includes(name)));
    }
    for (const button of document.querySelectorAll("[data-toggles]")) {
      button.setAttribute("aria-pressed", String(!view.away?.includes(button.dataset.toggles)));
    }
    for (const bar of document.querySelectorAll("[data-resizes]")) {
      bar.setAttribute("aria-valuenow", String(widthOf(bar.dataset.resizes)));
    }
  };

  const widthOf = (name) => (Number.isFinite(view[name]) ? within(name, view[name]) : WIDTHS[name].usual);

  const keep = (change) => {
    view = { ...read(), ...change };
    try { localStorage.setItem(KEY, JSON.stringify(view)); } catch { /* private mode: not remembered */ }
    apply();
    return true;
  };

  const size = (change) => {
    const at = SIZES.indexOf(SIZES.includes(view.size) ? view.size : 100);
    return keep({ size: SIZES[Math.max(0, Math.min(SIZES.length - 1, at + change))] });
  };

  const toggle = (name) => {
    const away = new Set(view.away || []);
    if (!away.delete(name)) away.add(name);
    return keep({ away: [...away] });
  };

  const resize = (bar, width) => keep({ [bar.dataset.resizes]: within(bar.dataset.resizes, width) });

  const drag = (bar, event) => {
    const name = bar.dataset.resizes;
    const [from, width] = [event.clientX, widthOf(name)];
    bar.setPointerCapture(event.pointerId);
    const move = ({ clientX }) => resize(bar, width + (name === "outline" ? clientX - from : from - clientX));
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  };

  const prepare = () => {
    for (const button of document.querySelectorAll("[data-toggles], [data-sizes]")) {
      button.hidden = false;
      const { toggles, sizes } = button.dataset;
      button.addEventListener("click", () => (toggles ? toggle(toggles) : size(Number(sizes))));
    }
    for (const bar of document.querySelectorAll("[data-resizes]")) {
      const { least, most, usual } = WIDTHS[bar.dataset.resizes];
      bar.hidden = false;
      bar.setAttribute("aria-valuemin", String(least));
      bar.setAttribute("aria-valuemax", String(most));
      bar.addEventListener("pointerdown", (event) => { event.preventDefault(); bar.focus(); drag(bar, event); });
      bar.addEventListener("dblclick", () => resize(bar, usual));
      bar.addEventListener("keydown", (event) => {
        const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        resize(bar, widthOf(bar.dataset.resizes) + 20 * (bar.dataset.resizes === "outline" ? way : -way));
      });
    }
    apply();
  };

  apply();
  document.addEventListener("DOMContentLoaded", prepare);
  addEventListener("storage", (event) => { if (event.key === KEY) { view = read(); apply(); } });
  window.apt = { ...window.apt, view: { size, toggle } };
})();
