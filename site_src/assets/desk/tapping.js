// @ts-check
// A form by taps, for a phone at the table: each answer is a line of one of the sheet's lists, and the lists show the same lines.

import { button, h, say } from "./dom.js";
import { selection } from "./inputs.js";

/** @import { Planning } from "./planning.js" */
/** @import { Ask, Card } from "./types.js" */

const LINK = /^https?:\/\/[^\s,;]+$/iu;

export class Tapping {
  /**
   * @param {readonly Card[]} cards
   * @param {() => Planning[]} plans the lists as they are drawn
   */
  constructor(cards, plans) {
    this.plans = plans;
    /** @type {(() => void)[]} */
    this.shown = []; // Each shows again what the lists say.
    this.element = h("div", { class: "taps", hidden: !cards.length }, cards.map((card, index) => this.card(card, `tap-${index}`)));
  }

  /** Updates the buttons from the lists. */
  draw() {
    for (const show of this.shown) show();
  }

  /** @param {string} key */
  listOf(key) {
    return this.plans().find(({ field }) => field.key === key);
  }

  /** @param {string} key */
  lines(key) {
    return this.listOf(key)?.lines ?? [];
  }

  /**
   * The line of a list that answers a question, the answer in it, and the text after that.
   * @param {Ask} ask
   */
  answered(ask) {
    for (const [index, line] of this.lines(ask.key).entries()) {
      const low = line.toLowerCase();
      for (const [, answer] of ask.answers) {
        const rest = low.startsWith(answer.toLowerCase()) ? low.slice(answer.length) : null;
        const end = rest === "" ? "" : ask.ends.map(([, words]) => words).find((words) => words.toLowerCase() === rest);
        if (end !== undefined) return { index, answer, end };
      }
      const begun = ask.answers.find(([, answer]) => answer.includes("{") && low.startsWith(answer.slice(0, answer.indexOf("{")).toLowerCase()));
      if (begun) return { index, answer: begun[1], end: "" };
    }
    return null;
  }

  /**
   * Puts a line into a list in place of another (-1: after all of them), or removes that one (null).
   * @param {string} key
   * @param {number} index
   * @param {string | null} line
   */
  write(key, index, line) {
    const list = this.listOf(key);
    if (!list) return;
    if (list.editing !== null) list.done(); // The line that is being changed may be a different one now.
    const most = list.field.most ?? 100;
    if (line !== null && index < 0 && list.lines.length >= most) {
      say(`A list has at most ${most} lines.`);
      return;
    }
    const was = list.lines[index];
    if (line === null) list.lines.splice(index, 1);
    else if (index < 0) list.lines.push(line);
    else list.lines[index] = line;
    const what = line ?? `${was} removed`;
    list.commit(what);
    say(`${what}.`);
  }

  // Drawing --------------------------------------------------------------------------------------------------------

  /**
   * @param {Card} card
   * @param {string} id
   */
  card({ title, about, asks }, id) {
    const open = asks.filter(({ folded }) => !folded);
    const folded = asks.filter((ask) => ask.folded && ask.key === "deeds");
    const others = asks.filter((ask) => ask.folded && ask.key !== "deeds");
    /** @type {(ask: Ask, index: number, kind: string) => HTMLElement} */
    const drawn = (ask, index, kind) => this.ask(ask, `${id}-${kind}-${index}`);
    return h(
      "fieldset",
      { class: "tap-card", id },
      h("legend", {}, title),
      h("p", { class: "hint" }, about),
      open.map((ask, index) => drawn(ask, index, "ask")),
      folded.length > 0 && this.folded("What they did", folded.map((ask, index) => this.foldedAsk(ask, `${id}-who-${index}`)), folded),
      others.map((ask, index) => this.foldedAsk(ask, `${id}-more-${index}`)),
    );
  }

  /**
   * A part that unfolds, with the number of lines chosen in it.
   * @param {string} label
   * @param {HTMLElement[]} children
   * @param {readonly Ask[]} asks
   */
  folded(label, children, asks) {
    const number = h("span", { class: "soft" });
    this.shown.push(() => {
      const chosen = asks.reduce((sum, ask) => sum + ask.answers.filter(([, line]) => this.holds(ask.key, line)).length + (this.linkOf(ask) === null ? 0 : 1), 0);
      number.textContent = chosen ? ` ✓ ${chosen}` : "";
    });
    return h("details", {}, h("summary", {}, label, number), children);
  }

  /**
   * @param {Ask} ask
   * @param {string} id
   */
  foldedAsk(ask, id) {
    return this.folded(ask.label, [this.ask(ask, id)], [ask]);
  }

  /**
   * True if a list has a line.
   * @param {string} key
   * @param {string} line
   */
  holds(key, line) {
    return this.lines(key).some((one) => one.toLowerCase() === line.toLowerCase());
  }

  /**
   * A question with a button for each answer.
   * @param {Ask} ask
   * @param {string} id
   */
  ask(ask, id) {
    const buttons = ask.answers.map(([label, line]) => {
      const one = button(label, () => this.tap(ask, line), { class: "tap", "aria-pressed": "false" });
      this.shown.push(() => {
        const pressed = ask.one ? this.answered(ask)?.answer === line : this.holds(ask.key, line);
        one.setAttribute("aria-pressed", String(pressed));
      });
      return one;
    });
    return h(
      "div",
      { class: "tap-ask", role: "group", "aria-label": ask.label },
      !ask.folded && h("p", { class: "tap-label" }, ask.label),
      h("div", { class: "tap-answers" }, buttons),
      ask.ends.length > 0 && this.ending(ask, `${id}-end`),
      ask.link && this.link(ask, `${id}-link`),
    );
  }

  /**
   * Handles a tap on an answer: writes it, or removes it if it is there already.
   * @param {Ask} ask
   * @param {string} line
   */
  tap(ask, line) {
    const stands = ask.one ? this.answered(ask) : null;
    if (stands?.answer === line) return this.write(ask.key, stands.index, null);
    if (line.includes("{")) {
      if (stands) this.write(ask.key, stands.index, null);
      this.listOf(ask.key)?.choose(line); // Its numbers are still to be filled in, in the list's own field.
      return;
    }
    const there = this.lines(ask.key).findIndex((one) => one.toLowerCase() === line.toLowerCase());
    if (stands) this.write(ask.key, stands.index, line + stands.end);
    else this.write(ask.key, there, there < 0 ? line : null);
  }

  /**
   * A menu of the possible endings of the answer, such as another scenario.
   * @param {Ask} ask
   * @param {string} id
   */
  ending(ask, id) {
    const menu = selection({ id, change: () => this.end(ask, menu.value) }, "The one that the place gives", ask.ends.map(([label, words]) => [words, label]), "");
    const row = h("div", { class: "field side" }, h("label", { for: id }, "Scenario played"), menu);
    this.shown.push(() => {
      const stands = this.answered(ask);
      menu.value = stands?.end ?? "";
      menu.disabled = !stands;
    });
    return row;
  }

  /**
   * @param {Ask} ask
   * @param {string} words
   */
  end(ask, words) {
    const stands = this.answered(ask);
    if (stands) this.write(ask.key, stands.index, stands.answer + words);
  }

  /**
   * The link in a list for this question; null if the list has none.
   * @param {Ask} ask
   */
  linkOf(ask) {
    const line = ask.link && this.lines(ask.key).find((one) => one.toLowerCase().startsWith(ask.link.toLowerCase()));
    return line ? line.slice(ask.link.length) : null;
  }

  /**
   * The field for pasting a link.
   * @param {Ask} ask
   * @param {string} id
   */
  link(ask, id) {
    const note = h("p", { class: "hint bad" });
    const field = h("input", { id, type: "url", inputmode: "url", autocomplete: "off", placeholder: "https://…", change: () => taken() });
    const taken = () => {
      const text = field.value.trim();
      const fits = !text || LINK.test(text);
      note.textContent = fits ? "" : "A link begins with https:// and has no spaces or commas.";
      if (!fits) return;
      const index = this.lines(ask.key).findIndex((one) => one.toLowerCase().startsWith(ask.link.toLowerCase()));
      if (text || index >= 0) this.write(ask.key, index, text ? ask.link + text : null);
    };
    this.shown.push(() => {
      if (document.activeElement !== field && !note.textContent) field.value = this.linkOf(ask) ?? "";
    });
    return h("div", { class: "field" }, h("label", { for: id }, "Link to photos"), field, note);
  }
}
