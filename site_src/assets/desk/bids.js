// @ts-check
// The list of a sheet's bids, each with its fault, and the rest of the purse.

import { button, fill, focusOn, h, say } from "./dom.js";
import { helpOf } from "./inputs.js";
import { SIGNS } from "./text.js";
import { verdictOf } from "./voice.js";

/** @import { Bidding } from "./bidding.js" */
/** @import { Offer } from "./bidding.js" */
/** @import { OrderDesk } from "./desk.js" */
/** @import { Field } from "./types.js" */

export class Bids {
  /**
   * @param {OrderDesk} desk
   * @param {Bidding} bidding
   * @param {Field} field the lines of bids
   */
  constructor(desk, bidding, field) {
    this.desk = desk;
    this.bidding = bidding;
    this.field = field;
    const id = `field-${field.key}`;
    this.title = h("h2", {}, "Your bids");
    this.purse = h("p", { class: "left-over" });
    this.list = h("ul", { class: "orders" });
    const picks = bidding.units.map((unit) => {
      const [place] = bidding.notation.known(`${unit} ${bidding.pieces[unit].wishes[0]}`).mentions;
      const words = [unit, h("span", { class: "soft" }, `, ${bidding.pieces[unit].whose}`)];
      return h("li", {}, button(words, () => desk.picker.offering?.begin(place), { class: "pick" }));
    });
    /** @param {Event} event */
    const typed = (event) => {
      const { value } = /** @type {HTMLTextAreaElement} */ (event.target);
      desk.draft.set(field.key, value || undefined).forEach(say);
    };
    this.area = h("textarea", {
      id,
      rows: 4,
      spellcheck: "false",
      "aria-describedby": field.help ? `${id}-help` : null,
      input: typed,
    });
    this.element = h(
      "section",
      { class: "panel bids" },
      this.title,
      this.purse,
      this.list,
      h("details", {}, h("summary", {}, `Bid on a unit (${picks.length})`), h("ul", { class: "picks" }, picks)),
      h(
        "details",
        {},
        h("summary", {}, "Write bids by hand"),
        h(
          "div",
          { class: "field" },
          h("label", { for: id }, field.label),
          h("p", { class: "hint" }, `One per line${field.most === undefined ? "" : `, at most ${field.most}`}.`),
          this.area,
          helpOf(field, id),
        ),
      ),
    );
  }

  /** The lines as written. */
  get text() {
    const value = this.desk.draft.values[this.field.key];
    return typeof value === "string" ? value : "";
  }

  /**
   * A line typed among orders, read as a bid; null if it is not one.
   * @param {string} text
   */
  typed(text) {
    if (!this.desk.reader.isBid(text)) return null;
    const { amount, fault, wish } = this.bidding.read(text, 0);
    return { line: wish ? this.bidding.line(amount, wish.line) : text, fault };
  }

  /**
   * The lines as written, followed by those of `more` that are missing.
   * @param {readonly string[]} more
   */
  with(more) {
    const lines = this.text.split("\n").filter((line) => line.trim());
    return [...lines, ...more.filter((line) => !lines.includes(line))].join("\n");
  }

  /** The places that the seat's orders attack: by moves, or by helping a move. */
  attacked() {
    const { draft, reader } = this.desk;
    const options = draft.lines().flatMap((line) => reader.notation.legal.get(line) ?? []);
    const goals = options.flatMap((option) => {
      const { sign } = reader.sayings.of(option);
      const { mentions } = option;
      const goes = sign === "go" || ((sign === "aid" || sign === "carry") && mentions.length > 2);
      return goes ? [mentions[mentions.length - 1]] : [];
    });
    return new Set(goals);
  }

  judged() {
    return this.bidding.judge(this.text, this.attacked());
  }

  /** The bids that count, as the map draws them: each with its number, and whether its move stops before its goal. */
  drawn() {
    return this.judged().offers.flatMap(({ amount, fault, wish }) => {
      if (!wish || fault) return [];
      const { sign } = this.desk.reader.sayings.of(wish);
      const stops = sign === "go" && Boolean(this.bidding.pieces[wish.unit ?? ""]?.going);
      return [{ ...wish, sign, amount, stops }];
    });
  }

  /** The bids with a fault. */
  odd() {
    return this.judged().offers.filter(({ fault }) => fault);
  }

  draw() {
    const { offers, left } = this.judged();
    if (this.area.value !== this.text) this.area.value = this.text;
    const none = ". Tap a unit on the map, or choose it below.";
    const signs = this.desk.board && h("span", { class: "soft" }, ". On the map bids are dashed, each with its number.");
    fill(this.purse, h("strong", {}, this.bidding.leftOf(left)), offers.length ? signs : none);
    fill(
      this.list,
      offers.map((offer, index) => this.row(offer, index, offers.map(({ text }) => text))),
    );
  }

  /**
   * @param {Offer} offer
   * @param {number} index
   * @param {string[]} lines all of them
   */
  row(offer, index, lines) {
    const { at, text, wish } = offer;
    const { voice } = this.desk;
    const said = voice.said(this.field.key, lines, index);
    const { kind, words: fault } = said ? verdictOf(text, said, voice.sure) : { kind: voice.speaks ? "fits" : offer.fault ? "odd" : "good", words: voice.speaks ? "" : offer.fault };
    /** @type {(label: string, act: () => void) => HTMLElement} */
    const quiet = (label, act) => button(label, act, { class: "quiet", "aria-label": `${label} ${text}` });
    const weight = this.bidding.weightOf(this.bidding.unitAt(wish?.mentions[0] ?? "") ?? null);
    return h(
      "li",
      { class: kind },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[/** @type {keyof typeof SIGNS} */ (kind)]),
      h(
        "span",
        { class: "order" },
        text,
        weight > 1 && h("span", { class: "soft" }, ` counts ${weight * offer.amount}`),
        fault && h("span", { class: "why" }, fault),
      ),
      h(
        "span",
        { class: "acts" },
        wish && quiet("Change", () => this.desk.picker.offering?.begin(wish.mentions[0], at)),
        quiet("Remove", () => this.remove(offer, index)),
      ),
    );
  }

  /** An example of a bid, to show how to type one. */
  get such() {
    const { bidding } = this;
    return bidding.line(Math.min(2, bidding.purse.holds), bidding.notation.options[0]?.line ?? "");
  }

  /**
   * Adds a bid that is not there yet.
   * @param {string} line
   */
  add(line) {
    if (this.with([line]) !== this.with([])) this.write(line, null);
  }

  /**
   * Writes a bid after the others, or in place of one of the field's lines; returns the words to announce.
   * @param {string} line
   * @param {number | null} at
   */
  write(line, at) {
    const lines = this.text.split("\n");
    if (at !== null && at < lines.length) lines[at] = line;
    else {
      while (lines.length && !lines[lines.length - 1].trim()) lines.pop();
      lines.push(line);
    }
    this.desk.draft.fill(this.field.key, lines.join("\n"), line);
    const { left, offers } = this.judged();
    const fault = offers.find(({ text, fault }) => text === line && fault)?.fault;
    return `${line}: written. ${fault && !this.desk.voice.speaks ? `${fault} ` : ""}${this.bidding.leftOf(left)}.`;
  }

  /**
   * @param {Offer} offer
   * @param {number} index
   */
  remove({ at, text }, index) {
    const lines = this.text.split("\n").filter((_, line) => line !== at);
    this.desk.draft.fill(this.field.key, lines.some((line) => line.trim()) ? lines.join("\n") : undefined, `${text} removed`);
    say(`${text}: removed. ${this.bidding.leftOf(this.judged().left)}.`);
    const row = this.list.children[Math.min(index, this.list.children.length - 1)];
    focusOn(row?.querySelector("button") ?? this.title);
  }
}
