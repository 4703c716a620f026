// Shows times in the reader's own zone: a clock, or how long ago; the exact one is in the title.
"use strict";
(() => {
  const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]];
  const language = document.documentElement.lang;

  const ago = (at) => {
    const seconds = (at.getTime() - Date.now()) / 1000;
    if (Math.abs(seconds) < 60) return document.body.dataset.justNow;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size);
    return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(seconds / length), unit);
  };

  const show = () => {
    for (const time of document.querySelectorAll("time[data-clock], time[data-moment]")) {
      const at = new Date(time.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      time.title = at.toLocaleString(language, { dateStyle: "full", timeStyle: "long" });
      time.textContent = "clock" in time.dataset
        ? at.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
        : ago(at);
    }
  };

  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("htmx:afterSettle", show);
  setInterval(show, 30_000);
})();
