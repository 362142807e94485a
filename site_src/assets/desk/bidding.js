// @ts-check
// The bids of a seat with its purse: reads the lines, pays them in order, and reports their faults. This draws nothing and keeps no state.

import { Notation } from "./notation.js";
import { listed, literal, tidy } from "./text.js";

/** @import { Option } from "./notation.js" */
/** @import { Desk } from "./store.js" */
/** @import { Bidding as Terms, Piece, Purse } from "./types.js" */

/**
 * A line of bids: its index among the field's lines, the order it bids for (null if that is not legal), and its fault.
 * @typedef {{ at: number, text: string, amount: number, wish: Option | null, fault: string }} Offer
 */

const MOST = 999; // What a line may bid.
const NUMBERED = /^\d+(?![\d.)])/u; // `1.` and `1)` count lines.

/**
 * True if a line can only be a bid, even among other lines of a sheet.
 * @param {Pick<Desk, "beside">} data
 * @param {string} text a line with single spaces
 */
export const isBid = ({ beside }, text) => Boolean(beside?.bidding) && NUMBERED.test(text);

/**
 * A template with its blanks filled.
 * @param {string} text
 * @param {Record<string, unknown>} words
 */
const filled = (text, words) => text.replace(/\{(\w+)\}/gu, (_, name) => String(words[name]));

export class Bidding {
  /**
   * @param {Pick<Desk, "names" | "spelling" | "seats">} data
   * @param {Terms} terms
   * @param {Record<string, Piece>} pieces
   * @param {Purse} purse
   */
  constructor(data, terms, pieces, purse) {
    this.terms = terms;
    this.pieces = pieces;
    this.purse = purse;
    this.units = Object.keys(purse.weights);
    this.notation = new Notation(
      data,
      this.units.flatMap((unit) => pieces[unit].wishes.map((wish) => `${unit} ${wish}`)),
    );
    this.spelt = Object.entries(terms.spelt).map(([end, words]) => {
      return { end: new RegExp(`\\s${end}[\\s;,]*$`, "iu"), words };
    });
    const joints = terms.joints.map((joint) => literal(joint) + (/\w$/u.test(joint) ? "\\b" : ""));
    this.pattern = new RegExp(`^(\\d+)\\s*(?:${literal(terms.coin)}\\b)?\\s*(?:${joints.join("|")})?\\s*(.*)$`, "iu");
  }

  /**
   * The bidding of a seat; null if it bids for nothing in this turn.
   * @param {Pick<Desk, "names" | "spelling" | "seats" | "beside">} data
   * @param {string} seat
   */
  static of(data, seat) {
    const { bidding = null, pieces = {}, purses = {} } = data.beside ?? {};
    return bidding && Object.hasOwn(purses, seat) ? new Bidding(data, bidding, pieces, purses[seat]) : null;
  }

  /**
   * A bid in the game's notation.
   * @param {number} amount
   * @param {string} wish
   */
  line(amount, wish) {
    return filled(this.terms.form, { amount, wish });
  }

  /**
   * The unit at a place that can be bid on; undefined if no such unit is there.
   * @param {string} place
   */
  unitAt(place) {
    return this.notation.units.get(place);
  }

  /**
   * The weight of one of the seat's coins for a unit.
   * @param {string | null} unit
   */
  weightOf(unit) {
    return this.purse.weights[unit ?? ""] ?? 1;
  }

  /**
   * @param {string} text
   * @param {number} at
   * @returns {Offer}
   */
  read(text, at) {
    const { coin, nothing } = this.terms;
    const [, number, rest] = this.pattern.exec(text) ?? [];
    /** @type {(fault: string) => Offer} */
    const wrong = (fault) => ({ at, text, amount: 0, wish: null, fault });
    if (number === undefined) {
      const such = this.notation.options[0]?.line ?? "";
      return wrong(`It does not begin with a number of ${coin}. Write it like ${this.line(1, such)}.`);
    }
    const amount = Number(number);
    if (!amount || amount > MOST) return wrong(filled(nothing, { amount: number.slice(0, 20) }));
    const spelt = this.spelt.find(({ end }) => end.test(rest));
    const reading = this.notation.read(spelt ? rest.replace(spelt.end, ` ${spelt.words}`) : rest);
    if (reading.unknown.length) {
      const words = reading.unknown.map(({ given, near, several }) => {
        if (several?.length) return `“${given}” could be ${listed(several, "or")}.`;
        return `“${given}” is not understood.${near ? ` Did you mean ${near}?` : ""}`;
      });
      return wrong(words.join(" "));
    }
    const meant = this.notation.meant(reading);
    if (meant.length === 1) return { at, text, amount, wish: meant[0], fault: "" };
    const lines = meant.map(({ line }) => line);
    if (lines.length) return wrong(`It could be ${listed(lines, "or")}.`);
    return wrong("You cannot bid for this now.");
  }

  /**
   * The order that a line without a number would bid for; null if it names nothing that can be bid for.
   * @param {string} text
   */
  wishOf(text) {
    const reading = this.notation.read(text);
    const begins = !reading.unknown.length && this.notation.option(reading.text).unit !== null; // Otherwise its words may be in a different order.
    const meant = begins ? this.notation.meant(reading) : [];
    return meant.length === 1 ? meant[0] : null;
  }

  /**
   * Bids that a partly typed line may become, the likeliest first.
   * @param {string} text
   */
  suggestions(text) {
    const [, number, rest] = this.pattern.exec(text) ?? [];
    const amount = Number(number);
    return amount && amount <= MOST ? this.notation.suggestions(rest).map((wish) => this.line(amount, wish)) : [];
  }

  /**
   * A field's lines, read and paid. Bids for two different orders of one unit count for nothing, and so does a bid of more than is left.
   * @param {string} text
   * @param {ReadonlySet<string>} attacked places that the seat attacks
   * @returns {{ offers: Offer[], left: number }}
   */
  judge(text, attacked = new Set()) {
    const lines = text.split("\n").map((line, at) => ({ at, text: tidy(line) }));
    const offers = lines.filter((line) => line.text).map((line) => this.read(line.text, line.at));
    /** @type {Map<string, Set<string>>} */
    const told = new Map();
    let asked = 0;
    for (const { amount, wish } of offers) {
      if (!wish) continue;
      asked += amount;
      told.set(wish.mentions[0], (told.get(wish.mentions[0]) ?? new Set()).add(wish.line));
    }
    const purse = this.purse.holds;
    let left = purse;
    for (const offer of offers) {
      const { amount, wish } = offer;
      if (!wish) continue;
      const [place] = wish.mentions;
      const unit = this.unitAt(place) ?? "";
      if ((told.get(place)?.size ?? 0) > 1) offer.fault = filled(this.terms.twice, { unit });
      else if (amount > left) offer.fault = filled(this.terms.dear, { purse, asked, left });
      else {
        left -= amount;
        if (attacked.has(place)) offer.fault = this.pieces[unit].void;
      }
    }
    return { offers, left };
  }

  /**
   * The rest of the purse, in words.
   * @param {number} left
   */
  leftOf(left) {
    return `${left} of ${this.purse.holds} ${this.terms.coin} left`;
  }
}
