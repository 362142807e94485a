// The search's index is most of a page's weight, and few readers search. The theme asks for it with every page; this holds the request
// back until the reader goes to the search. It runs before the theme's script, which asks by XMLHttpRequest.
"use strict";

(() => {
  document.documentElement.classList.replace("no-js", "js"); // As the theme's script does, but before anything is shown.
  // The typeface of titles comes with the style sheets instead of after them, so that titles do not break otherwise once it is there. Pages
  // that are read from a disk cannot ask for it this way.
  if (location.protocol !== "file:") {
    const face = document.createElement("link");
    Object.assign(face, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" });
    face.href = new URL("literata-700.woff2", document.currentScript.src).href;
    document.head.append(face);
  }
  const INDEX = /\/search\/search_index\.json$/;
  const SCOPES = { help: "search_index.json", rules: "rules.json", games: "games.json" };
  const asked = new URLSearchParams(location.search);
  // Where the search looks: where the reader said, in rulebooks on their pages, and otherwise in help, which knows the games' titles too.
  const chosen = asked.get("in");
  const part = Object.hasOwn(SCOPES, chosen ?? "") ? chosen : /\/rulesets\//.test(location.pathname) ? "rules" : "help";
  const { open, send } = XMLHttpRequest.prototype;
  const held = new WeakSet();
  let waiting = [];
  let wanted = false;

  const release = () => {
    wanted = true;
    for (const go of waiting) go();
    waiting = [];
  };

  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    const place = new URL(address, location.href);
    const index = INDEX.test(place.pathname);
    if (index && !wanted) held.add(this);
    return open.call(this, method, index ? new URL(SCOPES[part], place) : address, ...rest);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (wanted || !held.has(this)) return send.apply(this, body);
    waiting.push(() => send.apply(this, body));
  };

  // By a press, by a key of the theme, or by the address: all of them open the search's box or put the cursor into it.
  addEventListener("focusin", (event) => {
    if (event.target.matches?.(".md-search__input")) release();
  });
  addEventListener("change", (event) => {
    if (event.target.id === "__search") release();
  });
  if (asked.has("q")) release();

  // Above what is found: where the search looks, with links to the same search elsewhere.
  addEventListener("DOMContentLoaded", () => {
    const box = document.querySelector(".md-search__scrollwrap");
    const input = document.querySelector(".md-search__input");
    if (!box || !input || box.querySelector(".courtly-scopes")) return;
    const ways = document.createElement("nav");
    ways.className = "courtly-scopes";
    ways.setAttribute("aria-label", "Where to look");
    for (const name of Object.keys(SCOPES)) {
      const way = document.createElement("a");
      way.textContent = name[0].toUpperCase() + name.slice(1);
      if (name === part) way.setAttribute("aria-current", "true");
      way.href = `?in=${name}&q=`;
      way.addEventListener("click", () => {
        way.href = `?in=${name}&q=${encodeURIComponent(input.value)}`;
      });
      ways.append(way);
    }
    box.prepend(ways);
  });

  // Pages of games do not load the theme's script either until the reader goes to the search: their menus work without it. Its other
  // duty there, light or dark, is done here, in the theme's own format, until it comes.
  let palette = null; // Ends our part of it.
  const choose = () => {
    const inputs = [...document.querySelectorAll("input[name=__palette]")];
    const system = matchMedia("(prefers-color-scheme: dark)");
    const show = (index, keep) => {
      let from = inputs[index];
      if (from.dataset.mdColorMedia === "(prefers-color-scheme)")
        from = inputs.find((one) => one.dataset.mdColorMedia === `(prefers-color-scheme: ${system.matches ? "dark" : "light"})`) ?? from;
      const color = { media: inputs[index].dataset.mdColorMedia };
      for (const name of ["scheme", "primary", "accent"]) color[name] = from.getAttribute(`data-md-color-${name}`);
      for (const [name, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${name}`, value);
      for (const [at, input] of inputs.entries()) input.nextElementSibling.hidden = at !== index;
      if (keep) __md_set("__palette", { index, color });
    };
    let index = 0;
    try {
      index = __md_get("__palette")?.index ?? 0;
    } catch {} // A browser that remembers nothing follows the system.
    const change = (event) => {
      index = inputs.indexOf(event.target);
      show(index, true);
    };
    const followed = () => show(index, false);
    for (const input of inputs) input.addEventListener("change", change);
    system.addEventListener("change", followed);
    if (inputs[index]) show(index, false);
    return () => {
      for (const input of inputs) input.removeEventListener("change", change);
      system.removeEventListener("change", followed);
    };
  };
  const loadTheme = (typing) => {
    const place = document.getElementById("courtly-theme");
    if (!place) return;
    place.removeAttribute("id");
    const script = document.createElement("script");
    script.src = place.dataset.src;
    const slim = document.querySelector('link[href$="assets/stylesheets/play.css"]');
    if (slim) slim.href = place.dataset.style;
    script.addEventListener("load", () => {
      palette?.();
      document.dispatchEvent(new Event("DOMContentLoaded")); // It begins when the page is ready, and the page has been ready for long.
      const input = document.querySelector(".md-search__input");
      if (!typing || !input) return;
      input.blur(); // The theme begins a search when its field gets the focus.
      input.focus();
      input.dispatchEvent(new Event("keyup"));
    });
    document.head.append(script);
  };
  addEventListener("focusin", (event) => {
    if (event.target.matches?.(".md-search__input")) loadTheme(true);
  });
  addEventListener("change", (event) => {
    if (event.target.id !== "__search" || !document.getElementById("courtly-theme")) return;
    loadTheme(true);
    if (event.target.checked) document.querySelector(".md-search__input")?.focus(); // Typing can begin before the theme has come.
  });
  addEventListener("keydown", (event) => {
    if (event.target.matches?.("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return; // A board fills the screen, and the search lies behind it.
    if (!["/", "s", "f"].includes(event.key) || !document.getElementById("courtly-theme")) return; // The theme's keys for the search.
    event.preventDefault();
    const box = document.getElementById("__search");
    if (box) box.checked = true;
    document.querySelector(".md-search__input")?.focus();
  });
  addEventListener("DOMContentLoaded", () => {
    if (!document.getElementById("courtly-theme")) return;
    palette = choose();
    if (wanted) loadTheme(true);
  });
})();
