// @ts-check
// Which seat is the reader's: one that they sent for, joined or opened the news of, or that they say is theirs; not any they looked at.

import { button, h, say } from "./dom.js";
import { recall, remember } from "./store.js";

/** @import { Desk, Seat } from "./store.js" */

/**
 * Below what drafts and seats are remembered: several archives may have one address.
 * @param {Desk} data
 */
export const scopeOf = (data) => data.archive ?? location.pathname;

/** @param {Desk} data */
const keyOf = (data) => `mine:${scopeOf(data)}:${data.game}`;

/**
 * The file of the reader's seat in a game; empty if this browser knows of none.
 * @param {Desk} data
 */
export const seatOf = (data) => {
  const file = recall(keyOf(data));
  return typeof file === "string" ? file : "";
};

/**
 * Remembers that a seat is the reader's.
 * @param {Desk} data
 * @param {Seat} seat
 */
export const claim = (data, seat) => remember(keyOf(data), seat.file);

/**
 * Who plays here, and whether that is the reader.
 * @param {Desk} data
 * @param {Seat} seat
 */
export const whoLine = (data, seat) => {
  const mine = h("span", {}, button("This is my seat", () => claimed(), { class: "quiet" }));
  const claimed = () => {
    if (claim(data, seat)) mine.replaceChildren(h("span", { class: "tag" }, "yours"));
    else say("This browser remembers nothing, so it cannot remember your seat.");
  };
  if (seatOf(data) === seat.file) mine.replaceChildren(h("span", { class: "tag" }, "yours"));
  return h(
    "p",
    { class: "who" },
    h("strong", {}, seat.name),
    h("span", {}, seat.player),
    mine,
    h("a", { href: `#${data.game}/` }, "Another seat"),
  );
};
