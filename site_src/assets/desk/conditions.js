// @ts-check
// Conditions in lines, read as the game reads them (adjudicator/core/contract/conditions.py). This draws nothing and keeps no state.

/** @import { Terms } from "./types.js" */
/** @import { Filled } from "./forms.js" */

/**
 * The contents of a blank in the game's spelling, or a fault.
 * @typedef {(name: string, given: string) => Filled} Argument
 */

export const OPERATORS = [">=", ">", "=", "!=", "<", "<="];
const TERM = /^([A-Za-z_]\w*)(?:\s*\((.*)\)|\s+of\s+(.+))?$/isu;
const SUM = /^(.+?)\s*([+-])\s*([0-9]{1,6})$/su;
const NUMBER = /^-?[0-9]{1,6}$/;
const COMPARISON = /^(.*?)\s*(<=|>=|!=|=|<|>)\s*(.*)$/su;
const NOT = /^not\s+(.+)$/isu;

/**
 * @param {string} given
 * @param {string} words
 * @returns {Filled}
 */
const wrong = (given, words) => ({ fault: { given, words } });

/**
 * A named number or a flag with its arguments.
 * @param {string} text
 * @param {Record<string, string[]>} names
 * @param {string} what
 * @param {Argument} argument
 * @returns {Filled}
 */
const term = (text, names, what, argument) => {
  const match = TERM.exec(text);
  const name = match?.[1].toLowerCase() ?? "";
  if (!match || !Object.hasOwn(names, name)) {
    const or = /\bor\b/i.test(text) ? " Clauses are joined only by “and”; write another line for the other case." : "";
    return wrong(text, `No ${what} is called “${text}”.${or}`);
  }
  const inside = match[2] ?? match[3] ?? "";
  const given = inside.trim() ? inside.split(",").map((part) => part.trim()) : [];
  const blanks = names[name];
  if (given.length !== blanks.length)
    return wrong(text, `Write ${name}${blanks.length ? `(${blanks.join(", ")})` : ""}.`);
  /** @type {string[]} */
  const filled = [];
  for (const [index, blank] of blanks.entries()) {
    const one = argument(blank, given[index]);
    if (one.text === undefined) return one;
    filled.push(one.text);
  }
  return { text: filled.length ? `${name}(${filled.join(", ")})` : name };
};

/**
 * @param {string} text
 * @param {Terms} terms
 * @param {Argument} argument
 * @returns {Filled}
 */
const number = (text, terms, argument) => {
  if (NUMBER.test(text)) return { text: String(Number(text)) };
  if (!text) return wrong(text, "A comparison has a number on one side only.");
  const sum = SUM.exec(text);
  const read = term((sum ? sum[1] : text).trim(), terms.numbers, "number", argument);
  if (!sum || read.text === undefined) return read;
  const more = Number(sum[3]);
  return { text: more ? `${read.text} ${sum[2]} ${more}` : read.text };
};

/**
 * @param {string} text
 * @param {Terms} terms
 * @param {Argument} argument
 * @returns {Filled}
 */
const clause = (text, terms, argument) => {
  const compared = COMPARISON.exec(text);
  if (compared) {
    const left = number(compared[1].trim(), terms, argument);
    if (left.text === undefined) return left;
    const right = number(compared[3].trim(), terms, argument);
    return right.text === undefined ? right : { text: `${left.text} ${compared[2]} ${right.text}` };
  }
  const denied = NOT.exec(text);
  const flag = term((denied ? denied[1] : text).trim(), terms.flags, "flag", argument);
  return flag.text === undefined || !denied ? flag : { text: `not ${flag.text}` };
};

/**
 * A condition in the game's spelling, or its fault.
 * @param {string} given
 * @param {Terms} terms
 * @param {Argument} argument
 * @returns {Filled}
 */
export const readCondition = (given, terms, argument) => {
  const text = given.replace(/\s+/gu, " ").trim();
  const parts = text ? text.split(/\s+and\s+/iu) : [];
  if (!parts.length) return wrong(given, "The condition is empty.");
  if (parts.length > terms.most) return wrong(given, `The condition has ${parts.length} clauses; at most ${terms.most} are allowed.`);
  /** @type {string[]} */
  const read = [];
  for (const part of parts) {
    const one = clause(part.trim(), terms, argument);
    if (one.text === undefined) return one;
    read.push(one.text);
  }
  return { text: read.join(" and ") };
};

/**
 * The names of numbers and flags in a condition that was read.
 * @param {string} text
 */
export const namesIn = (text) =>
  text.split(" and ").flatMap((part) => {
    const [, left = part.replace(/^not /, ""), , right = ""] = COMPARISON.exec(part) ?? [];
    return [left, right].flatMap((side) => /^[a-z_]\w*/.exec(side)?.[0] ?? []);
  });
