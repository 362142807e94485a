// @ts-check
// A sheet as YAML, and the text that is sealed with it, both written as the archive writes them. This draws nothing and keeps no state.

import { isTable } from "./fields.js";

/** @import { Desk, Seat } from "./store.js" */

const KEY = /^[a-z][a-z0-9_]*$/;
const MISREAD = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/;

/** @param {string} key */
const keyOf = (key) => (KEY.test(key) && !MISREAD.test(key) ? key : JSON.stringify(key));

/**
 * A value as YAML on one line, with the strings of JSON, which YAML accepts too.
 * @param {unknown} value
 * @returns {string}
 */
const inLine = (value) => {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, one]) => `${keyOf(key)}: ${inLine(one)}`);
  return `{${pairs.join(", ")}}`;
};

/**
 * A table's lines; inside a sheet's values (`inner`), entries up to `width` letters stay on one line.
 * @param {Record<string, unknown>} table
 * @param {number} width
 * @param {string} pad
 * @param {boolean} inner
 * @returns {string[]}
 */
const tableLines = (table, width, pad, inner) =>
  Object.entries(table).flatMap(([key, value]) => {
    const head = `${pad}${keyOf(key)}:`;
    const line = `${head} ${inLine(value)}`;
    const empty = typeof value !== "object" || value === null || !Object.keys(value).length;
    if (empty || (inner && line.length <= width)) return [line];
    if (isTable(value)) return [head, ...tableLines(value, width, `${pad}  `, true)];
    return [head, .../** @type {unknown[]} */ (value).flatMap((one) => entryLines(one, width, pad))];
  });

/**
 * @param {unknown} value
 * @param {number} width
 * @param {string} pad
 */
const entryLines = (value, width, pad) => {
  const line = `${pad}- ${inLine(value)}`;
  if (!isTable(value) || line.length <= width) return [line];
  const [first, ...rest] = tableLines(value, width, `${pad}  `, true);
  return [`${pad}- ${first.trimStart()}`, ...rest];
};

/**
 * A sheet as the text of its file.
 * @param {Record<string, unknown>} sheet
 * @param {number} width letters of a line that holds several things
 */
export const sheetText = (sheet, width) => `${tableLines(sheet, width, "", false).join("\n") || "{}"}\n`;

/**
 * The paragraphs of a letter: the parts of a text between empty lines, each as one line.
 * @param {string} text
 */
export const paragraphsOf = (text) =>
  text
    .split(/\r\n?|\n/u)
    .map((line) => line.trim())
    .join("\n")
    .split(/\n\n+/u)
    .map((part) => part.replace(/\s+/gu, " ").trim())
    .filter(Boolean);

/**
 * The text of a letter that is sealed: its paragraphs with its seat, the turn that it is about, and its number.
 * @param {Desk} data
 * @param {string} turn
 * @param {Seat} seat
 * @param {number} sequence
 * @param {readonly string[]} paragraphs
 */
export const letterText = (data, turn, seat, sequence, paragraphs) => {
  const named = { archive: data.archive, game: data.game, turn, seat: seat.name };
  const lines = Object.entries(named).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [...lines, `sequence: ${sequence}`, "letter:", ...paragraphs.map((part) => `- ${JSON.stringify(part)}`)].join("\n") + "\n";
};

/**
 * The text that is sealed: the sheet with its seat, its turn, and its number.
 * @param {Desk} data
 * @param {Seat} seat
 * @param {number} sequence
 * @param {Record<string, unknown>} sheet
 * @param {string} nonce
 */
export const envelopeText = (data, seat, sequence, sheet, nonce) => {
  const named = { archive: data.archive, game: data.game, turn: data.turn, attempt: data.attempt, seat: seat.name };
  const lines = Object.entries(named)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  if (seat.account !== null && seat.account !== undefined) lines.push(`account: ${seat.account}`);
  lines.push(`sequence: ${sequence}`, `nonce: ${JSON.stringify(nonce)}`);
  const inner = tableLines(sheet, data.limits.line, "  ", false);
  return [...lines, ...(inner.length ? ["sheet:", ...inner] : ["sheet: {}"])].join("\n") + "\n";
};
