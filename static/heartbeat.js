// Renews the lease while somebody is at work on the page; a tab left open does not hold the item.
"use strict";
(() => {
  const EVERY = 240_000;
  let active = false;
  for (const kind of ["pointerdown", "keydown", "scroll", "wheel"]) {
    addEventListener(kind, () => { active = true; }, { passive: true, capture: true });
  }
  setInterval(() => {
    const form = document.getElementById("answer-form");
    if (!form || !active || document.hidden) return;
    active = false;
    const token = form.elements.csrfmiddlewaretoken.value;
    fetch(form.dataset.lease, { method: "POST", headers: { "X-CSRFToken": token } })
      .then((answer) => { if (answer.status === 409) location.reload(); })
      .catch(() => { active = true; });
  }, EVERY);
})();
