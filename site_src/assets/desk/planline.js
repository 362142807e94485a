// @ts-check
// A line of a list whose lines are tried in order: its row, and its possible endings.

import { dragRow } from "./dragging.js";
import { button, h } from "./dom.js";
import { SIGNS } from "./text.js";

/** @import { Planning } from "./planning.js" */

/**
 * The state of a line, in the desk's judgement.
 * @param {Planning} plan
 * @param {string} line
 * @param {number} index
 */
const seen = (plan, line, index) => {
  const fault = plan.faultOf(index);
  const doubt = fault ? "" : plan.planned.judge(line).doubt;
  return { kind: fault ? "odd" : doubt ? "fits" : "good", words: fault || doubt };
};

/**
 * A line of the list, with buttons for the possible actions.
 * @param {Planning} plan
 * @param {string} line
 * @param {number} index
 */
export const rowOf = (plan, line, index) => {
  const { kind, words } = plan.said(plan.lines, index) ?? seen(plan, line, index);
  /** @type {(label: string, shown: string, act: () => void, more?: object) => HTMLElement} */
  const quiet = (label, shown, act, more = {}) => button(shown, act, { class: "quiet", "aria-label": `${label}: ${line}`, ...more });
  const grip = h("span", { class: "grip", "aria-hidden": "true", title: "Drag" }, "⠿");
  const item = h(
    "li",
    {
      class: kind,
      "data-line": line,
      /** @param {KeyboardEvent} event */
      keydown: (event) => {
        const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
        if (!step) return;
        event.preventDefault();
        plan.move(index, index + step);
      },
    },
    grip,
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[/** @type {keyof typeof SIGNS} */ (kind)]),
    h("span", { class: "order" }, h("span", { class: "soft" }, `${index + 1}. `), plan.planned.called(line), words && h("span", { class: "why" }, words)),
    h(
      "span",
      { class: "acts" },
      quiet("Move up", "↑", () => plan.move(index, index - 1), { disabled: index === 0 }),
      quiet("Move down", "↓", () => plan.move(index, index + 1), { disabled: index === plan.lines.length - 1 }),
      quiet("Change", "Change", () => plan.edit(index)),
      quiet("Remove", "Remove", () => plan.remove(index)),
    ),
  );
  grip.addEventListener("pointerdown", (event) => dragRow(event, plan.list, item, (to) => (to === index ? plan.draw() : plan.move(index, to))));
  return item;
};

/**
 * The possible endings of a complete line, to choose from.
 * @param {Planning} plan
 * @param {string} line
 * @param {number | null} at index in the list; null for the text of the field
 */
export const goingOn = (plan, line, at = null) => {
  const { planned } = plan;
  const more = planned.endings(line).map((ending) => {
    const asks = ending.includes(`{${planned.condition}}`);
    const go = () => {
      if (asks) return plan.ask();
      if (at !== null) plan.edit(at, false);
      plan.combo.begin(line + ending);
    };
    return button(ending.trim().replace(/\{\w+\}/gu, "…"), go, { class: "quiet" });
  });
  return more.length > 0 ? h("p", { class: "line" }, more) : "";
};
