// @ts-check
// A seat's private news: opened with its key, checked, and used in place of public information. This draws nothing and keeps no state.

import { age } from "./age.js";
import { Fault } from "./fault.js";
import { digestOf } from "./seal.js";
import { fits } from "./shape.js";

/** @import { Desk, Seat } from "./store.js" */
/** @import { Aside, Field, OwnMap } from "./types.js" */

/**
 * The contents of a dispatch: sentences for the reader, and data for the desk.
 * @typedef {Aside & { news: string, brief: string[], verdicts: string[], told: string[] }} News
 */

/** The line before the part for the desk (adjudicator/core/turn/aside.py). */
const MARK = "--- # For the order desk. It follows from what stands above.\n";
const SCHEMA = 2;
/** Pieces of a picture (PIECES in aside.py); news of schema 1 cut it at elements, and gave the first and last piece. */
const PIECES = /[<{};" ][^<{};" ]*|[^<{};" ]+/g;
const OLD_PIECES = /<[^<]*/g;
const GZIP = [31, 139];
/** @type {import("./shape.js").Shape} */
const AMOUNTS = { "*": "n" };
/** @type {import("./shape.js").Shape} */
const FIELD = { key: "s", label: "s", kind: "s", help: "s?", choices: { any: ["x?", ["s"]] }, least: "n?", most: "n?" };
/** @type {import("./shape.js").Shape} */
const PRICE = {
  fixed: { any: ["s?", AMOUNTS] },
  by: { any: ["s?", { "*": { "*": AMOUNTS } }] },
  shares: { any: ["s?", { "*": AMOUNTS }] },
};
/** @type {import("./shape.js").Shape} The parts that the desk relies on; types.d.ts has the whole shape. */
const SHAPE = {
  form: [{ any: ["s", FIELD] }],
  options: { "*": ["s"] },
  without: ["s"],
  stands: { any: ["s?", { "*": ["s"] }] }, // Older news has none.
  cautions: [{ what: "s" }],
  prices: { any: ["0", { purse: AMOUNTS, forms: { "*": PRICE }, note: "s" }] },
  meanings: { "*": "s" },
  map: { any: ["0", { base: "s", edits: ["x"] }] },
};
const MOST_ENTRIES = 100; // That a form may begin with.
const LONGEST = 4 << 20; // Bytes of a text; the archive takes no more either.

/**
 * The text of a gzip member; throws an error if it is damaged or too long.
 * @param {Uint8Array} bytes
 */
const unpacked = async (bytes) => {
  if (typeof DecompressionStream !== "function")
    throw new Fault("This browser is too old to unpack news. Use a newer one, or courtly open.");
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > LONGEST) throw new Error("too long");
    text += decoder.decode(value, { stream: true });
  }
};

/**
 * The text of a seat's dispatch, its news first; throws a `Fault` that explains what is wrong with the file or the key.
 * @param {Uint8Array} file
 * @param {string} identity
 * @param {Seat} seat
 */
const opened = async (file, identity, seat) => {
  const { Decrypter, identityToRecipient } = await age();
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  /** @type {Uint8Array} */
  let body;
  try {
    body = await decrypter.decrypt(file);
  } catch (error) {
    const other = error instanceof Error && error.message.startsWith("no identity matched");
    const mine = await identityToRecipient(identity);
    if (other && mine !== seat.key)
      throw new Fault(`The news of ${seat.name} is sealed to another key: yours is the key of ${mine}.`);
    throw new Fault(
      other
        ? `The file does not hold the news of ${seat.name}: it is sealed to somebody else. Tell the host.`
        : `The news of ${seat.name} arrived damaged or cut short. Load the page again; if that does not help, tell the host.`,
    );
  }
  try {
    return body[0] === GZIP[0] && body[1] === GZIP[1] ? await unpacked(body) : new TextDecoder().decode(body);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`The news of ${seat.name} is damaged inside. Tell the host.`);
  }
};

/**
 * The value of a JSON text; null if it is not JSON.
 * @param {string} text
 */
const parsed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * The message about news in a wrong shape.
 * @param {Seat} seat
 */
export const misshapen = ({ name }) => `The news of ${name} is not in a shape that the desk can show. Tell the host.`;

/** @type {(form: readonly (string | Field)[] | undefined) => boolean} True if its fields can be drawn, at any depth. */
const formFits = (form) =>
  (form ?? []).every((field) => {
    if (typeof field === "string") return true;
    if (!fits(field, FIELD) || (field.kind === "records" && (field.least ?? 0) > MOST_ENTRIES)) return false;
    return fits(field.fields ?? [], ["x"]) && formFits(field.fields);
  });

/** @type {(edits: readonly unknown[], schema: number) => boolean} True if these are changes of a picture, in its order. */
const editsFit = (edits, schema) => {
  let at = 0;
  return edits.every((edit) => {
    if (!Array.isArray(edit) || typeof edit[2] !== "string") return false;
    const [first, second] = edit;
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(second) || first < 0 || second < 0) return false;
    const good = schema !== 1 || (at <= first && first <= second);
    at = second;
    return good;
  });
};

/**
 * The entries of a list in canonical YAML, where each has a separate line.
 * @param {string} news
 * @param {string} key
 */
const entriesOf = (news, key) => {
  const lines = news.split("\n");
  const at = lines.indexOf(`${key}:`);
  if (at < 0) return [];
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("- "));
  return lines.slice(at + 1, end < 0 ? undefined : end).map((line) => line.slice(2));
};

/**
 * A text in canonical YAML, either quoted as in JSON or plain.
 * @param {string} text
 */
const scalarOf = (text) => (text.startsWith('"') ? String(parsed(text) ?? text) : text);

/**
 * The news that a dispatch gives to a seat's desk; throws a `Fault` if it is not this seat's news of this turn.
 * @param {Uint8Array} file
 * @param {string} identity
 * @param {Desk} data
 * @param {Seat} seat
 * @returns {Promise<News>}
 */
export const newsOf = async (file, identity, data, seat) => {
  const text = await opened(file, identity, seat);
  const at = text.indexOf(MARK);
  if (at < 0) throw new Fault("This news was written before the desk could read it. Open it with courtly open.");
  const aside = /** @type {Aside | null} */ (parsed(text.slice(at + MARK.length)));
  if (typeof aside !== "object" || aside === null) throw new Fault(misshapen(seat));
  if (aside.schema !== SCHEMA && aside.schema !== 1)
    throw new Fault("This news was written for a different version of the desk. Load the page again in a few minutes.");
  if (aside.game !== data.game) throw new Fault(`This is news of another game: ${aside.game}.`);
  if (aside.turn !== data.turn) throw new Fault(`This is news of another turn: ${aside.turn}. Load the page again.`);
  if (aside.seat !== seat.name) throw new Fault(`This is the news of ${aside.seat}, not of ${seat.name}.`);
  if (!fits(aside, SHAPE) || !formFits(aside.form) || !editsFit(aside.map?.edits ?? [], aside.schema)) throw new Fault(misshapen(seat));
  if (seat.news !== null && (await digestOf(text.slice(0, at))) !== seat.news)
    throw new Fault(`This is not the dispatch that ${seat.name} got: turn.yaml has a different digest. Tell the host.`);
  const news = text.slice(0, at);
  const count = entriesOf(news, "verdicts").length;
  const told = entriesOf(news, "told").map(scalarOf);
  return {
    ...aside,
    news,
    brief: entriesOf(news, "brief").map(scalarOf),
    verdicts: told.slice(0, count),
    told: told.slice(count),
  };
};

/**
 * A seat as its player knows it.
 * @param {Seat} seat
 * @param {Aside} aside
 * @returns {Seat}
 */
export const seatWith = (seat, { cautions, form, options, without }) => {
  const known = new Map(seat.form.map(({ idle, ...field }) => [field.key, field]));
  const fields = form.map((field) => (typeof field === "string" ? known.get(field) : field));
  // The host may have asked a question since the news was sealed.
  const asked = fields.some((field) => field?.key === "answer") ? undefined : known.get("answer");
  return { ...seat, cautions, options, without, form: [...fields, asked].filter((field) => field !== undefined) };
};

/**
 * A seat's private map; null if it cannot be made from the public map here, because that was drawn again.
 * @param {string} common
 * @param {OwnMap} own
 * @param {number} schema of the aside that holds it
 */
export const mapWith = async (common, { base, edits }, schema) => {
  if ((await digestOf(common)) !== base) return null;
  const pieces = common.match(schema === 1 ? OLD_PIECES : PIECES) ?? [];
  /** @type {string[]} */
  const made = [];
  let at = 0;
  for (const [first, second, text] of edits) {
    const [from, to] = schema === 1 ? [first, second] : [at + first, at + first + second];
    made.push(pieces.slice(at, from).join(""), text);
    at = to;
  }
  return made.join("") + pieces.slice(at).join("");
};
