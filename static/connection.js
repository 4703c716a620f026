// The line that says when what is entered is not on the server, and why. One state at a time.
"use strict";
(() => {
  const place = () => document.getElementById("connection");
  let state = "";

  const show = () => {
    const line = place();
    if (!line) return;
    const text = state ? line.dataset[state] : "";
    line.hidden = !text;
    if (line.textContent.trim() !== text) line.textContent = text;
    document.documentElement.dataset.connection = state || "good";
  };

  const say = (next) => { state = next; show(); };

  addEventListener("offline", () => { if (state !== "waiting") say("offline"); });
  addEventListener("online", () => { if (state === "offline") say(""); });
  document.addEventListener("DOMContentLoaded", () => { if (!navigator.onLine && !state) state = "offline"; show(); });
  window.apt = { ...window.apt, connection: { say, state: () => state } };
})();
