// Colours of code: asked for when a text comes into view, painted over it without an element more.
"use strict";
(() => {
  const KINDS = ["keyword", "string", "comment", "number", "name"];
  const MOST = 24;
  const painted = new WeakMap();
  const asked = new WeakSet();
  let waiting = new Set();
  let timer = 0;

  const highlights = () => KINDS.map((kind) => {
    const name = `code-${kind}`;
    if (!CSS.highlights.has(name)) CSS.highlights.set(name, new Highlight());
    return CSS.highlights.get(name);
  });

  const nodesOf = (box) => {
    const nodes = [];
    const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    let at = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push([at, node]);
      at += node.length;
    }
    return nodes;
  };

  const paint = (box, numbers) => {
    const [nodes, all, ranges] = [nodesOf(box), highlights(), []];
    let index = 0;
    for (let i = 0; i + 2 < numbers.length; i += 3) {
      const [end, kind] = [numbers[i] + numbers[i + 1], numbers[i + 2]];
      for (let start = numbers[i]; start < end;) {
        while (index + 1 < nodes.length && nodes[index + 1][0] <= start) index += 1;
        if (!nodes[index]) return;
        const [from, node] = nodes[index];
        const stop = Math.min(end, from + node.length);
        if (stop <= start) break;
        const range = new StaticRange({ startContainer: node, startOffset: start - from, endContainer: node, endOffset: stop - from });
        all[kind].add(range);
        ranges.push([all[kind], range]);
        start = stop;
      }
    }
    painted.set(box, ranges);
  };

  const wipe = (box) => {
    for (const [highlight, range] of painted.get(box) || []) highlight.delete(range);
    painted.delete(box);
  };

  const nameOf = (text) => `${text.closest(".step").id}:${text.dataset.part}`;
  const partsOf = (text) => {
    const held = text.querySelector(".recorded") || text;
    const own = [...held.querySelectorAll(":scope > pre:not(.piece)")];
    return { head: own[0], tail: own[1] };
  };

  const ask = async (boxes) => {
    const address = document.querySelector("[data-colours]").dataset.colours;
    const names = boxes.map((box) => (box.matches("pre.piece") ? `${nameOf(box.closest(".text"))}:${box.dataset.piece}` : nameOf(box)));
    const query = new URLSearchParams(names.map((name) => ["of", name]));
    let found = {};
    try {
      const answer = await fetch(`${address}?${query}`);
      if (!answer.ok || answer.redirected) return;
      found = await answer.json();
    } catch { return; }
    requestAnimationFrame(() => boxes.forEach((box, at) => {
      const stretches = found[names[at]] || {};
      kept.set(box, stretches);
      show(box);
    }));
  };

  const kept = new WeakMap();
  const show = (box) => {
    const stretches = kept.get(box);
    if (!stretches) return;
    if (stretches.piece) { paint(box, stretches.piece); return; }
    const { head, tail } = partsOf(box);
    if (head && stretches.head) paint(head, stretches.head);
    if (tail && stretches.tail) paint(tail, stretches.tail);
  };
  const hide = (box) => {
    if (box.matches("pre.piece")) { wipe(box); return; }
    for (const part of Object.values(partsOf(box))) if (part) wipe(part);
  };

  const send = () => {
    const boxes = [...waiting].filter((box) => box.isConnected);
    waiting = new Set();
    for (let at = 0; at < boxes.length; at += MOST) ask(boxes.slice(at, at + MOST));
  };

  const comes = (box) => {
    if (kept.has(box)) { show(box); return; }
    if (asked.has(box)) return;
    asked.add(box);
    waiting.add(box);
    clearTimeout(timer);
    timer = setTimeout(send, 60);
  };

  const prepare = () => {
    if (!CSS.highlights || !document.querySelector("[data-colours]")) return;
    // Only what is near the window is painted: a long run would else hold a hundred thousand stretches.
    const watcher = new IntersectionObserver(
      (entries) => { for (const { target, isIntersecting } of entries) (isIntersecting ? comes : hide)(target); },
      { rootMargin: "400px 0px" },
    );
    const watch = (root) => { for (const box of root.querySelectorAll(".text.is-code-text, .text.is-code-text pre.piece")) watcher.observe(box); };
    watch(document);
    document.addEventListener("htmx:afterSettle", () => watch(document));
  };

  document.addEventListener("DOMContentLoaded", prepare);
})();
