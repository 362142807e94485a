// @ts-check
// The reader's keys: made, read, and locked with a passphrase. Opened keys last only as long as the page. This draws and stores nothing.

import { age, PUBLIC } from "./age.js";
import { Fault } from "./fault.js";

const IDENTITY = /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/i;
const WORK = 16; // Of scrypt, as a power of two: about a second on a phone.
export const SHORTEST = 8; // Letters of a passphrase.

/**
 * A passphrase in one form, however a keyboard composes accents.
 * @param {string} text
 */
const meant = (text) => text.normalize("NFC").trim();

/** @type {Map<string, string>} */
const held = new Map(); // Public key -> identity; gone with the page.

/** A new key. */
export const newKey = async () => (await age()).generateIdentity();

/**
 * The public half of a key; throws a `Fault` if it is not a key.
 * @param {string} identity
 */
export const publicOf = async (identity) => {
  const { identityToRecipient } = await age();
  try {
    return await identityToRecipient(identity);
  } catch {
    throw new Fault("This is not an age key: a letter is wrong or missing. Copy it again.");
  }
};

/**
 * The age key in a text, such as a key file's; throws a `Fault` that explains what the text is instead.
 * @param {string} text
 */
export const keyIn = (text) => {
  const found = IDENTITY.exec(text);
  if (found) return found[0].toUpperCase();
  if (/PRIVATE KEY-----/.test(text))
    throw new Fault("This is an SSH key, which browsers cannot use. Make an age key, and give the host its line.");
  if (PUBLIC.test(text))
    throw new Fault("This is the public half of a key. The other half begins with AGE-SECRET-KEY-1.");
  throw new Fault("There is no key in this. A key begins with AGE-SECRET-KEY-1.");
};

/**
 * A key locked with a passphrase, as text.
 * @param {string} identity
 * @param {string} passphrase
 */
export const locked = async (identity, passphrase) => {
  const words = meant(passphrase);
  const letters = [...words].filter((letter) => /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(letter));
  if (letters.length < SHORTEST || new Set(letters).size < 3)
    throw new Fault(`Choose a passphrase of ${SHORTEST} letters or more, and not the same letter throughout.`);
  const { Encrypter, armor } = await age();
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(WORK);
  encrypter.setPassphrase(words);
  return armor.encode(await encrypter.encrypt(identity));
};

/**
 * The key that was locked; throws a `Fault` if the passphrase does not fit.
 * @param {string} text
 * @param {string} passphrase
 */
export const unlocked = async (text, passphrase) => {
  const { Decrypter, armor } = await age();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(meant(passphrase));
  /** @type {Uint8Array} */
  let bytes;
  try {
    bytes = armor.decode(text);
  } catch {
    throw new Fault("The key that this browser kept is damaged. Forget it, and give it again.");
  }
  try {
    return /** @type {string} */ (await decrypter.decrypt(bytes, "text"));
  } catch {
    throw new Fault("This is not the passphrase that the key was locked with.");
  }
};

/**
 * Holds a key as long as the page is open.
 * @param {string} recipient its public half
 * @param {string} identity
 */
export const hold = (recipient, identity) => held.set(recipient, identity);

/** @param {string} recipient */
export const heldKey = (recipient) => held.get(recipient) ?? null;

/** @param {string} recipient */
export const letGo = (recipient) => held.delete(recipient);
