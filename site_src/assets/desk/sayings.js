// @ts-check
// The effects of orders, in words for buttons, and the signs that are drawn for them. This draws nothing and keeps no state.

import { literal } from "./text.js";

/** @import { Option } from "./notation.js" */
/** @import { Saying, Spelling } from "./types.js" */

/**
 * The effect of an order: its owner (`head`, which may be empty), the words, and the sign. An order without a form is shown in its original
 * words and has no sign.
 * @typedef {{ head: string, words: string, sign: Saying["sign"] | "" }} Said
 */

const BLANK = /\{(unit|place)\}/u;

/** Puts orders into words, by the forms of a game. */
export class Sayings {
  /** @param {Spelling} spelling */
  constructor({ sayings, words }) {
    this.forms = sayings.map((saying) => {
      const parts = saying.form.split(BLANK).map((part, index) => (index % 2 ? "(.+)" : literal(part)));
      return { ...saying, pattern: new RegExp(`^${parts.join("")}$`, "u") };
    });
    /** @type {Map<string, string>} */
    this.coasts = new Map();
    for (const [phrase, token] of Object.entries(words))
      if (token.startsWith("/") && phrase.length > (this.coasts.get(token) ?? "").length) this.coasts.set(token, phrase);
  }

  /**
   * @param {Pick<Option, "line" | "unit">} option
   * @returns {Said}
   */
  of({ line, unit }) {
    const head = unit && line.startsWith(`${unit} `) ? `${unit} ` : "";
    const rest = line.slice(head.length);
    if (head)
      for (const { pattern, words, sign } of this.forms) {
        const match = pattern.exec(rest);
        if (!match) continue;
        let at = 1;
        const said = words.replace(/\{(unit|place)\}/gu, () => this.named(match[at++]));
        return { head, words: said, sign };
      }
    return { head, words: rest, sign: "" };
  }

  /**
   * A name with its coast in words: `Spain (north coast)`.
   * @param {string} name
   */
  named(name) {
    const [place, coast] = name.split("/");
    const words = coast && this.coasts.get(`/${coast}`);
    return words ? `${place} (${words})` : name;
  }
}
