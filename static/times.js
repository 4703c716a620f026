// Shows times in the reader's own zone; the exact one is in the title.
"use strict";
(() => {
  const show = (root) => {
    for (const time of root.querySelectorAll("time[datetime]:not([data-shown])")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const clock = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
      const day = at.toLocaleDateString(document.documentElement.lang);
      time.title = at.toString();
      time.textContent = "clock" in time.dataset ? clock : `${day} ${clock}`;
      time.dataset.shown = "";
    }
  };
  document.addEventListener("DOMContentLoaded", () => show(document));
  document.addEventListener("htmx:afterSettle", () => show(document));
})();
