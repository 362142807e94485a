// @ts-check
// The box above a sheet's lists with the amounts that their lines take from the seat's goods.

import { fill, h } from "./dom.js";
import { sumOf } from "./purse.js";
import { listed } from "./text.js";

/** @import { Planning } from "./planning.js" */
/** @import { Prices } from "./types.js" */

export class PurseBox {
  /**
   * @param {() => Planning[]} plans the lists as they are drawn
   * @param {Prices | null} prices null if lines take nothing
   * @param {() => boolean} warns true if the desk itself warns about amounts that are too high
   */
  constructor(plans, prices, warns) {
    this.warns = warns;
    this.plans = plans;
    this.prices = prices;
    this.element = h("div", { class: "purse", hidden: true });
  }

  draw() {
    const { prices } = this;
    this.element.hidden = !prices;
    if (!prices) return;
    const lines = this.plans().flatMap(({ lines, planned }) => lines.map((line) => ({ line, planned })));
    const sums = Object.entries(prices.purse).map(([thing, has]) => {
      const takes = lines.reduce((sum, { line, planned }) => sum + (sumOf(prices, planned.forms, [line]).get(thing)?.takes ?? 0), 0);
      return { thing, takes, has };
    });
    const over = sums.filter(({ takes, has }) => takes > has).map(({ thing }) => thing);
    fill(
      this.element,
      h("p", {}, "Your lines take"),
      h("ul", {}, sums.map(({ thing, takes, has }) => h("li", { class: takes > has ? "bad" : null }, `${thing}: `, h("strong", {}, `${takes} of ${has}`)))),
      over.length > 0 && this.warns() && h("p", { class: "warn" }, `That is more than you have of ${listed(over)}: what cannot be paid fails.`),
      h("p", { class: "hint" }, prices.note),
    );
  }
}
