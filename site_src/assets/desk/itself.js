// @ts-check
// The files of this desk, as this browser has them, and the digest of their list, at the foot of the page.
// A desk that lies can lie here as well. Only a comparison from outside proves something; the Trust page explains how.

import { fill, h } from "./dom.js";
import { digestOf, hashOf } from "./seal.js";

const LIST = "desk.sha256";
const PAGE = "desk.html";
const SHOWN = 16; // Digits of the digest that are shown; the element's title has all of them.
const NAMED = 3; // Files that are named one by one.
const NONE = "0".repeat(64);
const FORGE = "https://api.github.com";

/**
 * The entries of a list: the hash and the name in each line.
 * @param {string} list
 */
export const linesOf = (list) =>
  [...list.matchAll(/^([0-9a-f]{64}) {2}([\w./-]+)$/gm)].map(([, hash, name]) => ({ hash, name }));

/**
 * The desk's page in the form that is listed: without its digest, and with the forge of an archive that names none.
 * @param {string} page
 * @param {string} digest
 */
export const asListed = (page, digest) =>
  page
    .replace(digest, NONE)
    .replace(/connect-src 'self' https?:\/\/[^\s;"<>]+;/, `connect-src 'self' ${FORGE};`)
    .replace(/the desk asks \w+ whether/, "the desk asks GitHub whether");

/**
 * A file of this site as the browser has it; files that the page was loaded with need not be fetched again.
 * @param {string} name
 */
const bytesOf = async (name) => {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(String(answer.status));
  return new Uint8Array(await answer.arrayBuffer());
};

/** @param {Uint8Array} bytes */
const text = (bytes) => new TextDecoder().decode(bytes);

/**
 * The digest of the desk's present files, and the names of those that differ from its list.
 * @param {string} digest the digest that the desk shows
 */
const made = async (digest) => {
  const files = await Promise.all(
    linesOf(text(await bytesOf(LIST))).map(async ({ hash, name }) => {
      const bytes = await bytesOf(name);
      const found = await (name === PAGE ? digestOf(asListed(text(bytes), digest)) : hashOf(bytes));
      return { name, found, same: found === hash };
    }),
  );
  const others = files.filter(({ same }) => !same).map(({ name }) => name);
  return { found: await digestOf(files.map(({ found, name }) => `${found}  ${name}\n`).join("")), others };
};

/**
 * A digest in short, with the full one as its title.
 * @param {string} digest
 */
const short = (digest) => h("code", { class: "digest", title: digest }, digest.slice(0, SHOWN));

/**
 * The line at the foot of the page, drawn when it comes into view.
 * @param {Element} line
 */
const show = async (line) => {
  const digest = line.querySelector("code")?.textContent ?? "";
  const compare = h("a", { href: "trust.html#the-order-desk" }, "compare it from outside");
  const { found, others } = await made(digest);
  if (found === digest) {
    fill(line, "This desk is ", short(digest), ", by its files in this browser. That is its own claim: ", compare, ".");
    return;
  }
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : "";
  const named = others.length ? ` Not as listed: ${others.slice(0, NAMED).join(", ")}${more}.` : "";
  line.classList.add("note", "bad");
  fill(
    line,
    "This desk says that it is ",
    short(digest),
    ", but its files in this browser give ",
    short(found),
    `.${named} It may be in the middle of an update: load it again. If this stays so, type no key and no passphrase, and `,
    compare,
    ".",
  );
};

/** Shows the desk's digest once its foot comes into view. If nothing can be computed or fetched, the line stays unchanged. */
export const tellItself = () => {
  const line = document.getElementById("itself");
  if (!line || !globalThis.crypto?.subtle) return;
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    show(line).catch(() => undefined);
  });
  watch.observe(line);
};
