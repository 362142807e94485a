// @ts-check
// The memory of this browser, and the files fetched from this site. Nothing is fetched from elsewhere.

/** @import { DeskFile, Field, SeatEntry } from "./types.js" */

/**
 * A seat with its sheet's form.
 * @typedef {Omit<SeatEntry, "form"> & { form: Field[] }} Seat
 */
/**
 * A game whose turn is open.
 * @typedef {Omit<DeskFile, "seats" | "forms"> & { seats: Seat[] }} Desk
 */

/**
 * The value remembered under a key; null if nothing is remembered.
 * @param {string} key
 * @returns {unknown}
 */
export const recall = (key) => {
  try {
    return JSON.parse(localStorage.getItem(`courtly-desk:${key}`) ?? "null");
  } catch {
    return null;
  }
};

/**
 * Remembers a value, or forgets it (null); true if that worked, since a browser may be set to remember nothing.
 * @param {string} key
 * @param {unknown} value
 */
export const remember = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(`courtly-desk:${key}`);
    else localStorage.setItem(`courtly-desk:${key}`, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
};

/**
 * The remembered keys that begin with this, in order.
 * @param {string} start
 */
export const keptNames = (start) => {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(`courtly-desk:${start}`));
    return names.map((name) => name.slice("courtly-desk:".length)).sort();
  } catch {
    return [];
  }
};

/**
 * True if a change by another page of this browser removed the value under a key.
 * @param {StorageEvent} event
 * @param {string} key
 */
export const isForgotten = (event, key) =>
  event.newValue === null && (event.key === null || event.key === `courtly-desk:${key}`);

/** @type {Map<string, Promise<Response>>} */
const early = new Map(); // Files asked for before the page had started: each answer serves once.

/**
 * Asks for a file of this site that the page will need when it starts.
 * @param {string} path
 */
export const askEarly = (path) => {
  const answer = fetch(path, { cache: "no-cache" });
  answer.catch(() => {}); // Whoever needs it hears of the failure.
  early.set(path, answer);
};

/**
 * A file of this site; throws an error with the status.
 * @param {string} path
 */
export const fetched = async (path) => {
  const asked = early.get(path);
  early.delete(path);
  const answer = await (asked ?? fetch(path, { cache: "no-cache" }));
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

/**
 * A data file of this site.
 * @param {string} path
 */
export const fetchedData = async (path) => (await fetched(path)).json();

/**
 * A game's data, each seat with its form.
 * @param {DeskFile} file
 * @returns {Desk}
 */
export const deskOf = ({ forms, ...data }) => ({
  ...data,
  seats: data.seats.map((seat) => ({ ...seat, form: forms[seat.form] })),
});
