// @ts-check
// Pasted text: several orders and bids at once, or the text of a whole sheet.

import { count, listed, tidy } from "./text.js";

/** @import { OrderDesk } from "./desk.js" */
/** @import { Field } from "./types.js" */

/**
 * A pasted text, taken apart: the lines of orders and bids, the values of other fields, and the rest.
 * @typedef {{ lines: string[], values: [field: Field, value: string | boolean][], left: string[] }} Pasted
 */

/**
 * A value from a sheet's file, without its quotation marks and the comment after it.
 * @param {string} text
 */
const bare = (text) => {
  const quoted = /^("(?:[^"\\]|\\.)*"|'[^']*')\s*(?:#.*)?$/u.exec(text)?.[1];
  if (!quoted) return text.replace(/\s+#.*$/u, "");
  if (quoted.startsWith("'")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return text;
  }
};

/**
 * A text taken apart: as a sheet's file if one of its lines begins with a field of the sheet, otherwise line by line.
 * @param {string} text
 * @param {readonly Field[]} form
 * @param {readonly string[]} listed the keys of orders and bids
 * @returns {Pasted}
 */
export const takenApart = (text, form, listed) => {
  const all = text.split(/[\r\n]+/).filter((line) => tidy(line));
  const fields = new Map(form.map((field) => [field.key, field]));
  /** @param {string} line */
  const headOf = (line) => {
    const [, key = "", rest = ""] = /^([a-z]\w*):(?:\s+(.*))?$/u.exec(line.trimEnd()) ?? [];
    return key ? { key, rest } : null;
  };
  if (!all.some((line) => fields.has(headOf(line)?.key ?? ""))) return { lines: all.map((line) => line.replace(/^\s*[-*•]\s+/u, "")), values: [], left: [] };
  /** @type {Pasted} */
  const pasted = { lines: [], values: [], left: [] };
  let within = "";
  for (const line of all.filter((one) => !/^\s*#/u.test(one))) {
    const head = headOf(line);
    const entry = /^\s*-\s+(.*)$/u.exec(line)?.[1];
    if (head) within = head.key;
    const field = fields.get(within);
    if (head && !head.rest) continue;
    if (head && !listed.includes(within)) {
      const value = bare(head.rest);
      const flag = field?.kind === "flag" || field?.kind === "answer";
      if (field && flag && /^(?:true|false)$/.test(value)) pasted.values.push([field, value === "true"]);
      else if (field?.kind === "choice" && field.choices?.includes(value)) pasted.values.push([field, value]);
      else pasted.left.push(tidy(line));
    } else if (head && /^\[.*\]$/u.test(head.rest)) pasted.lines.push(...entriesOf(head.rest));
    else if (entry && listed.includes(within)) pasted.lines.push(bare(entry));
    else pasted.left.push(tidy(line));
  }
  return pasted;
};

/**
 * The entries of a list written on one line.
 * @param {string} text
 */
const entriesOf = (text) => [...text.slice(1, -1).matchAll(/\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,]+)/gu)].map(([, entry]) => bare(entry.trim()));

/**
 * Takes in the pasted lines that are understood; returns the others, and the words to announce.
 * @param {OrderDesk} desk
 * @param {string} text
 */
export const takeIn = (desk, text) => {
  const { bids, draft, reader, seat, unseen } = desk;
  const keys = [draft.ordersField?.key ?? "", bids?.field.key ?? ""];
  const { left, lines, values } = takenApart(text, seat.form, keys);
  let [orders, offers] = [0, 0];
  for (const line of lines.slice(0, draft.most + (bids?.field.most ?? 0))) {
    const one = tidy(line);
    const bid = unseen.faultIn(line) ? null : bids?.typed(one);
    if (unseen.faultIn(line)) left.push(line);
    else if (bid?.fault) left.push(one);
    else if (bid) {
      bids?.add(bid.line);
      offers++;
    } else {
      const judged = reader.judge(one);
      if (judged.unknown.length || judged.open?.length) left.push(one);
      else if (desk.take(judged.line, null)) orders++;
    }
  }
  for (const [{ key }, value] of values) draft.set(key, value);
  if (values.length) desk.form.draw();
  const added = [
    (orders || (!offers && !values.length)) && count(orders, "order"),
    offers && count(offers, "bid"),
    ...values.map(([{ label }]) => `“${label}”`),
  ].filter((words) => typeof words === "string");
  return { left, words: `${listed(added)} added.${left.length ? ` Not understood: ${left.join("; ")}.` : ""}` };
};

/**
 * Asks the judge about pasted lines that the desk does not understand, and takes in the orders that it finds. Returns each such line with its
 * orders, and the lines that are left; null if there is no judge, or if the player has gone on writing while it was loading.
 * @param {OrderDesk} desk
 * @param {readonly string[]} lines
 * @param {() => boolean} waits
 * @returns {Promise<{ meant: [line: string, orders: string[]][], left: string[] } | null>}
 */
export const takeMeant = async (desk, lines, waits) => {
  const found = await desk.voice.pasted(lines);
  if (!found || !waits()) return null;
  /** @type {[string, string[]][]} */
  const meant = [];
  const left = lines.filter((line, at) => {
    const orders = (found[at] ?? []).map((one) => desk.reader.judge(one));
    if (!orders.length || orders.some(({ open, unknown }) => unknown.length || open?.length)) return true;
    // The whole line or nothing: part of a pasted line would be a different sheet.
    if (desk.draft.orders.length + orders.length > desk.draft.most) return true;
    for (const { line: order } of orders) desk.take(order, null);
    meant.push([line, orders.map(({ line: order }) => order)]);
    return false;
  });
  return { meant, left };
};
