// @ts-check
// The places chosen in a draft, one by one, until they make an order. This draws nothing.

import { count, listed, tidy } from "./text.js";

/** @import { Draft, Row } from "./draft.js" */
/** @import { Option } from "./notation.js" */

export class Choice {
  /** @param {Draft} draft */
  constructor(draft) {
    this.draft = draft;
    /** @type {string[]} */
    this.chosen = [];
    /** @type {number | null} */
    this.editing = null; // Which of the orders is being changed.
    this.note = "";
    this.latest = ""; // The place that was chosen last.
    /** @type {string | null} */
    this.settled = null; // The order that the chosen places have written.
  }

  /** The next places of the orders that name the chosen places. */
  next() {
    const { chosen } = this;
    if (!chosen.length) return new Set();
    const after = this.draft.reader.notation
      .naming(chosen)
      .flatMap(({ mentions }) =>
        mentions.filter((place) => !chosen.includes(place) && mentions.indexOf(place) >= chosen.length),
      );
    return new Set(after);
  }

  /**
   * Takes an order in, replacing the one for the same unit or the one being changed; returns the words to announce.
   * @param {string} text
   * @param {number | null} editing index of the order being changed
   * @returns {{ taken: boolean, said: string[] }}
   */
  take(text, editing = this.editing) {
    const { draft } = this;
    const line = tidy(text).slice(0, draft.limits.letters);
    if (!line) return { taken: false, said: [] };
    const cautions = draft.cautions();
    const { taken, how } = draft.write(line, editing);
    if (!taken) return { taken, said: [how] };
    this.forget();
    draft.changed("orders");
    return { taken, said: [`${line}: ${how}.${draft.afterwards(line)}`, ...draft.cautionsNew(cautions)] };
  }

  /** Forgets the chosen places. */
  forget() {
    this.chosen = [];
    this.settled = null;
    this.editing = null;
    this.note = "";
  }

  /** Gives up the chosen places. */
  escape() {
    this.forget();
    this.draft.changed("choice");
  }

  /**
   * Chooses a place: the unit to order, or the next place of its order. An order is written as soon as only one fits, or only one plain
   * move among others. A unit chosen twice holds. Returns the words to announce.
   * @param {string} place
   * @returns {string[]}
   */
  choose(place) {
    const { notation } = this.draft.reader;
    const was = this.chosen;
    const cautions = this.draft.cautions();
    /** @param {string[]} places */
    const fits = (places) => notation.naming(places).length > 0;
    const own = notation.owners.has(place);
    const twice = this.latest === place; // In a row: a unit that was chosen a while ago does not hold for being tapped again.
    this.latest = place;
    const idle = this.settled === null && was.length === 2 && notation.naming(was).every((option) => !this.isMeant(option));
    this.note = "";
    if (was[was.length - 1] === place) {
      const line = was.length === 1 && twice ? this.holdOf(place) : null;
      if (line) return this.take(line).said;
      if (twice || was.length > 1) this.chosen = was.slice(0, -1);
    } else if (was.length && fits([...was, place]) && !(own && (this.settled || idle))) this.chosen = [...was, place];
    else if (was.length && !notation.owners.has(was[0]) && own && fits([place, ...was])) this.chosen = [place, ...was];
    else if ((this.settled && (own || fits([place]))) || (idle && own)) this.chosen = [place];
    else if (was.length > 1 && !this.settled)
      this.note = `${listed(was, "then")}: choose one of these orders first, or tap ${was[was.length - 1]} again.`;
    else if (own || (!was.length && fits([place]))) this.chosen = [place];
    else if (was.length && !this.settled) this.note = `No legal order for ${notation.units.get(was[0]) ?? was[0]} goes on to ${place}.`;
    else this.note = `No legal order of yours names ${place}.`;
    if (this.chosen.length !== 1) this.editing = this.chosen.length ? this.editing : null;
    const before = this.draft.orders.join("\n");
    const said = this.note ? [this.note] : this.settle();
    this.draft.changed(before === this.draft.orders.join("\n") ? "choice" : "orders");
    return [...said, ...this.draft.cautionsNew(cautions)];
  }

  /**
   * The other half of the written order: the move of the seat's unit that it supports or convoys, unless that is written too.
   * @returns {Option | null}
   */
  otherHalf() {
    const { notation, sayings } = this.draft.reader;
    const option = this.settled === null || this.draft.single ? null : notation.legal.get(this.settled);
    const [, unit, goal] = option?.mentions ?? [];
    if (!goal || !notation.units.has(unit)) return null;
    const moves = notation
      .naming([unit, goal])
      .filter((one) => one.mentions.length === 2 && sayings.of(one).sign === "go");
    if (!moves.length || moves.some(({ line }) => this.draft.orders.includes(line))) return null;
    // A convoyed army moves by convoy if a line can say so; any other unit moves directly.
    const longest = option && sayings.of(option).sign === "carry";
    moves.sort((one, two) => (one.tokens.length - two.tokens.length) * (longest ? -1 : 1));
    return moves[0];
  }

  /** Gives up the last chosen place. */
  back() {
    this.chosen = this.chosen.slice(0, -1);
    this.settled = null;
    this.note = "";
    if (!this.chosen.length) this.editing = null;
    this.draft.changed("choice");
  }

  /**
   * The order that keeps the unit at a place there; null unless there is exactly one.
   * @param {string} place
   */
  holdOf(place) {
    const { notation, sayings } = this.draft.reader;
    const holds = notation.naming([place]).filter((option) => sayings.of(option).sign === "stay");
    return holds.length === 1 ? holds[0].line : null;
  }

  /** Writes the order that the chosen places mean, if they mean one; returns the words to announce. */
  settle() {
    const { chosen } = this;
    const { notation } = this.draft.reader;
    // An order for no unit is the one that was written one place ago and now goes on; nothing else would remove that.
    const goesOn = this.settled !== null && chosen.length > 1 && this.draft.reader.unitOf(this.settled) === null;
    const begun = goesOn ? this.draft.orders.indexOf(this.settled ?? "") : -1;
    this.settled = null;
    if (!chosen.length) return ["Nothing is chosen."];
    const options = notation.naming(chosen);
    const one = this.meantBy(options);
    if (!one && chosen.length === 2 && notation.units.has(chosen[0]) && options.every((option) => !this.isMeant(option))) {
      this.note = `${notation.units.get(chosen[0])} cannot go to ${chosen[1]}. It could:`;
      return [`${this.note} ${listed(options.map(({ line }) => line), "or")}.`];
    }
    if (!one) return [`${listed(chosen, "then")}: ${count(options.length, "order")}.`];
    const others = options.length > 1 ? ` ${count(options.length - 1, "other order")} could be meant.` : "";
    if (this.draft.orders.includes(one.line)) {
      this.settled = one.line;
      return [`${one.line}: in your list.${others}`];
    }
    const { taken, how } = this.draft.write(one.line, begun < 0 ? this.editing : begun);
    if (!taken) return [how];
    this.settled = one.line;
    this.editing = null;
    return [`${one.line}: ${how}.${others}${this.draft.afterwards(one.line)}`];
  }

  /**
   * The order meant by the chosen places: the only one that names them, or the only one that names nothing else, or the only plain move. A
   * single chosen unit means no order.
   * @param {Option[]} options
   */
  meantBy(options) {
    const { chosen } = this;
    const { notation, sayings } = this.draft.reader;
    if (chosen.length === 1 && notation.units.has(chosen[0])) return null;
    if (chosen.length === 1 && options[0]?.mentions[0] !== chosen[0]) return null; // Whoever could go there is offered, and not sent.
    if (options.length === 1) return this.isMeant(options[0]) ? options[0] : null;
    const exact = options.filter(({ mentions }) => mentions.length === chosen.length);
    const moves = exact.filter((option) => sayings.of(option).sign === "go");
    const least = Math.min(...moves.map(({ tokens }) => tokens.length));
    const plain = moves.filter(({ tokens }) => tokens.length === least);
    if (plain.length === 1) return plain[0];
    return chosen.length > 1 && exact.length === 1 && this.isMeant(exact[0]) ? exact[0] : null;
  }

  /**
   * True if the taps mean this order once no other fits. A support or a convoy is meant if all its places were tapped one after the other,
   * three of them for another seat's unit: a place out of reach offers the order but does not write it.
   * @param {Option} option
   */
  isMeant(option) {
    const { notation, sayings } = this.draft.reader;
    const { sign } = sayings.of(option);
    if (sign !== "aid" && sign !== "carry") return true;
    const { length } = this.chosen;
    return length === option.mentions.length && (length > 2 || notation.units.has(option.mentions[1]));
  }

  /**
   * Begins to change an order, or to give a unit one; any other choice is dropped.
   * @param {Row} row
   */
  edit({ place, line }) {
    this.editing = line === null ? null : this.draft.orders.indexOf(line);
    if (place !== null) this.chosen = [];
  }
}
