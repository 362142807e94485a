// @ts-check
// The lines of a list that apply from earlier sheets, and the effect of sending nothing, or an empty list.

import { button, focusOn, h, say } from "./dom.js";
import { count } from "./text.js";

/** @import { Planning } from "./planning.js" */

/**
 * The note on a list. For one without lines, it explains what that means and what can be done about it.
 * @param {Planning} plan
 */
export const standing = (plan) => {
  const { stands } = plan;
  if (plan.lines.length) return stands ? "This replaces the lines that apply now." : "";
  const empty = plan.field.empty === true;
  const put = (/** @type {boolean} */ emptied) => () => {
    plan.emptied = emptied;
    plan.commit(emptied ? `${plan.field.label}: empty` : `${plan.field.label}: as it is`);
    say(plan.note.textContent ?? "");
    focusOn(plan.combo.field);
  };
  if (plan.emptied)
    return [stands?.length ? "The lines that apply now are taken back: the list you send is empty. " : "The list you send is empty. ", button("Leave it as it is", put(false), { class: "quiet" })];
  const clear = empty && button(stands?.length ? "Take it back" : "Send an empty list", put(true), { class: "quiet" });
  if (!stands?.length) return [empty ? "You send nothing about it. " : "No lines yet. ", clear];
  const take = button("Change it", () => {
    plan.lines = [...stands];
    plan.commit(`${plan.field.label}: the lines that apply now`);
    say(`${count(stands.length, "line")} to change.`);
  }, { class: "quiet" });
  const lines = h("ol", { class: "told" }, stands.map((line) => h("li", {}, h("code", {}, line))));
  return [h("details", {}, h("summary", {}, `${count(stands.length, "line applies", "lines apply")} if you send nothing`), lines), take, clear];
};
