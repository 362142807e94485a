// @ts-check
// Continuations of an order by its form, from the legal orders that a seat knows. This draws nothing and keeps no state.

import { firstBlank } from "./forms.js";

/** @import { Forms } from "./forms.js" */
/** @import { Option } from "./notation.js" */

const MOST = 60; // Choices of one blank.
const OWN = "your "; // Marks what is the seat's own, as in `your regiment at A1`.

export class Ways {
  /**
   * @param {Forms} forms
   * @param {readonly Option[]} options the legal orders
   * @param {Record<string, string>} meanings meanings of words in them
   * @param {ReadonlySet<string>} names the places of the map
   */
  constructor(forms, options, meanings, names) {
    this.forms = forms;
    this.names = names;
    this.meanings = new Map(Object.entries(meanings));
    /** @type {Map<string, { line: string, blanks: Map<string, string> }[]>} */
    this.orders = new Map();
    for (const { line } of options) {
      const parts = forms.parts(line);
      if (!parts) continue;
      const orders = this.orders.get(parts.form);
      if (orders) orders.push({ line, blanks: parts.blanks });
      else this.orders.set(parts.form, [{ line, blanks: parts.blanks }]);
    }
  }

  /**
   * True if the seat knows a legal order of this form.
   * @param {string} form
   */
  has(form) {
    return this.orders.has(form);
  }

  /** @param {string} word */
  meaning(word) {
    return this.meanings.get(word) ?? "";
  }

  /**
   * The words for the first open blank of a line: from the legal orders that go on like it, otherwise from the known words of the blank.
   * @param {string} line
   */
  choices(line) {
    const blank = firstBlank(line);
    if (!blank || !this.forms.blanks.has(blank)) return [];
    const { form, blanks } = this.forms.parts(line) ?? {};
    /** @type {Set<string>} */
    const words = new Set();
    for (const order of (form && this.orders.get(form)) || []) {
      const fits = [...(blanks ?? [])].every(([name, text]) => text === `{${name}}` || order.blanks.get(name) === text);
      if (fits) words.add(order.blanks.get(blank) ?? "");
    }
    const { words: known = [], forms, of, shape } = this.forms.blanks.get(blank) ?? {};
    if (!known.length && !forms?.length && !of && !shape) return []; // Any text: there is nothing to choose from.
    return [...(words.size ? words : known)].slice(0, MOST);
  }

  /**
   * The choice for the first open blank that a place means: its name, or the thing there; empty unless there is exactly one.
   * @param {string} line
   * @param {string} place
   */
  fitting(line, place) {
    const choices = this.choices(line);
    if (choices.includes(place)) return place;
    const there = choices.filter((word) => this.meaning(word).endsWith(` ${place}`));
    return there.length === 1 ? there[0] : "";
  }

  /**
   * Orders of known forms that could include a place, though none of them is legal now: each begun with the place.
   * @param {string} place
   */
  maybe(place) {
    const begun = new Set(this.at(place).map((line) => line.split(" ")[0]));
    return [...this.orders.keys()].flatMap((form) => {
      const [blank] = this.forms.open(form).filter((name) => this.forms.blanks.get(name)?.words?.includes(place));
      return blank && !begun.has(form.split(" ")[0]) ? [form.replace(`{${blank}}`, () => place)] : [];
    });
  }

  /**
   * The steps of something that an order sends from a place to others, each as an arrow; none if it sends nothing of the seat's.
   * @param {string} line
   */
  steps(line) {
    const blanks = [...(this.forms.parts(line)?.blanks ?? [])];
    const own = blanks.map(([, text]) => this.meaning(text)).find((words) => words.startsWith(OWN));
    const ways = blanks.filter(([, text]) => text.split(", ").every((place) => this.names.has(place)));
    const [first, next] = ways;
    const goes = next && this.forms.blanks.get(next[0])?.of;
    if (!first || !(own || goes)) return [];
    const places = [...(own ? [own.split(" ").pop() ?? ""] : []), ...ways.flatMap(([, text]) => text.split(", "))];
    return places.slice(1).map((place, at) => ({ mentions: [places[at], place], sign: "go" }));
  }

  /**
   * Orders that a place may be part of: each begun with the place or the thing there, or complete if there is one legal order.
   * @param {string} place
   */
  at(place) {
    /** @type {Map<string, Set<string>>} */
    const begun = new Map();
    for (const [form, orders] of this.orders)
      for (const { line, blanks } of orders)
        for (const [blank, text] of blanks) {
          const here = text === place || (this.meaning(text).endsWith(` ${place}`) && this.meaning(text).startsWith(OWN));
          if (!here) continue;
          const start = form.replace(`{${blank}}`, () => text);
          const lines = begun.get(start);
          if (lines) lines.add(line);
          else begun.set(start, new Set([line]));
        }
    return [...begun].map(([start, lines]) => (lines.size === 1 ? [...lines][0] : start));
  }
}
