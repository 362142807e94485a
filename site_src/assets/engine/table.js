// @ts-check
// A table on the page with all sides at it: each seat's order desk, the judge's account of the last turn, the lines of play that are kept,
// and the files that readers can save.

import { picture } from "../desk/board.js";
import { byId, button, fill, focusOn, h, say, show } from "../desk/dom.js";
import { left } from "../desk/pages.js";
import { Reader } from "../desk/reader.js";
import { deskOf, fetchedData } from "../desk/store.js";
import { ordersFieldOf } from "../desk/draft.js";
import { Unseen, listed } from "../desk/text.js";
import { turnTold } from "./came.js";
import { download, keep, newSeed } from "./begin.js";
import { EngineFault } from "./engine.js";
import { BEGIN, LONGEST, packed } from "./link.js";
import { Wrong, answerOf, wordsOf } from "./packs.js";
import { SeatDesk } from "./seat.js";

/** @import { Drawn } from "../desk/board.js" */
/** @import { Child } from "../desk/dom.js" */
/** @import { Held } from "../desk/fields.js" */
/** @import { UnseenTable } from "../desk/types.js" */
/** @import { Judge } from "./engine.js" */
/** @import { Begun, Sheets } from "./link.js" */
/** @import { SeatSaid } from "./seat.js" */

/**
 * The beginning of a table: a turn of a game of this site, or a new game; and the key under which this browser keeps it.
 * @typedef {{ game: string, turn: string, title: string, open: boolean, begun: Begun | null, id: string }} Origin
 */
/**
 * The state of the table, as the judge reports it.
 * @typedef {{ phase: string, step: number, ended: boolean, seats: string[], due: string[], played: Sheets, map: string,
 *   called: Record<string, string>, title: string, exports: boolean, open: boolean, start?: any }} Stands
 */
/**
 * The page around the table: whether the table is still on it, and how it shows things.
 * @typedef {{ isCurrent: (table: TablePage) => boolean, page: (title: string, ...children: Child[]) => void,
 *   ready: (table: TablePage, text: string) => Promise<void>,
 *   failed: (table: TablePage, error: unknown) => void }} Frame
 */

const TWICE = 300; // Milliseconds in which a second press counts as part of the first.

/** @param {string} text */
const code = (text) => h("code", {}, text);

/** True if a value of a sheet is not empty. @param {unknown} value */
const says = (value) => value !== undefined && value !== null && value !== false && (!Array.isArray(value) || value.length > 0);

/** Number of orders and other entries in a sheet, for its chip. @param {Held} sheet */
const countOf = (sheet) => Object.values(sheet).reduce((/** @type {number} */ sum, value) => sum + (Array.isArray(value) ? value.length : says(value) ? 1 : 0), 0);

export class TablePage {
  /** @type {Sheets[]} */
  steps = [];
  /** @type {Sheets} */
  sheets = {};
  /** The judge's data of seats in this turn. @type {Map<string, SeatSaid>} */
  said = new Map();
  /** The desks of seats that somebody has sat at. @type {Map<string, SeatDesk>} */
  desks = new Map();
  /** The readers of seats, for drawing their sheets. @type {Map<string, Reader>} */
  readers = new Map();
  /** @type {any} */
  came = null;
  /** Lines of play that are kept while another is tried. @type {{ phase: string, steps: Sheets[], sheets: Sheets }[]} */
  lines = [];
  /** Sheets of turns that were taken back, by the turns judged before them. @type {Map<string, Sheets>} */
  ahead = new Map();
  /** The sheets that were cleared last, until somebody writes. @type {Sheets | null} */
  cleared = null;
  /** The text of a hand-written position. @type {string | null} */
  byHand = null;
  seat = ""; // Who writes.
  pressed = 0; // Counts who sits down, so that an earlier press gives way to a later one.
  playing = false; // Whether the table is about to change: then nothing is written, and nothing else is begun.
  /** @type {Unseen | null} */
  unseen = null;
  note = ""; // A note about the sheets that were opened.
  kept = true; // Whether the browser keeps a game that began here.
  /** Resolves when the desks of all seats have come. @type {Promise<void>} */
  all = Promise.resolve();

  /**
   * @param {Judge} asked
   * @param {Origin} origin
   * @param {Stands} stands
   * @param {Frame} frame
   */
  constructor(asked, origin, stands, frame) {
    this.asked = asked;
    this.origin = origin;
    this.stands = stands;
    this.frame = frame;
    this.sheets = structuredClone(stands.played);
    this.chips = h("div", { class: "what-if-seats", role: "group", "aria-label": "Who writes" });
    this.place = h("div", { class: "what-if" });
    this.judgeButton = button("Judge", () => this.tried(() => this.judge()), { class: "main" });
  }

  /** @param {Record<string, unknown>} question */
  ask(question) {
    return answerOf(this.asked, question);
  }

  /** True if a seat's sheet is not empty. @param {string} seat */
  says(seat) {
    return Object.values(this.sheets[seat] ?? {}).some(says);
  }

  /** The sheets that are not empty. */
  written() {
    return Object.fromEntries(Object.entries(this.sheets).filter(([seat]) => this.says(seat)));
  }

  /** The seats that write in this turn: those that owe a sheet, and those that have written one. */
  get writing() {
    const { due, seats } = this.stands;
    return [...due, ...seats.filter((seat) => !due.includes(seat) && this.says(seat))];
  }

  // Playing ----------------------------------------------------------------------------------------------------------

  /** Judges the turn, unless a desk has a half-written line; that line is shown instead. */
  async judge() {
    if (this.playing) return undefined;
    for (const [seat, desk] of this.desks)
      if (desk.send.hindrance()) {
        if (seat !== this.seat) await this.sit(seat);
        return void desk.send.mended();
      }
    return this.play(() => this.judged());
  }

  async judged() {
    const sheets = this.written();
    const came = await this.ask({ do: "judge", sheets });
    this.steps.push(sheets);
    this.stand(came.next, came, structuredClone(this.ahead.get(JSON.stringify(this.steps)) ?? {}));
    this.remember();
    this.show();
    say(`${came.headline} Next: ${this.stands.phase}.`);
  }

  /**
   * Puts another turn on the table.
   * @param {Stands} stands
   * @param {any} came of the turn before
   * @param {Sheets} sheets
   */
  stand(stands, came, sheets) {
    this.cleared = null;
    this.stands = stands;
    this.came = came;
    this.sheets = sheets;
    this.said.clear();
    this.desks.clear();
    this.readers.clear();
  }

  /** Keeps a game that began here in this browser. */
  remember() {
    const { begun, id } = this.origin;
    if (begun) this.kept = keep(id, { begun, steps: [...this.steps, this.written()], phase: this.stands.phase, title: this.stands.title });
    const place = document.getElementById("about-table");
    if (place) place.textContent = this.about();
  }

  /**
   * Goes to a line of play: from the beginning, the written sheets, turn by turn; the last ones are not judged.
   * @param {Sheets[]} steps
   * @param {Sheets} sheets
   */
  async goTo(steps, sheets) {
    const { begun, game, turn } = this.origin;
    let stands = await this.ask(begun ? { do: "begin", ...begun } : { do: "table", game, turn });
    let came = null;
    for (const one of steps) {
      came = await this.ask({ do: "judge", sheets: one });
      stands = came.next;
    }
    const strangers = Object.keys(sheets).filter((seat) => !stands.seats.includes(seat));
    this.steps = [...steps];
    this.stand(stands, came, structuredClone(Object.fromEntries(Object.entries(sheets).filter(([seat]) => stands.seats.includes(seat)))));
    this.note = strangers.length ? `There is a sheet for ${listed(strangers.map((seat) => seat.slice(0, 40)))}, but this game has no such seat: it is left out.` : "";
  }

  /** Keeps this line of play, and goes on in a copy of it. */
  fork() {
    this.lines.push({ phase: this.stands.phase, steps: [...this.steps], sheets: structuredClone(this.sheets) });
    this.show();
    say("This line of play is kept. Go on, or take turns back: you can come back to it.");
  }

  /** Goes to a line of play that was kept, and keeps the present one in its place. @param {number} at */
  async change(at) {
    const [wanted] = this.lines.splice(at, 1, { phase: this.stands.phase, steps: [...this.steps], sheets: structuredClone(this.sheets) });
    await this.goTo(wanted.steps, wanted.sheets);
    this.remember();
    this.show();
    say(`Back at ${this.stands.phase}, in the line of play that was kept.`);
  }

  async back() {
    const stands = await this.ask({ do: "back" });
    this.ahead.set(JSON.stringify(this.steps), this.written()); // If these turns are judged in the same way again, the sheets come back.
    this.stand(stands, null, structuredClone(this.steps.pop() ?? {}));
    this.remember();
    this.show();
    say(`Back at ${this.stands.phase}.`);
  }

  clear() {
    this.cleared = this.written();
    this.sheets = {};
    this.desks.clear();
    this.remember();
    this.show();
    say("All sheets of this turn are empty. They can be put back.");
  }

  /** Puts back what was cleared. */
  putBack() {
    this.sheets = this.cleared ?? this.sheets;
    this.cleared = null;
    this.desks.clear();
    this.remember();
    this.show();
    say("The sheets are back.");
  }

  // Writing ----------------------------------------------------------------------------------------------------------

  /**
   * Shows a seat's desk in place of the one before.
   * @param {string} seat
   * @param {string} [tapped] a place to tap on its board afterwards
   */
  async sit(seat, tapped = "") {
    const mine = ++this.pressed;
    this.seat = seat;
    this.drawChips();
    const said = await this.saidOf(seat);
    if (mine !== this.pressed || !this.frame.isCurrent(this)) return;
    this.unseen ??= new Unseen(/** @type {UnseenTable} */ (await fetchedData("assets/unseen.json")));
    let desk = this.desks.get(seat);
    if (!desk) {
      desk = new SeatDesk(this, seat, said, structuredClone(this.sheets[seat] ?? {}), this.unseen);
      this.desks.set(seat, desk);
    }
    desk.openIn(this.place);
    if (tapped) desk.tapped(tapped);
  }

  /** The judge's data of a seat in this turn. @param {string} seat */
  async saidOf(seat) {
    const mine = this.stands;
    const known = this.said.get(seat);
    if (known) return known;
    const said = /** @type {SeatSaid} */ (await this.ask({ do: "seat", seat }));
    if (mine === this.stands) this.said.set(seat, said);
    return said;
  }

  /** Asks for the desks of all seats, one after the other, and stops when the table goes on. */
  async askAll() {
    const mine = this.stands;
    for (const seat of this.writing) {
      if (mine !== this.stands || !this.frame.isCurrent(this)) return;
      const { desk } = await this.saidOf(seat);
      const data = deskOf(desk);
      if (data.hidden || mine !== this.stands) return; // There each sees its own board.
      const own = data.seats.find(({ name }) => name === seat);
      if (own) this.readers.set(seat, new Reader(data, own.options[ordersFieldOf(own)?.key ?? ""] ?? [], seat));
    }
    this.desks.get(this.seat)?.drawBoard();
  }

  // Requests from a seat's desk.

  /** @param {string} seat @param {Held} sheet */
  wrote(seat, sheet) {
    if (!this.frame.isCurrent(this)) return;
    this.cleared = null;
    document.getElementById("put-back")?.remove();
    this.sheets[seat] = /** @type {any} */ (sheet);
    this.remember();
    this.drawChips();
  }

  /**
   * The seat whose order begins at a place, once all seats are there. Empty if only the present seat's does; null if somebody else sat down
   * meanwhile.
   * @param {string} place
   * @param {string} but
   */
  async seatAt(place, but) {
    const mine = this.pressed;
    await this.all;
    if (mine !== this.pressed || this.playing) return null;
    return this.writing.find((seat) => seat !== but && this.readers.get(seat)?.notation.owners.has(place)) ?? "";
  }

  /** @param {string} seat @param {string} place */
  async sitAt(seat, place) {
    await this.tried(() => this.sit(seat, place));
    say(`${seat} writes now.`);
  }

  /**
   * The orders of the other seats, as the board draws them.
   * @param {string} but
   * @returns {Drawn[]}
   */
  drawnBut(but) {
    return [...this.readers].flatMap(([seat, reader]) => {
      const { orders } = /** @type {Record<string, unknown>} */ (this.sheets[seat] ?? {});
      return seat === but || !Array.isArray(orders) ? [] : reader.drawn(orders.map(String)).map((order) => ({ ...order, other: true }));
    });
  }

  /** The next seat without any entries, after the given one; null if all others have some. @param {string} but */
  next(but) {
    const { due } = this.stands;
    const at = due.indexOf(but) + 1;
    return [...due.slice(at), ...due.slice(0, at)].find((seat) => seat !== but && !this.says(seat)) ?? null;
  }

  goOn() {
    const next = this.next(this.seat);
    if (next) return void this.tried(() => this.sit(next).then(() => this.desks.get(next)?.focus()));
    show(this.judgeButton);
    focusOn(this.judgeButton);
    return undefined;
  }

  // The page ---------------------------------------------------------------------------------------------------------

  /** Draws the whole table, with the reader's focus at its top. */
  show() {
    const { ended, phase } = this.stands;
    const { begun } = this.origin;
    const title = begun ? `${this.stands.title}: ${phase}` : `What if: ${phase}`;
    left();
    document.adoptedStyleSheets = [];
    this.frame.page(
      title,
      h("p", { class: "crumbs" }, this.crumbs()),
      h("h1", { tabindex: "-1" }, title),
      h("p", { class: "hint", id: "about-table" }, this.about()),
      this.lines.length > 0 &&
        h("section", { class: "what-if-lines-kept", "aria-label": "Lines of play" }, h("p", {}, "Lines of play that you kept:"), h("ul", {}, this.lines.map((one, at) => h("li", {}, button(`${at + 1}. ${one.phase}, ${one.steps.length} ${one.steps.length === 1 ? "turn" : "turns"}`, () => this.play(() => this.change(at))))))),
      this.came && turnTold(this.came, this.steps.length),
      h("div", { id: "refused" }, this.note && h("p", { class: "note bad" }, this.note)),
      h(
        "p",
        { class: "what-if-tools" },
        !ended && this.judgeButton,
        this.steps.length > 0 && button("Take the turn back", () => this.play(() => this.back())),
        button("Keep this line", () => this.play(async () => this.fork())),
        button("Copy a link", () => this.tried(() => this.copy())),
        !ended && button("Clear all sheets", () => this.play(async () => this.clear())),
        this.cleared && button("Put the sheets back", () => this.play(async () => this.putBack()), { id: "put-back" }),
      ),
      this.chips,
      this.place,
      this.handing(),
    );
    if (this.byHand !== null) void this.tried(() => this.write());
    if (!this.playing) /** @type {HTMLElement | null} */ (document.querySelector("#sandbox h1"))?.focus({ preventScroll: true });
    this.note = "";
    const [first] = this.writing;
    if (ended || !first) {
      this.chips.replaceChildren();
      const words = ended ? "The game is over here. Take the turn back to try something else." : "Nobody has anything to order in this turn: judge it.";
      fill(this.place, h("p", { class: "note" }, words), h("div", { class: "what-if-board" }, picture(this.stands.map)));
      return;
    }
    fill(this.place, h("div", { class: "what-if-board" }, picture(this.stands.map)));
    // Nobody waits for it: the other seats come one by one.
    this.all = this.tried(async () => {
      await this.sit(this.writing.includes(this.seat) ? this.seat : first);
      await this.askAll();
    });
  }

  /** @returns {Child} */
  crumbs() {
    const { begun, game, title, turn } = this.origin;
    if (begun) return h("a", { href: "sandbox.html" }, "What if?");
    return [
      h("a", { href: `games/${game}/index.html` }, title),
      " › ",
      h("a", { href: `games/${game}/${turn}/index.html` }, "What was really played"),
    ];
  }

  /** A description of this table, in a sentence or two. */
  about() {
    const all = this.stands.open ? "" : " The table sees everything; each seat’s desk shows what that seat may see.";
    if (this.origin.begun) {
      const keeps = this.kept ? "and your browser keeps it." : "and your browser does not keep it: its storage is full or blocked. Copy a link before you close the page.";
      return `This game is played here, for all sides, ${keeps}${this.stands.open ? " You can save it as an archive." : ""}${all}`;
    }
    const kept = " Copy a link to keep it.";
    if (this.origin.open) return `This turn is open, so this is a planner: nothing that you write here counts as an order, and nothing is sent.${kept}`;
    const sheets = this.steps.length ? "" : " The sheets are those that were judged: change what you like.";
    return `Nothing that you write here counts as an order, and nothing is sent.${sheets}${kept}${all}`;
  }

  /** The seats that can write, with the number of entries of each. */
  drawChips() {
    const { writing } = this;
    const more = this.stands.seats.filter((seat) => !writing.includes(seat));
    /** @param {string} seat */
    const chip = (seat) => {
      const count = countOf(/** @type {Held} */ (this.sheets[seat] ?? {}));
      const called = this.stands.called[seat];
      return button([seat, called && h("span", { class: "soft" }, ` ${called}`), count > 0 && h("span", { class: "soft count" }, ` ${count}`, h("span", { class: "unseen" }, count === 1 ? " line" : " lines"))], () => this.tried(() => this.sit(seat)), { class: "chip", "aria-pressed": String(seat === this.seat) });
    };
    const had = this.chips.contains(document.activeElement);
    fill(this.chips, writing.map(chip), more.length > 0 && h("details", { open: more.includes(this.seat) }, h("summary", {}, "Seats that owe nothing"), more.map(chip)));
    if (had) /** @type {HTMLElement | null} */ (this.chips.querySelector("[aria-pressed=true]"))?.focus();
  }

  /** The files that readers can save from the table. */
  handing() {
    const { begun } = this.origin;
    const name = `${this.origin.game || this.stands.title.toLowerCase().replace(/[^a-z0-9]+/g, "-") || "table"}-${this.stands.step}`;
    /** @type {(label: string, question: string, file: string, type: string) => HTMLElement} */
    const way = (label, question, file, type) =>
      h("li", {}, button(label, () => this.tried(async () => download(file, await this.ask({ do: question }), type))));
    return h(
      "details",
      { class: "what-if-hand", open: this.byHand !== null },
      h("summary", {}, "Save it"),
      h(
        "ul",
        {},
        this.steps.length > 0 && way("The last turn as a case file", "case", `${name}-case.yaml`, "text/yaml"),
        way("This position", "start", `${name}-start.yaml`, "text/yaml"),
        begun && this.stands.open && way("The whole game as an archive", "whole", `${name}.zip`, "application/zip"),
        this.stands.exports && way("For other programs: the JSON of the Python package “diplomacy”", "exported", `${name}.json`, "application/json"),
      ),
      h("p", { class: "hint" }, code("courtly case FILE"), " judges a case again, ", code("courtly new NAME --from FILE"), " begins a game with a position."),
      h("h3", {}, "The position by hand"),
      h("p", { class: "hint" }, "Change what is where, and play on from there. This table does not change."),
      button("Write the position", () => this.tried(() => this.write())),
      h("div", { id: "by-hand" }),
    );
  }

  /** Offers the position as a text that can be changed. */
  async write() {
    const area = h("textarea", { rows: 16, spellcheck: "false", "aria-label": "The position", input: () => { this.byHand = area.value; } });
    area.value = this.byHand ?? (await this.ask({ do: "start" }));
    const set = button("Play on from this position", () => this.play(() => this.begin(area.value)), { class: "main" });
    fill(byId("by-hand"), area, set, h("p", { class: "note bad", id: "by-hand-fault", hidden: true }));
    if (this.byHand !== null) return; // It was there before.
    this.byHand = area.value;
    area.focus();
    area.setSelectionRange(0, 0);
    area.scrollTop = 0;
  }

  /** Begins a table with a hand-written position; shows its faults below it. @param {string} text */
  async begin(text) {
    const begun = { start: /** @type {any} */ (text), seed: newSeed() };
    const fault = byId("by-hand-fault");
    try {
      await this.frame.ready(this, text);
      const stands = await this.ask({ do: "begin", ...begun });
      this.origin = { game: "", turn: "", open: false, begun: { start: stands.start, seed: begun.seed }, title: stands.title, id: newSeed() };
      this.byHand = null;
      this.lines = [];
      this.steps = [];
      this.ahead.clear();
      this.stand(stands, null, {});
      this.remember();
      history.replaceState(null, "", `#${BEGIN}`);
      this.show();
      say(`The table is at ${stands.phase}.`);
    } catch (error) {
      if (error instanceof EngineFault) throw error;
      fault.textContent = wordsOf(error);
      fault.hidden = false;
      say(wordsOf(error));
    }
  }

  /** The address that opens this table anywhere; null if it would be too long. */
  async link() {
    const { begun, game, turn } = this.origin;
    const letters = await packed([...this.steps, this.written()], begun);
    const address = new URL(location.href);
    address.hash = begun ? `${BEGIN}/${letters}` : `${game}/${turn}/${letters}`;
    return letters.length <= LONGEST ? address.href : null;
  }

  async copy() {
    const address = await this.link();
    if (address === null) return say("This table is too long for a link.");
    try {
      await navigator.clipboard.writeText(address);
      say("The link is copied. It opens this table anywhere.");
    } catch {
      history.replaceState(null, "", new URL(address).hash);
      say("The link is in the address bar. It opens this table anywhere.");
    }
    return undefined;
  }

  /** Closes the table. */
  leave() {
    left();
  }

  // Doing things -------------------------------------------------------------------------------------------------------

  /** Changes the table: one thing at a time, and meanwhile nobody writes. @param {() => Promise<unknown>} work */
  async play(work) {
    if (this.playing) return;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const main = byId("sandbox");
    const page = main.firstChild;
    this.playing = main.inert = true;
    this.pressed++; // Whoever was about to sit down no longer does.
    const { stands, sheets, seat } = this;
    try {
      // People often press twice when they mean once.
      await Promise.all([this.tried(work), new Promise((resolve) => setTimeout(resolve, TWICE))]);
    } finally {
      this.playing = main.inert = false;
    }
    // A table that was drawn again is read from its top.
    const place = page === main.firstChild ? focused : /** @type {HTMLElement | null} */ (main.querySelector("h1"));
    if (!main.contains(document.activeElement)) place?.focus({ preventScroll: true });
    if (this.frame.isCurrent(this) && stands === this.stands && sheets === this.sheets && !this.place.querySelector(".desk") && this.writing.includes(seat)) void this.tried(() => this.sit(seat));
  }

  /** @param {() => Promise<unknown>} work */
  async tried(work) {
    if (!this.frame.isCurrent(this)) return;
    try {
      await work();
    } catch (error) {
      this.failed(error);
    }
  }

  /** Shows a fault: the judge's refusals appear on the page, and anything else replaces it. @param {unknown} error */
  failed(error) {
    if (!this.frame.isCurrent(this)) return;
    const place = document.getElementById("refused");
    if (!(error instanceof Wrong) || !place) return void this.frame.failed(this, error);
    fill(place, wordsOf(error).split("\n").map((line) => h("p", { class: "note bad" }, line)));
    say(wordsOf(error));
  }
}
