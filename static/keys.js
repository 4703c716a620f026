// The keyboard: while somebody types, Ctrl+Enter sends and Escape leaves the box, nothing else fires.
"use strict";
(() => {
  const form = () => document.getElementById("answer-form");
  const isBlind = () => form()?.dataset.phase === "blind";
  const NUMBER_LASTS = 1_000;
  let number = null;
  let numberAt = 0;

  const isTyping = (target) =>
    target.isContentEditable || target.matches?.("textarea, select, input:not([type=radio], [type=checkbox])");

  const press = (input) => { if (input) { input.click(); input.focus({ preventScroll: true }); } };

  const choose = (index) => {
    if (isBlind()) { press(document.querySelectorAll("[name=choice]")[index]); return; }
    const row = document.querySelectorAll(".option-row")[index];
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  };

  const judge = (key) => {
    const rows = [...document.querySelectorAll(".option-row")];
    const at = rows.indexOf(document.activeElement?.closest(".option-row"));
    const input = rows[at]?.querySelector(`[data-key="${key}"]`);
    if (!input) return;
    input.click();
    const next = rows.slice(at + 1).find((row) => row.querySelector("[data-key]"));
    (next || rows[at]).focus({ preventScroll: true });
    (next || rows[at]).scrollIntoView({ block: "nearest" });
  };

  const confidence = (change) => {
    const levels = [...document.querySelectorAll("[name=confidence]")];
    const at = levels.findIndex((level) => level.checked);
    press(levels[Math.max(0, Math.min(levels.length - 1, at < 0 ? 2 : at + change))]);
    document.activeElement.blur();
  };

  const go = (step) => {
    if (!step) return;
    step.open = true;
    step.scrollIntoView();
    // The step takes the focus, not its summary: there Enter would fold the step, not send.
    step.tabIndex = -1;
    step.focus({ preventScroll: true });
  };

  const walk = (change) => {
    const steps = [...document.querySelectorAll(".source .step")];
    const edge = 60;
    const at = steps.findLastIndex((step) => step.getBoundingClientRect().top <= edge);
    go(steps[Math.max(0, Math.min(steps.length - 1, at + change))]);
  };

  const openSkip = () => {
    const box = document.getElementById("skip");
    document.getElementById("question-sheet").open = true;
    box.open = true;
    box.querySelector("input[type=text]").focus();
  };

  const openSearch = () => {
    const box = document.getElementById("search-box");
    box?.focus();
    box?.select();
  };

  // The digits after "g" are one number while they come without a pause; an Enter as quick ends it.
  const jump = (key) => {
    const now = Date.now();
    if (key === "g") { number = ""; numberAt = Infinity; return true; }
    if (number === null) return false;
    const isLate = now - numberAt > NUMBER_LASTS;
    if (/^\d$/.test(key) && !isLate) {
      number += key;
      numberAt = now;
      go(document.getElementById(`step-${number}`));
      return true;
    }
    number = null;
    return key === "Enter" && !isLate;
  };

  const onTyping = (event) => {
    const isLine = event.target.matches("#answer-form input");
    if (event.key === "Escape") event.target.blur();
    else if (event.key !== "Enter" || !event.target.closest("#answer-form")) return;
    else if (event.ctrlKey || event.metaKey) form()?.requestSubmit();
    else if (!isLine) return;
    event.preventDefault();
  };

  const onKey = (event) => {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (isTyping(event.target)) { onTyping(event); return; }
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key;
    const low = key.length === 1 ? key.toLowerCase() : key;
    const onBody = event.target === document.body;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (key === "/") openSearch();
    else if (key === "?") document.getElementById("keys").showModal();
    else if (event.shiftKey && digit && isBlind()) press(document.querySelector(`[name=confidence][value="${digit}"]`));
    else if (jump(low)) { /* a step was asked for */ }
    else if (digit || /^[1-9]$/.test(key)) choose(Number(digit || key) - 1);
    else if (isBlind() && /^[a-i]$/.test(low)) choose(low.charCodeAt(0) - 97);
    else if (low === "j") walk(1);
    else if (low === "k") walk(-1);
    else if (low === "s") openSkip();
    else if (isBlind() && onBody && key === "ArrowLeft") confidence(-1);
    else if (isBlind() && onBody && key === "ArrowRight") confidence(1);
    else if (!isBlind() && low === "a") press(document.querySelector("[name=decision][value=approve]"));
    else if (!isBlind() && low === "r") press(document.querySelector("[name=decision][value=reject]"));
    else if (!isBlind() && /^[vcemd]$/.test(low)) judge(low);
    else if (key === "Enter" && !event.target.closest("a, button, summary, dialog")) form()?.requestSubmit();
    else return;
    event.preventDefault();
  };

  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    if (event.target.closest('a[href="#skip"]')) { event.preventDefault(); openSkip(); }
    const opens = event.target.closest("[data-opens]")?.dataset.opens;
    if (opens) document.getElementById(opens).showModal();
  });
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-opens]")) button.hidden = false;
  });
})();
