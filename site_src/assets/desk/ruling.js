// @ts-check
// A ruling of the host as the text of its file. This draws nothing and keeps no state.

import { Fault } from "./fault.js";
import { sheetText } from "./sheet.js";

/** @import { HostPart } from "./types.js" */

/**
 * The answers of the form, by the names of its fields.
 * @typedef {Record<string, string>} Answers
 */

/**
 * A kind of ruling: its words in the list, the fields that it asks for, and whether it is offered in a paused game.
 * @typedef {{ kind: string, words: string, fields: readonly string[], paused: "yes" | "no" | "both" }} Kind
 */

/** @type {readonly Kind[]} */
export const KINDS = [
  { kind: "extend", words: "Move the deadline to a later time", fields: ["time"], paused: "no" },
  { kind: "proceed", words: "Go on without the missing sheets", fields: [], paused: "both" },
  { kind: "pause", words: "Pause the game", fields: [], paused: "no" },
  { kind: "resume", words: "Let the game go on", fields: ["time"], paused: "yes" },
  { kind: "replace", words: "Give a seat to somebody else", fields: ["seat", "player", "account", "key"], paused: "both" },
  { kind: "absent", words: "Put a seat into civil disorder", fields: ["seat"], paused: "both" },
  { kind: "void", words: "Let a sheet or an order not count", fields: ["seat", "order"], paused: "both" },
  { kind: "ask", words: "Ask all seats a question", fields: ["question", "answers"], paused: "both" },
  { kind: "end", words: "End the game", fields: ["how", "winners"], paused: "both" },
];

/** @param {string} text */
const lines = (text) =>
  text
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .filter(Boolean);

/**
 * A time of this browser's clock (`2026-12-24T19:00`) as the archive writes it, in UTC.
 * @param {string} local
 */
export const inUtc = (local) => {
  const time = new Date(local);
  if (!local || Number.isNaN(Number(time))) throw new Fault("Choose a day and a time.");
  return `${time.toISOString().slice(0, 16)}Z`;
};

/** @type {(answers: Answers, name: string, words: string) => string} */
const needed = (answers, name, words) => {
  const text = (answers[name] ?? "").trim();
  if (!text) throw new Fault(words);
  return text;
};

/**
 * The decision of a kind, as its file has it; throws a `Fault` if something is missing.
 * @param {string} kind
 * @param {Answers} answers
 * @returns {unknown}
 */
const decided = (kind, answers) => {
  const seat = () => needed(answers, "seat", "Choose a seat.");
  switch (kind) {
    case "extend":
    case "resume":
      return inUtc(answers["time"] ?? "");
    case "absent":
      return seat();
    case "void": {
      const order = (answers["order"] ?? "").trim();
      return { seat: seat(), ...(order && { order }) };
    }
    case "replace": {
      const account = (answers["account"] ?? "").trim();
      if (account && !/^[1-9][0-9]{0,14}$/u.test(account)) throw new Fault("An account is a number, such as 1234567.");
      const key = (answers["key"] ?? "").trim();
      const player = needed(answers, "player", "Write the player’s name, or open for a seat without a player.");
      return { seat: seat(), player, ...(account && { account: Number(account) }), ...(key && { key }) };
    }
    case "ask": {
      const question = needed(answers, "question", "Write the question.");
      const choices = lines(answers["answers"] ?? "");
      if (choices.length === 1) throw new Fault("Write at least two answers, one a line; without any, they are yes and no.");
      return { question, ...(choices.length && { answers: choices }) };
    }
    case "end":
      return { how: needed(answers, "how", "Write how it ended, such as draw."), winners: lines(answers["winners"] ?? "") };
    default:
      return true;
  }
};

/**
 * The text of a new `ruling.yaml`, or the lines to add at the end of one that exists; throws a `Fault` if something is missing.
 * @param {HostPart} host
 * @param {string} kind
 * @param {Answers} answers
 * @param {number} width letters of a line that holds several values
 */
export const rulingText = (host, kind, answers, width) => {
  const reason = needed(answers, "reason", "Give a reason: everybody reads it on the turn’s page.");
  const text = sheetText({ rulings: [{ reason, [kind]: decided(kind, answers) }] }, width);
  const entry = text.slice(text.indexOf("\n") + 1);
  if (host.indent !== null) return entry.replace(/^(?=.)/gmu, " ".repeat(host.indent));
  return host.before ? host.before + entry : text;
};
