// @ts-check
// Making the sheet: sealed or open, the keys that open it, and its number in the turn.

import { button, fill, focusOn, h, PLAIN, say, show } from "./dom.js";
import { arrivalOf } from "./arrival.js";
import { isTable } from "./fields.js";
import { Result } from "./result.js";
import { PUBLIC } from "./age.js";
import { Fault } from "./fault.js";
import { digestOf, fitted, newNonce, sealed, withListsShut } from "./seal.js";
import { envelopeText, sheetText } from "./sheet.js";
import { claim } from "./mine.js";
import { recall, remember } from "./store.js";
import { clock, count, listed } from "./text.js";
import { counts, wordsOf } from "./voice.js";

/** @import { OrderDesk } from "./desk.js" */

const SHOWN = 6; // Remarks of the judge that are not folded.
const PAUSE = 60_000; // Milliseconds between two questions to the forge that nobody asked for.
const OWN_KEY = new RegExp(`^${PUBLIC.source}$`);

/**
 * The judge's remarks on the sheet, without those on a line that is shown with its remark.
 * @param {import("./voice.js").Voice} voice
 */
export const judged = (voice) => {
  const rest = voice.rest();
  const odd = voice.odd();
  const { form } = voice.desk.seat;
  /** The part of the sheet that a remark is about, by its name in the form. @param {(string | number)[]} where */
  const about = ([key, at]) => {
    const field = form.find((one) => one.key === key);
    const entry = typeof at === "number" && field?.kind === "records" ? `, ${field.entry ?? "entry"} ${at + 1}` : "";
    return field && field !== voice.desk.draft.ordersField && h("span", { class: "soft" }, `${field.label}${entry}: `);
  };
  /** @param {readonly import("./voice.js").Remark[]} remarks */
  const list = (remarks) => remarks.map((one) => h("li", { class: counts(one) ? "warn" : null }, about(one.where), h("span", { class: "words" }, wordsOf(one))));
  return [
    odd > 0 && h("p", { class: "warn" }, `${count(odd, "remark is", "remarks are")} shown with your lines above.`),
    rest.length > 0 && h("ul", { class: "remarks" }, list(rest.slice(0, SHOWN))),
    rest.length > SHOWN && h("details", {}, h("summary", {}, `${rest.length - SHOWN} more`), h("ul", { class: "remarks" }, list(rest.slice(SHOWN)))),
  ];
};

export class Send {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    const { data } = desk;
    this.safe = globalThis.isSecureContext && Boolean(globalThis.crypto?.subtle);
    this.canSeal = Boolean(data.recipient && data.archive && this.safe);
    this.sealing = this.canSeal;
    this.sentKey = `sent:${desk.scope}:${data.game}:${data.turn}:${desk.seat.file}`;
    this.result = new Result(desk, this);
    this.status = h("div", { class: "note status", role: "status" });
    /** @type {import("./arrival.js").Arrival | null} */
    this.arrival = null; // What the forge said last of the sheet that was handed out.
    this.askedAt = 0;
    this.title = h("h2", {}, "Send");
    this.facts = h("div", { class: "hint" });
    this.fault = h("p", { class: "note bad", hidden: true });
    this.make = h("button", { type: "submit", class: "main" });
    const keys = recall("keys");
    this.ownKeys = h("input", {
      ...PLAIN,
      id: "own",
      "aria-describedby": "own-hint",
      value: typeof keys === "string" ? keys : "",
      input: () => {
        remember("keys", this.ownKeys.value.trim() || null);
        this.result.hide();
      },
    });
    this.ownField = h(
      "details",
      { class: "own", open: Boolean(this.ownKeys.value) },
      h("summary", {}, "Let me read it again later"),
      h("label", { for: "own" }, "Your own age keys"),
      h(
        "p",
        { class: "hint", id: "own-hint" },
        "Each begins with age1. You can leave this empty. This browser remembers it.",
      ),
      this.ownKeys,
    );
    const unsafe =
      data.recipient &&
      !this.safe &&
      h(
        "p",
        { class: "note bad" },
        "Sealing needs a page that came over HTTPS, or from this machine itself. Open the desk at its https:// address, or use courtly seal.",
      );
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      void this.seal();
    };
    this.element = h(
      "form",
      { class: "panel send", submit },
      this.title,
      this.ways(),
      unsafe,
      this.ownField,
      desk.voice.element,
      this.facts,
      this.fault,
      this.make,
    );
  }

  /** The ways to send the sheet. */
  ways() {
    if (!this.desk.data.recipient)
      return h(
        "p",
        { class: "hint" },
        "This game is not sealed. Everybody can read what you send as soon as you send it.",
      );
    /** @type {(value: string, label: string, more: string) => HTMLElement} */
    const radio = (value, label, more) => {
      const seals = value === "seal";
      const change = () => {
        this.sealing = seals;
        this.result.hide();
        this.draw();
      };
      const checked = this.sealing === seals;
      const disabled = seals && !this.canSeal;
      const input = h("input", { id: `way-${value}`, type: "radio", name: "way", value, checked, disabled, change });
      const words = h("label", { for: input.id }, h("strong", {}, label), h("span", { class: "soft" }, more));
      return h("div", { class: "flag" }, input, words);
    };
    return h(
      "fieldset",
      { class: "fields" },
      h("legend", {}, "How"),
      radio("seal", "Sealed (best). ", "Nobody but the host could read it before the deadline."),
      radio("open", "Open. ", "Everybody can read it at once."),
    );
  }

  /**
   * The last sheet that this browser has handed out, when, and its digest; number 0 if it has handed out none. Older desks remembered only
   * the number.
   * @returns {{ number: number, at: string, digest: string, path: string }}
   */
  get handed() {
    const held = recall(this.sentKey);
    const { number, at = "", digest = "", path = "" } = isTable(held) ? held : { number: held };
    return { number: Number(number) || 0, at: String(at), digest: String(digest ?? ""), path: String(path) };
  }

  /** The number of the next sheet. */
  get number() {
    const { seat } = this.desk;
    return Math.max(seat.next, seat.sent + 1, this.handed.number + 1);
  }

  /**
   * Remembers that a sheet was handed out.
   * @param {number} number
   * @param {string | null} digest
   * @param {string} path
   */
  handOut(number, digest, path) {
    claim(this.desk.data, this.desk.seat);
    if (number >= this.handed.number) remember(this.sentKey, { number, at: new Date().toISOString(), digest, path });
    this.arrival = null;
    this.draw();
  }

  /** Forgets the sheet that was handed out, because it was not sent. */
  forget() {
    remember(this.sentKey, null);
    this.arrival = null;
    this.result.hide();
    this.draw();
    say(`The next sheet is sheet ${this.number} again.`);
    focusOn(this.title);
  }

  /** Shows at the top of the page the fate of the sheet that was handed out last, as far as the archive shows it. */
  drawStatus() {
    const { seat } = this.desk;
    const { number, at, digest } = this.handed;
    const arrived = (number > 0 && number < seat.next) || this.arrival?.arrived === true;
    const when = clock(at) && ` at ${clock(at)}`;
    const which = digest && `, digest ${digest.slice(0, 8)}`;
    this.status.className = arrived ? "note status arrived" : "note status";
    this.status.hidden = !number;
    fill(
      this.status,
      arrived
        ? `✓ Sheet ${number} has arrived: ${this.arrival?.words ?? "the archive has it"}.`
        : `Sheet ${number} was handed out${when}${which}. ${this.arrival?.words ?? "The archive does not show it yet."} `,
      !arrived && this.arrival?.href && h("a", { href: this.arrival.href, rel: "noopener noreferrer" }, "Look there"),
      !arrived && this.isPublic && button(`Ask ${this.desk.data.forge?.name}`, () => void this.ask(), { class: "quiet" }),
      !arrived && button("I did not send it", () => this.forget(), { class: "quiet" }),
    );
  }

  /** True if the archive names its place, so that the desk can ask its forge. */
  get isPublic() {
    return this.desk.data.forge !== null && Boolean(this.handed.digest);
  }

  /** Asks the archive's forge about the sheet that was handed out. */
  async ask() {
    const { data, seat } = this.desk;
    const { number, at, digest, path } = this.handed;
    const { forge } = data;
    if (!number || number < seat.next || !forge || !this.isPublic || this.arrival?.arrived) return;
    this.askedAt = Date.now();
    const since = Number(new Date(at)) || 0;
    this.arrival = await arrivalOf({ forge, path, digest, account: seat.account, since });
    this.drawStatus();
  }

  /** Asks again when the reader comes back, at most once a minute. */
  lookAgain() {
    if (Date.now() - this.askedAt >= PAUSE) void this.ask();
  }

  /** True if the sheet can be made: the limit of sheets is not reached, and somebody has the seat. */
  get mayMake() {
    return this.number <= this.desk.data.limits.sheets && !this.desk.seat.open;
  }

  /** @param {number} number */
  pathOf(number) {
    const { data, seat } = this.desk;
    const file = `${seat.file}${number > 1 ? `.${number}` : ""}.yaml${this.sealing ? ".age" : ""}`;
    return `${data.folder}/${data.turn}/orders/${file}`;
  }

  focus() {
    show(this.element, "start");
    focusOn(this.title);
  }

  /** Marks the finished sheet as out of date, because the draft has changed. */
  stale() {
    this.fault.hidden = true;
    this.desk.form.fault.remove();
    this.result.hide();
    this.draw();
  }

  draw() {
    this.drawStatus();
    const { data, draft, keeps, reader, seat, voice } = this.desk;
    const { number } = this;
    const { sheets } = data.limits;
    const open = draft.missing().map(({ unit }) => unit ?? "");
    const odd = draft.odd().length;
    const planned = this.desk.form.odd().length;
    const astray = this.desk.bids?.odd().length ?? 0;
    this.ownField.hidden = !this.sealing;
    this.make.textContent = this.sealing ? "Seal my sheet" : "Make my sheet";
    this.make.disabled = !this.mayMake;
    const empty = !Object.keys(draft.sheet()).length;
    /** @param {string} words */
    const warn = (words) => h("p", { class: "warn" }, words);
    const own = () => [
      open.length > 0 && !empty && h("p", {}, `${listed(open)} ${open.length > 1 ? "have" : "has"} no order.`),
      draft.cautions().map(warn),
      odd > 0 &&
        warn(`${count(odd, "order is", "orders are")} not ${reader.forms ? "understood" : "among those that are offered"}.`),
      planned > 0 && warn(`${count(planned, "line of a plan comes", "lines of plans come")} to nothing as written.`),
      astray > 0 && warn(`${count(astray, "bid", "bids")} will not count as written.`),
    ];
    fill(
      this.facts,
      empty && h("p", {}, "No orders yet. You can send it like this."),
      voice.speaks ? judged(voice) : own(),
      number > sheets
        ? warn(`You have sent ${sheets} sheets this turn; no more are accepted.`)
        : h(
            "p",
            {},
            `This is sheet ${number} of ${seat.name} in this turn${number > 1 ? "; it replaces the earlier ones" : ""}: `,
            h("code", {}, this.pathOf(number)),
          ),
      // If sealed now, it would belong to no account, and would not count for a player who joins.
      seat.open &&
        warn(
          "This seat is open. Join it first, above. Then load this page again, once the game’s page names you.",
        ),
      !keeps && warn("This browser keeps no drafts: finish before you close the page."),
    );
  }

  /** @param {string} words */
  fail(words) {
    this.fault.textContent = words;
    this.fault.hidden = false;
    say(words);
  }

  /**
   * The obstacle to making the sheet, in words, and how to go there; null if nothing is in the way.
   * @returns {{ words: string, go: () => void } | null}
   */
  hindrance() {
    const { draft, form, typing, unseen } = this.desk;
    const begun = form.plans.find(({ unsent }) => unsent);
    const text = typing.text || begun?.combo.text || begun?.lines[begun.editing ?? 0];
    if (text) {
      const change = !typing.text && begun?.editing !== null;
      const words = `“${text}” is ${change ? "being changed, but the change is not taken in yet. Take it in, or leave the line as it was." : "still in the field, not in your list. Add it, or empty the field."}`;
      return { words, go: () => (typing.text || !begun ? typing : begun.combo).field.focus() };
    }
    const hidden = draft.orders.find((line) => unseen.faultIn(line));
    if (hidden !== undefined) return { words: `In “${unseen.without(hidden)}”, ${unseen.faultIn(hidden)}`, go: () => {} };
    const fault = draft.fieldFault(unseen);
    return fault && { words: fault.words, go: () => form.point(fault) };
  }

  /** True if nothing in the draft prevents making the sheet; otherwise the page shows the obstacle. */
  mended() {
    const found = this.hindrance();
    if (!found) return true;
    this.fail(found.words);
    found.go();
    return false;
  }

  /** The keys that open the sheet; throws a `Fault` for a text that is not a key. */
  keys() {
    const { data } = this.desk;
    const own = this.ownKeys.value.split(/[\s,;]+/).filter(Boolean);
    const wrong = own.find((key) => !OWN_KEY.test(key));
    if (wrong) throw new Fault(`“${wrong.slice(0, 20)}…” is not a key. A key is age1 and 58 more letters.`);
    const keys = [...new Set([data.recipient ?? "", ...own])];
    if (keys.length > data.limits.keys) throw new Fault(`A sheet can be sealed to at most ${data.limits.keys} keys.`);
    return keys;
  }

  /**
   * The text to send; throws a `Fault` if it would be too long.
   * @param {number} number
   */
  async text(number) {
    const { data, draft, seat } = this.desk;
    const sheet = draft.sheet();
    if (this.sealing) {
      const shut = await withListsShut(sheet, data, seat.name);
      const inner = envelopeText(data, seat, number, shut, newNonce());
      return sealed(await fitted(inner, data.width), this.keys());
    }
    const text = sheetText(sheet, data.limits.line);
    if (new TextEncoder().encode(text).length > data.limits.bytes)
      throw new Fault(`The sheet is too long: at most ${data.limits.bytes / 1024} KiB can be sent.`);
    return text;
  }

  async seal() {
    this.fault.hidden = true;
    this.result.hide();
    if (!this.mended()) return;
    this.make.disabled = true;
    await this.desk.voice.settled();
    try {
      if (await this.desk.isOver()) return;
      const { number } = this;
      const text = await this.text(number);
      const digest = this.safe ? await digestOf(text) : null;
      this.result.show({ number, text, path: this.pathOf(number), digest, shut: this.sealing });
    } catch (error) {
      if (error instanceof Fault) this.fail(error.message);
      else {
        this.fail("Your browser could not seal the sheet. Try another browser, or use courtly seal.");
        console.warn(error);
      }
    } finally {
      this.make.disabled = !this.mayMake;
    }
  }
}
