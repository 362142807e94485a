// @ts-check
// Sealing: pads a text to one of its turn's widths, and encrypts it with age. This draws nothing and keeps no state.

import { age } from "./age.js";
import { Fault } from "./fault.js";
import { sheetText } from "./sheet.js";

/** @import { Desk } from "./store.js" */
/** @import { Width } from "./types.js" */

/** Lengths of a list that is sealed on its own. */
const LIST = { step: 512, least: 512, most: 11264, packs: false };
const FULL_STOP = 46;
const [NEWLINE, HASH] = [10, 35];
const GZIP_HEAD = [31, 139, 8, 16, 0, 0, 0, 0, 0, 255]; // Flag 16: a comment follows (RFC 1952).

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The SHA-256 of bytes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export const hashOf = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/**
 * A text's SHA-256.
 * @param {string} text
 */
export const digestOf = async (text) => hashOf(new TextEncoder().encode(text));

/** A number that is used once, as 32 hexadecimal digits. */
export const newNonce = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/**
 * The padded length of a text of so many bytes, so that its length reveals nothing: the least of the widths that hold it.
 * @param {Width} width
 * @param {number} bytes
 */
const lengthFor = ({ step, least, most }, bytes) => {
  const length = Math.max(least, Math.ceil(bytes / step) * step);
  if (length > most) throw new Fault(`This is too long: sealed, it has ${bytes} bytes, but only ${most} are allowed.`);
  return length;
};

/**
 * Bytes of YAML, followed by a comment that makes them as long as all sheets of the turn.
 * @param {Uint8Array} bytes
 * @param {Width} width
 */
const padded = (bytes, width) => {
  const length = lengthFor(width, bytes.length + 3);
  const whole = new Uint8Array(length).fill(FULL_STOP);
  whole.set(bytes);
  whole.set([NEWLINE, HASH], bytes.length);
  whole[length - 1] = NEWLINE;
  return whole;
};

/**
 * A gzip member, with a comment in its header that makes it as long as all sheets of the turn.
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {Width} width
 */
const packed = async (bytes, width) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const member = new Uint8Array(await new Response(stream).arrayBuffer());
  const body = member.subarray(GZIP_HEAD.length);
  const whole = new Uint8Array(lengthFor(width, body.length + GZIP_HEAD.length + 1)).fill(FULL_STOP);
  whole.set(GZIP_HEAD);
  whole.set([0, ...body], whole.length - body.length - 1);
  return whole;
};

/**
 * A text's bytes at one of the widths. An older browser cannot compress, so it sends the plain text and has less space.
 * @param {string} text
 * @param {Width} width
 */
export const fitted = (text, width) => {
  const bytes = new TextEncoder().encode(text);
  return width.packs && typeof CompressionStream === "function" ? packed(bytes, width) : padded(bytes, width);
};

/**
 * Bytes that only these age keys open.
 * @param {Uint8Array} bytes
 * @param {readonly string[]} keys
 */
const encrypted = async (bytes, keys) => {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  for (const key of keys) {
    try {
      encrypter.addRecipient(key);
    } catch {
      throw new Fault(`${key.slice(0, 20)}… is not an age key. Copy it again: a letter is wrong.`);
    }
  }
  return encrypter.encrypt(bytes);
};

/**
 * Bytes that only these age keys open, as armoured text with a newline at its end.
 * @param {Uint8Array} bytes
 * @param {readonly string[]} keys
 */
export const sealed = async (bytes, keys) => {
  const { armor } = await age();
  const text = armor.encode(await encrypted(bytes, keys));
  return text.endsWith("\n") ? text : `${text}\n`;
};

/**
 * A sheet with its orders ahead sealed on their own, so that the key of its turn does not open them. If it has any, all lists of the turn are
 * sealed, so that none shows which it has.
 * @param {Record<string, unknown>} sheet
 * @param {Desk} data
 * @param {string} seat
 */
export const withListsShut = async (sheet, { ahead, turn, limits }, seat) => {
  const lists = Object.entries(ahead ?? {});
  if (!lists.some(([key]) => sheet[key])) return sheet;
  const rest = Object.entries(sheet).filter(([key]) => !ahead?.[key]);
  const shut = lists.map(async ([key, recipient]) => {
    const text = sheetText({ turn, seat, lines: sheet[key] ?? [] }, limits.line);
    const bytes = await encrypted(padded(new TextEncoder().encode(text), LIST), [recipient]);
    return [key, btoa(String.fromCharCode(...bytes))];
  });
  return Object.fromEntries([...rest, ["ahead", Object.fromEntries(await Promise.all(shut))]]);
};
