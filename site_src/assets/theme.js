// Light or dark, as the reader chose it on any page, kept where the site's theme keeps it and in its format. This is a plain script instead
// of a module, so that it acts before the page is seen, and from a file too. Without it pages follow the system.
"use strict";

(() => {
  // As in mkdocs.yml, in its order: the effect of the button for each choice, and the value that the theme remembers.
  const CHOICES = [
    { next: "Switch to dark", media: "(prefers-color-scheme)", scheme: "" },
    { next: "Switch to light", media: "(prefers-color-scheme: dark)", scheme: "slate" },
    { next: "Follow the system", media: "(prefers-color-scheme: light)", scheme: "default" },
  ];
  const key = `${new URL(".", location.href).pathname}.__palette`;
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = 0;

  const recall = () => {
    try {
      const { media } = JSON.parse(localStorage.getItem(key)).color;
      return Math.max(0, CHOICES.findIndex((choice) => choice.media === media));
    } catch {
      return chosen; // Nothing is remembered, or nothing may be: then this page alone knows.
    }
  };

  const show = () => {
    const { next, scheme } = CHOICES[chosen];
    if (scheme) document.documentElement.dataset.mdColorScheme = scheme;
    else delete document.documentElement.dataset.mdColorScheme;
    const button = document.getElementById("theme");
    if (!button) return; // The page is still on its way.
    button.setAttribute("aria-label", next);
    button.title = next;
    button.hidden = false;
  };

  const press = () => {
    chosen = (chosen + 1) % CHOICES.length;
    const { media, scheme } = CHOICES[chosen];
    const now = scheme || (system.matches ? "slate" : "default");
    const color = { media, scheme: now, primary: "custom", accent: "custom" };
    try {
      localStorage.setItem(key, JSON.stringify({ index: chosen, color }));
    } catch {
      // A browser that remembers nothing still shows the choice.
    }
    show();
  };

  chosen = recall();
  show();
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", press);
    show();
  });
  addEventListener("storage", (event) => {
    if (event.key !== key) return; // Chosen in another window.
    chosen = recall();
    show();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return; // Chosen on the page from which the reader comes back.
    chosen = recall();
    show();
  });
})();
