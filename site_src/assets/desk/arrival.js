// @ts-check
// Whether a sheet has arrived, as GitHub tells anybody of a public repository: no key, and no host but its API.

import { digestOf } from "./seal.js";
import { clock } from "./text.js";

/**
 * What became of a sheet: whether it is there, in words; and where more is to be seen.
 * @typedef {{ arrived: boolean, words: string, href: string }} Arrival
 */
/** @typedef {{ number: number, state: string, created_at: string, html_url: string, user: { id: number } | null }} Pull */

const API = "https://api.github.com/repos/";
const PATIENCE = 8000; // Milliseconds.
const EARLIER = 10 * 60_000; // Milliseconds by which the clocks of this device and of GitHub may differ.
const PAGE = "https://github.com/";

/**
 * What GitHub answers; null if there is nothing. Throws an error that says the status.
 * @param {string} path
 * @param {string} accept
 */
const ask = async (path, accept = "application/vnd.github+json") => {
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(API + path, { headers: { Accept: accept }, signal, credentials: "omit" });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

/**
 * The first line of a text that says anything, without the marks of Markdown.
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
 * What intake answered to a pull request; empty if it has not yet.
 * @param {string} repository
 * @param {number} number
 */
const answerOf = async (repository, number) => {
  const answer = await ask(`${repository}/issues/${number}/comments?per_page=30`);
  /** @type {{ body: string, user: { type: string } | null }[]} */
  const comments = answer ? await answer.json() : [];
  const last = comments.filter(({ user }) => user?.type === "Bot").pop();
  return last ? firstLine(last.body) : "";
};

/**
 * The newest pull request of an account since a time; undefined if there is none.
 * @param {string} repository
 * @param {number} account
 * @param {number} since
 */
const pullOf = async (repository, account, since) => {
  const answer = await ask(`${repository}/pulls?state=all&sort=created&direction=desc&per_page=30`);
  /** @type {Pull[]} */
  const pulls = answer ? await answer.json() : [];
  return pulls.find(({ created_at: at, user }) => Date.parse(at) >= since - EARLIER && user?.id === account);
};

/**
 * What became of a sheet that was handed out.
 * @param {{ repository: string, branch: string, path: string, digest: string, account: number | null, since: number }} sheet
 * @returns {Promise<Arrival>}
 */
export const arrivalOf = async ({ repository, branch, path, digest, account, since }) => {
  const file = path.split("/").map(encodeURIComponent).join("/");
  const address = `${PAGE}${repository}/blob/${branch}/${path}`;
  try {
    // A list of commits is there, though empty, where a file is not: so nothing that is to be expected is an error.
    const query = `path=${encodeURIComponent(path)}&sha=${encodeURIComponent(branch)}&per_page=1`;
    const history = await ask(`${repository}/commits?${query}`);
    /** @type {{ commit: { committer: { date: string } | null } }[]} */
    const [commit] = history ? await history.json() : [];
    if (commit) {
      const raw = "application/vnd.github.raw+json";
      const there = await ask(`${repository}/contents/${file}?ref=${encodeURIComponent(branch)}`, raw);
      const at = clock(commit.commit.committer?.date ?? "");
      if (there && (await digestOf(await there.text())) === digest)
        return { arrived: true, words: `received${at && ` at ${at}`}, to the byte`, href: address };
      return { arrived: false, words: "The archive has another text under this name.", href: address };
    }
    // Without an account nobody knows whose pull request is the seat's.
    if (account === null) return { arrived: false, words: "The archive does not show it yet.", href: "" };
    const pull = await pullOf(repository, account, since);
    if (!pull) return { arrived: false, words: "GitHub shows no pull request of yours since then.", href: "" };
    const answer = await answerOf(repository, pull.number);
    const words = answer
      ? `Pull request ${pull.number} was answered: ${answer}`
      : `Pull request ${pull.number} is ${pull.state === "open" ? "open, and was not answered yet" : "closed"}.`;
    return { arrived: false, words, href: `${PAGE}${repository}/pull/${pull.number}` };
  } catch (error) {
    const limit = error instanceof Error && /^(403|429)$/.test(error.message);
    const words = limit
      ? "GitHub answers no more questions from here for now; ask again within the hour."
      : "GitHub does not answer. The archive’s page shows it later.";
    return { arrived: false, words, href: "" };
  }
};
