// The search's index is most of a page's weight, and few readers search. The theme asks for it with every page; this holds the request
// back until the reader goes to the search. It runs before the theme's script, which asks by XMLHttpRequest.
"use strict";

(() => {
  const INDEX = /\/search\/search_index\.json$/;
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
    if (!wanted && INDEX.test(new URL(address, location.href).pathname)) held.add(this);
    return open.call(this, method, address, ...rest);
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
  if (new URLSearchParams(location.search).has("q")) release();
})();
