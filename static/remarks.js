// The boxes beside the review open by their links; Ctrl+Enter sends one. The keys are those of keys.js.
"use strict";
(() => {
  const open = (name) => {
    const box = document.getElementById(name);
    if (!box) return false;
    const sheet = document.getElementById("question-sheet");
    if (sheet) sheet.open = true;
    box.open = true;
    box.querySelector("textarea")?.focus();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    const form = event.target.closest?.("form[data-remark]");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });

  document.addEventListener("click", (event) => {
    const name = event.target.closest("a[data-remark]")?.hash.slice(1);
    if (name && open(name)) event.preventDefault();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "note") open("note");
  });
})();
