// Two options side by side in a window of their own over the page; the page behind keeps its place.
"use strict";
(() => {
  const box = () => document.getElementById("compare-box");

  const inHand = () => {
    const held = document.activeElement?.closest?.(".option-row")?.dataset.option;
    return held || document.querySelector("[name=choice]:checked")?.value || "";
  };

  const show = () => {
    const dialog = box();
    if (!dialog) return false;
    const first = inHand();
    const address = dialog.dataset.address + (first ? `?a=${encodeURIComponent(first)}` : "");
    dialog.showModal();
    htmx.ajax("GET", address, { target: "#comparison", swap: "outerHTML" });
    return true;
  };

  // The options by their letters or numbers change the right side, with Shift the left.
  document.addEventListener("keydown", (event) => {
    const dialog = box();
    if (!dialog?.open || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key.toLowerCase() === "o") { event.preventDefault(); dialog.close(); return; }
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    const letter = /^[a-i]$/i.test(event.key) ? event.key.toLowerCase().charCodeAt(0) - 96 : 0;
    const input = dialog.querySelectorAll(`[name=${event.shiftKey ? "a" : "b"}]`)[(Number(digit) || letter) - 1];
    if (!input || input.disabled) return;
    event.preventDefault();
    input.click();
  });

  // What one side shows can't be chosen on the other: at once, so that the next key is not lost.
  document.addEventListener("change", (event) => {
    const chosen = event.target.closest?.("#comparison input");
    if (!chosen) return;
    const other = chosen.name === "a" ? "b" : "a";
    for (const input of chosen.form.elements[other]) input.disabled = input.value === chosen.value;
  });

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !event.target.closest("a[data-compare]")) return;
    if (show()) event.preventDefault();
  });
  document.addEventListener("DOMContentLoaded", () => {
    box()?.addEventListener("close", () => document.activeElement?.blur?.());
  });
  window.apt = { ...window.apt, compare: show };
})();
