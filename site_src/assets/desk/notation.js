// @ts-check
// Reads orders as people write them, if everybody knows the legal ones. This draws nothing and keeps no state.

import { plainer } from "./text.js";
import { isLetter, scan, Words, wordsOf } from "./words.js";

/** @import { Reading } from "./words.js" */
/** @import { Spelling } from "./types.js" */

/**
 * An order, taken apart: its words, the places that it names, and its unit, if it has one.
 * @typedef {{ line: string, tokens: string[], mentions: string[], unit: string | null }} Option
 */

/** Reads lines by a game's spellings, and knows the legal orders. */
export class Notation {
  /**
   * @param {{ names: string[], spelling: Spelling, seats: { name: string }[] }} data
   * @param {readonly string[]} lines the legal orders
   * @param {(line: string) => boolean} isApart true for an order that no choice of places means
   */
  constructor(data, lines, isApart = () => false) {
    this.words = new Words(data);
    this.around = data.spelling.around ?? [];
    this.routes = new Set(data.spelling.routes ?? []);
    this.names = this.words.names;
    for (const line of lines) this.words.learn(line);
    this.options = lines.map((line) => this.option(line));
    this.open = this.options.filter(({ line }) => !isApart(line)); // Those that places on the map mean.
    this.legal = new Map(this.options.map((option) => [option.line, option]));
    /** @type {Set<string>} */
    this.kinds = new Set();
    /** @type {Map<string, string>} */
    this.units = new Map();
    /** @type {Set<string>} */
    this.owners = new Set();
    for (const { tokens, mentions, unit } of this.open) {
      const kind = this.names.has(tokens[0]) || isLetter(tokens[0]) ? tokens[0] : tokens[1];
      if (isLetter(kind)) this.kinds.add(kind);
      if (unit) this.units.set(mentions[0], unit);
      if (mentions.length) this.owners.add(mentions[0]);
    }
    /** @type {Map<string, string[]>} */
    this.aliases = new Map();
    for (const [phrase, token] of this.words.phrases) {
      const phrases = this.aliases.get(token);
      if (phrases) phrases.push(phrase);
      else this.aliases.set(token, [phrase]);
    }
  }

  /**
   * The words of a line in the game's spelling, and the parts that cannot be read. A line with unknown words is tried again without the
   * extra words that people write around an order.
   * @param {string} text
   */
  read(text) {
    const found = this.words.read(text);
    if (!this.around.length || this.legal.has(found.text)) return found;
    if (!found.unknown.length && this.meant(found).length) return found;
    const plain = plainer(text.replace(/(?<=[a-z])(?=[A-Z])/gu, " "), this.around, (route) => this.isRoute(route));
    if (plain === text) return found;
    const again = this.words.read(plain);
    return !again.unknown.length && this.meant(again).length ? again : found;
  }

  /**
   * True if the words of a convoy's route are places, and words that name none, such as `the fleet in`.
   * @param {string} route
   */
  isRoute(route) {
    return this.words.read(route).unknown.every(({ given }) => wordsOf(given).every((word) => this.routes.has(word)));
  }

  /**
   * A line taken apart.
   * @param {string} line
   * @returns {Option}
   */
  option(line) {
    const { tokens } = this.words.read(line);
    const at = tokens.findIndex((token) => this.names.has(token));
    const leads = at === 0 || (at === 1 && isLetter(tokens[0]));
    const coast = tokens[at + 1]?.startsWith("/") ? tokens[at + 1] : "";
    const unit = leads ? tokens.slice(0, at + 1).join(" ") + coast : null;
    return { line, tokens, mentions: tokens.filter((token) => this.names.has(token)), unit };
  }

  /**
   * A line as one of the legal orders, or otherwise taken apart.
   * @param {string} line
   */
  known(line) {
    return this.legal.get(line) ?? this.option(line);
  }

  /**
   * The legal orders that a read line can mean, even if kinds, coasts or arrows are left out, or words are in another order.
   * @param {Reading} reading
   * @returns {Option[]}
   */
  meant({ tokens, text }) {
    const exact = this.legal.get(text);
    if (exact) return [exact];
    /** @param {boolean} arrows whether these may be left out as well */
    const loose = (arrows) =>
      this.options.filter((option) => {
        let at = 0;
        for (const [index, token] of option.tokens.entries()) {
          const kind = this.kinds.has(token) && option.tokens[index + 1] === tokens[at];
          if (token === tokens[at]) at++;
          else if (!kind && !token.startsWith("/") && !(arrows && token === "-")) return false;
        }
        return at === tokens.length;
      });
    for (const options of [loose(false), loose(true)]) if (options.length) return options;
    const wanted = this.partsOf(tokens);
    return this.options.filter((option) => {
      const parts = this.partsOf(option.tokens);
      const same = parts.places.length === wanted.places.length && parts.signs === wanted.signs;
      return same && wanted.places.every((one, at) => one === parts.places[at] || one === parts.bare[at]);
    });
  }

  /**
   * An order's signs in sorted order, and its places in a row, with coasts and kinds of units; `bare` without kinds.
   * @param {string[]} tokens
   */
  partsOf(tokens) {
    /** @type {string[]} */
    const places = [];
    /** @type {string[]} */
    const bare = [];
    /** @type {string[]} */
    const signs = [];
    let kind = "";
    for (const token of tokens)
      if (this.names.has(token)) {
        places.push(kind + token);
        bare.push(token);
        kind = "";
      } else if (token.startsWith("/") && places.length) {
        places.push(places.pop() + token);
        bare.push(bare.pop() + token);
      } else if (this.kinds.has(token)) kind = `${token} `;
      else signs.push(token);
    return { places, bare, signs: signs.sort().join("|") };
  }

  /**
   * Legal orders that a partly typed line may become, the likeliest first.
   * @param {string} text
   */
  suggestions(text, most = 8) {
    const words = wordsOf(text);
    if (!words.length) return [];
    const whole = this.read(text);
    const head = this.read(text.trimEnd().replace(/[\p{L}\p{M}\p{N}]+$/u, ""));
    const tail = words[words.length - 1];
    /**
     * @param {string[]} tokens
     * @param {string[]} wanted
     */
    const after = (tokens, wanted) => {
      let at = 0;
      for (const token of wanted) {
        at = tokens.indexOf(token, at) + 1;
        if (!at) return -1;
      }
      return at;
    };
    /** @param {Option} option */
    const spelled = (option) => {
      let at = 0;
      for (const { word } of scan(option.line)) if (at < words.length && word.startsWith(words[at])) at++;
      return at === words.length;
    };
    /** @param {Option} option */
    const begun = (option) => {
      if (head.unknown.length) return false;
      const at = after(option.tokens, head.tokens);
      if (at < 0) return false;
      return option.tokens.slice(at).some((token) => this.aliases.get(token)?.some((alias) => alias.startsWith(tail)));
    };
    /** @type {[rank: number, words: number, index: number, line: string][]} */
    const ranked = [];
    for (const [index, option] of this.options.entries()) {
      const full = !whole.unknown.length && after(option.tokens, whole.tokens) >= 0;
      if (full || spelled(option) || begun(option)) {
        const rank = full ? (option.line === whole.text ? 0 : 1) : spelled(option) ? 2 : 3;
        ranked.push([rank, option.tokens.length, index, option.line]);
      }
    }
    ranked.sort((one, two) => one[0] - two[0] || one[1] - two[1] || one[2] - two[2]);
    return ranked.slice(0, most).map((entry) => entry[3]);
  }

  /**
   * The legal orders that name these places in this order. The first is the unit's place, unless it has no unit.
   * @param {readonly string[]} places
   */
  naming(places) {
    return this.open.filter(({ mentions }) => {
      let at = 0;
      for (const [index, place] of places.entries()) {
        if (!index && this.owners.has(place) && mentions[0] !== place) return false;
        at = mentions.indexOf(place, at) + 1;
        if (!at) return false;
      }
      return true;
    });
  }
}
