// @ts-check
// Faults that the reader can do something about. This draws nothing and keeps no state.

/** A fault that the reader can mend, in words for the reader. */
export class Fault extends Error {}
