// @ts-check
// Joining: an open seat, and the way to GitHub's page where the file that asks for it is filled in.

import { h } from "./dom.js";
import { guide } from "./guide.js";

/** @import { Child } from "./dom.js" */
/** @import { Seat } from "./store.js" */

const KEY = "key:"; // A line of the file that is still to be filled in.

/**
 * How to take a seat; nothing if it is not open.
 * @param {Pick<Seat, "name" | "open" | "join">} seat
 * @returns {Child}
 */
export const joining = ({ name, open, join }) => {
  if (!open) return null;
  if (!join)
    return h("p", { class: "note" }, `${name} has no player, and nobody joins this game by a file: ask its host.`);
  const { address, how, path, text } = join;
  const key = text.includes(KEY) && "Write your own public key into the file in place of age1…: your private news are sealed to it.";
  const opens = { class: "button main", href: address, target: "_blank", rel: "noopener noreferrer" };
  return h(
    "section",
    { class: "panel join", "aria-labelledby": "join" },
    h("h2", { id: "join" }, `${name} is open`),
    h("p", {}, how, " Nothing can be sent for it before that. ", h("a", { href: "play.html#joining" }, "How to join")),
    address
      ? [
          h("p", { class: "hand" }, h("a", opens, `Join as ${name}`)),
          key && h("p", {}, key),
          h("details", {}, h("summary", {}, "What to press on GitHub"), guide(path)),
        ]
      : [
          h("p", {}, "Give the host this file, or add it to the archive by a pull request:"),
          h("p", {}, h("code", {}, path)),
          h("pre", {}, text),
          key && h("p", {}, key),
        ],
  );
};
