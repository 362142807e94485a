// @ts-check
// This browser's knowledge of a seat's private news: the key that it holds or keeps locked, and the news that the key opens.

import { heldKey, letGo } from "./keyring.js";
import { mapWith, misshapen, newsOf, seatWith } from "./news.js";
import { scopeOf } from "./mine.js";
import { Fault } from "./fault.js";
import { fetched, keptNames, recall, remember } from "./store.js";

/** @import { Desk, Seat } from "./store.js" */
/** @import { News } from "./news.js" */

/**
 * A seat as this browser knows it, its map, its news (null without a key), and the reason if more is not known.
 * @typedef {{ seat: Seat, map: string, aside: News | null, fault: string }} Own
 */

const NOT_YET = "The news of this turn is not on the site yet. Load the page again in a few minutes.";
const NOT_LOADED = "Your news could not be loaded. Check that you are online, and load the page again.";
const NO_ROOM = "Your own map did not fit into this news: this is the board that everybody sees. `courtly render` draws yours.";
const NO_MAP = "Your own map cannot be drawn, because the public board was drawn again: this is the board that everybody sees.";

/**
 * This seat's key as the browser keeps it, locked with a passphrase; empty if it keeps none.
 * @param {string | null} recipient its public half
 */
export const keptKey = (recipient) => {
  const text = recipient && recall(`key:${recipient}`);
  return typeof text === "string" ? text : "";
};

/**
 * Keeps a locked key; true if the browser allows it.
 * @param {string} recipient
 * @param {string} text
 */
export const keepKey = (recipient, text) => remember(`key:${recipient}`, text);

/**
 * Forgets a key, and every draft and letter that was written with its news.
 * @param {string} recipient
 * @param {readonly string[]} drafts beginnings of the names of those drafts; empty to leave drafts
 */
export const forgetKey = (recipient, drafts = []) => {
  letGo(recipient);
  remember(`key:${recipient}`, null);
  for (const name of drafts.flatMap(keptNames)) remember(name, null);
};

/** The beginnings of the names under which this browser keeps what was written in a game. @param {Desk} data */
export const draftsOf = (data) => ["draft", "letter", "letters"].map((kind) => `${kind}:${scopeOf(data)}:${data.game}:`);

/**
 * Opens a seat's news, if its key is at hand.
 * @param {Desk} data
 * @param {Seat} seat
 * @param {string} map the map that everybody sees
 * @returns {Promise<Own>}
 */
export const ownOf = async (data, seat, map) => {
  const none = { seat, map, aside: null };
  const identity = seat.key === null ? null : heldKey(seat.key);
  if (!data.hidden || !identity) return { ...none, fault: "" };
  /** @type {Uint8Array} */
  let file;
  try {
    const answer = await fetched(`games/${data.game}/${data.turn}/dispatches/${seat.file}.age`);
    file = new Uint8Array(await answer.arrayBuffer());
  } catch (error) {
    const missing = error instanceof Error && error.message === "404";
    return { ...none, fault: missing ? NOT_YET : NOT_LOADED };
  }
  try {
    const aside = await newsOf(file, identity, data, seat);
    if (!aside.map) return { seat: seatWith(seat, aside), map, aside, fault: NO_ROOM };
    const own = map && (await mapWith(map, aside.map, aside.schema));
    return { seat: seatWith(seat, aside), map: own || map, aside, fault: own === null ? NO_MAP : "" };
  } catch (error) {
    return { ...none, fault: error instanceof Fault ? error.message : misshapen(seat) };
  }
};
