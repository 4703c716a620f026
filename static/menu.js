// The menu closes with Escape, and when somebody goes on elsewhere.
"use strict";
(() => {
  const menu = () => document.querySelector(".menu[open]");
  document.addEventListener("keydown", (event) => {
    const open = menu();
    if (!open || event.key !== "Escape") return;
    open.open = false;
    open.querySelector("summary").focus();
    event.stopPropagation();
  }, true);
  document.addEventListener("click", (event) => {
    const open = menu();
    if (open && !open.contains(event.target)) open.open = false;
  });
})();
