// @ts-check
// A seat's order desk at a table: the usual board, taps and lists, with the table's judge to check the sheet. Nothing is kept or sent; the
// table has the sheet.

import { OrderDesk } from "../desk/desk.js";
import { heldOf, isTable } from "../desk/fields.js";
import { button, fill, focusOn, h, show, small } from "../desk/dom.js";
import { left } from "../desk/pages.js";
import { judged } from "../desk/send.js";
import { deskOf } from "../desk/store.js";
import { Voice } from "../desk/voice.js";

/** @import { Drawn } from "../desk/board.js" */
/** @import { Change } from "../desk/draft.js" */
/** @import { Held } from "../desk/fields.js" */
/** @import { Unseen } from "../desk/text.js" */
/** @import { DeskFile, Field } from "../desk/types.js" */
/** @import { Answer } from "../desk/voice.js" */

/**
 * The judge's data of a seat: its desk, its map, its private knowledge, words that its orders may hold, and keys of sheets that mean
 * nothing at a table.
 * @typedef {{ desk: DeskFile, map: string, brief: string[], meanings: Record<string, string>, unasked: string[] }} SeatSaid
 */
/**
 * The parts of the table that a seat needs.
 * @typedef {{ ask: (question: Record<string, unknown>) => Promise<any>, failed: (error: unknown) => void,
 *   wrote: (seat: string, sheet: Held) => void, seatAt: (place: string, but: string) => Promise<string | null>,
 *   sitAt: (seat: string, place: string) => Promise<void>, drawnBut: (but: string) => Drawn[], next: (but: string) => string | null,
 *   goOn: () => void }} Around
 */

/** The table's judge, which is loaded already and sees what the seat sees. */
class TableVoice extends Voice {
  /** @param {SeatDesk} desk */
  constructor(desk) {
    super(desk);
    this.at = desk;
    /** @type {Voice["state"]} */
    this.state = "speaks";
  }

  /**
   * @param {Record<string, unknown>} question
   * @returns {Promise<Answer>}
   */
  async question({ do: what, lines, sheet }) {
    const { around, more, seat } = this.at;
    try {
      if (what === "pasted") return { answer: await around.ask({ do: "pasted", lines }) };
      return { answer: await around.ask({ do: "check", seat: seat.name, sheet: { ...more, .../** @type {Held} */ (sheet) } }) };
    } catch (error) {
      around.failed(error);
      return {};
    }
  }

  show() {
    super.show();
    const { remarks } = this.at;
    fill(remarks, judged(this));
    // An empty sheet needs no remarks, because it was not begun.
    remarks.hidden = this.at.draft.isEmpty || !remarks.childElementCount;
  }

  draw() {
    this.element.hidden = true;
  }
}

/**
 * True if a field of the desk can hold a value from a sheet.
 * @param {Field} field
 * @param {unknown} value
 * @returns {boolean}
 */
const fitsIn = ({ choices = [], fields = [], kind, most = 100, rows = {} }, value) => {
  if (value === null || value === undefined) return true;
  /** @param {unknown} one */
  const isText = (one) => typeof one === "string";
  /** @param {unknown} one */
  const isRecord = (one) => isTable(one) && Object.entries(one).every(([key, inside]) => fields.every((field) => field.key !== key || fitsIn(field, inside)));
  switch (kind) {
    case "flag":
    case "answer":
      return typeof value === "boolean";
    case "number":
      return Number.isSafeInteger(value) || choices.includes(/** @type {string} */ (value));
    case "choice":
      return choices.includes(/** @type {string} */ (value));
    case "several":
      return Array.isArray(value) && value.every((one) => choices.includes(one));
    case "lines":
      return Array.isArray(value) && value.length <= most && value.every(isText);
    case "table":
      return isTable(value) && Object.entries(value).every(([name, one]) => [one].flat().every((chosen) => rows[name]?.includes(String(chosen))));
    case "record":
      return isRecord(value);
    case "records":
      return Array.isArray(value) && value.length <= most && value.every(isRecord);
    default:
      return isText(value);
  }
};

export class SeatDesk extends OrderDesk {
  /**
   * @param {Around} around
   * @param {string} name the seat
   * @param {SeatSaid} said
   * @param {Held} sheet the sheet so far
   * @param {Unseen} unseen
   */
  constructor(around, name, { desk, map, brief, meanings, unasked }, sheet, unseen) {
    const data = deskOf(desk);
    const seat = data.seats.find((one) => one.name === name);
    if (!seat) throw new Error("no such seat");
    const none = { schema: 0, game: "", turn: "", seat: name, form: [], options: {}, without: [], cautions: [], prices: null, map: null };
    const aside = data.hidden ? { ...none, stands: seat.stands, meanings, news: "", brief, verdicts: [], told: [] } : null;
    super(data, { seat, map, aside, fault: "" }, null, unseen, () => {});
    this.around = around;
    this.opened = false;
    this.clearButton.textContent = "Clear this sheet";
    this.brief = brief;
    this.unasked = unasked;
    this.remarks = h("section", { class: "panel what-if-remarks", "aria-label": "The judge’s remarks on the sheet", hidden: true });
    this.extras = h("div", {});
    this.on = button("", () => this.goOn(), { class: "main", hidden: Boolean(this.draft.ordersField) }); // Where there are orders, they lead on.
    this.given = sheet;
    /** @type {Held} The values of the sheet that its form does not ask for in this turn, or cannot hold. */
    this.more = {};
    this.read(sheet);
    this.asRead = JSON.stringify(this.draft.sheet());
  }

  get remembers() {
    return false;
  }

  get onward() {
    const next = this.around.next(this.seat.name);
    return next ? `On to ${next}` : "On to judging";
  }

  goOn() {
    this.around.goOn();
  }

  voiceOf() {
    return new TableVoice(this);
  }

  /** Takes a sheet into the draft. @param {Held} sheet */
  read(sheet) {
    const { draft } = this;
    for (const [key, value] of Object.entries(sheet)) {
      const field = this.seat.form.find((one) => one.key === key);
      if (!field || !fitsIn(field, value)) this.more[key] = value;
      else if (field === draft.ordersField) draft.orders = /** @type {string[]} */ ([value ?? []].flat());
      else {
        const held = heldOf(field, value);
        if (held !== undefined) draft.values[key] = held;
      }
    }
  }

  /** @param {Change} change */
  changed(change) {
    super.changed(change);
    if (change !== "choice") this.wrote();
  }

  /** Hands the sheet to the table. If it is unchanged it goes in its original form, because then the dice do not
   * change. */
  wrote() {
    const sheet = this.draft.sheet();
    const same = JSON.stringify(sheet) === this.asRead;
    this.on.textContent = this.onward;
    this.around.wrote(this.seat.name, same && Object.keys(this.more).every((key) => key in this.given) ? this.given : { ...this.more, ...sheet });
  }

  /** The drawings of this sheet, and of those of the other seats if nobody has secrets. */
  drawn() {
    return [...(this.data.hidden ? [] : this.around.drawnBut(this.seat.name)), ...super.drawn()];
  }

  /** Handles a tap: if nothing is begun here, a unit of another seat begins an order of that seat. @param {string} place */
  tapped(place) {
    const { choice, draft, picker, reader, typing } = this;
    const begun = (choice.chosen.length && choice.settled === null) || picker.offering?.active || picker.filling?.place || typing.text;
    const mine = reader.notation.owners.has(place) || (choice.settled !== null && choice.next().has(place));
    if (!draft.ordersField || this.data.hidden || begun || mine) return super.tapped(place);
    return void this.around.seatAt(place, this.seat.name).then((other) => {
      if (other) void this.around.sitAt(other, place);
      else if (other === "") super.tapped(place);
    });
  }

  /**
   * Shows the desk in a place of the table's page.
   * @param {Element} place
   */
  openIn(place) {
    const { board, draft } = this;
    left();
    fill(
      place,
      h(
        "div",
        { class: "desk" },
        h(
          "div",
          { class: "left" },
          board?.element ?? h("p", { class: "note" }, "The map cannot be shown. Write the sheet without it."),
          this.form.walkLine.element,
        ),
        h(
          "div",
          { class: "right" },
          this.brief.length > 0 && h("details", { class: "panel" }, h("summary", {}, `What only ${this.seat.name} knows`), h("ul", { class: "told" }, this.brief.map((line) => h("li", {}, line)))),
          this.lists,
          this.form.element,
          this.extras,
          this.send.fault,
          this.remarks,
          h("p", {}, this.on),
          this.clearButton,
          !draft.ordersField && this.undoLine,
        ),
      ),
    );
    if (!this.opened) this.form.draw(); // Once: half-typed text in it stays when somebody else has written meanwhile.
    this.opened = true;
    this.draw();
    this.drawExtras();
    this.on.textContent = this.onward;
    if (small()) board?.frame();
    this.listen();
    this.voice.look();
  }

  /** The values of the sheet that its form no longer asks for, such as those from a host; the reader can remove
   * them. */
  drawExtras() {
    const keys = Object.keys(this.more).filter((key) => !this.unasked.includes(key));
    const out = (/** @type {string} */ key) => {
      delete this.more[key];
      this.drawExtras();
      this.voice.answered = "";
      this.voice.look();
      this.wrote();
    };
    fill(this.extras, keys.map((key) => h("p", {}, `${key}: `, h("code", {}, JSON.stringify(this.more[key])), " ", button("✕", () => out(key), { "aria-label": `Remove ${key}` }))));
  }


  /** Brings the desk into view. */
  focus() {
    show(this.remarks.parentElement ?? this.remarks, "start");
    focusOn(this.draft.ordersField ? this.picker.title : this.form.element);
  }
}
