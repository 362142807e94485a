// @ts-check
// A table as a link: the written sheets, turn by turn, compressed. This draws nothing.

/** @typedef {Record<string, Record<string, unknown>>} Sheets Seat -> its sheet, as plain data. */
/** The beginning of a game at a table, and the seed of its dice. @typedef {{ start: Record<string, unknown>, seed: string }} Begun */

/** Marks the address of a game that began at a table. */
export const BEGIN = "~";

/** Most letters of the table's part of a link. */
export const LONGEST = 2000;

/** @param {ReadableStream<any>} stream */
const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/**
 * Sheets, turn by turn, as letters for an address; with the beginning of the game, if it began at the table.
 * @param {Sheets[]} steps
 * @param {Begun | null} begun
 */
export const packed = async (steps, begun = null) => {
  const text = new Blob([JSON.stringify(begun ? { begun, steps } : steps)]);
  const bytes = await bytesOf(text.stream().pipeThrough(new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const MOST = { bytes: 1 << 18, steps: 300, lines: 200, letters: 1000, deep: 20 }; // Of what a link may hold.

/**
 * True if a value of a sheet has a size and kind that a sheet can have.
 * @param {unknown} value
 * @param {number} [deep]
 * @returns {boolean}
 */
const isFit = (value, deep = 0) => {
  if (typeof value === "string") return value.length <= MOST.letters;
  if (typeof value !== "object" || value === null) return true;
  if (deep > MOST.deep || Object.hasOwn(value, "__proto__")) return false;
  const inside = Object.values(value);
  return inside.length <= MOST.lines && inside.every((one) => isFit(one, deep + 1));
};

/** @param {unknown} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The table in the data of a link or of this browser's memory; null if it holds no table.
 * @param {any} said
 */
export const tableIn = (said) => {
  const { steps, begun = null } = Array.isArray(said) ? { steps: said } : (said ?? {});
  const right =
    Array.isArray(steps) && steps.length <= MOST.steps && steps.every((step) => isRecord(step) && isFit(step) && Object.values(step).every(isRecord)) &&
    (begun === null || (isRecord(begun) && isRecord(begun.start) && typeof begun.start.ruleset === "string" && typeof begun.seed === "string"));
  return right ? { steps: /** @type {Sheets[]} */ (steps), begun: /** @type {Begun | null} */ (begun) } : null;
};

/**
 * The inverse of `packed`; null if the letters were cut short or changed.
 * @param {string} letters
 * @returns {Promise<{ steps: Sheets[], begun: Begun | null } | null>}
 */
export const unpacked = async (letters) => {
  try {
    if (letters.length > 4 * LONGEST) return null;
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return tableIn(JSON.parse(text + decoder.decode()));
      text += decoder.decode(value, { stream: true });
      if (text.length > MOST.bytes) return null;
    }
  } catch {
    return null;
  }
};
