// @ts-check
// The meaning of a line, and its fault: by the legal orders if they are known, otherwise by their forms.
// This draws nothing and keeps no state.

import { isBid } from "./bidding.js";
import { Forms } from "./forms.js";
import { Notation } from "./notation.js";
import { Sayings } from "./sayings.js";
import { listed } from "./text.js";

/** @import { Desk } from "./store.js" */
/** @import { Option } from "./notation.js" */
/** @import { Strange } from "./words.js" */

/**
 * The line that a text means (`line`; `text` as far as it is read), the parts that are not understood, the legal orders that it can mean,
 * and if lines have forms, the open blanks.
 * @typedef {{ text: string, line: string, unknown: Strange[], meant: Option[], open?: string[] }} Judged
 */

/** The message about a line that can be read but is not offered; only the judge knows whether it is legal. */
export const NOT_OFFERED = "Not among the orders that are offered now.";

/** Reads a seat's lines. */
export class Reader {
  /**
   * @param {Pick<Desk, "names" | "spelling" | "seats" | "lines" | "limits" | "beside">} data
   * @param {readonly string[]} legal the orders that everybody knows to be legal
   * @param {string} [seat]
   */
  constructor(data, legal, seat = "") {
    this.isBid = (/** @type {string} */ line) => isBid(data, line);
    const { persons = {}, shared = {} } = data.beside ?? {};
    this.persons = Object.hasOwn(persons, seat) ? persons[seat] : [];
    this.whose = new Map(Object.entries(shared).flatMap(([whose, lines]) => lines.map((line) => [line, whose])));
    this.notation = new Notation(data, legal, (line) => this.personOf(line) !== null);
    this.forms = data.lines ? new Forms(data.lines, data.limits.words) : null;
    this.sayings = new Sayings(data.spelling);
  }

  /**
   * @param {string} text a line with single spaces
   * @returns {Judged}
   */
  judge(text) {
    const { forms, notation } = this;
    if (forms) {
      const { line, fault } = forms.read(text);
      if (!fault) return { text: line, line, unknown: [], meant: [], open: forms.open(line) };
      const other = notation.read(text);
      const legal = other.unknown.length ? [] : notation.meant(other);
      if (legal.length !== 1) return { text, line, unknown: [fault], meant: [], open: [] };
    }
    const reading = notation.read(text);
    const meant = reading.unknown.length ? [] : notation.meant(reading);
    return { ...reading, meant, line: meant.length === 1 ? meant[0].line : reading.text };
  }

  /**
   * The fault of a line of a sheet, as far as the desk can know; empty if it has none.
   * @param {string} line
   */
  faultOf(line) {
    if (this.notation.legal.has(line)) return "";
    if (this.forms) return this.forms.read(line).fault?.words ?? "";
    if (this.isBid(line)) return "This is a bid, and counts only among your bids.";
    const { unknown } = this.notation.read(line);
    if (unknown.length) return unknown.map((one) => this.wordsOf(one)).join(" ");
    return this.personOf(line)?.why || NOT_OFFERED;
  }

  /**
   * Orders as the map draws them, each with its sign.
   * @param {readonly string[]} lines
   */
  drawn(lines) {
    const orders = lines.map((line) => this.notation.known(line));
    return orders.map((option) => ({ ...option, sign: this.personOf(option.line) ? "person" : this.sayings.of(option).sign }));
  }

  /**
   * The person, not a unit, whom a line orders; null if it orders nobody.
   * @param {string} line
   */
  personOf(line) {
    return this.persons.find(({ head }) => line.startsWith(head)) ?? null;
  }

  /**
   * The owner of the unit at a place, if others command it too; empty if only the seat commands it.
   * @param {string | null} place
   */
  whoseAt(place) {
    const option = this.notation.options.find(({ line, mentions }) => mentions[0] === place && this.whose.has(line));
    return this.whose.get(option?.line ?? "") ?? "";
  }

  /**
   * The place of the unit that a line is for; null for lines without a unit, such as builds.
   * @param {string} line
   */
  unitOf(line) {
    const { notation } = this;
    if (this.personOf(line)) return null;
    const legal = notation.legal.has(line);
    if (this.forms && !legal) return null; // Any number of orders may be about one place.
    const { mentions, unit } = notation.known(line);
    const own = unit || (legal && notation.units.has(mentions[0])); // A retreating unit may be disbanded.
    return mentions.length && own ? mentions[0] : null;
  }

  /**
   * The message about a word that is not understood.
   * @param {Strange} strange
   */
  wordsOf({ given, near, several, words }) {
    if (words) return words;
    if (several?.length) return `“${given}” could be ${listed(several, "or").replace(/[{}]/gu, "")}.`;
    return `“${given}” is not understood.${near ? ` Did you mean ${near.replace(/[{}]/gu, "")}?` : ""}`;
  }
}
