"use strict";
(() => {
  const root = document.documentElement;
  const cards = [...document.querySelectorAll("article.instance")];
  const byId = (id) => document.getElementById(id);

  // Theme: as the system says, until the reader chooses.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = (isDark) => {
    root.dataset.theme = isDark ? "dark" : "light";
    byId("theme").textContent = isDark ? "Light" : "Dark";
  };
  show(dark.matches);
  dark.addEventListener("change", (event) => show(event.matches));
  byId("theme").addEventListener("click", () => show(root.dataset.theme !== "dark"));

  // Filters.
  const filter = () => {
    const task = byId("task").value;
    const verdict = byId("verdict").value;
    let shown = 0;
    for (const card of cards) {
      const fits = (!task || card.dataset.task === task)
        && (!verdict || (` ${card.dataset.wrong} `).includes(` ${verdict} `));
      card.hidden = !fits;
      shown += fits;
    }
    byId("shown").textContent = `${shown} of ${cards.length} shown`;
  };
  byId("task").addEventListener("change", filter);
  byId("verdict").addEventListener("change", filter);
  filter();

  // Keys: j and k go from question to question.
  const go = (step) => {
    const open = cards.filter((card) => !card.hidden);
    if (!open.length) return;
    const top = (card) => card.getBoundingClientRect().top;
    const edge = 80;
    const next = step > 0
      ? open.find((card) => top(card) > edge + 4)
      : open.filter((card) => top(card) < edge - 4).pop();
    if (next) {
      next.scrollIntoView();
      next.focus({ preventScroll: true });
    }
  };
  document.addEventListener("keydown", (event) => {
    const busy = event.ctrlKey || event.metaKey || event.altKey
      || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || byId("large").open;
    if (busy) return;
    if (event.key === "j") go(1);
    if (event.key === "k") go(-1);
  });

  // A picture at full size, the arrow keys step through its strip.
  const large = byId("large");
  let strip = [];
  let at = 0;
  const enlarge = () => {
    const image = strip[at].querySelector("img");
    large.querySelector("img").src = image.currentSrc || image.src;
    large.querySelector("img").alt = image.alt;
    large.querySelector("p").textContent = image.alt;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.zoom");
    if (button) {
      const list = button.closest(".strip");
      strip = list ? [...list.querySelectorAll("button.zoom")] : [button];
      at = strip.indexOf(button);
      enlarge();
      large.showModal();
    } else if (event.target === large) {
      large.close();
    }
  });
  large.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && strip[at + step]) {
      at += step;
      enlarge();
    }
  });
  large.addEventListener("close", () => strip[at] && strip[at].focus());

  // A link to an episode opens it.
  const reveal = () => {
    const target = byId(decodeURIComponent(location.hash.slice(1)));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
