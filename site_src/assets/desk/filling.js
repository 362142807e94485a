// @ts-check
// Choosing an order by its form, if the seat knows the legal orders of that form: first the form, then a word for each blank.

import { blanked, button, fill, focusOn, h, say } from "./dom.js";
import { firstBlank } from "./forms.js";
import { sumOf, tariffOf } from "./purse.js";
import { listed } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Picker } from "./picker.js" */
/** @import { Ways } from "./ways.js" */

export class Filling {
  /**
   * @param {Picker} picker
   * @param {Ways} ways
   */
  constructor(picker, ways) {
    this.picker = picker;
    this.ways = ways;
    this.desk = picker.desk;
    this.place = ""; // Where an order is begun, as tapped on the map.
    this.begun = ""; // A way that is begun on the map.
    this.groups = ways.forms.groups.map(([title, forms]) => this.group(title, forms.filter((form) => ways.has(form))));
    const others = ways.forms.shown.filter((form) => !ways.has(form));
    this.rest = this.group("Others, not offered now", others, "rest");
  }

  /**
   * Forms to begin with, folded; nothing for an empty list.
   * @param {string} title
   * @param {string[]} forms
   * @param {string | null} kind
   * @returns {Child}
   */
  group(title, forms, kind = null) {
    const begin = (/** @type {string} */ form) => this.picker.begin(form);
    const picks = forms.map((form) => h("li", {}, button(blanked(form), () => begin(form), { class: "pick" })));
    return forms.length > 0 && h("details", { class: kind }, h("summary", {}, `${title} (${forms.length})`), h("ul", { class: "picks" }, picks));
  }

  /**
   * Offers the orders that can begin at a place; true if there are any.
   * @param {string} place
   */
  spot(place) {
    if (!this.ways.at(place).length && !this.ways.maybe(place).length) return false;
    this.place = place;
    this.picker.draw();
    this.picker.reveal();
    say(this.picker.title.textContent ?? "");
    return true;
  }

  /** @param {Child} warn */
  draw(warn) {
    const { text } = this.desk.typing;
    const blank = firstBlank(text);
    if (blank && this.ways.forms.open(text).includes(blank)) this.drawBlank(text, blank, warn);
    else if (this.place) this.drawPlace(warn);
    else this.drawBeginnings(warn);
  }

  /** @param {Child} warn */
  drawBeginnings(warn) {
    const { body, title } = this.picker;
    const { seat } = this.desk;
    const some = this.ways.forms.shown.length > 0;
    title.textContent = some ? "Begin an order" : "No orders to write";
    const without = seat.without.length > 0 && !this.desk.draft.orders.length && `Without orders: ${seat.without.join("; ")}. `;
    const hint = some
      ? [without, this.desk.board ? "Tap a place on the map, or begin with what you want to do." : "Begin with what you want to do."]
      : "There are none in this turn. What it asks for is below.";
    fill(body, warn, h("p", { class: "hint" }, hint), this.purse(), this.groups, this.rest);
  }

  /**
   * The words for the first open blank; for a way begun on the map, the next places.
   * @param {string} line
   * @param {string} blank
   * @param {Child} warn
   */
  drawBlank(line, blank, warn) {
    const { body, title } = this.picker;
    const all = this.ways.choices(line);
    const on = all.filter((word) => this.begun && (word === this.begun || word.startsWith(`${this.begun}, `)));
    const choices = on.length ? on : all;
    title.textContent = on.length ? `To ${this.begun}, or on from there?` : `Which ${blank}?`;
    const take = (/** @type {string} */ word) => this.put(line.replace(`{${blank}}`, () => word));
    const cancel = button("Cancel", () => this.cancel(), { class: "quiet" });
    const picks = choices.map((word) => {
      const meaning = this.ways.meaning(word);
      const words = [word, meaning && h("span", { class: "soft" }, `, ${meaning}`)];
      return h("li", {}, button(words, () => take(word), { class: "pick", "data-line": word }));
    });
    fill(
      body,
      warn,
      h("p", { class: "trail" }, h("strong", {}, blanked(line)), cancel),
      picks.length ? h("ul", { class: "picks" }, picks) : h("p", { class: "hint" }, "Type it in the field below."),
      picks.length > 0 && h("p", { class: "hint" }, "You can tap something else on the map, or type it below."),
      this.tariff(line, !picks.length),
    );
  }

  /**
   * The prices of the words in an order, if its price depends on them.
   * @param {string} line
   * @param {boolean} open unfolded, because the words must be typed
   * @returns {Child}
   */
  tariff(line, open) {
    const { forms } = this.ways;
    const form = forms.forms.find((one) => forms.split(one, line, []));
    const price = form && this.desk.aside?.prices?.forms[form];
    const parts = price ? tariffOf(price) : [];
    return (
      parts.length > 0 &&
      h(
        "details",
        { class: "tariff", open },
        h("summary", {}, "What it costs"),
        parts.map(([heading, rows]) => [h("p", {}, heading), h("ul", {}, rows.map((row) => h("li", {}, row)))]),
      )
    );
  }

  /**
   * Fills the first open blank of a line with the tapped place; true if that means a choice. A way may go on from there.
   * @param {string} line
   * @param {string} place
   */
  tap(line, place) {
    const choices = this.ways.choices(line);
    const last = this.begun.split(", ").pop() === place;
    const way = this.begun && !last ? `${this.begun}, ${place}` : place;
    if (!last && choices.some((word) => word.startsWith(`${way}, `))) {
      this.begun = way;
      this.picker.draw();
      this.picker.reveal();
      say(this.picker.title.textContent ?? "");
      return true;
    }
    const word = last ? this.begun : choices.includes(way) ? way : this.ways.fitting(line, place);
    if (!word) return false;
    this.put(line.replace(`{${firstBlank(line)}}`, () => word));
    return true;
  }

  /** @param {Child} warn */
  drawPlace(warn) {
    const { body, title } = this.picker;
    title.textContent = `At ${this.place}`;
    const item = (/** @type {string} */ line) => {
      const meaning = line.split(" ").map((word) => this.ways.meaning(word)).find(Boolean);
      const words = [blanked(line), meaning && h("span", { class: "soft" }, `, ${meaning}`)];
      return h("li", {}, button(words, () => this.put(line), { class: "pick", "data-line": line }));
    };
    const more = this.ways.maybe(this.place);
    const cancel = button("Cancel", () => this.cancel(), { class: "quiet" });
    fill(
      body,
      warn,
      h("p", { class: "trail" }, cancel),
      h("ul", { class: "picks" }, this.ways.at(this.place).map(item)),
      more.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, `Others at ${this.place}, if things change first (${more.length})`),
          h("ul", { class: "picks" }, more.map(item)),
        ),
    );
  }

  /** The amounts that the orders take from the seat's goods. @returns {Child} */
  purse() {
    const { aside, draft, voice } = this.desk;
    if (!aside?.prices) return false;
    const sums = [...sumOf(aside.prices, this.ways.forms, draft.lines())];
    const over = sums.filter(([, { takes, has }]) => takes > has);
    const parts = sums.map(([thing, { takes, has }]) =>
      h("li", { class: takes > has ? "bad" : null }, `${thing}: `, h("strong", {}, `${takes} of ${has}`)),
    );
    return h(
      "div",
      { class: "purse" },
      h("p", {}, "Your orders take"),
      h("ul", {}, parts),
      over.length > 0 &&
        !voice.speaks &&
        h("p", { class: "warn" }, `That is more than you have of ${listed(over.map(([thing]) => thing))}: the last orders fail.`),
      h("p", { class: "hint" }, aside.prices.note),
    );
  }

  /**
   * Goes on with a line; a complete one becomes an order.
   * @param {string} line
   */
  put(line) {
    this.place = "";
    this.begun = "";
    if (this.ways.forms.open(line).length) {
      this.desk.typing.put(line);
      this.picker.draw();
      if (this.ways.choices(line).length) {
        this.picker.focusChoice();
        this.picker.reveal();
      } else this.desk.typing.begin(line);
      return;
    }
    this.desk.typing.put("");
    this.desk.take(line);
    this.picker.draw();
    this.picker.focus();
    this.picker.reveal();
  }

  cancel() {
    this.place = "";
    this.begun = "";
    this.desk.typing.put("");
    this.picker.draw();
    focusOn(this.picker.title);
    this.picker.reveal();
  }
}
