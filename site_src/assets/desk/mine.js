// @ts-check
// The reader's seat: one that they sent for, joined, opened the news of, or claimed, but not one that they only looked at.

import { button, h, say } from "./dom.js";
import { recall, remember } from "./store.js";

/** @import { Desk, Seat } from "./store.js" */

/**
 * Prefix of remembered drafts and seats, because several archives may share one address.
 * @param {Desk} data
 */
export const scopeOf = (data) => data.archive ?? location.pathname;

/** @param {Desk} data */
const keyOf = (data) => `mine:${scopeOf(data)}:${data.game}`;

/**
 * The file of the reader's seat in a game; empty if this browser does not know it.
 * @param {Desk} data
 */
export const seatOf = (data) => {
  const file = recall(keyOf(data));
  return typeof file === "string" ? file : "";
};

/**
 * Remembers that a seat belongs to the reader.
 * @param {Desk} data
 * @param {Seat} seat
 */
export const claim = (data, seat) => remember(keyOf(data), seat.file);

/**
 * The player of a seat, and whether that is the reader.
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
