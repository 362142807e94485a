// @ts-check
// The history of a draft, for undoing changes. It draws nothing, and keeps no state but the history.

/** @import { Held } from "./fields.js" */

/** @typedef {{ orders: string[], values: Held }} Written */

const MOST = 100; // Changes that are remembered.

export class Past {
  constructor() {
    /** @type {{ what: string, written: Written }[]} */
    this.changes = [];
  }

  /** The change that would be undone; empty if there is nothing to undo. */
  get last() {
    return this.changes[this.changes.length - 1]?.what ?? "";
  }

  /**
   * Remembers a draft before a change; changes to one field in a row count as one.
   * @param {string} what
   * @param {Written} written
   */
  keep(what, written, inRow = false) {
    if (inRow && what === this.last) return;
    this.changes.push({ what, written: structuredClone(written) });
    if (this.changes.length > MOST) this.changes.shift();
  }

  /** Returns the draft before the last change, and forgets that change. */
  back() {
    return this.changes.pop();
  }
}
