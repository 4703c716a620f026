// The theme switch: system, light, dark; remembered in this browser.
"use strict";
(() => {
  const ORDER = ["system", "light", "dark"];
  const kept = () => {
    try { return localStorage.getItem("apt-theme") || "system"; } catch { return "system"; }
  };
  const apply = (theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  };
  apply(kept());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    if (!button) return;
    const label = () => {
      button.title = button.dataset[kept()];
      button.setAttribute("aria-label", button.title);
    };
    button.hidden = false;
    label();
    button.addEventListener("click", () => {
      const next = ORDER[(ORDER.indexOf(kept()) + 1) % ORDER.length];
      try { localStorage.setItem("apt-theme", next); } catch { /* private mode: not remembered */ }
      apply(next);
      label();
    });
  });
})();
