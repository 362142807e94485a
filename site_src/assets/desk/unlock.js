// @ts-check
// The panel of a seat's private news: its contents, or the field for its key.

import { button, fill, focusOn, h, PLAIN, say } from "./dom.js";
import { hold, keyIn, letGo, locked, publicOf, SHORTEST, unlocked } from "./keyring.js";
import { draftsOf, forgetKey, keepKey, keptKey } from "./own.js";
import { KEYS } from "./address.js";
import { Fault } from "./fault.js";
import { isForgotten } from "./store.js";

/** @import { Child } from "./dom.js" */
/** @import { Own } from "./own.js" */
/** @import { Desk, Seat } from "./store.js" */
/** @import { News } from "./news.js" */

/** A field for a passphrase. @type {(id: string, label: string, hint: string) => [HTMLElement, HTMLInputElement]} */
export const passphraseField = (id, label, hint) => {
  const input = h("input", { ...PLAIN, type: "password", id, "aria-describedby": `${id}-hint` });
  const words = h("p", { class: "hint", id: `${id}-hint` }, hint);
  return [h("div", { class: "field" }, h("label", { for: id }, label), words, input), input];
};

/**
 * A sentence whose words in backticks are written as in a sheet.
 * @param {string} line
 */
const coded = (line) => line.split("`").map((text, index) => (index % 2 ? h("code", {}, text) : text));

export class NewsPanel {
  /**
   * @param {Desk} data
   * @param {Seat} seat
   * @param {Own} own
   * @param {() => void} again shows the desk again, with all that is known now
   */
  constructor(data, seat, own, again) {
    this.data = data;
    this.seat = seat;
    this.again = again;
    this.fault = h("p", { class: "note bad", role: "alert", hidden: !own.fault }, own.fault);
    // A key that is forgotten in another window is forgotten here too.
    const forgotten = (/** @type {StorageEvent} */ event) => {
      if (!own.aside || !isForgotten(event, `key:${seat.key}`)) return;
      letGo(seat.key ?? "");
      again();
    };
    addEventListener("storage", forgotten);
    this.leave = () => removeEventListener("storage", forgotten);
    this.title = h("h2", {}, own.aside ? "Your news" : `What only ${seat.name} knows`);
    this.element = h("section", { class: "panel news", "aria-label": "Private news" });
    this.draw(own.aside);
  }

  /** @param {News | null} aside */
  draw(aside) {
    const { seat } = this;
    const kept = keptKey(seat.key);
    const body = aside
      ? this.told(aside)
      : seat.key === null
        ? this.keyless()
        : !seat.key.startsWith("age1")
          ? this.bySsh()
          : kept
            ? this.byPassphrase(kept)
            : this.byKey();
    fill(this.element, this.title, this.fault, body);
  }

  /**
   * @param {News} aside
   * @returns {Child}
   */
  told({ brief, told, verdicts }) {
    /** @type {(title: string, lines: readonly string[], open: boolean) => Child} */
    const part = (title, lines, open) =>
      lines.length > 0 &&
      h(
        "details",
        { open },
        h("summary", {}, title),
        h(
          "ul",
          { class: "told" },
          lines.map((line) => h("li", {}, coded(line))),
        ),
      );
    return [
      part("Who you are, and what waits for you", brief, true),
      part("What became of your orders", verdicts, !told.length),
      part("What else you heard", told, told.length > 0),
      !brief.length && !told.length && !verdicts.length && h("p", {}, "You have no private news."),
      this.forgetting(),
    ];
  }

  /** @returns {Child} */
  forgetting() {
    const line = h("p", { class: "line" });
    const ask = () => {
      const yes = button("Forget them", () => this.forget());
      fill(
        line,
        "This removes your key and the drafts of this game from this browser. ",
        yes,
        button("Keep them", offer, { class: "quiet" }),
      );
      focusOn(yes);
    };
    const offer = () => fill(line, button("Forget my key and my news", ask, { class: "quiet" }));
    offer();
    return line;
  }

  forget() {
    forgetKey(this.seat.key ?? "", draftsOf(this.data));
    say("Your key, your news and your drafts of this game are forgotten here.");
    this.again();
  }

  /** @returns {Child} */
  keyless() {
    return h("p", {}, `${this.seat.name} has no key yet. `, h("a", { href: KEYS }, "Make one"), ", and join with it.");
  }

  /** @returns {Child} */
  bySsh() {
    return [
      h(
        "p",
        {},
        `The news of ${this.seat.name} is sealed to an SSH key, which browsers cannot use. In a terminal, run `,
        h("code", {}, `courtly open ${this.data.folder}/${this.data.turn}/dispatches/${this.seat.file}.age -i KEY`),
        ".",
      ),
      h("p", {}, h("a", { href: KEYS }, "Make an age key"), " and give the host its line: then your news opens here."),
    ];
  }

  /**
   * @param {string} kept
   * @returns {Child}
   */
  byPassphrase(kept) {
    const [field, input] = passphraseField("passphrase", "Passphrase", "This browser keeps your key, locked with it.");
    return h(
      "form",
      {
        /** @param {SubmitEvent} event */
        submit: (event) => {
          event.preventDefault();
          void this.try(async () => this.open(await unlocked(kept, input.value)));
        },
      },
      field,
      h("p", { class: "line" }, h("button", { type: "submit", class: "main" }, "Open my news"), this.forgetting()),
    );
  }

  /** @returns {Child} */
  byKey() {
    const input = h("textarea", {
      id: "identity",
      rows: 2,
      "aria-describedby": "identity-hint",
      autocomplete: "off",
      spellcheck: "false",
    });
    const [field, passphrase] = passphraseField(
      "passphrase",
      "Passphrase (optional)",
      `With one, of ${SHORTEST} letters or more, this browser keeps the key, locked. Without one, the key is gone when you close this page.`,
    );
    return h(
      "form",
      {
        /** @param {SubmitEvent} event */
        submit: (event) => {
          event.preventDefault();
          void this.try(async () => {
            const identity = keyIn(input.value);
            await this.open(identity, passphrase.value);
          });
        },
      },
      h(
        "p",
        {},
        "Your private news is here, sealed to your key. Give the key, and the desk shows your news, your own map and what you can order.",
      ),
      h("label", { for: "identity" }, "Your key"),
      h(
        "p",
        { class: "hint", id: "identity-hint" },
        "It begins with AGE-SECRET-KEY-1. It stays in this browser, and is sent nowhere.",
      ),
      input,
      field,
      h(
        "p",
        { class: "line" },
        h("button", { type: "submit", class: "main" }, "Open my news"),
        h("a", { href: KEYS }, "I have no key"),
      ),
    );
  }

  /**
   * Holds a key, keeps it if there is a passphrase, and shows the desk again; throws a `Fault` if the seat has another key.
   * @param {string} identity
   * @param {string} [passphrase]
   */
  async open(identity, passphrase = "") {
    const recipient = await publicOf(identity);
    const { key, name } = this.seat;
    if (recipient !== key)
      throw new Fault(`This is not the key of ${name}. The news of ${name} is sealed to ${key}, but the public half of this key is ${recipient}.`);
    let kept = true;
    if (passphrase) kept = keepKey(recipient, await locked(identity, passphrase));
    hold(recipient, identity);
    say(kept ? "Your news is open." : "This browser keeps nothing: your key is open until you close this page.");
    this.again();
  }

  /**
   * Runs an action, and shows the fault if it fails.
   * @param {() => Promise<void>} act
   */
  async try(act) {
    this.fault.hidden = true;
    try {
      await act();
    } catch (error) {
      const words =
        error instanceof Fault ? error.message : "Your browser could not open it. Try another browser, or courtly open.";
      if (!(error instanceof Fault)) console.warn(error);
      this.fault.textContent = words;
      this.fault.hidden = false;
      say(words);
    }
  }
}
