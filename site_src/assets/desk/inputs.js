// @ts-check
// Parts of fields: menus, groups, help.

import { h, say } from "./dom.js";

/** @import { Child, Options } from "./dom.js" */
/** @import { Field } from "./types.js" */

/** @typedef {HTMLElement | false} Help */

/**
 * The help below a field; words in backticks are written as in a sheet.
 * @param {Field | undefined} field
 * @param {string} id
 * @returns {Help}
 */
export const helpOf = (field, id) =>
  typeof field?.help === "string" &&
  h(
    "p",
    { class: "hint", id: `${id}-help` },
    field.help.split("`").map((text, index) => (index % 2 ? h("code", {}, text) : text)),
  );

/**
 * A menu of choices: values, or pairs of a value and its label. `none` is the label for no choice, if that is allowed.
 * @param {Options} options
 * @param {string | null} none
 * @param {readonly (string | [value: string, text: string])[]} choices
 * @param {unknown} chosen
 */
export const selection = (options, none, choices, chosen) => {
  const pairs = choices.map((choice) => (typeof choice === "string" ? [choice, choice] : choice));
  const input = h(
    "select",
    options,
    none !== null && h("option", { value: "" }, none),
    pairs.map(([value, text]) => h("option", { value }, text)),
  );
  input.value = typeof chosen === "string" && pairs.some(([value]) => value === chosen) ? chosen : "";
  return input;
};

/** @type {(label: Child, id: string, kind: string, help: Help, ...children: Child[]) => HTMLElement} */
export const group = (label, id, kind, help, ...children) =>
  h("fieldset", { class: kind, id, "aria-describedby": help && `${id}-help` }, h("legend", {}, label), children);

/**
 * A menu that adds each choice to the text area below it, as a separate line.
 * @param {string} id
 * @param {string} label
 * @param {readonly string[]} choices
 * @param {HTMLTextAreaElement} area
 */
export const adding = (id, label, choices, area) => {
  const list = selection({ id: `${id}-add`, "aria-label": `Add to: ${label}` }, "Add…", choices, "");
  list.addEventListener("change", () => {
    if (!list.value) return;
    const lines = area.value.split("\n").filter((line) => line.trim());
    if (!lines.includes(list.value)) lines.push(list.value);
    area.value = lines.join("\n");
    area.dispatchEvent(new Event("input"));
    say(`${list.value} is added.`);
    list.value = "";
  });
  return list;
};
