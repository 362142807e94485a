// @ts-check
// Joining: an open seat, and links to the forge's pages with the request filled in.

import { h } from "./dom.js";
import { guide, issueGuide } from "./guide.js";
import { claim, seatOf } from "./mine.js";

/** @import { Child } from "./dom.js" */
/** @import { Desk, Seat } from "./store.js" */

const KEY = "key:"; // A line of the file that is still to be filled in.

/**
 * How to take a seat; nothing if it is not open.
 * @param {Desk} data
 * @param {Seat} seat
 * @returns {Child}
 */
export const joining = (data, seat) => {
  const { name, open, join } = seat;
  const { forge } = data;
  if (!open) return null;
  if (!join)
    return h("p", { class: "note" }, `${name} has no player, but you cannot join this game by sending a file: ask its host.`);
  const { address, how, issue, path, text } = join;
  const key = text.includes(KEY) && "Write your own public key into the file in place of age1…: your private news is sealed to it.";
  /** @type {(href: string, words: string, main: boolean) => HTMLElement} */
  const outward = (href, words, main) =>
    h("a", { class: main ? "button main" : "button", href, target: "_blank", rel: "noopener noreferrer", click: () => void (seatOf(data) || claim(data, seat)) }, words);
  return h(
    "section",
    { class: "panel join", "aria-labelledby": "join" },
    h("h2", { id: "join" }, `${name} is open`),
    h("p", {}, how, " Nothing can be sent for it before that. ", h("a", { href: "play.html#joining" }, "How to join")),
    forge && (address || issue)
      ? [
          h(
            "p",
            { class: "hand" },
            address && outward(address, `Join as ${name}`, true),
            issue && outward(issue, address ? "Join by an issue" : `Join as ${name}`, !address),
          ),
          address && !forge.filled_file && h("pre", {}, text),
          key && h("p", {}, key),
          h(
            "details",
            {},
            h("summary", {}, `What to press on ${forge.name}`),
            address && guide(path, "", forge),
            issue && issueGuide(address ? "By an issue: " : "", forge),
          ),
        ]
      : [
          h("p", {}, "Give the host this file, or add it to the archive by a pull request:"),
          h("p", {}, h("code", {}, path)),
          h("pre", {}, text),
          key && h("p", {}, key),
        ],
  );
};
