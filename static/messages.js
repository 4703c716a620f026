// Messages of the last action: they lie over the page and go by themselves, a warning when closed.
"use strict";
(() => {
  const LASTS = 8_000;

  const close = (message) => {
    const box = message.parentElement;
    message.remove();
    if (!box.children.length) box.remove();
  };

  const waits = (message) => message.matches(":hover") || message.contains(document.activeElement);

  const closeLater = (message) => setTimeout(() => (waits(message) ? closeLater(message) : close(message)), LASTS);

  document.addEventListener("DOMContentLoaded", () => {
    for (const message of document.querySelectorAll(".messages > div")) {
      const button = message.querySelector("[data-closes]");
      button.hidden = false;
      button.addEventListener("click", () => close(message));
      if (!message.matches(".warning, .error")) closeLater(message);
    }
  });
})();
