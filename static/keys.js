// The keyboard: while somebody types, Ctrl+Enter sends and Escape leaves the box, nothing else fires.
// The list under "?" names the same actions; a test holds the two together.
"use strict";
(() => {
  const SEQUENCE_LASTS = 1_000;
  const form = () => document.getElementById("answer-form");
  const phase = () => form()?.dataset.phase;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const moves = () => window.apt.moves;
  let begun = null; // "g", "q", "w" or "r", with what was typed after it and when

  const isTyping = (target) =>
    target.isContentEditable || target.matches?.("textarea, select, input:not([type=radio], [type=checkbox])");

  const press = (input) => {
    if (!input) return false;
    input.click();
    input.focus({ preventScroll: true });
    return true;
  };

  const hold = (row) => {
    if (!row) return false;
    document.getElementById("question-sheet").open = true;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    return true;
  };

  const openAside = (name) => {
    const box = document.getElementById(name);
    if (!box) return false;
    document.getElementById("question-sheet").open = true;
    box.open = true;
    box.querySelector("input[type=text], textarea")?.focus();
    return true;
  };

  const confidence = (change) => {
    const levels = all("[name=confidence]");
    const at = levels.findIndex((level) => level.checked);
    press(levels[Math.max(0, Math.min(levels.length - 1, at < 0 ? 2 : at + change))]);
    document.activeElement.blur();
    return true;
  };

  // A verdict by key on the option or finding in hand; the next one is taken in hand.
  const judge = (selector, input) => {
    const rows = all(selector);
    const at = rows.indexOf(document.activeElement?.closest(selector));
    const isJudged = (row) => Boolean(row.querySelector("input[type=radio]"));
    const found = at >= 0 && rows[at].querySelector(input);
    // Gold has no verdict: with it in hand, the key only goes on.
    if (!found && (at < 0 || isJudged(rows[at]))) return false;
    if (found) found.click();
    return hold(rows.slice(at + 1).find(isJudged) || rows[at]);
  };

  const nextFinding = (change) => {
    const rows = all(".finding");
    const at = rows.indexOf(document.activeElement?.closest(".finding"));
    return hold(rows[at < 0 ? (change > 0 ? 0 : rows.length - 1) : (at + change + rows.length) % rows.length]);
  };

  const look = () => {
    const link = document.activeElement?.closest(".finding, .option-row")?.querySelector('a[href^="#"]');
    if (!link) return false;
    link.click();
    return true;
  };

  const rate = (name, digit) => {
    if (!press(document.querySelector(`[name=${name}][value="${digit}"]`))) return false;
    const why = document.querySelector(`[name=${name}_why]`);
    if (Number(digit) >= 2 && !why.value) why.focus();
    else document.activeElement.blur();
    return true;
  };

  const reason = (digit) => {
    const list = document.querySelector("[name=reject_reason]");
    if (!list?.options[digit]) return false;
    list.selectedIndex = digit;
    list.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  };

  const write = () => {
    const box = document.querySelector("#answer-text, #field-comment");
    box?.focus();
    box?.scrollIntoView({ block: "nearest" });
    return Boolean(box);
  };

  const send = (event) => {
    if (event.target.closest("a, button, summary, dialog")) return false;
    if (!event.repeat) form()?.requestSubmit();
    return true;
  };

  const begin = (key) => { begun = { key, text: "", at: Infinity }; return true; };
  const digitOf = (event) => /^Digit([0-9])$/.exec(event.code)?.[1] || (/^[0-9]$/.test(event.key) ? event.key : "");
  const plain = (...keys) => (event, low) => !event.shiftKey && keys.includes(low);
  const shifted = (key) => (event, low) => event.shiftKey && low === key;
  const sign = (...keys) => (event) => keys.includes(event.key);
  const onPage = (event) => event.target === document.body || event.target.matches(".step");

  // name, phase (none: both), which key, what it does; the first that fits and does something wins.
  const ACTIONS = [
    ["search", "", sign("/"), () => { moves().search(); return true; }],
    ["keys", "", sign("?"), () => { document.getElementById("keys").showModal(); return true; }],
    ["size", "", sign("+", "=", "-"), (event) => event.key !== "=" && window.apt.view.size(event.key === "-" ? -1 : 1)],
    ["columns", "", sign("[", "]"), (event) => window.apt.view.toggle(event.key === "[" ? "outline" : "question")],
    ["hit", "", sign(".", ","), (event) => { moves().hit(event.key === "." ? 1 : -1); return true; }],
    ["confidence", "blind", (event) => event.shiftKey && /^[1-5]$/.test(digitOf(event)), (event) => press(document.querySelector(`[name=confidence][value="${digitOf(event)}"]`))],
    ["confidence", "blind", (event, low) => onPage(event) && /^arrow(left|right)$/.test(low), (event) => confidence(event.key === "ArrowLeft" ? -1 : 1)],
    ["jump", "", plain("g"), () => begin("g")],
    ["choose", "blind", (event, low) => !event.shiftKey && (/^[1-9]$/.test(digitOf(event)) || /^[a-i]$/.test(low)), (event, low) => press(all("[name=choice]")[(digitOf(event) || low.charCodeAt(0) - 96) - 1])],
    ["options", "blind", (event, low) => /^arrow(up|down)$/.test(low) && event.target.matches("[name=choice]"), () => false],
    ["undetermined", "blind", plain("x"), () => press(document.querySelector("[name=not_determined]"))],
    ["option", "open", (event) => !event.shiftKey && /^[1-9]$/.test(digitOf(event)), (event) => hold(all(".option-row")[digitOf(event) - 1])],
    ["verdict", "open", plain("v", "c", "e", "m", "d"), (event, low) => judge(".option-row", `[data-key="${low}"]`)],
    ["finding", "open", (_event, low) => low === "x", (event) => nextFinding(event.shiftKey ? -1 : 1)],
    ["confirm", "open", plain("y", "i"), (event, low) => judge(".finding", `[value=${low === "y" ? "confirmed" : "dismissed"}]`)],
    ["look", "open", plain("l"), look],
    ["rate", "open", plain("q", "w"), (_event, low) => begin(low)],
    ["same", "open", sign("="), () => press(document.querySelector("[name=same_meaning]"))],
    ["success", "open", (event, low) => event.shiftKey && /^[yn]$/.test(low), (_event, low) => press(document.querySelector(`[name=source_is_success][value=${low === "y" ? "yes" : "no"}]`))],
    ["decide", "open", plain("a"), () => press(document.querySelector("[name=decision][value=approve]"))],
    ["decide", "open", plain("r"), () => press(document.querySelector("[name=decision][value=reject]")) && begin("r")],
    ["edit", "open", plain("e"), () => !document.activeElement?.closest(".option-row") && press(document.querySelector("a[data-edit]"))],
    ["write", "", plain("t"), write],
    ["walk", "", plain("j", "k"), (_event, low) => { moves().walk(low === "j" ? 1 : -1); return true; }],
    ["fold", "", plain("f"), () => { moves().fold(); return true; }],
    ["fold", "", shifted("f"), () => { moves().foldAll(); return true; }],
    ["piece", "", plain("p"), () => { moves().openPiece(); return true; }],
    ["compare", "", plain("o"), () => window.apt.compare()],
    ["skip", "", plain("s"), () => openAside("skip")],
    ["note", "", plain("n"), () => openAside("note")],
    ["ask", "", plain("u"), () => openAside("ask")],
    ["send", "", (event) => event.key === "Enter", send],
  ];

  // What follows "g" is a number while it comes without a pause; an Enter as quick ends it.
  const goOn = (event) => {
    const { key, at } = begun;
    const digit = digitOf(event);
    const isLate = Date.now() - at > SEQUENCE_LASTS;
    const isFirst = at === Infinity;
    if (digit && !event.shiftKey && !isLate) {
      begun.text += digit;
      begun.at = Date.now();
      if (key === "g") { moves().go(document.getElementById(`step-${begun.text}`)); return true; }
      begun = null;
      if (key === "r") return reason(Number(digit)) || true;
      return rate(key === "q" ? "well_specified" : "gold_quality", digit);
    }
    begun = null;
    return key === "g" && !isFirst && event.key === "Enter" && !isLate;
  };

  const onTyping = (event) => {
    const isLine = event.target.matches("#answer-form input");
    if (event.key === "Escape") event.target.blur();
    else if (event.key !== "Enter" || !event.target.closest("#answer-form")) return;
    else if (event.ctrlKey || event.metaKey) { if (!event.repeat) form()?.requestSubmit(); }
    else if (!isLine) return;
    event.preventDefault();
  };

  const onKey = (event) => {
    if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (isTyping(event.target)) { onTyping(event); return; }
    if (event.ctrlKey || event.altKey || event.metaKey || !form()) return;
    if (["Shift", "CapsLock"].includes(event.key)) return;
    if (begun && goOn(event)) { event.preventDefault(); return; }
    const low = event.key.toLowerCase();
    const does = ([, when, fits, run]) => (!when || when === phase()) && fits(event, low) && run(event, low);
    if (ACTIONS.some(does)) event.preventDefault();
  };

  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    if (event.target.closest('a[href="#skip"]')) { event.preventDefault(); openAside("skip"); }
    const opens = event.target.closest("[data-opens]")?.dataset.opens;
    if (opens) document.getElementById(opens).showModal();
  });
  // What the page has not, its list of keys does not name.
  const listKeys = () => {
    for (const row of all("#keys [data-needs]")) row.hidden = !document.querySelector(row.dataset.needs);
  };
  document.addEventListener("DOMContentLoaded", () => {
    for (const button of all("[data-opens]")) button.hidden = false;
    listKeys();
  });
  document.addEventListener("htmx:afterSettle", listKeys);
  window.apt = { ...window.apt, actions: (of) => [...new Set(ACTIONS.filter(([, when]) => !when || when === of).map(([name]) => name))] };
})();
