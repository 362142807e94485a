// @ts-check
// The amounts that a sheet's orders take from the goods that the seat has, by the table in adjudicator/core/contract/prices.py. It
// draws nothing and keeps no state.

/** @import { Forms } from "./forms.js" */
/** @import { Price, Prices } from "./types.js" */

/**
 * The words in a blank, each with its number: `2 Pikes, Lancers` has two and one.
 * @param {string} text
 * @returns {[times: number, word: string][]}
 */
const wordsIn = (text) =>
  text.split(", ").map((part) => {
    const counted = /^(\d+) (.+)$/.exec(part);
    return counted ? [Number(counted[1]), counted[2]] : [1, part];
  });

/**
 * The value of an own property of a table; undefined if the table lacks the key.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} key
 */
const own = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

/**
 * The amounts that an order with these blanks takes.
 * @param {Price} price
 * @param {Map<string, string>} blanks
 */
const priceOf = ({ fixed = {}, by = {}, thing = "", per = 1, shares = {} }, blanks) => {
  const total = new Map(Object.entries(fixed));
  /** @type {(what: string, number: number) => void} */
  const add = (what, number) => void total.set(what, (total.get(what) ?? 0) + number);
  for (const [blank, words] of Object.entries(by))
    for (const [times, word] of wordsIn(blanks.get(blank) ?? ""))
      for (const [what, number] of Object.entries(own(words, word) ?? own(words, "") ?? {})) add(what, times * number);
  let parts = 0;
  for (const [blank, words] of Object.entries(shares))
    for (const [times, word] of wordsIn(blanks.get(blank) ?? "")) parts += times * (own(words, word) ?? 0);
  if (parts) add(thing, Math.ceil(parts / per));
  return total;
};

/**
 * Prices of the words for an order’s blanks: a heading, and each word with its price.
 * @param {Price} price
 * @returns {[heading: string, rows: string[]][]}
 */
export const tariffOf = ({ by = {}, thing = "", per = 1, shares = {} }) => {
  /** @param {Record<string, number>} amounts */
  const sum = (amounts) => Object.entries(amounts).map(([what, number]) => `${number} ${what}`).join(" and ") || "nothing";
  /** @type {[string, string[]][]} */
  const fixed = Object.entries(by).map(([blank, words]) => [blank, Object.entries(words).map(([word, amounts]) => `${word || "any other"}: ${sum(amounts)}`)]);
  /** @type {[string, string[]][]} */
  const shared = Object.entries(shares).map(([blank, words]) => [
    `${blank}: add these up; every ${per} cost 1 ${thing}, and so does a rest`,
    Object.entries(words).map(([word, number]) => `${word}: ${number}`),
  ]);
  return [...fixed, ...shared].filter(([, rows]) => rows.length > 0);
};

/**
 * The amounts that orders take together: thing -> the amount taken, and the amount that the seat has.
 * @param {Prices} prices
 * @param {Forms} forms
 * @param {readonly string[]} orders
 * @returns {Map<string, { takes: number, has: number }>}
 */
export const sumOf = (prices, forms, orders) => {
  const sums = new Map(Object.entries(prices.purse).map(([thing, has]) => [thing, { takes: 0, has }]));
  for (const order of orders) {
    const parts = forms.parts(order);
    const price = parts && own(prices.forms, parts.form);
    if (!price) continue;
    for (const [thing, number] of priceOf(price, parts.blanks)) {
      const sum = sums.get(thing);
      if (sum) sum.takes += number;
    }
  }
  return sums;
};
