// Rows that can be ticked: by keys, in ranges, all of a page; how many are ticked is said.
"use strict";
(() => {
  const form = () => document.querySelector("form[data-ticks]");
  const boxes = () => [...(form()?.querySelectorAll("tbody .tick input") ?? [])];
  let last = null;

  const say = () => {
    const own = form();
    if (!own) return;
    const all = boxes();
    const n = all.filter((box) => box.checked).length;
    const said = own.querySelector("output.ticked");
    said.textContent = `${own.dataset.n} ${n}`;
    said.hidden = n === 0;
    const every = own.querySelector("[data-tick-all]");
    every.checked = n > 0 && n === all.length;
    every.indeterminate = n > 0 && n < all.length;
  };

  const range = (to, checked) => {
    const all = boxes();
    const [one, other] = [all.indexOf(last ?? to), all.indexOf(to)].sort((a, b) => a - b);
    for (const box of all.slice(Math.max(one, 0), other + 1)) box.checked = checked;
  };

  const held = () => document.activeElement?.closest?.("form[data-ticks] tbody tr")?.querySelector(".tick input");

  const walk = (change) => {
    const all = boxes();
    const at = all.indexOf(held());
    const next = all[at < 0 ? 0 : Math.max(0, Math.min(all.length - 1, at + change))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };

  const tick = () => {
    const box = held();
    if (!box) { walk(0); return; }
    box.checked = !box.checked;
    last = box;
    say();
  };

  const tickTo = () => {
    const box = held();
    if (!box) return;
    range(box, true);
    last = box;
    say();
  };

  const KEYS = { j: () => walk(1), k: () => walk(-1), x: tick, X: tickTo, b: () => document.getElementById("do")?.focus() };

  const isTyping = (element) => element?.matches?.("textarea, select, input:not([type=checkbox])") || element?.isContentEditable;

  document.addEventListener("keydown", (event) => {
    if (!form() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    const act = Object.hasOwn(KEYS, event.key) && KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  document.addEventListener("click", (event) => {
    const box = event.target.closest?.("form[data-ticks] .tick input");
    if (!box) return;
    if (box.matches("[data-tick-all]")) for (const each of boxes()) each.checked = box.checked;
    else {
      if (event.shiftKey && last) range(box, box.checked);
      last = box;
    }
    say();
  });

  const start = () => {
    const own = form();
    if (!own) return;
    for (const each of own.querySelectorAll("[data-tick-all], .keys-note")) each.hidden = false;
    say();
  };
  document.addEventListener("DOMContentLoaded", start);
  addEventListener("pageshow", say);
})();
