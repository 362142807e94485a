// @ts-check
// The archive's judge checks the sheet while it is written. It runs in a separate frame (judge.html) that starts with the first order.
// Until it answers, or without a judge, the desk shows its own findings; from then on only those of the judge.

import { button, fill, h, inPlace, say } from "./dom.js";
import { sentence, tidy } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { OrderDesk } from "./desk.js" */
/** @import { Held } from "./fields.js" */

/**
 * A remark of `courtly check`, and the part of the sheet it is about: keys and positions, none for the whole sheet; `stops` if it kept the
 * sheet from being read.
 * @typedef {{ where: (string | number)[], what: string, right: string, level: string, stops?: boolean }} Remark
 */
/** @typedef {{ answer?: any, fault?: string }} Answer */

const TOLD = 3; // Remarks that are read aloud at once.
const MOMENT = 3_000; // Milliseconds that sealing waits for the judge's word.
const STALLED = 90_000; // Milliseconds without a word from the judge: a page that loads 10 MB slowly says how far it is.
const BLOCKED = "Your browser did not let the judge start: something blocks it on this page.";

export class Voice {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    this.element = h("p", { class: "hint voice", role: "status" });
    /** @type {"none" | "idle" | "loading" | "speaks" | "gone"} */
    this.state = desk.data.judge ? "idle" : "none";
    /** @type {Remark[]} */
    this.remarks = [];
    /** @type {Map<string, Remark[][]>} Key and line -> the remarks on it, for each time it is in the list. */
    this.lines = new Map();
    /** @type {HTMLIFrameElement | null} */
    this.frame = null;
    this.answered = ""; // The sheet that the remarks are about, as JSON.
    this.asking = false;
    /** @type {(opened?: unknown) => void} */
    this.isOpen = () => {};
    this.opened = Promise.resolve(); // Until the judge speaks, or is gone.
    this.answers = Promise.resolve(); // Until the judge has been asked about the sheet as it is.
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.next = 1;
    /** @type {Map<number, (answer: Answer) => void>} */
    this.waiting = new Map();
    /** @param {MessageEvent} event */
    this.hears = (event) => this.heard(event);
    this.draw();
  }

  /** True if the judge, and not the desk, comments on the sheet. */
  get speaks() {
    return this.state === "speaks" && this.answered !== "";
  }

  /** True if it sees all that the seat does; in a game with hidden information that takes the seat's news. */
  get sure() {
    return !this.desk.data.hidden || this.desk.aside !== null;
  }

  // Asking ---------------------------------------------------------------------------------------------------------

  /** Looks at the present sheet; starts the judge as soon as something is written, unless the reader saves data. */
  look() {
    if (this.state === "idle" && !this.desk.draft.isEmpty && !savesData()) this.start();
    if (this.state === "speaks" && !this.asking) this.answers = this.ask();
  }

  /** Resolves when the remarks are about the present sheet, or after a moment, because nobody should wait long to send. */
  settled() {
    const moment = new Promise((resolve) => setTimeout(resolve, MOMENT));
    return this.asking ? Promise.race([this.answers, moment]) : Promise.resolve();
  }

  /** Shows whether the remarks are about an earlier sheet. @param {boolean} busy */
  waits(busy) {
    this.desk.send.facts.setAttribute("aria-busy", String(busy));
  }

  /** Starts the judge; its frame reports when it is ready. */
  start() {
    this.state = "loading";
    this.opened = new Promise((/** @type {(opened?: any) => void} */ resolve) => (this.isOpen = resolve));
    addEventListener("message", this.hears);
    this.frame = h("iframe", { src: "judge.html", title: "The judge", hidden: true });
    document.body.append(this.frame);
    this.expect();
    this.draw();
  }

  /** Gives the judge up if it is silent for too long. */
  expect() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.gone(BLOCKED), STALLED);
  }

  /** Ends the judge. */
  leave() {
    clearTimeout(this.timer);
    removeEventListener("message", this.hears);
    this.frame?.remove();
    this.frame = null;
    for (const answered of this.waiting.values()) answered({});
    this.waiting.clear();
  }

  /** @param {MessageEvent} event */
  heard({ data, origin, source }) {
    if (!this.frame || source !== this.frame.contentWindow || origin !== location.origin) return;
    clearTimeout(this.timer);
    if (data.ready) void this.open();
    else if (data.got !== undefined) {
      this.expect();
      this.draw(data.got / data.of);
    }
    else {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
      if (this.waiting.size) this.expect();
    }
  }

  /**
   * @param {Record<string, unknown>} question
   * @returns {Promise<Answer>}
   */
  question(question) {
    const id = this.next++;
    return new Promise((resolve) => {
      this.expect();
      this.waiting.set(id, resolve);
      this.frame?.contentWindow?.postMessage({ id, ...question }, location.origin);
    });
  }

  async open() {
    const { aside, data, seat } = this.desk;
    const { answer, fault } = await this.question({ do: "open", game: data.game, turn: data.turn, seat: seat.name, news: aside?.news ?? null });
    if (fault !== undefined) return this.gone(fault);
    if (answer === undefined) return undefined; // It was left meanwhile.
    this.state = "speaks";
    this.isOpen();
    this.draw();
    this.answers = this.ask();
    return this.answers;
  }

  /** Asks about the sheet until the answer is about the present sheet. */
  async ask() {
    this.asking = true;
    try {
      for (;;) {
        const sheet = this.desk.draft.sheet();
        const text = JSON.stringify(sheet);
        if (text === this.answered || this.state !== "speaks") break;
        this.waits(true);
        const { answer, fault } = await this.question({ do: "look", sheet });
        if (!Array.isArray(answer)) {
          if (fault !== undefined) this.gone(fault);
          break;
        }
        this.learn(sheet, text, answer);
      }
    } finally {
      this.asking = false;
      this.waits(false);
    }
  }

  /**
   * @param {Held} sheet
   * @param {string} text
   * @param {Remark[]} remarks
   */
  learn(sheet, text, remarks) {
    const before = new Set(this.remarks.map(wordsOf));
    const first = !this.answered;
    this.remarks = remarks;
    this.answered = text;
    this.lines = new Map();
    for (const [key, value] of Object.entries(sheet))
      for (const [at, line] of (Array.isArray(value) ? value : [value]).entries()) {
        if (typeof line !== "string") continue;
        const name = `${key}\n${tidy(line)}`;
        const found = remarks.filter(({ where }) => where[0] === key && (!Array.isArray(value) || where[1] === at));
        if (!found.length && remarks.some(({ stops }) => stops)) continue; // It was not looked at.
        this.lines.set(name, [...(this.lines.get(name) ?? []), found]);
      }
    this.show();
    const told = remarks.map(wordsOf).filter((words) => !before.has(words));
    if (!first && told.length) say([...told.slice(0, TOLD), told.length > TOLD ? `And ${told.length - TOLD} more.` : ""].join(" "));
  }

  /**
   * The orders that the judge finds in pasted lines, for each line, as the desk writes them; null without a judge.
   * @param {readonly string[]} lines
   * @returns {Promise<string[][] | null>}
   */
  async pasted(lines) {
    if (this.state === "idle" && !savesData()) this.start();
    if (this.state === "loading") await this.opened;
    if (this.state !== "speaks") return null;
    const { answer, fault } = await this.question({ do: "pasted", lines });
    if (fault !== undefined) this.gone(fault);
    return Array.isArray(answer) ? answer : null;
  }

  /**
   * The remarks on an order if it were taken in; null if they cannot be known.
   * @param {string} key of the list, or of the single order
   * @param {string} line
   * @returns {Promise<Remark[] | null>}
   */
  async would(key, line) {
    if (!this.speaks) return null;
    // A copy of the draft with the line in it, because the line may replace another.
    const draft = this.desk.draft.copy();
    if (!draft.write(line, this.desk.choice.editing).taken) return null;
    const sheet = draft.sheet();
    const at = Array.isArray(sheet[key]) ? sheet[key].lastIndexOf(line) : -1;
    const { answer, fault } = await this.question({ do: "look", sheet });
    if (fault !== undefined) this.gone(fault);
    const found = /** @type {Remark[] | undefined} */ (answer);
    return found?.filter(({ where }) => where[0] === key && (draft.single || where[1] === at)) ?? null;
  }

  /** Handles a judge that no longer answers: the desk goes back to its own findings. @param {string} words */
  gone(words) {
    if (this.state === "gone") return;
    this.leave();
    this.state = "gone";
    this.isOpen();
    this.answered = "";
    this.remarks = [];
    this.lines.clear();
    this.draw(0, words);
    this.show();
  }

  // Remarks --------------------------------------------------------------------------------------------------------

  /**
   * The remarks on a line of one of the sheet's lists, or on its single order; null until the judge has seen it.
   * @param {string | undefined} key
   * @param {readonly (string | null)[]} lines the list
   * @param {number} at index of the line
   */
  said(key, lines, at) {
    const nth = lines.slice(0, at).filter((line) => line !== null && tidy(line) === tidy(lines[at] ?? "")).length;
    return (this.speaks && this.lines.get(`${key}\n${tidy(lines[at] ?? "")}`)?.[nth]) || null;
  }

  /** The remarks on the sheet and its fields, without those on a line that shows its remarks. */
  rest() {
    const { bids, draft, form } = this.desk;
    const lists = new Set([draft.ordersField, bids?.field, ...form.plans.map(({ field }) => field)].map((field) => field?.key));
    const single = (/** @type {unknown} */ key) => draft.single && key === draft.ordersField?.key;
    return this.remarks.filter(({ where: [key, ...inside] }) => !(lists.has(String(key)) && (inside.length || single(key))));
  }

  /** Number of remarks on lines that are not taken as written. */
  odd() {
    return this.remarks.filter((one) => counts(one) && !this.rest().includes(one)).length;
  }

  /** Shows the remarks beside the draft. */
  show() {
    const { bids, draft, form, orders, picker, send } = this.desk;
    draft.silent = this.speaks;
    if (draft.ordersField) inPlace(orders.element, () => orders.draw());
    if (bids) inPlace(bids.list, () => bids.draw());
    for (const plan of form.plans) if (!plan.list.querySelector(".dragged")) inPlace(plan.list, () => plan.drawRows());
    if (draft.ordersField) picker.drawCautions();
    form.drawBeside();
    send.draw();
  }

  /**
   * @param {number} part share of the judge that is loaded
   * @param {string} words message about a failure
   */
  draw(part = 0, words = "") {
    /** @param {string} label */
    const starts = (label) => button(label, () => this.start(), { class: "quiet" });
    /** @type {Record<string, Child[]>} */
    const lines = {
      none: ["This site has no judge for browsers, so your sheet is not checked here. ", h("code", {}, "courtly check"), " checks it."],
      idle: savesData() ? ["Your browser is set to save data, so the judge (10 MB) was not loaded, and your sheet is not checked. ", starts("Check my sheet here")] : [],
      loading: ["The judge is loading, to check your sheet", part > 0 && h("span", { "aria-hidden": "true" }, ` (${Math.round(part * 100)} %)`), "…"],
      speaks: ["✓ The archive’s own judge checks your sheet here as you write", this.sure ? "." : ", but only by what everybody sees: open your news first."],
      gone: [`${words} The desk shows only what it finds itself. `, starts("Try again")],
    };
    fill(this.element, lines[this.state]);
    this.element.hidden = !lines[this.state].length;
  }
}

/** Whether the reader asked the browser to save data. */
const savesData = () => /** @type {any} */ (navigator).connection?.saveData === true;

/**
 * True if a remark reports a fault, and not merely a consequence.
 * @param {Remark} remark
 */
export const counts = ({ level }) => level !== "note";

/**
 * A remark as a sentence or two.
 * @param {Remark} remark
 */
export const wordsOf = ({ what, right }) => [what, right].filter(Boolean).map(sentence).join(" ");

/**
 * The state of a line, by the judge's remarks: not read, not possible now, or taken; and their words.
 * @param {string} line
 * @param {readonly Remark[]} remarks
 * @param {boolean} sure whether the judge sees all that the seat does
 * @returns {{ kind: "good" | "fits" | "odd", words: string }}
 */
export const verdictOf = (line, remarks, sure) => {
  // The line is shown beside it, so its words are not repeated.
  const bare = remarks.map((one) => (one.what.startsWith(`${line}: `) ? { ...one, what: one.what.slice(line.length + 2) } : one));
  const words = [...new Set(bare.map(wordsOf))].join(" ");
  const worst = remarks.some(({ level }) => level === "error") ? "odd" : remarks.some(counts) ? "fits" : "good";
  return { kind: worst === "good" && !sure ? "fits" : worst, words };
};
