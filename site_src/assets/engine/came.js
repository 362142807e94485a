// @ts-check
// The result of a turn at a table: its map, its events, and each order with its reason.

import { picture } from "../desk/board.js";
import { h, small } from "../desk/dom.js";

const FEW = 6; // Orders that a phone does not fold.

/**
 * @param {any} came the judge's account of the turn
 * @param {number} number of the turn at the table
 */
export const turnTold = (came, number) => {
  const orders = came.verdicts.filter((/** @type {any} */ one) => !one.implied);
  return h(
    "details",
    { class: "what-if-came", open: true },
    h("summary", {}, `What happened (turn ${number} of this table): ${came.headline}`),
    h(
      "div",
      { class: "what-if-told" },
      h("div", { class: "what-if-board" }, picture(came.map)),
      h(
        "div",
        { tabindex: "0", role: "group", "aria-label": "What happened" },
        came.ended && h("p", { class: "note" }, `The game ends: ${came.ended}.`),
        Object.entries(came.left_out).map(([seat, faults]) =>
          h("p", { class: "note bad" }, `${seat}: ${faults.map((/** @type {any} */ fault) => `${fault.what}${fault.right ? ` (${fault.right})` : ""}`).join("; ")}. This did not count.`),
        ),
        came.facts.map((/** @type {[string, string[]]} */ [heading, lines]) => [
          heading && h("h3", {}, heading),
          h("ul", {}, lines.map((/** @type {string} */ line) => h("li", {}, line))),
        ]),
        orders.length > 0 &&
          h(
            "details",
            { open: !small() || orders.length <= FEW },
            h("summary", {}, `Orders (${orders.length})`),
            h(
              "ul",
              { class: "verdicts" },
              orders.map((/** @type {any} */ one) =>
                h(
                  "li",
                  { class: one.ok ? "good" : "bad" },
                  h("span", { class: "sign", "aria-hidden": "true" }, one.ok ? "✓" : "✗"),
                  h("strong", {}, `${one.seat}: ${one.order}`),
                  h("span", { class: "why" }, one.why, " ", h("code", {}, one.rule)),
                ),
              ),
            ),
          ),
      ),
    ),
  );
};
