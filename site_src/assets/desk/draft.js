// @ts-check
// One seat's sheet in the making: its contents so far, and the changes to them. It draws nothing.

import { faultOf, told } from "./fields.js";
import { Past } from "./past.js";
import { count, sentence } from "./text.js";

/** @import { Held } from "./fields.js" */
/** @import { Written } from "./past.js" */
/** @import { Reader } from "./reader.js" */
/** @import { Unseen } from "./text.js" */
/** @import { Seat } from "./store.js" */
/** @import { Caution, Field, Limits, Person } from "./types.js" */

/**
 * A row of the list of orders: a unit with its order, a unit without one, a person who is not a unit, or an order for nobody.
 * @typedef {{ place: string | null, unit: string | null, line: string | null, person?: Person }} Row
 */
/**
 * The part that changed: the choice, the orders, a value, or everything.
 * @typedef {"choice" | "orders" | "values" | "all"} Change
 */
/**
 * The sum of the numbers in a record.
 * @param {unknown} record
 */
const totalOf = (record) => Object.values(Object(record)).reduce((sum, number) => sum + Number(number), 0);

/** @param {unknown} value */
const isText = (value) => typeof value === "string";

/**
 * Pairs of lines that do not fit each other, in the order of the sheet.
 * @param {Record<string, string[]>} fits line -> a unit, and the lines of that unit that the line needs
 * @param {readonly string[]} lines legal ones
 * @returns {[line: string, other: string][]}
 */
const misfits = (fits, lines) =>
  lines.flatMap((line) => {
    const [unit, ...wanted] = Object.hasOwn(fits, line) ? fits[line] : [];
    const others = unit ? lines.filter((one) => one.startsWith(`${unit} `)) : [];
    return others.length && !others.some((one) => wanted.includes(one)) ? [[line, others[0]]] : [];
  });

/**
 * The field that is filled on the map: a list of orders, or a single one; undefined if the sheet has neither.
 * @param {Seat} seat
 * @returns {Field | undefined}
 */
export const ordersFieldOf = ({ form }) =>
  form.find(({ key, kind }) => key === "orders" && kind === "lines") ?? form.find(({ kind }) => kind === "line");

export class Draft {
  /**
   * @param {Seat} seat
   * @param {Reader} reader
   * @param {Limits} limits
   * @param {Partial<Record<keyof Written, unknown>>} saved an earlier draft, which may hold anything
   */
  constructor(seat, reader, limits, saved) {
    this.seat = seat;
    this.reader = reader;
    this.limits = limits;
    this.ordersField = ordersFieldOf(seat);
    this.otherFields = seat.form.filter((field) => field !== this.ordersField);
    this.single = this.ordersField?.kind === "line";
    this.most = this.single ? 1 : (this.ordersField?.most ?? 100);
    const { orders, values } = saved;
    /** @type {string[]} */
    this.orders = (Array.isArray(orders) ? orders : []).filter(isText).slice(0, this.most);
    /** @type {Held} */
    this.values = typeof values === "object" && values !== null ? { .../** @type {Held} */ (values) } : {};
    this.past = new Past();
    this.silent = false; // Whether the judge, and not the desk, comments on the sheet.
    /** @type {(change: Change) => void} */
    this.changed = () => {};
  }

  // Contents ---------------------------------------------------------------------------------------------------------

  get isEmpty() {
    return !this.orders.length && !Object.keys(this.values).length;
  }

  /** @returns {Written} */
  get written() {
    return { orders: this.orders, values: this.values };
  }

  /**
   * The orders so far: a row for every unit, then those for no unit. A single order leaves no unit without one.
   * @returns {Row[]}
   */
  rows() {
    const { notation } = this.reader;
    const left = [...this.orders];
    if (this.single)
      return left.map((line) => ({ place: this.reader.unitOf(line), unit: notation.known(line).unit, line }));
    /** @type {Row[]} */
    const rows = [...notation.units].map(([place, unit]) => {
      const at = left.findIndex((line) => this.reader.unitOf(line) === place);
      return { place, unit, line: at < 0 ? null : left.splice(at, 1)[0] };
    });
    for (const person of this.reader.persons) {
      const at = left.findIndex((line) => this.reader.personOf(line) === person);
      rows.push({ place: null, unit: person.name, line: at < 0 ? null : left.splice(at, 1)[0], person });
    }
    return [...rows, ...left.map((line) => ({ place: null, unit: null, line }))];
  }

  /** The lines of the orders, as they will be in the sheet. */
  lines() {
    return this.rows().flatMap(({ line }) => (line === null ? [] : [line]));
  }

  /** The rows of units that have no order. */
  missing() {
    return this.rows().filter(({ line, person }) => line === null && !person);
  }

  /** The orders that the desk does not know to be right. */
  odd() {
    return this.orders.filter((line) => this.reader.faultOf(line));
  }

  /**
   * The sheet, as far as it is filled in: key -> value.
   * @returns {Held}
   */
  sheet() {
    /** @type {Held} */
    const sheet = {};
    for (const field of this.seat.form) {
      const value = field === this.ordersField ? this.ordersGiven() : told(field, this.values[field.key]);
      if (value !== undefined) sheet[field.key] = value;
    }
    return sheet;
  }

  ordersGiven() {
    if (this.single) return this.orders[0];
    const lines = this.lines();
    return lines.length ? lines : undefined;
  }

  /**
   * The cautions that the contents of the sheet call for; adjudicator/core/contract/cautions.py defines when.
   * @returns {string[]}
   */
  cautions() {
    const lines = this.lines().filter((line) => this.reader.notation.legal.has(line));
    return this.cautionsMet().flatMap(({ caution: { what, right = "", fits }, left, thing }) => {
      const whats = fits
        ? misfits(fits, lines).map(([line, other]) => what.replace("{line}", () => line).replace("{other}", () => other))
        : [what.replace("{left}", count(left, thing))];
      return whats.map((words) => [words, right].filter(Boolean).map(sentence).join(" "));
    });
  }

  /**
   * The kind of line that could still be added, such as builds, by the first caution that counts them; null if none does.
   * @returns {string | null}
   */
  more() {
    return this.cautionsMet().find(({ thing }) => thing)?.thing ?? null;
  }

  /** The cautions that are met, each with how many more lines of the kind it counts could be added. */
  cautionsMet() {
    const filled = this.sheet();
    const lines = this.lines().filter((line) => this.reader.notation.legal.has(line));
    /** @param {[unit: string, stays: string]} pair */
    const used = ([unit, stays]) => lines.some((line) => line.startsWith(`${unit} `) && line !== stays);
    /** @param {Caution} caution */
    const met = ({ filled: full = [], empty = [], says = {}, busy = {}, sums = {} }) =>
      full.every((key) => key in filled) &&
      !empty.some((key) => key in filled) &&
      Object.entries(says).every(([key, text]) => filled[key] === text) &&
      Object.entries(sums).every(([key, total]) => totalOf(filled[key]) !== total) &&
      Object.entries(busy).every(used);
    return this.seat.cautions
      .filter(met)
      .map((caution) => ({ caution, left: this.leftOf(caution, lines), thing: caution.thing ?? "" }))
      .filter(({ left, thing }) => !thing || left > 0);
  }

  /**
   * How many more lines of the kind that a caution counts could be added; several for one place count once.
   * @param {Caution} caution
   * @param {readonly string[]} lines legal ones
   */
  leftOf({ elsewhere = [], starts = [], wanted = 0 }, lines) {
    const begun = lines.filter((line) => starts.some((start) => start.endsWith(" ") && line.startsWith(start)));
    const places = new Set(begun.map((line) => this.reader.notation.known(line).mentions[0]));
    const whole = lines.filter((line) => starts.includes(line));
    return wanted - [...places].filter((place) => !elsewhere.includes(place)).length - whole.length;
  }

  /**
   * The first fault in the other fields; null if they have none.
   * @param {Unseen} unseen
   */
  fieldFault(unseen) {
    for (const field of this.otherFields) {
      const fault = faultOf(field, this.values[field.key], `field-${field.key}`, unseen);
      if (fault) return fault;
    }
    return null;
  }

  /** A copy of this draft, without any listener for changes. */
  copy() {
    return new Draft(this.seat, this.reader, this.limits, { orders: [...this.orders], values: { ...this.values } });
  }

  // Changes ----------------------------------------------------------------------------------------------------------

  /**
   * Writes an order down, added or in place of another; returns whether it was taken, and how.
   * @param {string} line
   * @param {number | null} editing
   */
  write(line, editing) {
    const { orders, reader, single } = this;
    const place = reader.unitOf(line);
    let before = place === null ? -1 : orders.findIndex((one) => reader.unitOf(one) === place);
    const key = reader.forms?.onceKey(line) ?? null;
    const person = reader.personOf(line);
    if (person) before = orders.findIndex((one) => reader.personOf(one) === person);
    if (key !== null) before = orders.findIndex((one) => reader.forms?.onceKey(one) === key);
    if (single) before = orders.length - 1; // Whichever unit it is for, it is the only one.
    const replaced = before >= 0 ? orders[before] : null;
    if (before < 0 && (editing === null || editing >= orders.length) && orders.length >= this.most)
      return { taken: false, how: `A sheet has at most ${this.most} orders.` };
    this.past.keep(line, this.written);
    if (editing !== null && editing < orders.length && before !== editing) {
      if (before >= 0) orders.splice(before, 1);
      orders[before >= 0 && before < editing ? editing - 1 : editing] = line;
    } else if (before >= 0) {
      orders[before] = line;
    } else {
      orders.push(line);
    }
    return { taken: true, how: replaced !== null && replaced !== line ? `in place of ${replaced}` : "added" };
  }

  /**
   * The announcement after a written line: whether it is right, and what is still missing.
   * @param {string} line
   */
  afterwards(line) {
    const { reader } = this;
    const wrong = this.silent ? "" : reader.faultOf(line);
    const odd = wrong && ` ${wrong}`;
    const still = this.missing().length;
    const rest = still
      ? ` ${count(still, "unit has", "units have")} no order.`
      : reader.notation.units.size && !this.single
        ? " Every unit has an order."
        : "";
    return `${odd}${rest}`;
  }

  /** Undoes the last change and returns its description. */
  undo() {
    const last = this.past.back();
    if (last) this.replace(last.written);
    return last?.what ?? "";
  }

  /**
   * The cautions that are met now and were not before.
   * @param {readonly string[]} before
   */
  cautionsNew(before) {
    return this.silent ? [] : this.cautions().filter((words) => !before.includes(words));
  }

  /**
   * Removes an order.
   * @param {string} line
   */
  remove(line) {
    this.past.keep(`${line} removed`, this.written);
    this.orders.splice(this.orders.indexOf(line), 1);
    this.changed("orders");
  }

  /**
   * Fills a field in, or empties it (undefined); returns the new cautions.
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    const cautions = this.cautions();
    const field = this.seat.form.find((one) => one.key === key);
    this.past.keep(field?.label ?? key, this.written, true);
    if (value === undefined) delete this.values[key];
    else this.values[key] = value;
    this.changed("values");
    return this.cautionsNew(cautions);
  }

  /**
   * Fills a field in for the reader, or empties it (undefined), as a separate change.
   * @param {string} key
   * @param {string | undefined} text
   * @param {string} what
   */
  fill(key, text, what) {
    this.past.keep(what, this.written);
    if (text === undefined) delete this.values[key];
    else this.values[key] = text;
    this.changed("orders");
  }

  /**
   * Replaces the whole draft; without an argument it becomes empty.
   * @param {Written} written
   */
  replace(written = { orders: [], values: {} }) {
    this.orders = written.orders;
    this.values = written.values;
    this.changed("all");
  }

  /** Empties it. */
  clear() {
    this.past.keep("the draft cleared", this.written);
    this.replace();
  }
}
