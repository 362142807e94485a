// @ts-check
// Turns a field's value in a draft into its value in a sheet, and finds its faults. This draws nothing and keeps no state.
// A draft keeps a value as it was typed or ticked; a record's value is the values of its fields by key.

import { tidy } from "./text.js";

/** @import { Unseen } from "./text.js" */
/** @import { Field } from "./types.js" */

/** @typedef {Record<string, unknown>} Held */
/**
 * The id of the element with the fault, the words to show at the field, and the words for anywhere else.
 * @typedef {{ id: string, here: string, words: string }} FieldFault
 */

const CHOSEN = new Set(["choice", "several"]);
const WHOLE = /^-?\d{1,15}$/;

/**
 * True if a value is a table with keys.
 * @param {unknown} value
 * @returns {value is Held}
 */
export const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value */
const isBegun = (value) => isTable(value) && Object.keys(value).length > 0;

/**
 * The fields that a record has by its form, each with true if it must be filled.
 * @param {Field} field
 * @param {Held} held
 * @returns {[part: Field, must: boolean][]}
 */
export const askedOf = (field, held) => {
  const parts = field.fields ?? [];
  const named = parts.find(({ key }) => key === field.by);
  const form = named && String(held[named.key] ?? named.default ?? "");
  const forms = field.forms ?? {};
  const blanks = form !== undefined && Object.hasOwn(forms, form) ? forms[form] : {};
  return parts
    .filter((part) => !named || part === named || Object.hasOwn(blanks, part.key))
    .map((part) => [part, part.must === true || blanks[part.key] === true]);
};

/**
 * A draft's entries of a list of records, padded with empty ones to the required number.
 * @param {Field} field
 * @param {unknown} value
 * @returns {Held[]}
 */
export const entriesOf = ({ must, least = 0, most = 100 }, value) => {
  const entries = (Array.isArray(value) ? value : []).filter(isTable).slice(0, most);
  while (must && entries.length < least) entries.push({});
  return entries;
};

/**
 * @param {Field} field
 * @param {unknown} value
 */
const recordOf = (field, value) => {
  const held = isTable(value) ? value : {};
  const pairs = askedOf(field, held).map(([part]) => [part.key, told(part, held[part.key])]);
  return Object.fromEntries(pairs.filter(([, one]) => one !== undefined));
};

/**
 * The sheet's value for a field's value in a draft; undefined if it is left out.
 * @param {Field} field
 * @param {unknown} value
 * @returns {unknown}
 */
const givenOf = (field, value) => {
  const { kind, choices = [], rows = {}, must, least = 0, most = 100 } = field;
  /** @param {unknown[]} list */
  const some = (list) => (list.length || (must && !least) ? list : undefined);
  if (kind === "flag") return typeof value === "boolean" ? value : field.default === true;
  if (kind === "answer") return typeof value === "boolean" ? value : undefined;
  if (kind === "several") return some(choices.filter((one) => Array.isArray(value) && value.includes(one)));
  if (kind === "records") return some(entriesOf(field, value).map((one) => recordOf(field, one)));
  if (kind === "record") {
    const record = must || isBegun(value) ? recordOf(field, value) : {};
    return Object.keys(record).length || must ? record : undefined;
  }
  if (kind === "table") {
    if (!isTable(value)) return undefined;
    // A sheet may name several for one row, the best first.
    const kept = Object.entries(rows).filter(([name, offers]) => [value[name] ?? ""].flat().every((one) => offers.includes(String(one))));
    return kept.length ? Object.fromEntries(kept.map(([name]) => [name, value[name]])) : undefined;
  }
  const text = typeof value === "string" ? value : "";
  if (kind === "lines" && field.empty && value === "") return [];
  if (kind === "lines") return some(text.split("\n").map(tidy).filter(Boolean).slice(0, most));
  if (kind === "number") return WHOLE.test(text) ? Number(text) : undefined;
  if (kind === "choice") return choices.includes(text) ? text : undefined;
  return kind === "text" ? tidy(text) || undefined : undefined;
};

/**
 * A field's value in the sheet; undefined for one that keeps its default.
 * @param {Field} field
 * @param {unknown} value
 */
export const told = (field, value) => {
  const given = givenOf(field, value);
  const start = field.default ?? (field.kind === "flag" ? false : undefined);
  return given === start && !field.must ? undefined : given;
};

/**
 * A draft's value for a field's value in a sheet, the inverse of `told`. Undefined if the sheet has no value for it.
 * @param {Field} field
 * @param {unknown} said
 * @returns {unknown}
 */
export const heldOf = (field, said) => {
  const { kind, fields = [] } = field;
  if (said === undefined || said === null) return undefined;
  /** @param {unknown} one */
  const record = (one) => {
    const held = isTable(one) ? one : {};
    const parts = fields.filter(({ key }) => Object.hasOwn(held, key)).map((part) => [part.key, heldOf(part, held[part.key])]);
    return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
  };
  if (kind === "record") return record(said);
  if (kind === "records") return [said].flat().map(record);
  if (kind === "lines") return Array.isArray(said) && !said.length && !field.empty ? undefined : [said].flat().join("\n");
  return kind === "number" || kind === "text" || kind === "choice" ? String(said) : said;
};

/**
 * The first part of a field that is missing or that the archive would not read; null if nothing is wrong.
 * @param {Field} field
 * @param {unknown} value
 * @param {string} id
 * @param {Unseen} unseen
 * @param {readonly string[]} trail the records around it
 * @returns {FieldFault | null}
 */
export const faultOf = (field, value, id, unseen, must = field.must === true, trail = []) => {
  const { kind, label, least, most } = field;
  /** @param {string} words */
  const fault = (words) => ({ id, here: `${label}: ${words}`, words: `${[...trail, label].join(" › ")}: ${words}` });
  /**
   * @param {Held} held
   * @param {string} at
   * @param {string} path
   */
  const within = (held, at, path) => {
    for (const [part, needed] of askedOf(field, held)) {
      const wrong = faultOf(part, held[part.key], `${at}-${part.key}`, unseen, needed, [...trail, path]);
      if (wrong) return wrong;
    }
    return null;
  };
  if (kind === "record") {
    const wrong = (must || isBegun(value)) && within(isTable(value) ? value : {}, id, label);
    if (wrong) return wrong;
  }
  const given = givenOf(field, value);
  if (kind === "records")
    for (const [index, one] of entriesOf(field, value).entries()) {
      const wrong = within(one, `${id}-${index}`, `${label}, ${field.entry} ${index + 1}`);
      if (wrong) return wrong;
    }
  const hidden = (kind === "lines" || kind === "text") && typeof value === "string" ? unseen.faultIn(value) : "";
  if (hidden) return fault(hidden);
  if (Array.isArray(given) && given.length < (least ?? 0)) return fault(`${least} are needed.`);
  if (kind === "number" && typeof value === "string" && value) {
    const right = typeof given === "number" && given >= (least ?? given) && given <= (most ?? given);
    const bounds = [least !== undefined && `from ${least}`, most !== undefined && `to ${most}`].filter(Boolean);
    if (!right) return fault(`${["write a whole number", ...bounds].join(" ")}.`);
  }
  if (!must || told(field, value) !== undefined) return null;
  return fault(CHOSEN.has(kind) ? "nothing is chosen yet." : "nothing is written yet.");
};
