// @ts-check
// A letter that opens when the game is over: written here, sealed to the game's own key, and handed out like a sheet.

import { button, fill, h } from "./dom.js";
import { Fault } from "./fault.js";
import { isTable } from "./fields.js";
import { claim } from "./mine.js";
import { Result } from "./result.js";
import { digestOf, fitted, sealed } from "./seal.js";
import { letterText, paragraphsOf } from "./sheet.js";
import { recall, remember } from "./store.js";
import { count } from "./text.js";

/** @import { OrderDesk } from "./desk.js" */
/** @import { DeskLetters } from "./types.js" */

export class AfterGame {
  /**
   * @param {OrderDesk} desk
   * @param {DeskLetters} terms
   */
  constructor(desk, terms) {
    this.desk = desk;
    this.terms = terms;
    const { data, seat } = desk;
    const own = `${desk.scope}:${data.game}:${seat.file}`;
    this.textKey = `letter:${own}`;
    this.sentKey = `letters:${own}`;
    this.result = new Result(desk, this, "letter");
    this.fault = h("p", { class: "note bad", role: "alert", hidden: true });
    this.rest = h("p", { class: "hint", id: "after-rest" });
    this.status = h("div", { class: "note", hidden: true });
    this.arrive();
    const kept = recall(this.textKey);
    this.text = h("textarea", {
      id: "after-text",
      class: "prose",
      rows: 8,
      "aria-describedby": "after-hint after-rest",
      value: typeof kept === "string" ? kept : "",
      input: () => this.changed(),
    });
    const { before, phase, turn } = data;
    const turns = [{ turn, phase }, ...(before ? [before] : [])];
    this.about = h("select", { id: "after-turn" }, turns.map((one) => h("option", { value: one.turn }, one.phase)));
    this.make = button("Seal my letter", () => void this.seal());
    this.element = h(
      "details",
      { class: "panel after" },
      h("summary", {}, "A letter for after the game"),
      h(
        "p",
        { class: "hint", id: "after-hint" },
        "Tell readers what you were up to. Nobody but the host could read it before the game is over; then everybody can, beside the turn. An empty line begins a new paragraph.",
      ),
      h("label", { for: "after-turn" }, "About"),
      this.about,
      h("label", { for: "after-text" }, "Your letter"),
      this.text,
      this.rest,
      this.status,
      this.fault,
      this.make,
      this.result.element,
    );
    this.draw();
  }

  /** The letter that this browser handed out last and the archive does not show yet; number 0 if there is none. */
  get handed() {
    const held = recall(this.sentKey);
    const { number, text, digest } = isTable(held) ? held : { number: 0, text: "", digest: "" };
    return { number: Number(number) || 0, text: String(text), digest: String(digest) };
  }

  /** The number of the next letter in the archive. */
  get next() {
    return this.terms.next[this.desk.seat.file] ?? 1;
  }

  /** The number of the next letter: the archive may not show yet what this browser has handed out. */
  get number() {
    return Math.max(this.next, this.handed.number + 1);
  }

  /** Forgets a letter once its number is taken, and its text if it is this very letter that the archive has. */
  arrive() {
    const { number, text, digest } = this.handed;
    if (!number || number >= this.next) return;
    remember(this.sentKey, null);
    if (recall(this.textKey) === text && this.terms.sent.includes(digest)) remember(this.textKey, null);
  }

  /** Forgets that a letter was handed out, because it was not sent. */
  forget() {
    remember(this.sentKey, null);
    this.result.hide();
    this.draw();
    this.make.focus();
  }

  /** The letter's paragraphs. */
  get paragraphs() {
    return paragraphsOf(this.text.value);
  }

  /** True if the letter can be sealed: there is one, it is short enough, and the seat may send another. */
  get mayMake() {
    const { length } = [...this.paragraphs.join("\n")];
    const { number, text } = this.handed;
    if (number && text === this.text.value) return false;
    return this.desk.send.safe && length > 0 && length <= this.terms.most && this.number <= this.terms.count && !this.desk.seat.open;
  }

  changed() {
    remember(this.textKey, this.text.value || null);
    this.result.hide();
    this.draw();
  }

  draw() {
    const { most, count: letters } = this.terms;
    const left = most - [...this.paragraphs.join("\n")].length;
    fill(
      this.rest,
      this.desk.seat.open
        ? "This seat is open. Join the game first, above."
        : this.number > letters
          ? `You have sent ${letters} letters in this game; no more are accepted.`
          : left < 0
            ? `${count(-left, "character")} too many.`
            : `${count(left, "character")} left.`,
    );
    const { number } = this.handed;
    this.status.hidden = !number;
    fill(
      this.status,
      `Letter ${number} was handed out. The archive does not show it yet. `,
      button("I did not send it", () => this.forget(), { class: "quiet" }),
    );
    this.fault.hidden = true;
    this.make.disabled = !this.mayMake;
  }

  /**
   * Remembers that a letter was handed out.
   * @param {number} number
   * @param {string | null} digest
   */
  handOut(number, digest) {
    claim(this.desk.data, this.desk.seat);
    remember(this.sentKey, { number, text: this.text.value, digest });
    this.draw();
  }

  async seal() {
    const { data, seat, unseen } = this.desk;
    const { number, paragraphs, terms } = this;
    this.fault.hidden = true;
    try {
      const hidden = paragraphs.find((line) => unseen.faultIn(line));
      if (hidden !== undefined) throw new Fault(`In “${unseen.without(hidden).slice(0, 60)}…”, ${unseen.faultIn(hidden)}`);
      const inner = letterText(data, this.about.value, seat, number, paragraphs);
      const text = await sealed(await fitted(inner, terms.width), [terms.recipient]);
      const file = `${seat.file}${number > 1 ? `.${number}` : ""}.yaml.age`;
      this.result.show({ number, text, path: `${data.folder}/letters/${file}`, digest: await digestOf(text), shut: true });
    } catch (error) {
      if (!(error instanceof Fault)) console.warn(error);
      this.fault.textContent =
        error instanceof Fault ? error.message : "Your browser could not seal the letter. Try another browser, or use courtly letter.";
      this.fault.hidden = false;
    }
  }
}
