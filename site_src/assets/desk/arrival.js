// @ts-check
// Whether a sheet has arrived, according to the forge of the archive, which answers anybody: no key, and no host but its API.

import { filled } from "./forge.js";
import { digestOf } from "./seal.js";
import { clock } from "./text.js";

/** @import { ForgeWays } from "./types.js" */

/**
 * The fate of a sheet: whether it is there, in words, and a link with more about it.
 * @typedef {{ arrived: boolean, words: string, href: string }} Arrival
 */
/** @typedef {{ number: number, state: string, created_at: string, body: string | null, user: { id: number } | null, pull_request?: unknown }} Request */

const PATIENCE = 8000; // Milliseconds.
const EARLIER = 10 * 60_000; // Milliseconds by which the clocks of this device and of the forge may differ.

/**
 * The answer of the forge; null if there is nothing. Throws an error with the status.
 *
 * The browser keeps each answer and only asks for a newer one (`If-None-Match`). GitHub counts only calls that get a newer answer, and
 * allows sixty calls an hour.
 * @param {string} address
 * @param {string} accept
 */
const ask = async (address, accept = "application/json") => {
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(address, { headers: { Accept: accept }, signal, credentials: "omit", cache: "no-cache" });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

/**
 * The first line of a text with any words in it, without the marks of Markdown.
 * @param {unknown} text
 */
const firstLine = (text) => {
  const lines = String(text)
    .replace(/<!--[\s\S]*?-->/g, "")
    .split("\n")
    .map((line) => line.replace(/[#*_`>|]/g, "").trim());
  return (lines.find(Boolean) ?? "").slice(0, 200);
};

/**
 * The answer of intake to a request; empty if it has not answered yet.
 * @param {ForgeWays} forge
 * @param {number} number
 */
const answerOf = async (forge, number) => {
  const answer = await ask(filled(forge.comments, { number }));
  /** @type {{ body: string, user: { login: string } | null }[]} */
  const comments = answer ? await answer.json() : [];
  const last = comments.filter(({ user }) => user?.login === forge.bot).pop();
  return last ? firstLine(last.body) : "";
};

/**
 * The newest request of an account since a time: a pull request, or an issue that holds this file; undefined if none is found.
 * @param {ForgeWays} forge
 * @param {string} path
 * @param {number} account
 * @param {number} since
 */
const requestOf = async (forge, path, account, since) => {
  const after = since - EARLIER;
  const answer = await ask(filled(forge.requests, { since: new Date(Math.max(0, after)).toISOString() }));
  /** @type {Request[]} */
  const requests = answer ? await answer.json() : [];
  return requests.find(
    ({ created_at: at, user, body, pull_request: pull }) =>
      Date.parse(at) >= after &&
      user?.id === account &&
      (pull || body?.trimStart().startsWith(`<!-- courtly sheet ${path} -->`)),
  );
};

/**
 * The fate of a sheet that was handed out.
 * @param {{ forge: ForgeWays, path: string, digest: string, account: number | null, since: number }} sheet
 * @returns {Promise<Arrival>}
 */
export const arrivalOf = async ({ forge, path, digest, account, since }) => {
  const address = filled(forge.file, { path });
  try {
    // A list of commits exists, though empty, even if a file does not, so nothing expected counts as an error.
    const history = await ask(filled(forge.commits, { filename: path }));
    /** @type {{ commit: { committer: { date: string } | null } }[]} */
    const [commit] = history ? await history.json() : [];
    if (commit) {
      const there = await ask(filled(forge.raw, { path }), "application/vnd.github.raw+json");
      const at = clock(commit.commit.committer?.date ?? "");
      if (there && (await digestOf(await there.text())) === digest)
        return { arrived: true, words: `received${at && ` at ${at}`}, to the byte`, href: address };
      return { arrived: false, words: "The archive has a different text under this name.", href: address };
    }
    // Without an account, nobody knows which request comes from the seat.
    if (account === null) return { arrived: false, words: "The archive does not show it yet.", href: "" };
    const found = await requestOf(forge, path, account, since);
    if (!found) {
      const words = `${forge.name} shows no pull request of yours since then, and no issue with this sheet.`;
      return { arrived: false, words, href: "" };
    }
    const { number, state } = found;
    const answer = await answerOf(forge, number);
    const [what, way] = found.pull_request ? ["Pull request", forge.pull] : ["Issue", forge.issue];
    const words = answer
      ? `${what} ${number} was answered: ${answer}`
      : `${what} ${number} is ${state === "open" ? "open, and has not been answered yet" : "closed"}.`;
    return { arrived: false, words, href: filled(way, { number }) };
  } catch (error) {
    const limit = error instanceof Error && /^(403|429)$/.test(error.message);
    const words = limit
      ? `${forge.name} answers no more questions from here for now; ask again in an hour.`
      : `${forge.name} does not answer. The archive’s page shows it later.`;
    return { arrived: false, words, href: "" };
  }
};
