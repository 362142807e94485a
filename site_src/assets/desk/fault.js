// @ts-check
// What went wrong, where the reader can do something about it. No page, no state.

/** Something that the reader can mend, in words for the reader. */
export class Fault extends Error {}
