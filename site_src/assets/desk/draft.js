// @ts-check
// One seat's sheet in the making, and what is chosen for it: all that is drawn is drawn from here. No page.

import { faultOf, told } from "./fields.js";
import { count, sentence, tidy } from "./text.js";

/** @import { Held } from "./fields.js" */
/** @import { Reader } from "./reader.js" */
/** @import { Unseen } from "./text.js" */
/** @import { Seat } from "./store.js" */
/** @import { Caution, Field, Limits } from "./types.js" */

/**
 * A row of the list of orders: a unit with its order, a unit without one, or an order for no unit.
 * @typedef {{ place: string | null, unit: string | null, line: string | null }} Row
 */
/**
 * What has changed: what is chosen, the orders, a value, or all of it.
 * @typedef {"choice" | "orders" | "values" | "all"} Change
 */
/** @typedef {{ orders: string[], values: Held }} Written */

/** @param {unknown} value */
const isText = (value) => typeof value === "string";

/**
 * The field that is filled on the map: a list of orders, or a single one; undefined if the sheet has none.
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
    /** @type {string[]} */
    this.chosen = [];
    /** @type {number | null} */
    this.editing = null;
    this.note = "";
    /** @type {(change: Change) => void} */
    this.changed = () => {};
  }

  // What it says ----------------------------------------------------------------------------------------------------

  get isEmpty() {
    return !this.orders.length && !Object.keys(this.values).length;
  }

  /** @returns {Written} */
  get written() {
    return { orders: this.orders, values: this.values };
  }

  /**
   * The orders so far: a row for every unit, then what is for no unit. A single order leaves no unit without one.
   * @returns {Row[]}
   */
  rows() {
    const { notation } = this.reader;
    const left = [...this.orders];
    if (this.single)
      return left.map((line) => ({ place: this.reader.unitOf(line), unit: notation.known(line).unit, line }));
    const rows = [...notation.units].map(([place, unit]) => {
      const at = left.findIndex((line) => this.reader.unitOf(line) === place);
      return { place, unit, line: at < 0 ? null : left.splice(at, 1)[0] };
    });
    return [...rows, ...left.map((line) => ({ place: null, unit: null, line }))];
  }

  /** The lines of the orders, as they will stand in the sheet. */
  lines() {
    return this.rows().flatMap(({ line }) => (line === null ? [] : [line]));
  }

  /** The rows of units that have no order. */
  missing() {
    return this.rows().filter(({ line }) => line === null);
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
   * What is to be told of the sheet by what stands in it: adjudicator/core/contract/cautions.py says when.
   * @returns {string[]}
   */
  cautions() {
    const filled = this.sheet();
    const lines = this.lines().filter((line) => this.reader.notation.legal.has(line));
    /** @param {[unit: string, stays: string]} pair */
    const used = ([unit, stays]) => lines.some((line) => line.startsWith(`${unit} `) && line !== stays);
    /** @param {Caution} caution */
    const met = ({ filled: full = [], empty = [], says = {}, busy = {} }) =>
      full.every((key) => key in filled) &&
      !empty.some((key) => key in filled) &&
      Object.entries(says).every(([key, text]) => filled[key] === text) &&
      Object.entries(busy).every(used);
    return this.seat.cautions
      .filter(met)
      .map(({ what, right = "" }) => [what, right].filter(Boolean).map(sentence).join(" "));
  }

  /**
   * The first thing that is wrong in the other fields; null if nothing is.
   * @param {Unseen} unseen
   */
  fieldFault(unseen) {
    for (const field of this.otherFields) {
      const fault = faultOf(field, this.values[field.key], `field-${field.key}`, unseen);
      if (fault) return fault;
    }
    return null;
  }

  /** The places that the orders which name what is chosen go on to. */
  next() {
    const { chosen } = this;
    if (!chosen.length) return new Set();
    const after = this.reader.notation
      .naming(chosen)
      .flatMap(({ mentions }) =>
        mentions.filter((place) => !chosen.includes(place) && mentions.indexOf(place) >= chosen.length),
      );
    return new Set(after);
  }

  // What is done to it ----------------------------------------------------------------------------------------------

  /**
   * Takes an order in, in place of the one for the same unit or of the one being changed; what to say of it.
   * @param {string} text
   * @param {number | null} editing which of the orders is being changed
   * @returns {{ taken: boolean, said: string[] }}
   */
  take(text, editing = this.editing) {
    const { orders, reader, single } = this;
    const line = tidy(text).slice(0, this.limits.letters);
    if (!line) return { taken: false, said: [] };
    const place = reader.unitOf(line);
    let before = place === null ? -1 : orders.findIndex((one) => reader.unitOf(one) === place);
    if (single) before = orders.length - 1; // Whichever unit it is for, it is the only one.
    const replaced = before >= 0 ? orders[before] : null;
    const cautions = this.cautions();
    if (editing !== null && editing < orders.length && before !== editing) {
      if (before >= 0) orders.splice(before, 1);
      orders[before >= 0 && before < editing ? editing - 1 : editing] = line;
    } else if (before >= 0) {
      orders[before] = line;
    } else if (orders.length >= this.most) {
      return { taken: false, said: [`A sheet has at most ${this.most} orders.`] };
    } else {
      orders.push(line);
    }
    this.unchoose();
    this.changed("orders");
    const wrong = reader.faultOf(line);
    const odd = !wrong ? "" : reader.forms ? ` ${wrong}` : " It is not among the orders that are legal now.";
    const still = this.missing().length;
    const rest = still
      ? ` ${count(still, "unit has", "units have")} no order.`
      : reader.notation.units.size && !single
        ? " Every unit has an order."
        : "";
    const how = replaced !== null && replaced !== line ? `in place of ${replaced}` : "added";
    return { taken: true, said: [`${line}: ${how}.${odd}${rest}`, ...this.cautionsNew(cautions)] };
  }

  /**
   * The cautions that are met now and were not before.
   * @param {readonly string[]} before
   */
  cautionsNew(before) {
    return this.cautions().filter((words) => !before.includes(words));
  }

  /**
   * Takes an order away.
   * @param {string} line
   */
  remove(line) {
    this.orders.splice(this.orders.indexOf(line), 1);
    this.editing = null;
    this.changed("orders");
  }

  /**
   * Fills a field in, or empties it (undefined); what to say of it.
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    const cautions = this.cautions();
    if (value === undefined) delete this.values[key];
    else this.values[key] = value;
    this.changed("values");
    return this.cautionsNew(cautions);
  }

  /**
   * Writes all of it anew: nothing, if nothing is given.
   * @param {Written} written
   */
  replace(written = { orders: [], values: {} }) {
    this.orders = written.orders;
    this.values = written.values;
    this.unchoose();
    this.changed("all");
  }

  /** Forgets what is chosen. */
  unchoose() {
    this.chosen = [];
    this.editing = null;
    this.note = "";
  }

  /** Nothing is chosen any more. */
  escape() {
    this.unchoose();
    this.changed("choice");
  }

  /**
   * Chooses a place: the unit that is ordered, or where its order goes on; chosen again, it is given up.
   * @param {string} place
   */
  choose(place) {
    const { chosen } = this;
    const { notation } = this.reader;
    /** @param {string[]} places */
    const fits = (places) => notation.naming(places).length > 0;
    const who = notation.units.get(chosen[0]) ?? chosen[0];
    this.note = "";
    if (chosen[chosen.length - 1] === place) this.chosen = chosen.slice(0, -1);
    else if (chosen.length && fits([...chosen, place])) this.chosen = [...chosen, place];
    else if (chosen.length && !notation.owners.has(chosen[0]) && notation.owners.has(place) && fits([place, ...chosen]))
      this.chosen = [place, ...chosen];
    else if (notation.owners.has(place) || (!chosen.length && fits([place]))) this.chosen = [place];
    else if (chosen.length) this.note = `No legal order for ${who} goes on to ${place}.`;
    else this.note = `No legal order of yours names ${place}.`;
    if (this.chosen.length !== 1) this.editing = this.chosen.length ? this.editing : null;
    this.changed("choice");
  }

  /**
   * Begins to change an order, or to give a unit one: whatever was chosen is chosen no more.
   * @param {Row} row
   */
  edit({ place, line }) {
    this.editing = line === null ? null : this.orders.indexOf(line);
    if (place !== null) this.chosen = [];
  }
}
