// @ts-check
// A table as a link: what was written, turn by turn, compressed. No page.

/** @typedef {Record<string, Record<string, unknown>>} Sheets Seat -> its sheet, as plain data. */

/** The most letters of a link's own part. */
export const LONGEST = 2000;

/** @param {ReadableStream<any>} stream */
const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/**
 * Sheets, turn by turn, as letters for an address.
 * @param {Sheets[]} steps
 */
export const packed = async (steps) => {
  const text = new Blob([JSON.stringify(steps)]);
  const bytes = await bytesOf(text.stream().pipeThrough(new CompressionStream("deflate-raw")));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

/**
 * What `packed` made; null if it was cut short or changed.
 * @param {string} letters
 * @returns {Promise<Sheets[] | null>}
 */
export const unpacked = async (letters) => {
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const text = await bytesOf(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
    const steps = JSON.parse(new TextDecoder().decode(text));
    /** @param {unknown} value */
    const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
    const right = Array.isArray(steps) && steps.every((step) => isRecord(step) && Object.values(step).every(isRecord));
    return right ? steps : null;
  } catch {
    return null;
  }
};
