// What a refused form says of a field goes as soon as that field is changed; nothing else moves.
"use strict";
(() => {
  const amend = (event) => {
    const field = event.target;
    const form = field.closest?.("#answer-form");
    if (!form || !field.name) return;
    const told = form.querySelectorAll(`[data-of~="${CSS.escape(field.name)}"]`);
    if (!told.length) return;
    const column = form.closest(".question-column");
    const box = column.getBoundingClientRect();
    const inBar = field.closest(".decision-bar");
    const still = inBar ? document.elementFromPoint(box.left + 40, box.top + box.height / 3) : field;
    const before = still?.getBoundingClientRect().top;
    const list = form.querySelector("div.error");
    for (const message of told) {
      // A line of the list goes and what is below stays in place; beside a field its space is kept.
      if (list?.contains(message)) message.remove();
      else message.classList.add("is-past");
    }
    if (list && !list.querySelector("[data-of]")) list.remove();
    if (still?.isConnected) column.scrollTop += still.getBoundingClientRect().top - before;
  };

  document.addEventListener("input", amend);
  document.addEventListener("change", amend);
})();
