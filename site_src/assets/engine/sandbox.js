// @ts-check
// Playing on from a turn, all sides at one table (sandbox.html#GAME/TURN, and behind it what was written): the judge offers legal orders,
// checks them, judges. Texts may come from strangers: elements are made one by one; the board is the judge's own, and holds no script.

import { picture } from "../desk/board.js";
import { byId, button, fill, goesBy, h } from "../desk/dom.js";
import { EngineFault, Judge, engineOf, sizeOf } from "./engine.js";
import { beginning, download, keep } from "./begin.js";
import { LONGEST, packed, unpacked } from "./link.js";
import { Gone, NAME, Wrong, answerOf, given, packsOf, wordsOf } from "./packs.js";

/** @typedef {import("./link.js").Sheets} Sheets */
/** @typedef {import("./link.js").Begun} Begun */
/**
 * Where a table began: at a turn of a game of this site, or by itself.
 * @typedef {{ game: string, turn: string, title: string, open: boolean, begun: Begun | null }} Origin
 */
/**
 * What stands on the table, as the judge says.
 * @typedef {{ phase: string, step: number, ended: boolean, seats: string[], due: string[], played: Sheets, map: string,
 *   names: Record<string, string>, title: string, exports: boolean, open: boolean, start?: any }} Stands
 */
/** @typedef {{ texts: Record<string, string[]>, tables: Record<string, Record<string, string[]>> }} Offers */
/** @typedef {import("../desk/dom.js").Child} Child */

const main = byId("sandbox");
const live = byId("live");
/** @type {Judge | null} */
let judge = null;
let round = 0;
/** @type {TablePage | null} */
let current = null;

/** @param {string} words */
const say = (words) => {
  live.textContent = words;
};

/** @param {string} text */
const code = (text) => h("code", {}, text);

/**
 * @param {string} title
 * @param {Child[]} children
 */
const page = (title, ...children) => {
  document.title = `${title} - Courtly`;
  fill(main, ...children);
};

/** One table on the page. */
class TablePage {
  /** @type {Sheets[]} */
  steps = [];
  /** @type {Sheets} */
  sheets = {};
  /** @type {Record<string, Offers>} */
  offers = {};
  /** @type {Record<string, Element>} */
  places = {};
  /** @type {any} */
  came = null;
  /** Lines of play that are kept while another is tried. @type {{ phase: string, steps: Sheets[], sheets: Sheets }[]} */
  others = [];
  looked = ""; // The place that was tapped.
  /** What is done here, one thing after the other: nothing begins before the last has ended. @type {Promise<void>} */
  last = Promise.resolve();

  /**
   * @param {Judge} asked
   * @param {Origin} origin
   * @param {Stands} stands
   */
  constructor(asked, origin, stands) {
    this.asked = asked;
    this.origin = origin;
    this.stands = stands;
    this.sheets = structuredClone(stands.played);
  }

  /** @param {Record<string, unknown>} question */
  ask(question) {
    return answerOf(this.asked, question);
  }

  /** Whether a seat's sheet says something. @param {string} seat */
  says(seat) {
    return Object.values(this.sheets[seat] ?? {}).some((value) => !Array.isArray(value) || value.length > 0);
  }

  /** The sheets that say something. */
  written() {
    return Object.fromEntries(Object.entries(this.sheets).filter(([seat]) => this.says(seat)));
  }

  async judge() {
    const sheets = this.written();
    const came = await this.ask({ do: "judge", sheets });
    this.steps.push(sheets);
    this.came = came;
    this.stands = came.next;
    this.sheets = {};
    this.offers = {};
    this.remember();
    await this.show();
    say(`${came.headline} Next: ${this.stands.phase}.`);
  }

  /** Keeps a game that began here in this browser. */
  remember() {
    const { begun } = this.origin;
    if (begun) keep({ begun, steps: this.steps, phase: this.stands.phase });
  }

  /**
   * Goes to a line of play: from the beginning, what was written, turn by turn; the last sheets are not judged.
   * @param {Sheets[]} steps
   * @param {Sheets} sheets
   */
  async goTo(steps, sheets) {
    const { begun, game, turn } = this.origin;
    this.stands = await this.ask(begun ? { do: "begin", ...begun } : { do: "table", game, turn });
    this.came = null;
    for (const one of steps) {
      this.came = await this.ask({ do: "judge", sheets: one });
      this.stands = this.came.next;
    }
    this.steps = [...steps];
    this.sheets = structuredClone(sheets);
    this.offers = {};
  }

  /** Keeps this line of play, and goes on in a copy of it. */
  async fork() {
    this.others.push({ phase: this.stands.phase, steps: [...this.steps], sheets: structuredClone(this.sheets) });
    await this.show();
    say("This line of play is kept. Go on, or take turns back: you can come back to it.");
  }

  /** Goes to a line of play that was kept; the one that is left is kept in its place. @param {number} at */
  async change(at) {
    const [wanted] = this.others.splice(at, 1, { phase: this.stands.phase, steps: [...this.steps], sheets: structuredClone(this.sheets) });
    await this.goTo(wanted.steps, wanted.sheets);
    this.remember();
    await this.show();
    say(`Back at ${this.stands.phase}, in the line of play that was kept.`);
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
    const begun = { start: /** @type {any} */ (text), seed: this.origin.begun?.seed ?? "by hand" };
    const fault = byId("by-hand-fault");
    try {
      const stands = await this.ask({ do: "begin", ...begun });
      this.origin = { game: "", turn: "", open: false, begun: { start: stands.start, seed: begun.seed }, title: stands.title };
      this.others = [];
      this.steps = [];
      this.sheets = {};
      this.offers = {};
      this.came = null;
      this.stands = stands;
      history.replaceState(null, "", `#${BEGIN}`);
      await this.show();
      say(`The table stands at ${stands.phase}.`);
    } catch (error) {
      if (error instanceof EngineFault) throw error;
      fault.textContent = wordsOf(error);
      fault.hidden = false;
      say(wordsOf(error));
    }
  }

  async back() {
    this.stands = await this.ask({ do: "back" });
    this.sheets = structuredClone(this.steps.pop() ?? {});
    this.offers = {};
    this.came = null;
    this.remember();
    await this.show();
    say(`Back at ${this.stands.phase}.`);
  }

  /** The address that opens this table anywhere; null if it is too long for one. */
  async link() {
    const { begun, game, turn } = this.origin;
    const letters = await packed([...this.steps, this.written()], begun);
    const address = new URL(location.href);
    address.hash = begun ? `${BEGIN}/${letters}` : `${game}/${turn}/${letters}`;
    return letters.length <= LONGEST ? address.href : null;
  }

  /** Draws all of it. */
  async show() {
    const { phase, ended, due, seats } = this.stands;
    const { begun } = this.origin;
    const title = begun ? `${this.stands.title}: ${phase}` : `What if: ${phase}`;
    const planner = begun
      ? `This game is played here, for all sides, and your browser keeps it.${this.stands.open ? " You can take it away as an archive." : ""}`
      : this.origin.open
      ? "This turn is open, so this is a planner: what you write here is nobody’s order, and nothing is sent."
      : "What you write here is nobody’s order, and nothing is sent. The sheets are those that were judged: change what you like.";
    const board = h("div", { class: "what-if-board" }, picture(this.stands.map));
    board.addEventListener("click", (event) => this.tapped(event));
    const writing = [...due, ...seats.filter((seat) => !due.includes(seat) && this.says(seat))];
    const tools = h(
      "p",
      { class: "what-if-tools" },
      !ended && button("Judge", () => this.busy(() => this.judge()), { class: "main" }),
      this.steps.length > 0 && button("Take the turn back", () => this.busy(() => this.back())),
      button("Keep this line, and try another", () => this.busy(() => this.fork())),
      button("Copy a link", () => this.busy(() => this.copy())),
      !ended && button("Clear all sheets", () => this.busy(() => this.clear())),
    );
    page(
      title,
      h(
        "p",
        { class: "crumbs" },
        begun
          ? h("a", { href: "sandbox.html" }, "What if?")
          : [
              h("a", { href: `games/${this.origin.game}/index.html` }, this.origin.title),
              " › ",
              h("a", { href: `games/${this.origin.game}/${this.origin.turn}/index.html` }, "What was really played"),
            ],
      ),
      h("h1", { tabindex: "-1" }, title),
      h("p", { class: "hint" }, planner),
      this.others.length > 0 && h("section", { class: "what-if-lines-kept", "aria-label": "Lines of play" }, h("p", {}, "Lines of play that you kept:"), h("ul", {}, this.others.map((one, at) => h("li", {}, button(`${one.phase}, ${one.steps.length} ${one.steps.length === 1 ? "turn" : "turns"}`, () => this.busy(() => this.change(at))))))),
      this.came && this.result(),
      h("div", { id: "refused" }),
      h("div", { class: "what-if" }, h("div", {}, board, tools, h("div", { id: "tapped", "aria-live": "polite" }), this.handing()), h("div", {}, writing.map((seat) => this.seat(seat)))),
      ended && h("p", { class: "note" }, "The game is over here. Take the turn back to try something else."),
    );
    this.looked = "";
    // Nobody waits for it: what is offered comes seat by seat.
    void this.tried(() => this.offerAll(writing));
  }

  /** Asks for legal orders, one seat after the other, and no more of them when the table goes on. @param {string[]} seats */
  async offerAll(seats) {
    const mine = this.stands;
    for (const seat of seats) {
      if (mine !== this.stands || current !== this) return;
      await this.offer(seat);
    }
    if (this.looked) this.look(this.looked);
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
      h("div", { class: "what-if-board" }, picture(came.map)),
      came.ended && h("p", { class: "note" }, `The game ends: ${came.ended}.`),
      Object.entries(came.left_out).map(([seat, faults]) =>
        h("p", { class: "note bad" }, `${seat}: ${faults.map((/** @type {any} */ fault) => `${fault.what}${fault.right ? ` (${fault.right})` : ""}`).join("; ")}. This did not count.`),
      ),
      came.facts.map((/** @type {[string, string[]]} */ [heading, lines]) => [
        heading && h("h3", {}, heading),
        h("ul", {}, lines.map((/** @type {string} */ line) => h("li", {}, line))),
      ]),
      orders.length > 0 && h("h3", {}, "Orders"),
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
    );
  }

  /** @param {string} seat */
  seat(seat) {
    const place = h("section", { class: "what-if-seat", "aria-label": seat });
    this.places[seat] = place;
    this.fillSeat(seat);
    return place;
  }

  /** @param {string} seat */
  fillSeat(seat) {
    const place = this.places[seat];
    if (!place) return;
    const sheet = this.sheets[seat] ?? {};
    const offers = this.offers[seat];
    const keys = new Set([...Object.keys(offers?.texts ?? {}), ...Object.keys(sheet)]);
    const rows = [...keys].map((key) => this.lines(seat, key, sheet[key], offers?.texts[key] ?? []));
    fill(place, h("h2", {}, seat), rows, Object.entries(offers?.tables ?? {}).map(([key, table]) => this.table(seat, key, table)), h("ul", { class: "what-if-faults" }));
  }

  /**
   * One list of a sheet, or what else a key says.
   * @param {string} seat
   * @param {string} key
   * @param {unknown} value
   * @param {string[]} legal
   */
  lines(seat, key, value, legal) {
    const id = `add-${seat}-${key}`.replace(/[^A-Za-z0-9-]/g, "-");
    if (value === false || value === null) return null;
    const isList = value === undefined || (Array.isArray(value) && value.every((line) => typeof line === "string"));
    if (!isList) {
      if (typeof value === "object") return null;
      return h("p", {}, `${key}: `, code(String(value)), " ", button("✕", () => this.set(seat, key, undefined), { "aria-label": `Remove ${key} of ${seat}` }));
    }
    const lines = /** @type {string[]} */ (value ?? []);
    const input = h("input", { id, type: "text", list: `${id}-list`, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
    const add = () => {
      if (input.value.trim()) this.add(seat, key, input.value.trim());
    };
    return h(
      "form",
      {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          add();
        },
      },
      h(
        "ul",
        { class: "what-if-lines" },
        lines.map((line, at) =>
          h("li", {}, h("span", {}, line), button("✕", () => this.set(seat, key, lines.filter((_, other) => other !== at)), { "aria-label": `Remove ${line}` })),
        ),
      ),
      legal.length > 0 && [
        h("label", { for: id }, `Add to ${key}`),
        h("span", { class: "what-if-add" }, input, h("button", { type: "submit" }, "Add")),
        h("datalist", { id: `${id}-list` }, legal.map((line) => h("option", { value: line }))),
      ],
    );
  }

  /**
   * @param {string} seat
   * @param {string} key
   * @param {Record<string, string[]>} table
   */
  table(seat, key, table) {
    const said = /** @type {Record<string, string>} */ (this.sheets[seat]?.[key] ?? {});
    return Object.entries(table).map(([name, values]) => {
      const id = `table-${seat}-${key}-${name}`.replace(/[^A-Za-z0-9-]/g, "-");
      const change = (/** @type {Event} */ event) => {
        const chosen = /** @type {HTMLSelectElement} */ (event.target).value;
        const { [name]: _, ...others } = /** @type {Record<string, string>} */ (this.sheets[seat]?.[key] ?? {});
        this.set(seat, key, chosen ? { ...others, [name]: chosen } : others);
      };
      return h(
        "p",
        {},
        h("label", { for: id }, `${key}: ${name}`),
        h("select", { id, change }, h("option", { value: "" }, "–"), values.map((one) => h("option", { value: one, selected: said[name] === one }, one))),
      );
    });
  }

  /**
   * @param {string} seat
   * @param {string} key
   * @param {string} line
   */
  add(seat, key, line) {
    const lines = /** @type {string[]} */ (this.sheets[seat]?.[key] ?? []);
    if (!lines.includes(line)) this.set(seat, key, [...lines, line]);
  }

  /**
   * @param {string} seat
   * @param {string} key
   * @param {unknown} value
   */
  set(seat, key, value) {
    const { [key]: _, ...others } = this.sheets[seat] ?? {};
    this.sheets[seat] = value === undefined ? others : { ...others, [key]: value };
    this.fillSeat(seat);
    void this.check(seat);
  }

  /** Asks for a seat's legal orders, and draws it again with them. @param {string} seat */
  async offer(seat) {
    const mine = this.stands;
    const found = await this.ask({ do: "offers", seat });
    if (mine !== this.stands) return;
    this.offers[seat] = found;
    this.fillSeat(seat);
    await this.check(seat);
  }

  /** Says under a sheet what is wrong with it. @param {string} seat */
  async check(seat) {
    const sheet = this.sheets[seat];
    const asked = JSON.stringify(sheet);
    const faults = sheet && this.says(seat) ? await this.ask({ do: "check", seat, sheet }) : [];
    const list = this.places[seat]?.querySelector(".what-if-faults");
    if (!list || asked !== JSON.stringify(this.sheets[seat])) return;
    fill(
      list,
      faults.map((/** @type {any} */ fault) => h("li", { class: fault.level === "error" ? "bad" : "soft" }, `${fault.what}${fault.right ? `; ${fault.right}` : ""}`)),
    );
  }

  /** What can be ordered at a place that was tapped. @param {Event} event */
  tapped(event) {
    const region = event.target instanceof Element ? event.target.closest("[data-region]")?.getAttribute("data-region") : null;
    if (region) this.look(region);
  }

  /** Shows what can be ordered at a place. @param {string} region */
  look(region) {
    this.looked = region;
    const name = this.stands.names[region] ?? region;
    const found = Object.entries(this.offers).flatMap(([seat, { texts }]) =>
      Object.entries(texts).flatMap(([key, lines]) => lines.filter((line) => mentions(line, region)).map((line) => ({ seat, key, line }))),
    );
    // Orders of what stands there first, then those that go there.
    const shown = [...found.filter(({ line }) => begins(line, region)), ...found.filter(({ line }) => !begins(line, region))].slice(0, MOST);
    fill(
      byId("tapped"),
      h("h2", {}, name),
      shown.length
        ? h("ul", { class: "what-if-offered" }, shown.map(({ seat, key, line }) => h("li", {}, button(`${seat}: ${line}`, () => this.add(seat, key, line)))))
        : h("p", { class: "hint" }, this.waits() ? "Looking for orders…" : "Nobody can order anything here in this turn."),
      found.length > MOST && h("p", { class: "hint" }, `And ${found.length - MOST} more: type their beginning under the seat.`),
    );
  }

  /** Whether there are seats whose legal orders have not come yet. */
  waits() {
    return this.stands.due.some((seat) => !(seat in this.offers));
  }

  async clear() {
    this.sheets = {};
    await this.show();
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

  /** Does something that takes a moment; says what went wrong. @param {() => Promise<unknown>} work */
  async busy(work) {
    this.last = this.last.then(() => this.tried(work));
    await this.last;
  }

  /** @param {() => Promise<unknown>} work */
  async tried(work) {
    if (current !== this) return;
    try {
      await work();
    } catch (error) {
      if (current !== this) return;
      if (error instanceof Wrong) {
        const place = document.getElementById("refused");
        if (place) fill(place, wordsOf(error).split("\n").map((line) => h("p", { class: "note bad" }, line)));
        say(wordsOf(error));
        return;
      }
      if (error instanceof EngineFault) {
        judge?.stop();
        judge = null;
      }
      shownFault(this.origin.game, this.origin.turn, "What if?", wordsOf(error));
    }
  }
}

/** What the address of a game says that begins here. */
const BEGIN = "~";
const MOST = 60;
/** Orders that are shown for a place at once. */

/**
 * Whether an order is one of the unit or thing at a place: the place is named in it first.
 * @param {string} line
 * @param {string} name
 */
const begins = (line, name) => line.startsWith(name) || line.replace(/^\S+ /, "").startsWith(name);

/**
 * Whether an order names a place at all.
 * @param {string} line
 * @param {string} name
 */
const mentions = (line, name) => {
  const at = line.indexOf(name);
  return at >= 0 && !/[\w-]/.test(line[at - 1] ?? " ") && !/[\w-]/.test(line[at + name.length] ?? " ");
};

/**
 * @param {string} game
 * @param {string} turn
 * @param {string} title
 * @param {string} words
 */
const shownFault = (game, turn, title, words) => {
  page(
    title,
    h("h1", { tabindex: "-1" }, title),
    words.split("\n").map((line) => h("p", { class: "note bad" }, line)),
    NAME.test(game) && NAME.test(turn) && h("p", {}, button("Try again", () => void route(), { class: "main" })),
    h("p", {}, h("a", { href: "index.html" }, "All games")),
  );
  main.querySelector("h1")?.focus();
  say(words);
};

/**
 * Starts the judge, sets the table up, and plays again what was written: all but the last turn is judged.
 * @param {string} title
 * @param {string} ruleset
 * @param {import("./engine.js").Engine} engine
 * @param {import("./link.js").Sheets[]} steps
 * @param {(asked: Judge) => Promise<{ stands: Stands, origin: Origin }>} set
 */
const run = async (title, ruleset, engine, steps, set) => {
  const mine = ++round;
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Loading the judge" });
  const line = h("p", { role: "status" }, "Loading the judge…");
  page(title, h("h1", {}, title), line, h("p", {}, bar));
  /** @type {Origin | null} */
  let origin = null;
  try {
    judge ??= new Judge(engine);
    const asked = judge;
    await asked.ready(ruleset, (got, of) => {
      bar.value = got / of;
      if (got === of) line.textContent = "Starting the judge…";
    });
    const set_up = await asked.alone(() => set(asked));
    if (mine !== round) return;
    origin = set_up.origin;
    const table = new TablePage(asked, origin, set_up.stands);
    // Kept as soon as something is judged: a look at somebody's link puts no game of one's own away.
    if (steps.length) await asked.alone(() => table.goTo(steps.slice(0, -1), steps[steps.length - 1] ?? {}));
    if (mine === round) {
      current = table;
      await table.show();
    }
  } catch (error) {
    if (error instanceof EngineFault && mine === round) {
      judge?.stop();
      judge = null;
    }
    if (mine === round) shownFault(origin?.game ?? "", origin?.turn ?? "", title, wordsOf(error));
  }
};

/**
 * Sets a table up at a turn of a game of this site.
 * @param {string} game
 * @param {string} turn
 * @param {any} pack
 * @param {any} first
 * @param {import("./engine.js").Engine} engine
 * @param {import("./link.js").Sheets[]} steps
 */
const atTurn = (game, turn, pack, first, engine, steps) =>
  run(`What if: ${first.phase}`, pack.ruleset, engine, steps, async (asked) => {
    await given(asked, game, turn, pack, first);
    const stands = await answerOf(asked, { do: "table", game: pack.slug, turn });
    return { stands, origin: { game, turn, title: pack.title, open: first.open === true, begun: null } };
  });

/**
 * Sets a table up for a game that begins here.
 * @param {import("./engine.js").Engine} engine
 * @param {Begun} begun
 * @param {import("./link.js").Sheets[]} steps
 */
const beginTable = (engine, begun, steps) => {
  const { start } = /** @type {any} */ (begun);
  const ruleset = String(start.ruleset ?? /^ruleset: *(\w+)/mu.exec(start)?.[1] ?? "");
  return run("What if?", ruleset, engine, steps, async (asked) => {
    const stands = await answerOf(asked, { do: "begin", ...begun });
    return { stands, origin: { game: "", turn: "", title: stands.title, open: false, begun: { start: stands.start, seed: begun.seed } } };
  });
};

/**
 * The page where no turn is named, or what a game's link says that began at a table.
 * @param {string} letters
 * @param {number} mine
 */
const beginPage = async (letters, mine) => {
  const said = letters ? await unpacked(letters) : null;
  if (letters && !said?.begun) return shownFault("", "", "What if?", CUT);
  const intro = h("p", { class: "lead" }, "Open a turn of any game and press “What if?”: you then play on from there, for all sides, and your browser judges.");
  const home = h("p", {}, h("a", { href: "index.html" }, "All games"));
  try {
    const engine = await engineOf();
    if (mine !== round) return undefined;
    const set = (/** @type {Begun} */ begun, /** @type {import("./link.js").Sheets[]} */ steps) => {
      history.replaceState(null, "", `#${BEGIN}`);
      void beginTable(engine, begun, steps);
    };
    const size = `${Math.round(sizeOf(engine, "diplomacy") / 1e6)} MB`;
    if (said?.begun) {
      const { begun, steps } = said;
      const open = button(`Set up the table (loads ${size}, once)`, () => set(begun, steps), { class: "main" });
      return page("What if?", h("h1", {}, "What if?"), h("p", { class: "lead" }, "Somebody sent you a game that began at a table."), h("p", {}, open));
    }
    return page("What if?", h("h1", {}, "What if?"), intro, home, beginning(engine, size, (begun, steps) => set(begun, steps.length ? [...steps, {}] : [])));
  } catch (error) {
    return mine === round ? page("What if?", h("h1", {}, "What if?"), intro, home, h("p", { class: "note" }, wordsOf(error))) : undefined;
  }
};

const CUT = "This link is cut short, or was changed. Ask for it again, or begin at the turn’s page.";

const route = async () => {
  const mine = ++round;
  current = null;
  let parts = [""];
  try {
    parts = decodeURIComponent(location.hash.slice(1)).split("/");
  } catch {
    // Not an address of ours.
  }
  const [game = "", turn = "", letters = ""] = parts;
  if (game === BEGIN || (!game && !turn)) return beginPage(turn, mine);
  if (!NAME.test(game) || !NAME.test(turn))
    return shownFault(game, turn, "What if?", "There is no such turn: both names have small letters, digits and hyphens.");
  // At once, so that nobody goes on at the table before while this one is fetched.
  page("What if?", h("h1", {}, "What if?"), h("p", { role: "status" }, "Fetching the turn…"));
  const said = letters ? await unpacked(letters) : { steps: [], begun: null };
  if (said === null || said.begun) return shownFault(game, turn, "What if?", CUT);
  const { steps } = said;
  try {
    const [engine, [pack, first]] = await Promise.all([engineOf(), packsOf(game, turn)]);
    if (mine !== round) return undefined;
    if (first.hidden) throw new Gone(game);
    if (judge) return atTurn(game, turn, pack, first, engine, steps);
    const size = `${Math.round(sizeOf(engine, pack.ruleset) / 1e6)} MB`;
    return page(
      `What if: ${first.phase}`,
      h("h1", {}, `What if: ${first.phase}`),
      h("p", { class: "lead" }, pack.title),
      h("p", {}, "Play on from this turn, for all sides: write orders, have them judged here, look at the map, go on or take turns back."),
      h("p", {}, button(`Set up the table (loads ${size}, once)`, () => void atTurn(game, turn, pack, first, engine, steps), { class: "main" })),
    );
  } catch (error) {
    if (mine !== round) return undefined;
    return shownFault(game, turn, "What if?", error instanceof Gone ? "This site has no files of such a turn: there is none, or parts of it are hidden until the game ends." : wordsOf(error));
  }
};

goesBy(route);
