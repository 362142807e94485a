// @ts-check
// A seat's desk: its draft, and the parts that draw it and change it.

import { AfterGame } from "./after.js";
import { Bidding } from "./bidding.js";
import { Bids } from "./bids.js";
import { Board } from "./board.js";
import { button, fill, firstField, focusOn, h, say, small } from "./dom.js";
import { Choice } from "./choice.js";
import { Draft, ordersFieldOf } from "./draft.js";
import { Form } from "./form.js";
import { Orders } from "./orders.js";
import { joining } from "./join.js";
import { claim, scopeOf, whoLine } from "./mine.js";
import { deadline, gameHead, happened, onLeave, page, sentText } from "./pages.js";
import { Picker } from "./picker.js";
import { Reader } from "./reader.js";
import { Send } from "./send.js";
import { fetchedData, recall, remember } from "./store.js";
import { homesOf } from "./walks.js";
import { Ways } from "./ways.js";
import { Typing } from "./typing.js";
import { Voice } from "./voice.js";

/** @import { Change, Row } from "./draft.js" */
/** @import { Own } from "./own.js" */
/** @import { Desk } from "./store.js" */
/** @import { Unseen } from "./text.js" */
/** @import { DeskFile } from "./types.js" */
/** @import { NewsPanel } from "./unlock.js" */

const WRITTEN_IN = "input:not([type=checkbox], [type=radio]), textarea, select"; // In these, keys belong to the browser.
const FRESH = 60_000; // Milliseconds for which fetched data counts as current.
export class OrderDesk {
  /**
   * @param {Desk} data
   * @param {Own} own the seat, and what this browser knows of it
   * @param {NewsPanel | null} news
   * @param {Unseen} unseen
   * @param {(words: string) => void} over hears that the turn is over
   */
  constructor(data, { seat, map, aside }, news, unseen, over) {
    this.data = data;
    this.seat = seat;
    this.aside = aside;
    this.news = news;
    this.unseen = unseen;
    this.over = over;
    this.scope = scopeOf(data);
    this.draftKey = `draft:${this.scope}:${data.game}:${data.turn}:${seat.file}`;
    this.keeps = true; // Whether this browser keeps the draft.
    this.fetchedAt = Date.now();
    if (this.remembers && aside) claim(data, seat);
    this.reader = new Reader(data, seat.options[ordersFieldOf(seat)?.key ?? ""] ?? [], seat.name);
    const { forms, notation } = this.reader;
    this.ways = forms && aside ? new Ways(forms, notation.options, aside.meanings, notation.names) : null;
    this.draft = new Draft(seat, this.reader, data.limits, Object(this.remembers ? recall(this.draftKey) : null));
    this.choice = new Choice(this.draft);
    this.board = this.boardOf(map);
    this.undoLine = h("p", { class: "undo" });
    const bidding = Bidding.of(data, seat.name);
    const field = seat.form.find(({ key }) => key === bidding?.terms.key);
    this.bids = bidding && field ? new Bids(this, bidding, field) : null;
    this.voice = this.voiceOf();
    this.picker = new Picker(this);
    this.typing = new Typing(this);
    this.orders = new Orders(this);
    this.form = new Form(this);
    this.send = new Send(this);
    this.afterGame = data.letters && new AfterGame(this, data.letters);
    this.sentList = h("ul", { class: "sent" });
    this.clearButton = button("Clear the draft", () => this.clear(), { class: "quiet" });
    this.draft.changed = (change) => this.changed(change);
  }

  /** True if this browser keeps what is written here. */
  get remembers() {
    return true;
  }

  /** The voice that checks the sheet. */
  voiceOf() {
    return new Voice(this);
  }

  /** The label of the button for the step after the orders. */
  get onward() {
    return "Go on to sending";
  }

  /** The parts where orders are chosen, typed and listed, if the sheet has orders. */
  get lists() {
    const { bids, draft, orders, picker, typing } = this;
    return draft.ordersField && [picker.element, typing.element, orders.element, bids?.element];
  }

  /** Goes on to the step after the orders. */
  goOn() {
    this.send.focus();
  }

  /**
   * The map; null if it cannot be shown. Every order can be chosen or typed without it.
   * @param {string} source
   */
  boardOf(source) {
    try {
      const { data, reader: { notation }, seat } = this;
      const homes = notation.owners.size ? notation.owners : homesOf(data.walks, seat.name);
      return new Board(source, seat.name, notation, (place) => this.tapped(place), homes);
    } catch {
      return null;
    }
  }

  /**
   * Shows the desk in place of the page before.
   * @param {boolean} moved whether the reader comes from another page
   */
  open(moved) {
    const { board, data, draft, seat } = this;
    const [crumbs, title] = gameHead(data);
    const owesNone = `${seat.name} owes no sheet in this turn. You can still send one.`;
    page(
      `${seat.name}, ${data.title}`,
      crumbs,
      title,
      deadline(data),
      whoLine(data, seat),
      joining(data, seat),
      happened(data, seat),
      this.send.status,
      !seat.owes && !seat.sent && h("p", { class: "note" }, owesNone),
      this.news?.element,
      h(
        "div",
        { class: "desk" },
        h(
          "div",
          { class: "left" },
          board?.element ?? h("p", { class: "note" }, "The map cannot be shown. Write your sheet without it."),
          this.form.walkLine.element,
        ),
        h(
          "div",
          { class: "right" },
          this.lists,
          this.form.element,
          this.clearButton,
          !draft.ordersField && this.undoLine,
          this.send.element,
          this.send.result.element,
          this.afterGame?.element,
          h("details", { class: "who-sent" }, h("summary", {}, "Who has sent"), this.sentList),
        ),
      ),
    );
    this.form.draw();
    this.drawSent();
    this.send.draw();
    this.draw();
    if (small()) board?.frame();
    const looked = () => {
      void this.lookAgain();
      if (document.visibilityState === "visible") this.send.lookAgain();
    };
    document.addEventListener("visibilitychange", looked);
    this.listen(() => document.removeEventListener("visibilitychange", looked));
    this.send.lookAgain();
    this.voice.look();
    if (moved) focusOn(title);
  }

  /**
   * Listens to the keyboard as long as the page is shown.
   * @param {() => void} leave more to do when the page goes
   */
  listen(leave = () => {}) {
    /** @param {KeyboardEvent} event */
    const pressed = (event) => this.pressed(event);
    document.addEventListener("keydown", pressed);
    onLeave(() => {
      leave();
      this.news?.leave();
      this.voice.leave();
      document.removeEventListener("keydown", pressed);
      this.typing.hush();
    });
  }

  // Actions that involve several parts ------------------------------------------------------------------------------

  /**
   * Keeps the draft and draws the parts of it that changed.
   * @param {Change} change
   */
  changed(change) {
    const { draft } = this;
    if (change !== "choice") {
      if (this.remembers) this.keeps = remember(this.draftKey, draft.isEmpty ? null : draft.written);
      this.send.stale();
      this.voice.look();
    }
    if (change === "all") {
      this.choice.forget();
      this.picker.offering?.end();
      this.form.draw();
    }
    if (change === "values") this.drawValues();
    else this.draw();
  }

  draw() {
    const { draft } = this;
    if (draft.ordersField) {
      this.picker.draw();
      this.orders.draw();
      this.bids?.draw();
    }
    this.form.drawBeside();
    this.drawBoard();
    this.drawUndo();
  }

  /** Draws the chosen places and the written orders on the map. */
  drawBoard() {
    const { board, choice, draft } = this;
    if (!draft.ordersField) return this.form.walkLine.draw(board);
    // A written choice is drawn as an order, so only the unit is marked.
    const marked = choice.settled === null ? choice.chosen : choice.chosen.slice(0, 1);
    const spot = this.picker.filling?.place;
    const { offering } = this.picker;
    if (offering?.active) board?.mark(offering.places, offering.next(), this.drawn());
    else board?.mark(spot ? [spot] : marked, choice.settled === null ? choice.next() : [], this.drawn());
  }

  /**
   * The orders to draw on the map: those that the reader has signs for.
   * @returns {import("./board.js").Drawn[]}
   */
  drawn() {
    if (this.ways) return this.draft.orders.flatMap((line) => this.ways?.steps(line) ?? []);
    return [...this.reader.drawn(this.draft.orders), ...(this.bids?.drawn() ?? [])];
  }

  /** Draws the change that can be undone, and whether there is anything to clear. */
  drawUndo() {
    const { last } = this.draft.past;
    this.clearButton.hidden = this.draft.isEmpty;
    fill(
      this.undoLine,
      last && button("Undo", () => this.undo(), { class: "quiet", "aria-describedby": "undone" }),
      last && h("span", { class: "soft", id: "undone" }, last),
    );
  }

  /** Draws the parts that depend on a field's value; the field itself has it already. */
  drawValues() {
    if (this.draft.ordersField) this.picker.draw();
    this.bids?.draw();
    this.form.drawBeside();
    this.drawUndo();
  }

  /** Draws which seats have sent a sheet. */
  drawSent() {
    /** @param {import("./store.js").Seat} seat */
    const told = (seat) => [h("strong", {}, seat.name), ` (${seat.player}) `, sentText(seat), seat.sent ? " ✓" : ""];
    const items = this.data.seats.map((seat) => h("li", { class: seat.sent ? "good" : "soft" }, told(seat)));
    fill(this.sentList, items);
  }

  /**
   * Takes an order in and announces it; true if it was taken.
   * @param {string} line
   * @param {number | null} [editing] index of the order being changed
   */
  take(line, editing) {
    const { taken, said } = this.choice.take(line, editing);
    said.forEach(say);
    return taken;
  }

  /** Handles a tap on a place of the map: it fills a blank if orders have forms, and otherwise chooses the place. @param {string} place */
  tapped(place) {
    const { choice, draft, reader } = this;
    if (!draft.ordersField) {
      if (!(this.form.plans.length ? this.form.tap(place) : this.form.pick(place))) say(`Nothing can be done with ${place} as things stand.`);
      return;
    }
    if (this.picker.offering?.tap(place)) return;
    if (!choice.chosen.length && !reader.notation.naming([place]).length && this.form.pick(place)) return;
    if (!reader.forms) this.picker.choose(place);
    else if (this.typing.fillIn(place)) return;
    else if (this.picker.filling?.spot(place)) return;
    else if (reader.notation.naming([place]).length) this.picker.choose(place);
    else {
      choice.note = `Begin an order first: then a tap on ${place} fills it in.`;
      this.picker.draw();
      say(choice.note);
    }
  }

  /**
   * Begins to change an order, or to give a unit one.
   * @param {Row} row
   */
  edit(row) {
    this.choice.edit(row);
    this.picker.offering?.end();
    if (row.person) this.picker.offering?.beginPerson(row.person);
    if (row.place !== null) this.picker.choose(row.place);
  }

  /**
   * Escape gives up the choice, Ctrl+Z undoes, and a slash begins typing.
   * @param {KeyboardEvent} event
   */
  pressed(event) {
    const typing = event.target instanceof Element && event.target.matches(WRITTEN_IN);
    const control = event.ctrlKey || event.metaKey;
    if (event.key === "Escape") this.escape();
    else if (!typing && control && event.key === "z" && !event.shiftKey && !event.altKey) this.undo();
    else if (!typing && !control && !event.altKey && event.key === "/" && this.draft.ordersField)
      this.typing.field.focus();
    else return;
    if (event.key !== "Escape") event.preventDefault();
  }

  escape() {
    if (!this.choice.chosen.length && !this.picker.offering?.active) return;
    this.picker.offering?.end();
    this.choice.escape();
    this.picker.focus();
    say("Nothing is chosen.");
  }

  clear() {
    this.draft.clear();
    say("It is cleared. You can undo that.");
    focusOn(firstField(this.undoLine) ?? this.orders.title);
  }

  undo() {
    const what = this.draft.undo();
    if (!what) return;
    say(`Undone: ${what}.`);
    focusOn(firstField(this.undoLine) ?? (this.draft.ordersField ? this.picker.title : this.form.element));
  }

  // The turn may end while the page is open -------------------------------------------------------------------------

  /**
   * The archive's present list of who has sent; null if it cannot be fetched, and then the known one is used.
   * @returns {Promise<DeskFile | null>}
   */
  async latest() {
    try {
      const now = /** @type {DeskFile} */ (await fetchedData(`games/${this.data.game}/desk.json`));
      this.fetchedAt = Date.now();
      const seats = new Map(now.seats.map((one) => [one.file, one]));
      const mine = seats.get(this.seat.file);
      if (now.turn === this.data.turn && mine) {
        Object.assign(this.seat, { next: mine.next, sent: mine.sent, owes: mine.owes });
        for (const one of this.data.seats) one.sent = seats.get(one.file)?.sent ?? one.sent;
        this.drawSent();
      }
      return now;
    } catch {
      return null;
    }
  }

  /** True if the turn is over; the page is then left. */
  async isOver() {
    const now = await this.latest();
    if (!now) return false;
    const { data, seat } = this;
    if (now.turn !== data.turn) {
      this.over(`This turn is over: it is now ${now.phase}. Your draft for ${data.phase} is kept, but not shown.`);
      return true;
    }
    // If the turn was put back or corrected, its key or the seat's news is a different one.
    const mine = now.seats.find(({ file }) => file === seat.file);
    const same = now.attempt === data.attempt && now.recipient === data.recipient;
    if (same && (!mine || (mine.news === seat.news && mine.key === seat.key))) return false;
    this.over("This turn was begun again or corrected. Check your orders, and then send them.");
    return true;
  }

  /** Checks whether the turn is over when the reader comes back to the page. */
  async lookAgain() {
    if (document.visibilityState === "visible" && Date.now() - this.fetchedAt >= FRESH) await this.isOver();
  }
}
