// @ts-check
// Possible continuations of a partly written line, by the forms of a game's orders. This draws nothing and keeps no state.

/** @import { Forms } from "./forms.js" */

/** A blank of a form. */
export const OPEN = /\{(\w+)\}/u;

/**
 * @param {string} text
 * @param {string} start
 */
const begins = (text, start) => text.toLowerCase().startsWith(start.toLowerCase());

/**
 * Lines that a text may become: forms, filled in as far as it goes.
 * @param {Forms} forms
 * @param {string} text
 * @param {number} most
 */
export function suggestions(forms, text, most) {
  /** @type {Set<string>} */
  const lines = new Set();
  for (const form of forms.shown) {
    goOn(forms, form.split(OPEN), 0, text, "", lines);
    if (lines.size >= most) break;
  }
  return [...lines].slice(0, most);
}

/**
 * Adds to `lines` the continuations of a form from its part `at`, where `done` is the part that was read and `rest` the part that was not.
 * @param {Forms} forms
 * @param {string[]} parts
 * @param {number} at
 * @param {string} rest
 * @param {string} done
 * @param {Set<string>} lines
 */
function goOn(forms, parts, at, rest, done, lines) {
  /** @param {number} from */
  const written = (from) =>
    parts
      .slice(from)
      .map((part, index) => ((from + index) % 2 ? `{${part}}` : part))
      .join("");
  const part = parts[at];
  if (at % 2 === 0) {
    if (begins(rest, part) && at + 1 < parts.length)
      goOn(forms, parts, at + 1, rest.slice(part.length), done + part, lines);
    else if (begins(part, rest)) lines.add(done + written(at));
    return;
  }
  const next = parts[at + 1];
  const low = rest.toLowerCase();
  // The blank may be complete, with the text after it begun.
  for (let cut = 1; next && cut < rest.length; cut++) {
    const tail = low.slice(cut);
    if (!begins(next, tail) && !begins(tail, next)) continue;
    const { text } = forms.fill(part, rest.slice(0, cut));
    if (text) goOn(forms, parts, at + 1, rest.slice(cut), done + text, lines);
  }
  const blank = forms.blanks.get(part) ?? {};
  let inner = forms.blanks.get(blank.of ?? "") ?? blank;
  let between = blank.between;
  while (blank.of && inner.of) {
    between += `|${inner.between}`;
    inner = forms.blanks.get(inner.of) ?? {};
  }
  const number = `(?:(?:${blank.number ?? "(?!)"}) )?`;
  const before = blank.of ? (new RegExp(`^(?:.*(?:${between})\\s*)?${number}`, "iu").exec(rest)?.[0] ?? "") : "";
  const last = rest.slice(before.length);
  const head = blank.of && new RegExp(`^(.*)(?:${between})`, "iu").exec(rest)?.[1];
  if (typeof head === "string" && !forms.fill(part, head).text) return;
  const choices = [...(inner.words ?? []), ...(inner.forms ?? [])].filter((word) => begins(word, last));
  if (before && !choices.length && !last) return;
  const whole = rest && forms.fill(part, rest).text;
  if (whole) lines.add(done + whole + written(at + 1));
  else if (!rest) lines.add(done + written(at));
  for (const word of choices.slice(0, 8)) lines.add(done + before + word + written(at + 1));
}
