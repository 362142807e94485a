// @ts-check
// Reads orders by their forms, if not everybody knows the legal ones: `Tax {resource} at {estate}`.
// It reads as the game does (adjudicator/core/contract/lines.py). This draws nothing and keeps no state.

import { readCondition } from "./conditions.js";
import { OPEN, suggestions } from "./goingon.js";
import { likeness, listed, literal, plainer } from "./text.js";

/** @import { Blank, WrittenLines } from "./types.js" */
/** @import { Strange } from "./words.js" */

/**
 * A text in its canonical form, or its fault.
 * @typedef {{ text: string, fault?: undefined } | { text?: undefined, fault: Strange }} Filled
 */

const LEAST = 3; // Least number of letters in the beginning of a name.
const SMALL = new Set(["with", "of", "to", "at", "for", "in", "on", "as", "from", "the", "a", "an"]); // They do not tell names apart.

/**
 * The name of the first open blank of a line; empty if it has none.
 * @param {string} line
 */
export const firstBlank = (line) => OPEN.exec(line)?.[1] ?? "";

/**
 * A form as a regular expression: its words, and a group for each of its blanks.
 * @param {string} form
 */
const expression = (form) => form.split(OPEN).map((part, index) => (index % 2 ? "(.+?)" : literal(part))).join("");

/** @param {string} form */
const blanksOf = (form) => [...form.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name);

/** The forms of a game's orders, and the words for their blanks; an open blank means itself. */
export class Forms {
  /**
   * @param {Omit<WrittenLines, "also" | "around" | "says"> & Partial<WrittenLines> & { endings?: string[], names?: Record<string, string> }} lines
   * @param {number} mostWords greatest number of known words that a fault shows
   */
  constructor({ forms, blanks, once = null, endings = [], names = {}, also = {}, around = [], says = "" }, mostWords) {
    this.also = Object.entries(also);
    this.around = around;
    this.saying = says ? new RegExp(`^(?:${says})`, "iu") : null;
    this.once = once;
    this.endings = endings;
    this.named = new Map(Object.entries(names).map(([name, word]) => [name.toLowerCase(), word]));
    const longest = [...this.named.keys()].sort((one, two) => two.length - one.length || (one < two ? -1 : 1));
    const either = longest.map(literal).join("|");
    /** @type {RegExp | null} */
    this.namesIn = either ? new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_-])(?:${either})(?![\\p{L}\\p{M}\\p{N}_-])`, "giu") : null;
    this.mostWords = mostWords;
    this.groups = Object.entries(forms);
    this.shown = this.groups.flatMap(([, some]) => some);
    /** @type {Map<string, Partial<Blank>>} */
    this.blanks = new Map(Object.entries(blanks));
    /** @param {readonly string[]} words */
    const spelt = (words) => new Map(words.map((word) => [word.toLowerCase(), word]));
    this.words = new Map([...this.blanks].map(([name, { words = [] }]) => [name, spelt(words)]));
    /** @param {string} form */
    const own = (form) => form.replace(/\{\w+\}/gu, "").length;
    this.forms = [...this.shown].sort((one, two) => own(two) - own(one)); // The closest first.
    /** @type {Map<string, RegExp>} */
    this.patterns = new Map();
  }

  /**
   * The blanks of a line that are still open.
   * @param {string} line
   */
  open(line) {
    return [...line.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name).filter((name) => this.blanks.has(name));
  }

  /**
   * A form as a regular expression with a group for each blank, and one for each optional ending and each of its blanks.
   * @param {string} form
   * @param {readonly string[]} endings
   */
  pattern(form, endings = []) {
    const key = [form, ...endings].join("|");
    const made = this.patterns.get(key);
    if (made) return made;
    const after = endings.map((ending) => `(${expression(ending)})?`);
    const pattern = new RegExp(`^${expression(form)}${after.join("")}$`, "iu");
    this.patterns.set(key, pattern);
    return pattern;
  }

  /**
   * A line with the proper words in place of their other names.
   * @param {string} line
   */
  byWords(line) {
    if (!this.namesIn) return line;
    return line.replace(this.namesIn, (name) => this.named.get(name.toLowerCase()) ?? name);
  }

  /**
   * Splits a line of a form: the form with the endings that the line has, and the contents of their blanks as written; null if the line has
   * another form.
   * @param {string} form
   * @param {string} line
   * @returns {{ form: string, given: [name: string, text: string][] } | null}
   */
  split(form, line, endings = this.endings) {
    const match = this.pattern(form, endings).exec(line);
    if (!match) return null;
    let whole = form;
    let at = 1;
    /** @type {[string, string][]} */
    const given = blanksOf(form).map((name) => [name, match[at++]]);
    for (const ending of endings) {
      const there = match[at++] !== undefined;
      if (there) whole += ending;
      for (const name of blanksOf(ending)) {
        if (there) given.push([name, match[at]]);
        at++;
      }
    }
    return { form: whole, given };
  }

  /**
   * A line as an order, or its fault. A line that cannot be read is tried again without the extra words around the order.
   * @param {string} text
   * @returns {{ line: string, fault: Strange | null }}
   */
  read(text) {
    const found = this.readAsWritten(text);
    if (!found.fault) return found;
    const said = this.saying?.exec(text)?.[0];
    const plain = plainer(said ?? text, this.around) + (said === undefined ? "" : text.slice(said.length));
    const again = plain === text ? found : this.readAsWritten(plain);
    return again.fault ? found : again;
  }

  /**
   * @param {string} text
   * @returns {{ line: string, fault: Strange | null }}
   */
  readAsWritten(text) {
    const words = this.byWords(text);
    const line = words.replace(/[.;]+$/, "");
    /** @type {Strange | null} */
    let fault = null;
    for (const form of this.forms) {
      const filled = this.fit(form, this.says(form) ? words : line); // Free text is left unchanged.
      if (filled?.text) return { line: filled.text, fault: null };
      // If several forms are possible, the one with the smallest fault is meant.
      if (filled?.fault && (!fault || filled.fault.given.length < fault.given.length)) fault = filled.fault;
    }
    const bare = words.replace(/[.; ]+$/, "");
    for (const [form, meant] of this.also) {
      const filled = this.fitAs(form, meant, bare);
      if (filled?.text) return { line: filled.text, fault: null };
      fault ??= filled?.fault ?? null;
    }
    return { line: text, fault: fault ?? this.formless(line) };
  }

  /**
   * The form of a line, and the contents of its blanks; null if it is not an order. Open blanks mean themselves.
   * @param {string} line
   * @returns {{ form: string, blanks: Map<string, string> } | null}
   */
  parts(line) {
    for (const form of this.forms) {
      const text = this.fit(form, this.byWords(line))?.text;
      const found = text === undefined ? null : this.split(form, text);
      if (found) return { form: found.form, blanks: new Map(found.given) };
    }
    return null;
  }

  /**
   * The key that lines share if a sheet may have only one of them; null if lines may repeat.
   * @param {string} line
   */
  onceKey(line) {
    if (!this.once) return null;
    const parts = this.parts(line);
    const [word, ...names] = (parts && this.once[parts.form]) ?? [];
    return parts && word ? [word, ...names.map((name) => parts.blanks.get(name))].join("|") : `|${line}`;
  }

  /**
   * True if a form has a blank for free text.
   * @param {string} form
   */
  says(form) {
    return this.open(form).some((name) => {
      const { words, forms, shape, of, terms, exact } = this.blanks.get(name) ?? {};
      return !words?.length && !forms?.length && !shape && !of && !terms && !exact;
    });
  }

  /**
   * A form filled by a line, or the fault in a blank; null if the line has another form.
   * @param {string} form
   * @param {string} line
   * @returns {Filled | null}
   */
  fit(form, line, endings = this.endings) {
    const found = this.split(form, line, endings);
    if (!found) return null;
    const parts = found.form.split(OPEN);
    for (const [index, [name, given]] of found.given.entries()) {
      const filled = this.fill(name, given);
      if (filled.fault) return filled;
      parts[2 * index + 1] = filled.text;
    }
    return { text: parts.join("") };
  }

  /**
   * An alternative form as the form that it means, filled by a line, or the fault in a blank; null if the line has a different form.
   * @param {string} form
   * @param {string} meant
   * @param {string} line
   * @returns {Filled | null}
   */
  fitAs(form, meant, line) {
    const found = this.split(form, line, []);
    if (!found) return null;
    /** @type {Map<string, string>} */
    const blanks = new Map();
    for (const [name, given] of found.given) {
      const filled = this.fill(name, given);
      if (filled.fault) return filled;
      blanks.set(name, filled.text);
    }
    return { text: meant.replace(/\{(\w+)\}/gu, (open, name) => blanks.get(name) ?? open) };
  }

  /**
   * The meaning of an alternative name in a blank; null if it is not one.
   * @param {Partial<Blank>} blank
   * @param {string} text
   */
  otherName({ also = {} }, text) {
    for (const [name, meant] of Object.entries(also)) {
      if (!name.includes("{")) {
        if (name.toLowerCase() === text.toLowerCase()) return meant;
        continue;
      }
      const filled = this.fitAs(name, meant, text);
      if (filled?.text) return filled.text;
    }
    return null;
  }

  /**
   * The one name that has all the given words or beginnings of words; undefined unless there is exactly one.
   * @param {readonly string[]} words
   * @param {string} given
   */
  calledBy(words, given) {
    /** @param {string} text */
    const parts = (text) => text.toLowerCase().split(/[\s_-]+/u);
    const said = parts(given).filter((part) => !SMALL.has(part));
    const found = words.filter((word) => {
      const own = parts(word);
      return said.every((part) => own.some((one) => part === one || (part.length >= LEAST && one.startsWith(part))));
    });
    return said.length && found.length === 1 ? found[0] : undefined;
  }

  /**
   * The contents of a blank in the game's spelling, or their fault.
   * @param {string} name
   * @param {string} given
   * @returns {Filled}
   */
  fill(name, given) {
    const text = given.trim();
    const blank = this.blanks.get(name) ?? {};
    if (text === `{${name}}`) return { text };
    if (blank.terms) return readCondition(text, blank.terms, (one, inside) => this.fill(one, inside));
    const other = blank.exact ? this.otherName(blank, text) : null;
    if (other !== null) return { text: other };
    if (blank.exact && !new RegExp(`^(?:${blank.exact})$`, "u").test(text)) return { fault: this.strange(name, blank, text) };
    if (blank.of) return this.several(blank, blank.of, text);
    const words = this.words.get(name);
    const low = text.toLowerCase();
    const spelt = words?.get(low) ?? words?.get(low.replace(/s$/, "")) ?? words?.get(`${low}s`);
    const word = spelt ?? (blank.loose ? this.calledBy(blank.words ?? [], text) : undefined);
    if (word !== undefined) return { text: word };
    if (blank.shape && new RegExp(`^(?:${blank.shape})$`, "u").test(text.toUpperCase()))
      return { text: text.toUpperCase() };
    /** @type {Strange | undefined} */
    let fault;
    for (const form of blank.forms ?? []) {
      const filled = this.fit(form, text, []);
      if (filled?.text) return filled;
      fault ??= filled?.fault;
    }
    const named = this.otherName(blank, text);
    if (named !== null) return { text: named };
    if (fault) return { fault };
    return blank.words || blank.shape || blank.forms ? { fault: this.strange(name, blank, text) } : { text: given };
  }

  /**
   * Several words of another blank, which may have numbers.
   * @param {Partial<Blank>} blank
   * @param {string} of the other one
   * @param {string} given
   * @returns {Filled}
   */
  several(blank, of, given) {
    const counted = new RegExp(`^(?:(${blank.number ?? "(?!)"}) )?(.+)$`, "u");
    const parts = [];
    /** @type {Map<string, number>} */
    const counts = new Map(); // The numbers of what is named twice are added.
    for (const part of given.split(new RegExp(blank.between ?? "", "iu")).map((one) => one.trim())) {
      const match = counted.exec(part);
      if (!match || (blank.number && !blank.bare && match[1] === undefined)) {
        const right = blank.such ? `, ${blank.such.replaceAll("`", "")}` : "";
        const what = part ? `“${part}” is not understood` : `There is no ${of} before or after a comma`;
        return { fault: { given: part, words: `${what}${right}.` } };
      }
      const filled = this.fill(of, match[2]);
      if (filled.fault) return filled;
      parts.push(filled.text);
      counts.set(filled.text, (counts.get(filled.text) ?? 0) + Number(match[1] ?? 1));
    }
    const joint = blank.joint ?? ", ";
    if (!blank.number) return { text: parts.join(joint) };
    const texts = [...counts].map(([text, count]) => (blank.bare && count === 1 ? text : `${count} ${text}`));
    return { text: texts.join(joint) };
  }

  /**
   * The fault of a word that a blank does not know.
   * @param {string} name
   * @param {Partial<Blank>} blank
   * @param {string} given
   * @returns {Strange}
   */
  strange(name, { words = [], such }, given) {
    if (such) return { given, words: `“${given}” is no ${name}; ${such.replaceAll("`", "")}.` };
    const near = this.closest(given, words);
    const all = words.length <= this.mostWords;
    const known = all || !near ? ` ${all ? "Known:" : "Such as"} ${listed(words.slice(0, this.mostWords))}.` : "";
    return { given, near, words: `No ${name} is called “${given}”.${near ? ` Did you mean ${near}?` : ""}${known}` };
  }

  /**
   * @param {string} given
   * @param {readonly string[]} words
   */
  closest(given, words) {
    const scored = words.map((word) => ({ word, score: likeness(given.toLowerCase(), word.toLowerCase()) }));
    const [best] = scored.filter(({ score }) => score > 0.55).sort((one, two) => two.score - one.score);
    return best?.word ?? null;
  }

  /**
   * The fault of a line that has none of the forms: it names forms with the same or a similar beginning.
   * @param {string} line
   * @returns {Strange}
   */
  formless(line) {
    const [given] = line.split(" ");
    const heads = [...new Set(this.shown.map((form) => form.split(" ")[0]))];
    const head = heads.find((one) => one.toLowerCase() === given.toLowerCase());
    const near = head ? null : this.closest(given, heads);
    const what = `“${line}” is not written like any order of this turn.`;
    if (!head && !near) return { given: line, words: what };
    const alike = this.shown
      .filter((form) => form.split(" ")[0] === (head ?? near))
      .sort((one, two) => likeness(line, two) - likeness(line, one))
      .slice(0, 3);
    return { given, near, words: `${what} Did you mean ${listed(alike, "or").replace(/[{}]/gu, "")}?` };
  }

  /**
   * Possible continuations of a partly written line: forms, filled in as far as it goes.
   * @param {string} text
   */
  suggestions(text, most = 8) {
    return suggestions(this, text, most);
  }
}
