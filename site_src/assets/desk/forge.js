// @ts-check
// The forge where the archive lives: its addresses, as desk.json has them, with the blanks in them filled.

const LONGEST = 6000; // Letters: GitHub takes 8,191, and a login on the way encodes the address once more.

/**
 * An address with its blanks filled. A file's place keeps its slashes; everything else is one part of a query.
 * @param {string} template
 * @param {Record<string, string | number>} blanks
 */
export const filled = (template, blanks) =>
  template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(blanks[name] ?? "");
    return name === "path" ? value.replaceAll("%2F", "/") : value;
  });

/**
 * Whether an address is sure to arrive.
 * @param {string} address
 */
export const arrives = (address) => address.length <= LONGEST;

/** The most letters of an address, in words. */
export const MOST = LONGEST.toLocaleString("en");
