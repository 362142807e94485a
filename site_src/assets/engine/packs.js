// @ts-check
// The files of games and turns as the site publishes them, and handing them to the judge. Sealed files are opened here, with the keys that
// the archive has published, and not in the worker. It draws nothing.

import { EngineFault, WORDS } from "./engine.js";

/** @typedef {import("./engine.js").Judge} Judge */
/** @typedef {{ slug: string, title: string, ruleset: string, files: Record<string, unknown> }} GamePack */
/** @typedef {{ phase: string, open: boolean, hidden?: boolean, map: string | null, before: string | null, after: string | null, files: Record<string, unknown> }} TurnPack */

/** Pattern for the names of games and turns. */
export const NAME = /^[a-z0-9][a-z0-9-]{0,79}$/;

/** A file that did not arrive. */
export class Gone extends Error {}

/**
 * A file of the site, as JSON; throws `Gone`.
 * @param {string} address
 * @returns {Promise<any>}
 */
export const fetched = async (address) => {
  const answer = await fetch(address, { cache: "no-cache" }).catch(() => null);
  if (!answer?.ok) throw new Gone(address);
  return answer.json().catch(() => {
    throw new Gone(address);
  });
};

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
/** @param {Uint8Array} bytes */
const base64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};

/**
 * Opens the age files of a turn, here and not in the worker: path -> text, null if the key does not open it; key -> its public key.
 * `sealed` has key -> path -> bytes.
 * @param {Record<string, Record<string, string>>} sealed
 */
const opened = async (sealed) => {
  /** @type {Record<string, string | null>} */
  const texts = {};
  /** @type {Record<string, string>} */
  const keys = {};
  if (!Object.keys(sealed).length) return { texts, keys };
  const { age } = await import("../desk/age.js");
  const { Decrypter, armor, identityToRecipient } = await age();
  for (const [identity, files] of Object.entries(sealed)) {
    const decrypter = new Decrypter();
    try {
      keys[identity] = await identityToRecipient(identity);
      decrypter.addIdentity(identity);
    } catch {
      throw new Wrong("A key that the archive has published for a turn is malformed, so what was sealed cannot be opened.");
    }
    for (const [path, body] of Object.entries(files)) {
      const bytes = bytesOf(body);
      const armored = bytes[0] === 45; // "-----BEGIN"
      try {
        texts[path] = base64(await decrypter.decrypt(armored ? armor.decode(new TextDecoder().decode(bytes)) : bytes));
      } catch {
        texts[path] = null;
      }
    }
  }
  return { texts, keys };
};

/**
 * Asks; throws an error with the judge's words if it finds a fault.
 * @param {Judge} asked
 * @param {Record<string, unknown>} question
 */
export const answerOf = async (asked, question) => {
  const { answer, faults } = await asked.ask(question);
  if (faults) throw new Wrong(faults.map(({ path, what, right }) => [path, what, right].filter(Boolean).join(": ")).join("\n"));
  return answer;
};

/** A fault in the site's files, in words for the reader. */
export class Wrong extends Error {}

/**
 * The files of a game and of one of its turns; throws `Gone`, or `Wrong` for files in a wrong shape.
 * @param {string} game
 * @param {string} turn
 * @returns {Promise<[GamePack, TurnPack]>}
 */
export const packsOf = async (game, turn) => {
  const [pack, first] = await Promise.all([fetched(`games/${game}/files.json`), fetched(`games/${game}/${turn}/files.json`)]);
  const texts = [pack?.slug, pack?.title, pack?.ruleset, first?.phase];
  if (!texts.every((text) => typeof text === "string" && text.length < 1000) || !isRecord(pack.files) || !isRecord(first.files)) throw new Wrong(DAMAGED);
  return [pack, first];
};

const DAMAGED = "This site’s files for the turn are damaged. Its host can build the site again.";

/** @param {unknown} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Gives the judge all that a turn is judged from, with the turns beside it; throws `Gone`, `Wrong` or an error of the engine. Returns the
 * digests of the maps, by turn.
 * @param {Judge} asked
 * @param {string} game
 * @param {string} turn
 * @param {GamePack} pack
 * @param {TurnPack} first
 */
export const given = async (asked, game, turn, pack, first) => {
  await answerOf(asked, { do: "forget" });
  await answerOf(asked, { do: "files", files: { ...pack.files, ...first.files } });
  /** @type {Record<string, string>} */
  const maps = first.map ? { [turn]: first.map } : {};
  /** @param {string} name */
  const bring = async (name) => {
    if (!NAME.test(name)) throw new Wrong(DAMAGED);
    const more = await fetched(`games/${game}/${name}/files.json`);
    if (!isRecord(more?.files)) throw new Wrong(DAMAGED);
    if (typeof more.map === "string") maps[name] = more.map;
    await answerOf(asked, { do: "files", files: more.files });
  };
  for (const name of [first.before, first.after]) if (name) await bring(name);
  for (const name of await answerOf(asked, { do: "needed", game: pack.slug })) await bring(name);
  const sealed = await answerOf(asked, { do: "sealed", game: pack.slug });
  await answerOf(asked, { do: "opened", ...(await opened(sealed)) });
  return maps;
};

/**
 * A fault in words for the reader.
 * @param {unknown} error
 */
export const wordsOf = (error) => {
  if (error instanceof Gone) return `${error.message} did not arrive. Check that you are online, and try again.`;
  if (error instanceof Wrong || error instanceof EngineFault) return error.message;
  console.error(error);
  return WORDS.failed;
};
