// @ts-check
// Small texts that every part of the desk needs, and the invisible characters in a text. This draws nothing and keeps no state.

/** @import { UnseenTable } from "./types.js" */

/** The sign before a line: right, right as far as its form goes, or not understood. */
export const SIGNS = { good: "✓", fits: "•", odd: "!" };

/** Pattern -> its regular expression. @type {Map<string, RegExp>} */
const searched = new Map();

/**
 * A line without the extra words that people write around it, removed as the game does; `around` pairs each pattern with its replacement.
 * @param {string} line
 * @param {readonly (readonly [string, string])[]} around
 * @param {(text: string) => boolean} isRoute whether the words of a convoy's route say nothing but its seas; otherwise they stay
 */
export function plainer(line, around, isRoute = () => true) {
  for (const [found, put] of around) {
    const pattern = searched.get(found) ?? new RegExp(found, "gi");
    searched.set(found, pattern);
    line = line.replace(pattern, (whole, ...parts) => {
      const named = parts[parts.length - 1];
      if (typeof named === "object" && named.route !== undefined && !isRoute(named.route)) return whole;
      return put.replace(/\\(\d)/g, (_, number) => parts[Number(number) - 1] ?? "");
    });
  }
  return line.split(/\s+/u).filter(Boolean).join(" ");
}

/**
 * One line, with single spaces.
 * @param {string} text
 */
export const tidy = (text) => text.replace(/\s+/gu, " ").trim();

/**
 * A number with its noun: `1 order`, `2 orders`.
 * @param {number} number
 * @param {string} one
 * @param {string} many
 */
export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/**
 * Words one after the other: `a, b and c`.
 * @param {readonly string[]} words
 * @param {string} last the word before the last one
 */
export const listed = (words, last = "and") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;

/**
 * A text as a sentence; an empty text stays empty.
 * @param {string} text
 */
export const sentence = (text) => text && `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/u.test(text) ? "" : "."}`;

/**
 * The time of day, in the reader's format; empty for an invalid time.
 * @param {string} iso
 */
export const clock = (iso) => {
  const time = new Date(iso);
  if (Number.isNaN(Number(time))) return "";
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" }).format(time);
};

/**
 * A text as a regular expression that matches it literally.
 * @param {string} text
 */
export const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * How alike two texts are, from 0 to 1, by the number of letters that would have to change.
 * @param {string} one
 * @param {string} two
 */
export const likeness = (one, two) => {
  let row = Array.from({ length: two.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= two.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === two[j - 1] ? 0 : 1));
    row = next;
  }
  return 1 - row[two.length] / Math.max(one.length, two.length, 1);
};

/** Characters that a reader cannot see, by the archive's table; the archive refuses them, so the desk does too. */
export class Unseen {
  /** @param {UnseenTable} table */
  constructor(table) {
    this.table = table;
  }

  /**
   * The kind of an invisible character; empty for a visible one.
   * @param {string} char
   */
  kindOf(char) {
    const code = char.codePointAt(0) ?? 0;
    if (char === "\n" || char === "\t") return "";
    const range = this.table.ranges.find(([, last]) => code <= last);
    return range && code >= range[0] ? range[2] : "";
  }

  /**
   * The archive's message about the first invisible character of a text; empty for a text without any.
   * @param {string} text
   */
  faultIn(text) {
    const lines = text.split("\n").map((line) => [...line]);
    for (const [row, line] of lines.entries())
      for (const [column, char] of line.entries()) {
        const kind = this.kindOf(char);
        if (!kind) continue;
        const number = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
        const name = this.table.names[number] ? ` ${this.table.names[number]}` : "";
        const where = `${lines.length > 1 ? `line ${row + 1}, ` : ""}character ${column + 1}`;
        return `${where}: ${this.table.kinds[kind]} (U+${number}${name}); remove it.`;
      }
    return "";
  }

  /**
   * A text with only its visible characters.
   * @param {string} text
   */
  without(text) {
    return [...text].filter((char) => !this.kindOf(char)).join("");
  }
}
