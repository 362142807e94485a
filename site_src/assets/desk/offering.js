// @ts-check
// Choosing orders beyond the seat's units: a bid (a unit, its order, a number), or the order of a person who is not a unit.

import { button, fill, focusOn, h, say } from "./dom.js";

/** @import { Bids } from "./bids.js" */
/** @import { Child } from "./dom.js" */
/** @import { Option } from "./notation.js" */
/** @import { Picker } from "./picker.js" */
/** @import { Group, Person } from "./types.js" */

export class Offering {
  /**
   * @param {Picker} picker
   * @param {Bids | null} bids
   */
  constructor(picker, bids) {
    this.picker = picker;
    this.desk = picker.desk;
    this.bids = bids;
    /** @type {string[]} */
    this.places = []; // What is chosen on the map.
    /** @type {Option | null} */
    this.wish = null; // What is bid for, when its number is still to be chosen.
    /** @type {Person | null} */
    this.person = null;
    /** @type {number | null} */
    this.editing = null; // Which line of the bids is being changed.
    this.note = "";
  }

  /** True if a choice is under way here. */
  get active() {
    return this.wish !== null || this.person !== null || this.places.length > 0;
  }

  /** Ends the choice here. */
  end() {
    this.places = [];
    this.wish = null;
    this.person = null;
    this.editing = null;
    this.note = "";
  }

  /**
   * Begins a bid on the unit at a place, or a change to one.
   * @param {string} place
   * @param {number | null} at index of the line of bids being changed
   */
  begin(place, at = null) {
    this.desk.choice.forget();
    this.end();
    this.places = [place];
    this.editing = at;
    this.show();
  }

  /** Sentences about unused parts of the sheet: people without an order, and the rest of the purse. */
  unused() {
    const { draft } = this.desk;
    const idle = draft.rows().filter(({ line, person }) => line === null && person?.groups.length);
    const left = this.bids?.judged().left ?? 0;
    return [...idle.map(({ unit }) => `${unit} has no order.`), ...(left ? [`${this.bids?.bidding.leftOf(left)} to bid with.`] : [])];
  }

  /**
   * Begins to bid for an order that is chosen already.
   * @param {Option} wish
   * @param {string} note the reason for the bid
   */
  beginWish(wish, note) {
    this.desk.choice.forget();
    this.end();
    this.places = wish.mentions.slice(0, 1);
    this.wish = wish;
    this.note = note;
    this.show();
  }

  /**
   * Begins to order a person.
   * @param {Person} person
   */
  beginPerson(person) {
    this.desk.choice.forget();
    this.end();
    this.person = person;
    this.show();
  }

  /** Draws the changes, and moves the focus there. */
  show() {
    this.desk.draw();
    this.picker.reveal();
    this.picker.focus();
    say(this.note || (this.picker.title.textContent ?? ""));
  }

  /** The orders that the chosen places may mean. @returns {Option[]} */
  options() {
    const { reader } = this.desk;
    if (!this.person) return this.bids?.bidding.notation.naming(this.places) ?? [];
    const options = this.orders(this.person).map(({ line }) => reader.notation.known(line));
    return options.filter(({ mentions }) => this.places.every((place) => mentions.includes(place)));
  }

  /**
   * Every order of a person, with the bid that it needs.
   * @param {Person} person
   */
  orders({ groups, head }) {
    return groups.flatMap(({ orders, units, wish }) =>
      orders.map((order, at) => ({ line: head + order, wish: units[at] ? `${units[at]} ${wish}` : "" })),
    );
  }

  /** The places where the choice can go on. */
  next() {
    if (this.wish) return new Set();
    const { places } = this;
    const after = this.options().flatMap(({ mentions }) =>
      mentions.filter((place) => !places.includes(place) && (this.person || mentions.indexOf(place) >= places.length)),
    );
    return new Set(after);
  }

  /**
   * Handles a tap on a place; true if it belongs to the choice here.
   * @param {string} place
   * @returns {boolean}
   */
  tap(place) {
    const { choice, reader } = this.desk;
    const piece = this.bids?.bidding.unitAt(place);
    const ours = reader.notation.units.has(place);
    if (!this.active) {
      const goesOn = choice.chosen.length > 0 && (choice.settled === null || reader.notation.naming([...choice.chosen, place]).length > 0);
      if (!piece || ours || goesOn) return false;
      this.begin(place);
      return true;
    }
    if (this.wish) {
      if (this.wish.mentions.includes(place)) return true; // It was clear before the last place of it was tapped.
      this.end();
      return this.tap(place);
    }
    if (this.person) return this.tapPerson(place, ours);
    const was = this.places;
    if (was.length === 1 && was[0] === place) {
      const stays = this.options().filter((option) => option.mentions.length === 1 && reader.sayings.of(option).sign === "stay");
      stays.sort((one, two) => one.tokens.length - two.tokens.length); // To hold takes the fewest words.
      return this.settle(stays.slice(0, 1));
    }
    this.places = [...was, place];
    const options = this.options();
    if (options.length) return this.settle(options);
    this.places = was;
    if (piece) this.begin(place);
    else if (ours) return this.leave();
    else {
      this.note = `No order of ${this.bids?.bidding.unitAt(was[0])} goes on to ${place}.`;
      this.show();
    }
    return true;
  }

  /**
   * @param {string} place
   * @param {boolean} ours true if a unit of the seat is there
   */
  tapPerson(place, ours) {
    const was = this.places;
    this.places = [place];
    const options = this.options();
    if (options.length === 1) this.takePerson(options[0].line);
    else if (options.length) this.show();
    else if (ours) return this.leave();
    else {
      this.places = was;
      this.note = `No order of theirs names ${place}.`;
      this.show();
    }
    return true;
  }

  /** Gives up the choice here in favour of the tapped place. */
  leave() {
    this.end();
    return false;
  }

  /**
   * Goes on with the possible orders; a single one asks for its number.
   * @param {Option[]} options
   */
  settle(options) {
    this.note = "";
    if (options.length === 1) this.wish = options[0];
    this.show();
    return true;
  }

  /** Goes one step back. */
  back() {
    this.note = "";
    if (this.wish && !this.person) {
      this.wish = null;
      this.places = this.places.slice(0, 1);
    } else if (!this.wish && this.places.length > (this.person ? 0 : 1)) this.places = this.places.slice(0, -1);
    else this.end();
    this.show();
  }

  /** @param {Child} warn */
  draw(warn) {
    const note = this.note ? h("p", { class: "note" }, this.note) : warn;
    if (this.wish) this.drawAmounts(this.wish, note);
    else if (this.person) this.drawPerson(this.person, note);
    else this.drawPiece(note);
  }

  /** @param {string} hint */
  trail(hint) {
    const { places } = this;
    const first = this.person ? 0 : 1;
    const label = this.wish && this.person ? "Not now" : places.length > first || this.wish ? "Back" : "Cancel";
    return h("p", { class: "trail" }, hint, button(label, () => this.back(), { class: "quiet" }));
  }

  /** @param {Child} note */
  drawPiece(note) {
    const { body, title } = this.picker;
    const { bids } = this;
    const unit = bids?.bidding.unitAt(this.places[0]) ?? "";
    const piece = bids?.bidding.pieces[unit];
    title.textContent = `Bid on ${unit}`;
    const where = this.places.length > 1 ? this.places.join(" › ") : `${piece?.whose}`;
    fill(
      body,
      this.trail(where),
      note,
      h("p", { class: "hint" }, this.desk.board ? "Tap where its order goes on, or choose here." : "Choose its order."),
      this.already(unit, null),
      this.picker.lists(this.options(), this.places, (option, kind) => this.wishButton(option, kind, piece?.going ?? "")),
    );
  }

  /**
   * The other bids on a unit.
   * @param {string} unit
   * @param {Option | null} wish
   */
  already(unit, wish) {
    const others = (this.bids?.judged().offers ?? []).filter(
      (offer) => offer.wish?.unit === unit && offer.at !== this.editing && offer.wish !== wish,
    );
    return others.map(({ text }) => h("p", { class: "note" }, `You already have a bid on it: ${text}.`));
  }

  /**
   * @param {Option} option
   * @param {string} kind
   * @param {string} going words for a move
   */
  wishButton(option, kind, going) {
    const { head, sign, words } = this.desk.reader.sayings.of(option);
    const click = () => this.settle([option]);
    const parts = [h("span", { class: "unit said" }, head), words, sign === "go" && going && h("span", { class: "going" }, ` ${going}`)];
    return h("li", {}, h("button", { type: "button", class: `pick ${kind}`, "data-wish": option.line, click }, parts));
  }

  /**
   * @param {Option} wish
   * @param {Child} note
   */
  drawAmounts(wish, note) {
    const { body, title } = this.picker;
    const { bids, person } = this;
    if (!bids) return;
    const { bidding } = bids;
    const { coin, heavy } = bidding.terms;
    const { offers, left } = bids.judged();
    const own = offers.find(({ at, fault }) => at === this.editing && !fault)?.amount ?? 0;
    const most = left + own;
    const weight = bidding.weightOf(wish.unit);
    const { sign, words } = this.desk.reader.sayings.of(wish);
    const going = sign === "go" ? bidding.pieces[wish.unit ?? ""]?.going : "";
    title.textContent = person ? "And bid for it" : `How many ${coin}?`;
    const picks = Array.from({ length: bidding.purse.holds }, (_, at) => at + 1).map((amount) => {
      const line = bidding.line(amount, wish.line);
      const label = person ? [h("span", { class: "soft" }, "And: "), line] : `${amount} ${coin}`;
      const counts = weight > 1 && h("span", { class: "soft" }, ` counts ${amount * weight}`);
      const over = amount > most && h("span", { class: "soft" }, ", more than is left");
      return h("li", {}, button([label, counts, over], () => this.write(line), { class: "pick", "data-line": line }));
    });
    fill(
      body,
      this.trail(`${wish.unit}: ${words}`),
      note,
      going && h("p", { class: "hint" }, `That is ${going}.`),
      weight > 1 && h("p", { class: "hint" }, heavy.replace("{weight}", String(weight))),
      this.already(wish.unit ?? "", wish),
      h("p", { class: "hint" }, h("strong", {}, bidding.leftOf(most)), "."),
      h("ul", { class: person ? "picks whole" : "picks" }, picks),
    );
  }

  /** @param {string} line */
  write(line) {
    if (!this.bids) return;
    const { editing } = this;
    this.end();
    const said = this.bids.write(line, editing);
    this.desk.choice.note = said;
    this.picker.draw();
    this.picker.focus();
    say(said);
  }

  /**
   * @param {Person} person
   * @param {Child} note
   */
  drawPerson(person, note) {
    const { body, title } = this.picker;
    const { draft } = this.desk;
    const fits = new Set(this.options().map(({ line }) => line));
    title.textContent = `Order ${person.name.charAt(0).toLowerCase()}${person.name.slice(1)}`;
    /** @type {(group: Group, index: number) => Child} */
    const drawn = ({ orders, title: name, why }, index) => {
      if (why) return h("p", { class: "hint" }, h("strong", {}, name), `: ${why}`);
      const kept = orders.filter((order) => fits.has(person.head + order));
      if (!kept.length) return false;
      const picks = kept.map((order) => {
        const line = person.head + order;
        const there = draft.orders.includes(line) && h("span", { class: "good" }, " ✓");
        return h("li", {}, button([order, there], () => this.takePerson(line), { class: "pick", "data-line": line }));
      });
      const open = index === 0 || this.places.length > 0;
      return h("details", { open }, h("summary", {}, `${name} (${kept.length})`), h("ul", { class: "picks" }, picks));
    };
    const tapped = this.places.length ? this.places.join(" › ") : this.desk.board ? "Tap a place, or choose here." : "Choose one.";
    fill(body, this.trail(tapped), note, person.groups.map(drawn));
  }

  /**
   * Writes a person's order, and offers the bid that it needs.
   * @param {string} line
   */
  takePerson(line) {
    const { person } = this;
    const wish = person && this.orders(person).find((order) => order.line === line)?.wish;
    this.end();
    if (!this.desk.take(line)) return this.show();
    const option = wish ? this.bids?.bidding.notation.legal.get(wish) : undefined;
    const there = this.bids?.judged().offers.some((offer) => offer.wish === option);
    if (option && !there) {
      this.person = person;
      this.wish = option;
      this.note = "";
    } else focusOn(this.picker.title);
    this.show();
  }
}
