// @ts-check
// Loads the age-encryption package, which seals and opens, only when it is needed. This draws nothing and keeps no state.

import { Fault } from "./fault.js";

/**
 * The parts of its encrypter that the desk uses.
 * @typedef {object} Encrypter
 * @property {(key: string) => void} addRecipient
 * @property {(passphrase: string) => void} setPassphrase
 * @property {(logN: number) => void} setScryptWorkFactor
 * @property {(text: Uint8Array | string) => Promise<Uint8Array>} encrypt
 */
/**
 * The parts of its decrypter that the desk uses.
 * @typedef {object} Decrypter
 * @property {(identity: string) => void} addIdentity
 * @property {(passphrase: string) => void} addPassphrase
 * @property {(bytes: Uint8Array, as?: "text") => Promise<any>} decrypt
 */
/**
 * @typedef {object} Age
 * @property {new () => Encrypter} Encrypter
 * @property {new () => Decrypter} Decrypter
 * @property {{ encode(bytes: Uint8Array): string, decode(text: string): Uint8Array }} armor
 * @property {() => Promise<string>} generateIdentity
 * @property {(identity: string) => Promise<string>} identityToRecipient
 */

/** A public key, within a text. */
export const PUBLIC = /age1[02-9ac-hj-np-z]{58}/;

/**
 * The package; throws a `Fault` if the browser cannot use it.
 * @returns {Promise<Age>}
 */
export const age = async () => {
  if (!globalThis.crypto?.subtle)
    throw new Fault("Keys need a page that came over HTTPS, or from this machine itself. Open the desk at its https:// address.");
  try {
    return /** @type {Age} */ (/** @type {unknown} */ (await import("../age-encryption.js")));
  } catch {
    throw new Fault("The part that seals and opens could not be loaded. Check that you are online, and try again.");
  }
};
