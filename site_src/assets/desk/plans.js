// @ts-check
// Lists of a sheet whose lines are tried in order, each with conditions: meanings and continuations of lines. This draws nothing and keeps no state.

import { namesIn, OPERATORS } from "./conditions.js";
import { Forms } from "./forms.js";
import { listed, tidy } from "./text.js";

/** @import { Limits, Plan, WrittenPlans } from "./types.js" */

const MOST = 8; // Ways that are offered.

/**
 * A number or a flag that a condition may name.
 * @typedef {{ name: string, isFlag: boolean, blanks: string[], about: string }} Term
 */

/** One list: the forms of its lines, and the lines that its seat knows to be possible. */
export class Planned {
  /**
   * @param {Plan} plan
   * @param {WrittenPlans} plans
   * @param {Pick<Limits, "words">} limits
   * @param {readonly string[]} options lines that are legal now
   */
  constructor(plan, { blanks, names, titles, about }, limits, options = []) {
    this.plan = plan;
    this.titles = new Map(Object.entries(titles ?? {}));
    this.options = options;
    this.possible = new Set(options);
    this.forms = new Forms({ forms: { "": plan.forms }, blanks, once: null, endings: plan.endings, names, around: plan.around }, limits.words);
    const conditions = [...plan.forms, ...plan.endings].flatMap((form) => this.forms.open(form)).filter((name) => blanks[name].terms);
    this.condition = conditions[0] ?? "";
    const { numbers = {}, flags = {} } = blanks[this.condition]?.terms ?? {};
    /** @type {Term[]} */
    this.terms = plan.terms.flatMap((name) => {
      const isFlag = Object.hasOwn(flags, name);
      const given = isFlag ? flags[name] : numbers[name];
      return given ? [{ name, isFlag, blanks: given, about: about[name] ?? "" }] : [];
    });
  }

  /**
   * A line in the game's spelling, and its fault, which is empty if it has none or is not complete.
   * @param {string} text
   * `doubt` says why it may come to nothing.
   * @returns {{ line: string, fault: string, doubt: string, open: string[], near: { given: string, word: string } | null }}
   */
  judge(text) {
    const { line, fault } = this.forms.read(tidy(text));
    if (fault) {
      const near = fault.near ? { given: fault.given, word: fault.near } : null;
      return { line: tidy(text), fault: fault.words ?? `“${fault.given}” is not understood.`, doubt: "", open: [], near };
    }
    const condition = this.forms.parts(line)?.blanks.get(this.condition) ?? "";
    const named = condition.startsWith("{") ? [] : namesIn(condition);
    const idle = named.filter((name) => !this.plan.terms.includes(name));
    const never = idle.length ? `${listed(idle)} ${idle.length > 1 ? "mean" : "means"} nothing here, so the line never holds.` : "";
    return { line, fault: never, doubt: this.doubtOf(line), open: this.forms.open(line), near: null };
  }

  /**
   * Why a complete line may have no effect; empty if it is possible now, or if nobody can tell.
   * @param {string} line
   */
  doubtOf(line) {
    if (!this.options.length || this.forms.open(line).length) return "";
    for (const form of this.plan.certain) {
      const found = this.forms.split(form, line);
      if (!found) continue;
      const act = form.replace(/\{(\w+)\}/gu, (open, name) => new Map(found.given).get(name) ?? open);
      return this.possible.has(act) ? "" : "As things stand this is not possible.";
    }
    return "";
  }

  /**
   * A line for people to read, with the titles of cards.
   * @param {string} line
   */
  called(line) {
    if (!this.titles.size) return line;
    return line.replace(/[\p{Ll}\d][\p{Ll}\d’'-]*(?:#\d+)?/gu, (word) => this.titles.get(word.replace(/#.*/u, "")) ?? word);
  }

  /** The words that a blank accepts. @param {string} blank */
  words(blank) {
    return this.forms.blanks.get(blank)?.words ?? [];
  }

  /**
   * Continuations of a line: first lines that are legal now, then those by its form.
   * @param {string} begun the text before the cursor
   * @param {string} whole
   */
  waysOn(begun, whole) {
    const text = this.forms.byWords(begun);
    const low = text.toLowerCase();
    const legal = this.options.filter((line) => line.toLowerCase().startsWith(low) && line.toLowerCase() !== low);
    /** @type {Set<string>} */
    const lines = new Set();
    for (const line of [...legal.slice(0, MOST - 3), ...this.clauses(text), ...this.forms.suggestions(text)])
      lines.add(line);
    return [...lines].filter((line) => line !== whole).slice(0, MOST);
  }

  /**
   * The possible endings of a complete line.
   * @param {string} line
   */
  endings(line) {
    const form = this.forms.parts(line)?.form ?? "";
    const { endings } = this.plan;
    return endings.slice(endings.findLastIndex((ending) => form.includes(ending)) + 1);
  }

  /**
   * Continuations of a partly written condition, each with sample arguments to be changed.
   * @param {string} text
   */
  clauses(text) {
    const [, before, not = "", begun = ""] = /^(.*\b(?:if|and)) (not )?([a-z_]\w*)?$/iu.exec(text) ?? [];
    if (before === undefined) return [];
    const some = this.terms.filter(({ name, isFlag }) => name.startsWith(begun.toLowerCase()) && (isFlag || !not));
    return some.map((term) => `${before} ${not}${this.clause(term, this.firsts(term), term.isFlag ? "" : OPERATORS[0], 1)}`);
  }

  /**
   * The first arguments of a term, until others are chosen.
   * @param {Term} term
   */
  firsts({ blanks }) {
    return blanks.map((blank) => {
      const words = this.words(blank);
      return words.includes("me") ? "me" : (words[0] ?? "");
    });
  }

  /**
   * A clause in writing. `sign` compares a number, or is `not` for a flag that must not hold.
   * @param {Term} term
   * @param {readonly string[]} given
   * @param {string} sign
   * @param {number} amount
   */
  clause({ name, isFlag }, given, sign, amount) {
    const asked = given.length ? `${name}(${given.join(", ")})` : name;
    return isFlag ? `${sign && `${sign} `}${asked}` : `${asked} ${sign} ${amount}`;
  }

  /**
   * A line with one more clause in its condition; null if it cannot have a condition, or is not understood.
   * @param {string} text
   * @param {string} clause
   */
  withClause(text, clause) {
    const open = `{${this.condition}}`;
    if (!tidy(text)) return this.plan.forms.includes(open) ? clause : null;
    const parts = this.forms.parts(this.judge(text).line); // A line that does not hold yet is still a line.
    if (!parts) return null;
    const held = parts.blanks.get(this.condition);
    const blanks = new Map(parts.blanks).set(this.condition, held && held !== open ? `${held} and ${clause}` : clause);
    const form = held ? parts.form : this.conditional(parts.form);
    return form && form.replace(/\{(\w+)\}/gu, (blank, name) => blanks.get(name) ?? blank);
  }

  /**
   * The version of a form that has a condition; null if it does not exist.
   * @param {string} form
   */
  conditional(form) {
    const { endings, forms } = this.plan;
    const base = [...endings].reverse().reduce((text, ending) => text.replace(ending, ""), form);
    const asks = new RegExp(` \\w+ \\{${this.condition}\\}`, "u");
    const inside = forms.find((one) => one !== base && asks.test(one) && one.replace(asks, "") === base);
    if (inside) return inside + form.slice(base.length);
    const ending = endings.find((one) => one.includes(`{${this.condition}}`));
    return ending ? base + ending + form.slice(base.length) : null;
  }

  /**
   * The legal lines that name a word.
   * @param {string} word
   */
  naming(word) {
    return this.options.filter((line) => line.split(/[ ,]+/u).some((one) => one === word || one.startsWith(`${word}#`)));
  }

  /**
   * True if a word by itself is a complete line, as in a list of places.
   * @param {string} word
   */
  isWord(word) {
    return this.plan.forms.some((form) => /^\{\w+\}$/u.test(form) && this.words(form.slice(1, -1)).includes(word));
  }

  /**
   * True if a blank takes a word, or a list of such words.
   * @param {string} blank
   * @param {string} word
   * @returns {boolean}
   */
  takes(blank, word) {
    const of = this.forms.blanks.get(blank)?.of;
    return this.words(blank).includes(word) || Boolean(of && this.takes(of, word));
  }

  /**
   * A line with a word in its first open blank that takes the word; null without such a blank.
   * @param {string} text
   * @param {string} word
   */
  filledIn(text, word) {
    const { open } = this.judge(text);
    const name = open.find((blank) => this.takes(blank, word));
    return name ? text.replace(`{${name}}`, () => word) : null;
  }
}

/**
 * The lists of a seat's sheet that are plans, by key.
 * @param {WrittenPlans | null} plans
 * @param {Record<string, string[]>} options
 * @param {Pick<Limits, "words">} limits
 */
export const plannedOf = (plans, options, limits) =>
  new Map(Object.entries(plans?.lists ?? {}).map(([key, plan]) => [key, new Planned(plan, /** @type {WrittenPlans} */ (plans), limits, options[key] ?? [])]));
