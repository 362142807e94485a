// @ts-check
// The sheet's other fields, each as an ordinary field of the browser, with records inside records.

import { aboutCard } from "./about.js";
import { button, fill, firstField, focusOn, h, say, show } from "./dom.js";
import { askedOf, entriesOf, isTable } from "./fields.js";
import { adding, group, helpOf, selection } from "./inputs.js";
import { WalkLine } from "./onfoot.js";
import { Planning } from "./planning.js";
import { plannedOf } from "./plans.js";
import { PurseBox } from "./pursebox.js";
import { Tapping } from "./tapping.js";
import { verdictOf } from "./voice.js";
import { walkingOf } from "./walks.js";

/** @import { OrderDesk } from "./desk.js" */
/** @import { Child } from "./dom.js" */
/** @import { Help } from "./inputs.js" */
/** @import { Held } from "./fields.js" */
/** @import { Field } from "./types.js" */

/**
 * Gets a field's new value; undefined empties it.
 * @typedef {(value: unknown) => void} Changed
 */

const LONG = 100; // Letters: a text that may have more gets more than a line.

/** @param {Event} event */
const inputOf = (event) => /** @type {HTMLInputElement} */ (event.target);

/**
 * The fields of a record. Its form decides which of them are shown; hidden ones keep their values in the draft.
 * @param {Field} field
 * @param {string} id
 * @param {unknown} value
 * @param {Changed} change
 * @param {readonly string[]} where the records around it, the innermost first
 */
const drawParts = (field, id, value, change, where) => {
  /** @type {Held} */
  const held = { ...(isTable(value) ? value : {}) };
  const slots = (field.fields ?? []).map((part) => ({ part, slot: h("div", { class: `part ${part.kind}` }) }));
  /** @param {typeof slots[number]} filled */
  const draw = ({ part, slot }) => {
    const asked = askedOf(field, held).find(([one]) => one === part);
    /** @param {unknown} one */
    const changed = (one) => {
      if (one === undefined) delete held[part.key];
      else held[part.key] = one;
      change(Object.keys(held).length ? { ...held } : undefined); // The draft keeps its own, so that it can be undone.
      if (part.key === field.by) slots.filter((other) => other.part !== part).forEach(draw);
    };
    fill(slot, asked && drawField(part, `${id}-${part.key}`, held[part.key], changed, asked[1], where));
  };
  slots.forEach(draw);
  const children = slots.map(({ slot }) => slot);
  return h("div", { class: "parts" }, children);
};

/**
 * A list of records that can be added and removed.
 * @type {(field: Field, id: string, value: unknown, change: Changed, help: Help, where: readonly string[]) => HTMLElement}
 */
const drawEntries = (field, id, value, change, help, where) => {
  const { label, entry = "entry", must, least = 0, most = 100 } = field;
  const list = entriesOf(field, value);
  const body = h("div", {});
  const gone = h("p", { class: "line" });
  /** @param {number} index */
  const named = (index) => `${entry} ${index + 1}`;
  const store = () => change(list.length ? [...list] : undefined);
  /**
   * @param {number} index
   * @param {Held} one
   * @param {string} words
   */
  const insert = (index, one, words) => {
    list.splice(index, 0, one);
    store();
    redraw();
    const first = firstField(body.children[index]);
    if (first) {
      focusOn(first);
      show(first);
    }
    say(`The ${named(index)} ${words}.`);
  };
  /** @param {number} index */
  const remove = (index) => {
    const [one] = list.splice(index, 1);
    store();
    redraw();
    const back = button("Undo", () => insert(index, one, "is back"));
    fill(gone, `The ${named(index)} is removed. `, back);
    focusOn(back);
    say(`The ${named(index)} is removed.`);
  };
  const add = button(`Add ${entry}`, () => insert(list.length, {}, "is added"), {
    "aria-label": [`Add ${entry}`, label, ...where].join(", "),
  });
  /**
   * @param {Held} one
   * @param {number} index
   */
  const drawEntry = (one, index) => {
    /** @param {unknown} held */
    const changed = (held) => {
      list[index] = isTable(held) ? held : {};
      store();
    };
    const options = { class: "quiet", "aria-label": [`Remove ${named(index)}`, label, ...where].join(", ") };
    return h(
      "fieldset",
      { class: "entry", id: `${id}-${index}` },
      h("legend", {}, named(index)),
      drawParts(field, `${id}-${index}`, one, changed, [named(index), ...where]),
      (!must || list.length > least) && button(`Remove ${named(index)}`, () => remove(index), options),
    );
  };
  const redraw = () => {
    gone.replaceChildren();
    add.hidden = list.length >= most;
    fill(body, list.map(drawEntry));
  };
  redraw();
  return group(label, id, "records", help, help, body, gone, add);
};

/** @type {(field: Field, id: string, value: unknown, change: Changed, help: Help) => HTMLElement} */
const drawFlag = (field, id, value, change, help) => {
  const usual = field.default === true;
  /** @param {Event} event */
  const ticked = (event) => change(inputOf(event).checked === usual ? undefined : inputOf(event).checked);
  const checked = typeof value === "boolean" ? value : usual;
  const options = { id, "aria-describedby": help && `${id}-help`, type: "checkbox", checked, change: ticked };
  return h("div", { class: "flag" }, h("input", options), h("div", {}, h("label", { for: id }, field.label), help));
};

/** @type {(field: Field, id: string, value: unknown, change: Changed, help: Help, free: Child) => HTMLElement} */
const drawSeveral = (field, id, value, change, help, free) => {
  const chosen = new Set(Array.isArray(value) ? value : []);
  const boxes = (field.choices ?? []).map((choice, index) => {
    /** @param {Event} event */
    const ticked = (event) => {
      chosen[inputOf(event).checked ? "add" : "delete"](choice);
      change(chosen.size ? [...chosen] : undefined);
    };
    const options = { id: `${id}-${index}`, type: "checkbox", checked: chosen.has(choice), change: ticked };
    return h("div", { class: "flag" }, h("input", options), h("label", { for: options.id }, choice));
  });
  return group([field.label, free], id, "several", help, h("div", { class: "boxes" }, boxes), help);
};

/** @type {(field: Field, id: string, value: unknown, change: Changed, help: Help) => HTMLElement} */
const drawTable = (field, id, value, change, help) => {
  /** @type {Held} */
  const table = { ...(isTable(value) ? value : {}) };
  const rows = Object.entries(field.rows ?? {}).map(([name, offers], index) => {
    const several = Array.isArray(table[name]) ? table[name] : null;
    const row = several?.join(", then ");
    /** @param {Event} event */
    const chosen = (event) => {
      const { value: now } = inputOf(event);
      table[name] = several && now === row ? several : now;
      change(Object.values(table).some(Boolean) ? { ...table } : undefined);
    };
    const input = selection({ id: `${id}-${index}`, change: chosen }, "–", row ? [row, ...offers] : offers, row ?? table[name]);
    return h("div", { class: "field side" }, h("label", { for: input.id }, name), input);
  });
  return group(field.label, id, "table", help, rows, help);
};

/**
 * A field of the sheet, or of a record in it; a field of a record shows whether it must be filled.
 * @param {Field} field
 * @param {string} id
 * @param {unknown} value
 * @param {Changed} change
 * @param {boolean | undefined} must
 * @param {readonly string[]} where the records around it, the innermost first
 * @returns {HTMLElement}
 */
const drawField = (field, id, value, change, must, where = []) => {
  const { label, kind, choices = [], least, most, default: start } = field;
  const help = helpOf(field, id);
  const free = must === false && start === undefined && h("span", { class: "soft" }, " (optional)");
  switch (kind) {
    case "record":
      return group(label, id, "record", help, drawParts(field, id, value, change, [label, ...where]), help);
    case "records":
      return drawEntries(field, id, value, change, help, where);
    case "flag":
      return drawFlag(field, id, value, change, help);
    case "several":
      return drawSeveral(field, id, value, change, help, free);
    case "table":
      return drawTable(field, id, value, change, help);
  }
  const described = { id, "aria-describedby": help && `${id}-help`, required: must === true };
  const named = h("label", { for: id }, label, free);
  /** @param {Event} event */
  const changed = (event) => change(inputOf(event).value || undefined);
  if (kind === "answer") {
    /** @param {Event} event */
    const answered = (event) => change(inputOf(event).value ? inputOf(event).value === "yes" : undefined);
    const chosen = value === true ? "yes" : value === false ? "no" : "";
    const input = selection(
      { ...described, change: answered },
      "Leave as it is",
      [
        ["yes", "Yes"],
        ["no", "No"],
      ],
      chosen,
    );
    return h("div", { class: "field side" }, named, input, help);
  }
  const text = typeof value === "string" ? value : String(start ?? "");
  if (kind === "choice") {
    const none = start === undefined ? "–" : null;
    const input = selection({ ...described, change: changed }, none, choices, choices.includes(text) ? text : start);
    return h("div", { class: "field side" }, named, input, help);
  }
  const given = { ...described, value: text, input: changed };
  if (kind === "lines") {
    const hint = h("p", { class: "hint" }, `One per line${most === undefined ? "" : `, at most ${most}`}.`);
    const rows = must === undefined ? 4 : 2;
    const area = h("textarea", { ...given, rows, spellcheck: "false" });
    return h("div", { class: "field" }, named, hint, choices.length > 0 && adding(id, label, choices, area), area, help);
  }
  if (kind === "number") {
    // Text that the browser does not accept as a number stays inside the field, so the field must not keep it.
    /** @param {Event} event */
    const left = (event) => {
      if (inputOf(event).validity.badInput) inputOf(event).value = "";
    };
    const options = { type: "number", min: least, max: most, step: 1, autocomplete: "off", change: left };
    const side = must === undefined ? "field" : "field side";
    return h("div", { class: side }, named, h("input", { ...given, ...options }), help);
  }
  const input =
    (most ?? 0) > LONG
      ? h("textarea", { ...given, class: "prose", rows: 2, maxlength: most })
      : h("input", { ...given, type: "text", autocomplete: "off", maxlength: most, list: choices.length > 0 && `${id}-list` });
  const offers = choices.length > 0 && h("datalist", { id: `${id}-list` }, choices.map((value) => h("option", { value })));
  return h("div", { class: "field" }, named, input, offers, help);
};

/** The fields besides the orders. */
export class Form {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    this.element = h("fieldset", { class: "fields" });
    this.fault = h("p", { class: "hint bad" }); // What is wrong in a field, at the field.
    const { data, seat } = desk;
    this.planned = plannedOf(data.plans, seat.options, data.limits);
    this.walking = walkingOf(data.walks, seat.name);
    this.walkLine = new WalkLine(() => this.plans);
    this.purse = new PurseBox(() => this.plans, data.plans ? seat.prices : null, () => !desk.voice.speaks);
    this.tapping = new Tapping(data.plans?.cards[seat.name] ?? [], () => this.plans);
    /** @type {Planning[]} */
    this.plans = []; // As they are drawn.
    /** @type {HTMLElement | null} */
    this.touched = null; // The field of a list, while it is what the reader touched last in this form.
    this.element.addEventListener("focusin", ({ target }) => (this.touched = /** @type {HTMLElement} */ (target)));
  }

  draw() {
    const { bids, draft } = this.desk;
    const fields = draft.otherFields.filter((field) => field !== bids?.field); // Bids have their own list.
    /** @param {Field} field */
    const drawTop = (field) => {
      /** @param {unknown} value */
      const changed = (value) => draft.set(field.key, value).forEach(say);
      const planned = this.planned.get(field.key);
      if (planned && field.kind === "lines") return this.drawPlan(field, planned);
      return drawField(field, `field-${field.key}`, draft.values[field.key], changed, undefined);
    };
    this.plans = [];
    // Fields without a use at present are folded, but can still be written.
    const idle = fields.filter((field) => field.idle);
    const open = idle.some(({ key }) => key in draft.values);
    fill(
      this.element,
      h("legend", {}, draft.ordersField ? "With this sheet" : "Your sheet"),
      this.purse.element,
      this.tapping.element,
      fields.filter((field) => !field.idle).map(drawTop),
      idle.length > 0 &&
        h("details", { class: "idle", open }, h("summary", {}, "Not offered now"), idle.map(drawTop)),
    );
    this.element.hidden = !fields.length;
    this.drawBeside();
  }

  /** Draws the other views of the lists' lines. */
  drawBeside() {
    this.purse.draw();
    this.tapping.draw();
  }

  /**
   * A list whose lines are tried in order.
   * @param {Field} field
   * @param {import("./plans.js").Planned} planned
   */
  drawPlan(field, planned) {
    const { aside, data, draft, seat, unseen } = this.desk;
    const stands = (aside ?? seat).stands?.[field.key];
    const walking = this.walking.get(field.key);
    const { voice } = this.desk;
    const said = (/** @type {string[]} */ lines, /** @type {number} */ at) => {
      if (!voice.speaks) return undefined;
      const found = voice.said(field.key, lines, at);
      return found ? verdictOf(lines[at], found, voice.sure) : { kind: "fits", words: "" };
    };
    const more = { help: helpOf(field, `field-${field.key}`), said, letters: field.letters ?? data.limits.letters, stands, told: data.plans?.told[seat.name]?.[field.key] ?? [], undo: () => this.undoing(), unseen, walking };
    const fills = (/** @type {string | undefined} */ value, /** @type {string} */ what) => draft.fill(field.key, value, what);
    const plan = new Planning(field, planned, draft.values[field.key], more, fills, () => this.desk.drawBoard());
    this.plans.push(plan);
    return plan.element;
  }

  /** A function that undoes the last change, as long as nothing else was done since. */
  undoing() {
    const { past } = this.desk.draft;
    const made = past.changes.at(-1);
    return () => {
      if (past.changes.at(-1) === made) this.desk.undo();
      else say("Something else has changed since. Undo that first.");
    };
  }

  /**
   * Handles a tap on the board. The person there walks; otherwise the list being written takes the word, or the list that asks for such
   * words now; otherwise what can be done with it is offered, by list. True if anything was done.
   * @param {string} word
   */
  tap(word) {
    if (this.walkLine.tap(word)) return true;
    const active = this.plans.filter(({ combo }) => combo.text);
    const touched = this.plans.filter(({ combo }) => combo.field === this.touched);
    // A list asks for a name if the name is a legal line by itself, as in the wishes of an auction. No other list takes it unasked.
    const asked = this.plans.filter(({ planned }) => planned.possible.has(word));
    const title = this.plans[0]?.planned.called(word) ?? word;
    // A list of names takes a card while its field is in use. Otherwise the card is only shown, so that it is not discarded by accident.
    const lines = this.plans.filter(({ planned }) => !planned.isWord(word));
    if ([...active, ...touched, ...(asked.length === 1 ? asked : []), ...lines].some((plan) => plan.tap(word, title))) return true;
    return aboutCard(this.plans, word, title, this.desk.aside?.brief ?? []);
  }

  /**
   * Chooses a tapped place in the list of choices that has its name, such as a wazir's court; true if there is one such list.
   * @param {string} place
   */
  pick(place) {
    const { draft } = this.desk;
    const fields = draft.otherFields.filter(({ kind, choices }) => kind === "choice" && choices?.includes(place));
    if (fields.length !== 1) return false;
    const [{ key, label }] = fields;
    draft.set(key, place).forEach(say);
    this.draw();
    say(`${label}: ${place}.`);
    return true;
  }

  /** The lines of plans that are not understood, or that never hold. */
  odd() {
    return this.plans.flatMap((plan) => plan.lines.filter((_, index) => plan.faultOf(index)));
  }

  /**
   * Shows a fault at its field, and moves the focus there.
   * @param {{ id: string, here: string }} fault
   */
  point({ id, here }) {
    const place = document.getElementById(id);
    if (!place) return;
    place.closest("details")?.setAttribute("open", "");
    const whole = place.matches("fieldset");
    focusOn((whole && firstField(place)) || place);
    const around = whole ? place : (place.closest(".field") ?? place);
    this.fault.textContent = here;
    around.append(this.fault);
    show(around);
  }
}
