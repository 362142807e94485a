// @ts-check
// The words of orders as people write them, in the game's spelling. This draws nothing and keeps no state.

import { likeness } from "./text.js";

/** @import { Spelling } from "./types.js" */

/**
 * A word of a line: as written, and without case and accents.
 * @typedef {{ raw: string, word: string }} Word
 */
/**
 * A part of a line that cannot be read, and its possible meaning.
 * @typedef {{ given: string, several?: string[], near?: string | null, words?: string }} Strange
 */
/**
 * A line in the game's spelling, as far as it can be read.
 * @typedef {{ tokens: string[], unknown: Strange[], text: string }} Reading
 */
/**
 * The meaning of words, or the places that they may mean, and where they end; null if they are not known.
 * @typedef {{ token?: string, several?: string[], next: number } | null} Hit
 */

const LETTERS = "(?:\\p{L}\\p{M}*)+";
const TOKEN = new RegExp(`${LETTERS}(?:[.'’]${LETTERS})*\\.?|[-=]+>|[→–—⇒]|-+|[/()]|\\d+|\\S`, "gu");
const KIND = /^\p{Lu}$/u;
const OWNER = 3; // Words that an owner's name may have.

/**
 * True if a token is a single letter: the kind of a unit, or a sign.
 * @param {string | undefined} token
 */
export const isLetter = (token) => KIND.test(token ?? "");

/**
 * A word without case, accents, full stops and apostrophes.
 * @param {string} word
 */
const plain = (word) =>
  word
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[\p{M}.'’]/gu, "");

/**
 * The words of a line, with its arrows and brackets.
 * @param {string} text
 * @returns {Word[]}
 */
export const scan = (text) => [...text.matchAll(TOKEN)].map(([raw]) => ({ raw, word: plain(raw) || raw }));

/** @param {string} word */
const isWord = (word) => /^[\p{L}\p{N}]/u.test(word);

/**
 * The words of a line without arrows and brackets.
 * @param {string} text
 */
export const wordsOf = (text) =>
  scan(text)
    .map(({ word }) => word)
    .filter(isWord);

/** Reads words by a game's spellings. */
export class Words {
  /** @param {{ names: string[], spelling: Spelling, seats: { name: string }[] }} data */
  constructor(data) {
    this.names = new Set(data.names);
    /** @type {Map<string, string>} */
    this.phrases = new Map(Object.entries(data.spelling.words));
    this.owners = new Set(data.spelling.owners);
    this.signs = new Map(Object.entries(data.spelling.signs));
    this.idle = new Map(Object.entries(data.spelling.idle));
    for (const name of data.names) {
      const words = wordsOf(name).join(" ");
      if (!this.phrases.has(words)) this.phrases.set(words, name);
    }
    this.seats = new Set(data.seats.map(({ name }) => plain(name)));
    this.longest = Math.max(1, ...[...this.phrases.keys()].map((phrase) => phrase.split(" ").length));
  }

  /**
   * Learns the words of a line that no spelling explains, such as numbers: they mean themselves.
   * @param {string} line
   */
  learn(line) {
    for (const { given } of this.read(line).unknown)
      for (const { word, raw } of scan(given)) this.phrases.set(word, raw);
  }

  /**
   * The words of a line in the game's spelling, and the parts that cannot be read.
   * @param {string} text
   * @returns {Reading}
   */
  read(text) {
    const all = scan(text);
    let at = this.beginningOf(all);
    while (all.length > at && /^[;,.]$/.test(all[all.length - 1].raw)) all.pop();
    /** @type {string[]} */
    const tokens = [];
    /** @type {Strange[]} */
    const unknown = [];
    let opened = false;
    /** @type {number | null} */
    let last = null;
    while (at < all.length) {
      const { raw, word } = all[at];
      const owner = this.ownerAt(all, at);
      if (owner) {
        at = owner;
        continue;
      }
      const hit =
        (opened && this.coast(all, at)) ||
        this.signAt(all, at, tokens) ||
        this.longestAt(all, at) ||
        this.beginning(all, at);
      opened = raw === "(" || raw === "/";
      if (hit?.token) {
        if (!this.saysNothing(hit.token, tokens)) tokens.push(hit.token);
        at = hit.next;
      } else if (!hit && (opened || raw === ")" || word === "the")) {
        at++;
      } else {
        const given = all
          .slice(at, hit?.next ?? at + 1)
          .map((part) => part.raw)
          .join(" ");
        if (last === at && !hit && isWord(word)) unknown[unknown.length - 1].given += ` ${given}`;
        else unknown.push({ given, several: hit?.several ?? [] });
        tokens.push(given);
        at = hit?.next ?? at + 1;
        last = at;
      }
    }
    for (const fault of unknown) if (!fault.several?.length) fault.near = this.nearest(fault.given);
    return { tokens, unknown, text: tokens.join(" ").replaceAll(" /", "/") };
  }

  /**
   * Where the order begins in a line: after `1.` and `Austria:`.
   * @param {Word[]} all
   */
  beginningOf(all) {
    const at = /^\d+$/.test(all[0]?.raw) && /^[.)]$/.test(all[1]?.raw) ? 2 : 0;
    const colon = all.findIndex(({ raw }) => raw === ":");
    if (colon <= 0) return at;
    const before = all.slice(at, colon).map(({ raw }) => raw);
    return this.seats.has(plain(before.join(" "))) ? colon + 1 : at;
  }

  /**
   * The start of a unit whose owner is named here, as in `French A Paris`; 0 if no owner is named. A name wins over an owner.
   * @param {Word[]} all
   * @param {number} at
   */
  ownerAt(all, at) {
    const known = this.longestAt(all, at)?.token;
    if (known && this.names.has(known)) return 0;
    for (let end = Math.min(at + OWNER, all.length - 1); end > at; end--) {
      const words = all.slice(at, end).map(({ word }) => word);
      if (!this.owners.has(words.join(" "))) continue;
      if (/^['’]$/.test(all[end].raw)) end += all[end + 1]?.word === "s" ? 2 : 1; // France 's A Paris
      if (end >= all.length) return 0;
      const { token } = this.longestAt(all, end) ?? this.beginning(all, end) ?? {};
      // The name of somebody who orders is an owner only before a whole unit.
      if (token && ((this.names.has(token) && !known) || isLetter(token))) return end;
    }
    return 0;
  }

  /**
   * A sign that is a name elsewhere; it counts only after the ordered unit.
   * @param {Word[]} all
   * @param {number} at
   * @param {string[]} tokens
   * @returns {Hit}
   */
  signAt(all, at, tokens) {
    const token = this.signs.get(all[at].word);
    const unit = tokens.filter((one) => !one.startsWith("/"));
    const behind = unit.length <= 2 && unit.findIndex((one) => this.names.has(one)) === unit.length - 1;
    return token && unit.length && behind ? { token, next: at + 1 } : null;
  }

  /**
   * True if a word adds nothing after these: a second arrow, as in `moves to`, or a hold after a support.
   * @param {string} token
   * @param {string[]} tokens
   */
  saysNothing(token, tokens) {
    if (token === "-" && tokens[tokens.length - 1] === "-") return true;
    return tokens.some((sign) => this.idle.get(sign)?.includes(token));
  }

  /**
   * @param {Word[]} all
   * @param {number} at
   * @returns {Hit}
   */
  coast(all, at) {
    const token = this.phrases.get(`${all[at].word} coast`);
    if (!token?.startsWith("/")) return null;
    return { token, next: at + (all[at + 1]?.word === "coast" ? 2 : 1) };
  }

  /**
   * The longest known phrase that begins here.
   * @param {Word[]} all
   * @param {number} at
   * @returns {Hit}
   */
  longestAt(all, at) {
    const words = [];
    let best = null;
    let joined = false;
    for (let end = at; end < all.length && words.length < this.longest; end++) {
      if (all[end].raw === "-" && words.length) {
        joined = true; // Hyphens inside a name are optional.
        continue;
      }
      words.push(all[end].word);
      const token = this.phrases.get(words.join(" "));
      if (token !== undefined && (!joined || this.names.has(token))) best = { token, next: end + 1 };
    }
    return best;
  }

  /**
   * The place whose name begins with the next words, if it is unmistakable; otherwise all places whose names do.
   * @param {Word[]} all
   * @param {number} at
   * @returns {Hit}
   */
  beginning(all, at) {
    for (let size = 3; size > 0; size--) {
      const words = all.slice(at, at + size).map(({ word }) => word);
      if (words.length < size || !words.every((word) => /^\p{L}/u.test(word)) || words.join("").length < 3) continue;
      if (words.slice(1).some((word) => this.isSign(word))) continue; // `Black S` is not the Black Sea.
      /** @type {Set<string>} */
      const fits = new Set();
      for (const [phrase, token] of this.phrases) {
        const parts = phrase.split(" ");
        if (this.names.has(token) && words.every((word, index) => parts[index]?.startsWith(word))) fits.add(token);
      }
      if (fits.size === 1) return { token: [...fits][0], next: at + size };
      if (fits.size) return { several: [...fits].sort(), next: at + size };
    }
    return null;
  }

  /**
   * True if a word by itself is part of an order, and not a name.
   * @param {string} word
   */
  isSign(word) {
    const token = this.phrases.get(word);
    return this.signs.has(word) || (token !== undefined && !this.names.has(token) && !token.startsWith("/"));
  }

  /**
   * The most similar known word or place; null if nothing is similar.
   * @param {string} given
   */
  nearest(given) {
    const wanted = scan(given)
      .map(({ word }) => word)
      .join(" ");
    let best = null;
    let most = 0.55;
    for (const [phrase, token] of this.phrases) {
      // Two texts are no more alike than their lengths, so a long unknown text need not be compared letter by letter.
      const [short, long] = [wanted.length, phrase.length].sort((one, other) => one - other);
      const score = phrase.length > 2 && short > most * long ? likeness(wanted, phrase) : 0;
      if (score > most) [best, most] = [this.names.has(token) ? token : phrase, score];
    }
    return best;
  }
}
