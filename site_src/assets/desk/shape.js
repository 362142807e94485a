// @ts-check
// Checks the shape of data at any depth, because strangers may have sealed anything. This draws nothing and keeps no state.

const MOST = 10_000; // Entries of a list or a table.

/**
 * A shape: `s` a text, `n` a number, `b` yes or no, `x` anything. One that may be absent ends in `?`, one that may be null in `0` (by
 * itself, `0` is null). Also a list of one shape, a table of one (`{"*": shape}`), a record of several, or a choice of shapes.
 * @typedef {string | [Shape] | { [key: string]: Shape } | { any: Shape[] }} Shape
 */

/**
 * True if a value has a shape. A record may have more keys than the shape names.
 * @param {unknown} value
 * @param {Shape} shape
 * @returns {boolean}
 */
export const fits = (value, shape) => {
  if (typeof shape === "string") {
    if (shape.endsWith("?")) return value === undefined || fits(value, shape.slice(0, -1));
    if (shape.endsWith("0")) return value === null || fits(value, shape.slice(0, -1));
    const kinds = { s: "string", n: "number", b: "boolean" };
    return shape === "x" || typeof value === kinds[/** @type {keyof typeof kinds} */ (shape)];
  }
  if (Array.isArray(shape))
    return Array.isArray(value) && value.length <= MOST && value.every((entry) => fits(entry, shape[0]));
  if (Array.isArray(shape.any)) return /** @type {Shape[]} */ (shape.any).some((one) => fits(value, one));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  if ("*" in shape)
    return entries.length <= MOST && entries.every(([, entry]) => fits(entry, /** @type {Shape} */ (shape["*"])));
  const known = new Map(entries);
  return Object.entries(shape).every(([key, one]) => fits(known.get(key), one));
};
