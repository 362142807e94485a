// @ts-check
// What was done to a draft, so that it can be undone. No page, no state but its own.

/** @import { Held } from "./fields.js" */

/** @typedef {{ orders: string[], values: Held }} Written */

const MOST = 100; // Changes that are remembered.

export class Past {
  constructor() {
    /** @type {{ what: string, written: Written }[]} */
    this.changes = [];
  }

  /** What would be undone; empty if nothing would. */
  get last() {
    return this.changes[this.changes.length - 1]?.what ?? "";
  }

  /**
   * Remembers a draft before something is done to it; what is done to one field in a row is one change.
   * @param {string} what
   * @param {Written} written
   */
  keep(what, written, inRow = false) {
    if (inRow && what === this.last) return;
    this.changes.push({ what, written: structuredClone(written) });
    if (this.changes.length > MOST) this.changes.shift();
  }

  /** The draft before the last change, which is forgotten. */
  back() {
    return this.changes.pop();
  }
}
