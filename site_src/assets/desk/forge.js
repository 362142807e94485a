// @ts-check
// The forge where the archive lives: its addresses from desk.json, with their blanks filled.

const LONGEST = 6000; // Letters: GitHub takes 8,191, and a login on the way encodes the address once more.

/**
 * An address with its blanks filled. A file's path keeps its slashes; everything else becomes one part of a query.
 * @param {string} template
 * @param {Record<string, string | number>} blanks
 */
export const filled = (template, blanks) =>
  template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = encodeURIComponent(blanks[name] ?? "");
    return name === "path" ? value.replaceAll("%2F", "/") : value;
  });

/**
 * True if an address is short enough to arrive.
 * @param {string} address
 */
export const arrives = (address) => address.length <= LONGEST;

/** Greatest length of an address in letters, in words. */
export const MOST = LONGEST.toLocaleString("en");
