// @ts-check
// A table on the page, all sides at it: each seat's order desk, what the judge made of the last turn, lines of play that are kept, and what
// can be taken away.

import { picture } from "../desk/board.js";
import { byId, button, fill, focusOn, h, say, show, small } from "../desk/dom.js";
import { left } from "../desk/pages.js";
import { Reader } from "../desk/reader.js";
import { deskOf, fetchedData } from "../desk/store.js";
import { ordersFieldOf } from "../desk/draft.js";
import { Unseen } from "../desk/text.js";
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
 * Where a table began: at a turn of a game of this site, or by itself.
 * @typedef {{ game: string, turn: string, title: string, open: boolean, begun: Begun | null }} Origin
 */
/**
 * What stands on the table, as the judge says.
 * @typedef {{ phase: string, step: number, ended: boolean, seats: string[], due: string[], played: Sheets, map: string,
 *   names: Record<string, string>, title: string, exports: boolean, open: boolean, start?: any }} Stands
 */
/**
 * The page around the table: whether the table is still on it, and how it shows things.
 * @typedef {{ isCurrent: (table: TablePage) => boolean, page: (title: string, ...children: Child[]) => void,
 *   failed: (table: TablePage, error: unknown) => void }} Frame
 */

const FEW = 6; // Orders that a phone does not fold.

/** @param {string} text */
const code = (text) => h("code", {}, text);

/** Whether a value of a sheet says something. @param {unknown} value */
const says = (value) => value !== undefined && value !== null && value !== false && (!Array.isArray(value) || value.length > 0);

/** How many orders and other things a sheet says, for its chip. @param {Held} sheet */
const countOf = (sheet) => Object.values(sheet).reduce((/** @type {number} */ sum, value) => sum + (Array.isArray(value) ? value.length : says(value) ? 1 : 0), 0);

export class TablePage {
  /** @type {Sheets[]} */
  steps = [];
  /** @type {Sheets} */
  sheets = {};
  /** What the judge said of seats in this turn. @type {Map<string, SeatSaid>} */
  said = new Map();
  /** Their desks, as far as somebody sat at them. @type {Map<string, SeatDesk>} */
  desks = new Map();
  /** Their readers, for what is drawn of their sheets. @type {Map<string, Reader>} */
  readers = new Map();
  /** @type {any} */
  came = null;
  /** Lines of play that are kept while another is tried. @type {{ phase: string, steps: Sheets[], sheets: Sheets }[]} */
  lines = [];
  seat = ""; // Who writes.
  /** @type {Unseen | null} */
  unseen = null;
  /** Until the desks of all seats have come. @type {Promise<void>} */
  all = Promise.resolve();
  /** What is done here, one thing after the other: nothing begins before the last has ended. @type {Promise<void>} */
  last = Promise.resolve();

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
    this.judgeButton = button("Judge", () => this.busy(() => this.judge()), { class: "main" });
  }

  /** @param {Record<string, unknown>} question */
  ask(question) {
    return answerOf(this.asked, question);
  }

  /** Whether a seat's sheet says something. @param {string} seat */
  says(seat) {
    return Object.values(this.sheets[seat] ?? {}).some(says);
  }

  /** The sheets that say something. */
  written() {
    return Object.fromEntries(Object.entries(this.sheets).filter(([seat]) => this.says(seat)));
  }

  /** Those who write in this turn: who owes a sheet, and whoever has written one. */
  get writing() {
    const { due, seats } = this.stands;
    return [...due, ...seats.filter((seat) => !due.includes(seat) && this.says(seat))];
  }

  // Playing ----------------------------------------------------------------------------------------------------------

  async judge() {
    if (this.desks.get(this.seat)?.isWhole === false) return;
    const sheets = this.written();
    const came = await this.ask({ do: "judge", sheets });
    this.steps.push(sheets);
    this.stand(came.next, came, {});
    this.remember();
    this.show();
    say(`${came.headline} Next: ${this.stands.phase}.`);
  }

  /**
   * Another turn stands on the table.
   * @param {Stands} stands
   * @param {any} came of the turn before
   * @param {Sheets} sheets
   */
  stand(stands, came, sheets) {
    this.stands = stands;
    this.came = came;
    this.sheets = sheets;
    this.said.clear();
    this.desks.clear();
    this.readers.clear();
  }

  /** Keeps a game that began here in this browser. */
  remember() {
    const { begun } = this.origin;
    if (begun) keep({ begun, steps: [...this.steps, this.written()], phase: this.stands.phase, title: this.stands.title });
  }

  /**
   * Goes to a line of play: from the beginning, what was written, turn by turn; the last sheets are not judged.
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
    this.steps = [...steps];
    this.stand(stands, came, structuredClone(sheets));
  }

  /** Keeps this line of play, and goes on in a copy of it. */
  fork() {
    this.lines.push({ phase: this.stands.phase, steps: [...this.steps], sheets: structuredClone(this.sheets) });
    this.show();
    say("This line of play is kept. Go on, or take turns back: you can come back to it.");
  }

  /** Goes to a line of play that was kept; the one that is left is kept in its place. @param {number} at */
  async change(at) {
    const [wanted] = this.lines.splice(at, 1, { phase: this.stands.phase, steps: [...this.steps], sheets: structuredClone(this.sheets) });
    await this.goTo(wanted.steps, wanted.sheets);
    this.remember();
    this.show();
    say(`Back at ${this.stands.phase}, in the line of play that was kept.`);
  }

  async back() {
    const stands = await this.ask({ do: "back" });
    this.stand(stands, null, structuredClone(this.steps.pop() ?? {}));
    this.remember();
    this.show();
    say(`Back at ${this.stands.phase}.`);
  }

  clear() {
    this.sheets = {};
    this.desks.clear();
    this.remember();
    this.show();
    say("All sheets of this turn are empty.");
  }

  // Writing ----------------------------------------------------------------------------------------------------------

  /**
   * A seat's desk takes the place of the one before.
   * @param {string} seat
   * @param {string} [tapped] a place that is tapped on its board then
   */
  async sit(seat, tapped = "") {
    const mine = this.stands;
    this.seat = seat;
    this.drawChips();
    const said = await this.saidOf(seat);
    if (mine !== this.stands || this.seat !== seat || !this.frame.isCurrent(this)) return;
    this.unseen ??= new Unseen(/** @type {UnseenTable} */ (await fetchedData("assets/unseen.json")));
    let desk = this.desks.get(seat);
    if (!desk) {
      desk = new SeatDesk(this, seat, said, structuredClone(this.sheets[seat] ?? {}), this.unseen);
      this.desks.set(seat, desk);
    }
    desk.openIn(this.place);
    if (tapped) desk.tapped(tapped);
  }

  /** What the judge says of a seat in this turn. @param {string} seat */
  async saidOf(seat) {
    const mine = this.stands;
    const known = this.said.get(seat);
    if (known) return known;
    const said = /** @type {SeatSaid} */ (await this.ask({ do: "seat", seat }));
    if (mine === this.stands) this.said.set(seat, said);
    return said;
  }

  /** Asks for the desks of all seats, one after the other, and no more of them when the table goes on. */
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

  // What a seat's desk asks of the table.

  /** @param {string} seat @param {Held} sheet */
  wrote(seat, sheet) {
    this.sheets[seat] = /** @type {any} */ (sheet);
    this.remember();
    this.drawChips();
  }

  /** Whose order begins at a place, once all seats are there; null if nobody's but the seat's does. @param {string} place @param {string} but */
  async seatAt(place, but) {
    await this.all;
    return this.writing.find((seat) => seat !== but && this.readers.get(seat)?.notation.owners.has(place)) ?? null;
  }

  /** @param {string} seat @param {string} place */
  async sitAt(seat, place) {
    await this.busy(() => this.sit(seat, place));
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

  /** Who has written nothing yet, from a seat on; null if everybody else has. @param {string} but */
  next(but) {
    const { due } = this.stands;
    const at = due.indexOf(but) + 1;
    return [...due.slice(at), ...due.slice(0, at)].find((seat) => seat !== but && !this.says(seat)) ?? null;
  }

  goOn() {
    const next = this.next(this.seat);
    if (next) return void this.busy(() => this.sit(next).then(() => this.desks.get(next)?.focus()));
    show(this.judgeButton);
    focusOn(this.judgeButton);
    return undefined;
  }

  // The page ---------------------------------------------------------------------------------------------------------

  /** Draws all of it. */
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
      h("p", { class: "hint" }, this.about()),
      this.lines.length > 0 &&
        h("section", { class: "what-if-lines-kept", "aria-label": "Lines of play" }, h("p", {}, "Lines of play that you kept:"), h("ul", {}, this.lines.map((one, at) => h("li", {}, button(`${one.phase}, ${one.steps.length} ${one.steps.length === 1 ? "turn" : "turns"}`, () => this.busy(() => this.change(at))))))),
      this.came && this.result(),
      h("div", { id: "refused" }),
      h(
        "p",
        { class: "what-if-tools" },
        !ended && this.judgeButton,
        this.steps.length > 0 && button("Take the turn back", () => this.busy(() => this.back())),
        button("Keep this line, and try another", () => this.busy(async () => this.fork())),
        button("Copy a link", () => this.busy(() => this.copy())),
        !ended && button("Clear all sheets", () => this.busy(async () => this.clear())),
      ),
      this.chips,
      this.place,
      this.handing(),
    );
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

  /** What this table is, in a sentence or two. */
  about() {
    if (this.origin.begun) return `This game is played here, for all sides, and your browser keeps it.${this.stands.open ? " You can take it away as an archive." : ""}`;
    if (this.origin.open) return "This turn is open, so this is a planner: what you write here is nobody’s order, and nothing is sent.";
    return "What you write here is nobody’s order, and nothing is sent. The sheets are those that were judged: change what you like.";
  }

  /** Who can write, with how much they have written. */
  drawChips() {
    const { writing } = this;
    const more = this.stands.seats.filter((seat) => !writing.includes(seat));
    /** @param {string} seat */
    const chip = (seat) => {
      const count = countOf(/** @type {Held} */ (this.sheets[seat] ?? {}));
      return button([seat, count > 0 && h("span", { class: "soft" }, ` ${count}`, h("span", { class: "unseen" }, count === 1 ? " line" : " lines"))], () => this.busy(() => this.sit(seat)), { class: "chip", "aria-pressed": String(seat === this.seat) });
    };
    const had = this.chips.contains(document.activeElement);
    fill(this.chips, writing.map(chip), more.length > 0 && h("details", { open: more.includes(this.seat) }, h("summary", {}, "Seats that owe nothing"), more.map(chip)));
    if (had) /** @type {HTMLElement | null} */ (this.chips.querySelector("[aria-pressed=true]"))?.focus();
  }

  /** What came of the last turn. */
  result() {
    const { came } = this;
    const before = this.steps.length;
    const orders = came.verdicts.filter((/** @type {any} */ one) => !one.implied);
    return h(
      "details",
      { class: "what-if-came", open: true },
      h("summary", {}, `What happened (turn ${before} of this table): ${came.headline}`),
      h(
        "div",
        { class: "what-if-told" },
        h("div", { class: "what-if-board" }, picture(came.map)),
        h(
          "div",
          { tabindex: "0", role: "group", "aria-label": "What happened" },
          came.ended && h("p", { class: "note" }, `The game ends: ${came.ended}.`),
          Object.entries(came.left_out).map(([seat, faults]) =>
            h("p", { class: "note bad" }, `${seat}: ${faults.map((/** @type {any} */ fault) => `${fault.what}${fault.right ? ` (${fault.right})` : ""}`).join("; ")}. This did not count.`),
          ),
          came.facts.map((/** @type {[string, string[]]} */ [heading, lines]) => [
            heading && h("h3", {}, heading),
            h("ul", {}, lines.map((/** @type {string} */ line) => h("li", {}, line))),
          ]),
          orders.length > 0 &&
            h(
              "details",
              { open: !small() || orders.length <= FEW },
              h("summary", {}, `Orders (${orders.length})`),
              h(
                "ul",
                { class: "verdicts" },
                orders.map((/** @type {any} */ one) =>
                  h(
                    "li",
                    { class: one.ok ? "good" : "bad" },
                    h("span", { class: "sign", "aria-hidden": "true" }, one.ok ? "✓" : "✗"),
                    h("strong", {}, `${one.seat}: ${one.order}`),
                    h("span", { class: "why" }, one.why, " ", code(one.rule)),
                  ),
                ),
              ),
            ),
        ),
      ),
    );
  }

  /** What can be taken away from the table. */
  handing() {
    const { begun } = this.origin;
    const name = `${this.origin.game || this.stands.title.toLowerCase().replace(/[^a-z0-9]+/g, "-") || "table"}-${this.stands.step}`;
    /** @type {(label: string, question: string, file: string, type: string) => HTMLElement} */
    const way = (label, question, file, type) =>
      h("li", {}, button(label, () => this.busy(async () => download(file, await this.ask({ do: question }), type))));
    return h(
      "details",
      { class: "what-if-hand" },
      h("summary", {}, "Take it away"),
      h(
        "ul",
        {},
        this.steps.length > 0 && way("The last turn as a case file", "case", `${name}-case.yaml`, "text/yaml"),
        way("This position", "start", `${name}-start.yaml`, "text/yaml"),
        begun && this.stands.open && way("The whole game as an archive", "whole", `${name}.zip`, "application/zip"),
        this.stands.exports && way("JSON of the package diplomacy", "exported", `${name}.json`, "application/json"),
      ),
      h("p", { class: "hint" }, code("courtly case FILE"), " judges a case again, ", code("courtly new NAME --from FILE"), " begins a game with a position."),
      h("h3", {}, "The position by hand"),
      h("p", { class: "hint" }, "Change what stands where, and play on from that."),
      button("Write the position", () => this.busy(() => this.write())),
      h("div", { id: "by-hand" }),
    );
  }

  /** Offers the position as a text that can be changed. */
  async write() {
    const area = h("textarea", { rows: 16, spellcheck: "false", "aria-label": "The position" });
    area.value = await this.ask({ do: "start" });
    const set = button("Play on from this position", () => this.busy(() => this.begin(area.value)), { class: "main" });
    fill(byId("by-hand"), area, set, h("p", { class: "note bad", id: "by-hand-fault", hidden: true }));
    area.focus();
    area.setSelectionRange(0, 0);
    area.scrollTop = 0;
  }

  /** Begins a table with a written position; what is wrong with it is said below it. @param {string} text */
  async begin(text) {
    const begun = { start: /** @type {any} */ (text), seed: newSeed() };
    const fault = byId("by-hand-fault");
    try {
      const stands = await this.ask({ do: "begin", ...begun });
      this.origin = { game: "", turn: "", open: false, begun: { start: stands.start, seed: begun.seed }, title: stands.title };
      this.lines = [];
      this.steps = [];
      this.stand(stands, null, {});
      history.replaceState(null, "", `#${BEGIN}`);
      this.show();
      say(`The table stands at ${stands.phase}.`);
    } catch (error) {
      if (error instanceof EngineFault) throw error;
      fault.textContent = wordsOf(error);
      fault.hidden = false;
      say(wordsOf(error));
    }
  }

  /** The address that opens this table anywhere; null if it is too long for one. */
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
    history.replaceState(null, "", new URL(address).hash);
    try {
      await navigator.clipboard.writeText(address);
      say("The link is copied. It opens this table anywhere.");
    } catch {
      say("The link stands in the address bar. It opens this table anywhere.");
    }
    return undefined;
  }

  // Doing things -------------------------------------------------------------------------------------------------------

  /** Does something that takes a moment, after what is being done already; says what went wrong. @param {() => Promise<unknown>} work */
  async busy(work) {
    this.last = this.last.then(() => this.tried(work));
    await this.last;
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

  /** Says what went wrong: what the judge refuses stands on the page, anything else takes its place. @param {unknown} error */
  failed(error) {
    if (!this.frame.isCurrent(this)) return;
    const place = document.getElementById("refused");
    if (!(error instanceof Wrong) || !place) return void this.frame.failed(this, error);
    fill(place, wordsOf(error).split("\n").map((line) => h("p", { class: "note bad" }, line)));
    say(wordsOf(error));
  }
}
