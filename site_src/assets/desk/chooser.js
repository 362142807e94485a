// @ts-check
// Builds a condition clause by clause: the term, its arguments, and the comparison.

import { OPERATORS } from "./conditions.js";
import { button, fill, h, say } from "./dom.js";
import { tidy } from "./text.js";

/** @import { Planned, Term } from "./plans.js" */
/** @import { Field } from "./types.js" */

const HOLDS = "holds";

/** @type {(label: string, choices: readonly string[], chosen: string) => HTMLSelectElement} */
const choice = (label, choices, chosen) => {
  const list = h("select", { "aria-label": label }, choices.map((one) => h("option", { value: one }, one)));
  list.value = chosen;
  return list;
};

/**
 * The fields of one clause about a term, and the text that they make together.
 * @param {Planned} planned
 * @param {Term} term
 * @returns {{ fields: HTMLElement[], written: () => string }}
 */
const clauseOf = (planned, term) => {
  const firsts = planned.firsts(term);
  const given = term.blanks.map((blank, index) => {
    const words = planned.words(blank);
    return words.length ? choice(blank, words, firsts[index]) : h("input", { type: "text", "aria-label": blank, autocomplete: "off" });
  });
  const sign = term.isFlag ? choice("holds or not", [HOLDS, "does not hold"], HOLDS) : choice("compared", OPERATORS, OPERATORS[0]);
  const amount = h("input", { type: "number", step: 1, value: 1, "aria-label": "number" });
  const written = () => {
    const sense = term.isFlag ? (sign.value === HOLDS ? "" : "not") : sign.value;
    return planned.clause(term, given.map((one) => tidy(one.value)), sense, Math.trunc(Number(amount.value)) || 0);
  };
  return { fields: [...given, sign, ...(term.isFlag ? [] : [amount])], written };
};

/**
 * The part of the page that adds conditions to the written line.
 * @param {Planned} planned
 * @param {Field} field the list
 * @param {() => string} text the line
 * @param {(line: string) => void} accept gets it with its condition
 */
export const chooserOf = (planned, { key, label }, text, accept) => {
  const id = `field-${key}-term`;
  /** @type {(words: string, flags: boolean) => HTMLElement} */
  const group = (words, flags) => {
    const options = planned.terms.flatMap(({ about, isFlag, name }, index) => (isFlag === flags ? [h("option", { value: index }, `${name}: ${about}`)] : []));
    return h("optgroup", { label: words }, options);
  };
  const clause = h("div", { class: "line clause" });
  const fault = h("p", { class: "hint bad" });
  const draw = () => {
    const { fields, written } = clauseOf(planned, planned.terms[Number(what.value)]);
    const add = () => {
      const line = planned.withClause(text(), written());
      fault.textContent = line === null ? "Write the line first, or choose one: then it gets its condition." : "";
      if (line !== null) accept(line);
      say(line === null ? fault.textContent : `${line}.`);
    };
    fill(clause, fields, button("Add to the line", add));
  };
  const what = h("select", { id, change: draw }, group("Numbers", false), group("What holds or does not", true));
  draw();
  const asked = h("label", { for: id, class: "unseen" }, `What is asked, for: ${label}`);
  return h("details", { class: "chooser" }, h("summary", {}, "Only if …"), asked, what, clause, fault);
};
