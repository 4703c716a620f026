// Hits of the search: a click opens the folded piece that holds one, and marks it in the text.
"use strict";
(() => {
  const NAME = "hit";

  const open = (element) => {
    for (let box = element.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  };

  const find = (texts, at, length) => {
    const range = new Range();
    const walker = document.createTreeWalker(texts, NodeFilter.SHOW_TEXT);
    let before = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // The server counts characters, the browser UTF-16 units.
      const letters = [...node.data];
      const unit = (count) => letters.slice(0, count).join("").length;
      const [first, last] = [at - before, at + length - before];
      if (first >= 0 && first < letters.length) range.setStart(node, unit(first));
      if (last > 0 && last <= letters.length) { range.setEnd(node, unit(last)); return range; }
      before += letters.length;
    }
    return null;
  };

  const toMiddle = (place) => {
    const box = place.getBoundingClientRect();
    scrollBy(0, box.top - innerHeight / 3);
  };

  const markShown = (text, { at, length, tail }) => {
    const held = text.querySelector(".recorded") || text;
    const texts = [...held.querySelectorAll(":scope > pre:not(.piece)")].at(tail ? -1 : 0);
    if (!texts) return;
    open(texts);
    const range = find(texts, Number(at), Number(length));
    if (!range) return;
    if (CSS.highlights) CSS.highlights.set(NAME, new Highlight(range));
    requestAnimationFrame(() => toMiddle(range));
  };

  const openPiece = async (text, address, piece) => {
    const plain = address.split("#")[0];
    const fold = [...text.querySelectorAll(".fold[data-piece]")].find(
      ({ dataset }) => Number(dataset.piece) <= piece && !(Number(dataset.until) <= piece),
    );
    const opened = text.querySelector(`pre.piece[data-piece="${piece}"]`);
    if (fold) {
      const around = `&from=${fold.dataset.piece}` + (fold.dataset.until ? `&until=${fold.dataset.until}` : "");
      await htmx.ajax("GET", plain + around, { target: fold, swap: "outerHTML" });
    } else if (opened) {
      await htmx.ajax("GET", plain, { target: opened, swap: "outerHTML", select: "pre.piece" });
    }
    const mark = text.querySelector(`pre.piece[data-piece="${piece}"] mark`);
    if (!mark) return;
    open(mark);
    mark.closest(".step")?.scrollIntoView();
    requestAnimationFrame(() => toMiddle(mark));
  };

  const onHit = (event) => {
    const link = event.target.closest("#hits a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    for (const other of document.querySelectorAll("#hits a[aria-current]")) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    const { anchor, part, piece } = link.dataset;
    const text = document.getElementById(anchor)?.querySelector(`.text.${CSS.escape(part)}`);
    if (!text) return;
    CSS.highlights?.delete(NAME);
    open(text);
    if (!piece) { requestAnimationFrame(() => markShown(text, link.dataset)); return; }
    event.preventDefault();
    openPiece(text, link.getAttribute("href"), Number(piece));
  };

  document.addEventListener("click", onHit);
  document.addEventListener("htmx:afterSwap", (event) => {
    // A reload or a bookmark keeps the search; no entry of history is made for it.
    if (event.detail.elt.id !== "hits") return;
    const address = new URL(location.href);
    const query = document.getElementById("search-box").value.trim();
    if (query) address.searchParams.set("q", query);
    else address.searchParams.delete("q");
    history.replaceState(history.state, "", address);
  });
})();
