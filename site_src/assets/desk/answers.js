// @ts-check
// Compares a sheet with the answers of a lesson. This draws nothing and keeps no state.

/** @import { Held } from "./fields.js" */
/** @import { LessonStep } from "./types.js" */

/**
 * @param {unknown} one
 * @param {unknown} two
 */
const same = (one, two) => JSON.stringify(one) === JSON.stringify(two);

/**
 * True if a sheet has all that an answer has: every entry of a list, and nothing for a key whose answer is null.
 * @param {Held} sheet
 * @param {Held} answer
 */
export const says = (sheet, answer) =>
  Object.entries(answer).every(([key, value]) => {
    const there = sheet[key];
    if (value === null) return there === undefined;
    if (!Array.isArray(value)) return same(there, value);
    return Array.isArray(there) && value.every((entry) => there.some((one) => same(one, entry)));
  });

/**
 * True if two sheets have the same contents, in any order of lines.
 * @param {Held} one
 * @param {Held} two
 */
export const alike = (one, two) => says(one, two) && says(two, one) && same(Object.keys(one).sort(), Object.keys(two).sort());

/**
 * The reply to a sheet at a step: whether it is right, and the words, which are empty if nothing in it is an answer. Of two wrong answers,
 * the one that was not there `before` counts.
 * @param {LessonStep} step
 * @param {Held} sheet
 * @param {Held} before
 */
export const judged = ({ accepts, right, wrong }, sheet, before = {}) => {
  if (accepts.some((answer) => says(sheet, answer))) return { right: true, words: right };
  const there = wrong.filter(({ answer }) => says(sheet, answer));
  const fresh = there.find(({ answer }) => !says(before, answer));
  return { right: false, words: (fresh ?? there[0])?.says ?? "" };
};

/**
 * The entries that a sheet lacks compared with another, and those that it has in addition: lines of orders, and keys that differ.
 * @param {Held} sheet
 * @param {Held} end
 */
export const differences = (sheet, end) => {
  /** @type {(one: Held, two: Held) => string[]} */
  const only = (one, two) =>
    Object.entries(one).flatMap(([key, value]) => {
      if (!Array.isArray(value)) return same(two[key], value) ? [] : [`${key}: ${String(value)}`];
      const others = two[key];
      return value.filter((entry) => !Array.isArray(others) || !others.some((other) => same(other, entry))).map(String);
    });
  return { missing: only(end, sheet), more: only(sheet, end) };
};
