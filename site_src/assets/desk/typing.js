// @ts-check
// Typing an order: the field, its possible continuations, and the messages about it.

import { Combo } from "./combo.js";
import { blanked, button, fill, h, say } from "./dom.js";
import { takeIn, takeMeant } from "./pasting.js";
import { NOT_OFFERED } from "./reader.js";
import { count, listed, tidy } from "./text.js";
import { verdictOf } from "./voice.js";

/** @import { OrderDesk } from "./desk.js" */
/** @import { Judged } from "./reader.js" */

const PAUSE = 700; // Milliseconds without a letter before a screen reader announces anything.

export class Typing {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    this.telling = 0;
    const { bids, draft, reader } = desk;
    this.combo = new Combo(
      {
        id: "typed",
        maxlength: desk.data.limits.letters,
        "aria-describedby": "typed-hint reading",
        /** @param {ClipboardEvent} event */
        paste: (event) => this.pasted(event),
      },
      "suggestions",
      reader.forms ? "Ways to go on" : "Legal orders",
      { read: () => this.read(), accept: (line) => this.accept(line) },
    );
    this.field = this.combo.field;
    this.reading = h("div", { id: "reading", class: "reading" });
    const { options } = reader.notation;
    const such = options.find(({ mentions }) => mentions.length > 1) ?? options[0];
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      this.add();
    };
    this.element = h(
      "form",
      { class: "typing", submit },
      h("label", { for: "typed" }, bids ? "Or type an order or a bid" : "Or type an order"),
      h(
        "div",
        { class: "line" },
        this.combo.element,
        h("button", { type: "submit" }, "Add"),
      ),
      h(
        "p",
        { class: "hint", id: "typed-hint" },
        such && !reader.forms ? `Such as ${such.line}${bids ? `, or ${bids.such}` : ""}. ` : "",
        reader.forms ? "Upper and lower case make no difference here." : "Short names and other spellings are understood.",
        draft.single ? "" : " You can paste several lines.",
      ),
      this.reading,
    );
  }

  /** The text of the field, with single spaces. */
  get text() {
    return this.combo.text;
  }

  /** Cancels the pending announcement to screen readers. */
  hush() {
    clearTimeout(this.telling);
  }

  /**
   * Announces something to screen readers as soon as nobody types.
   * @param {string} words
   */
  tell(words) {
    this.telling = window.setTimeout(() => say(words), PAUSE);
  }

  /**
   * Puts a line with open blanks into the field and selects the first of them.
   * @param {string} line
   */
  begin(line) {
    this.combo.begin(line);
  }

  /**
   * Puts a line into the field without moving the reader's focus.
   * @param {string} line
   */
  put(line) {
    this.field.value = line;
    this.read();
  }

  /**
   * Puts a line into the field, to be typed over.
   * @param {string} line
   */
  edit(line) {
    this.field.value = line;
    this.read();
    this.field.focus();
    this.field.select();
  }

  /**
   * Fills the first open blank that takes a place; true if there is one.
   * @param {string} place
   */
  fillIn(place) {
    const { picker, reader } = this.desk;
    const { forms } = reader;
    if (forms?.open(this.text).length && picker.filling?.tap(this.text, place)) return true;
    for (const name of forms?.open(this.text) ?? []) {
      const { text } = forms?.fill(name, place) ?? {};
      if (!text) continue;
      const line = this.text.replace(`{${name}}`, () => text);
      if (picker.filling) picker.filling.put(line);
      else this.begin(line);
      return true;
    }
    return false;
  }

  /** Reads the text of the field, shows its meaning below it, and offers continuations. */
  read() {
    const { text } = this;
    this.reading.replaceChildren();
    this.hush();
    const hidden = this.desk.unseen.faultIn(this.field.value);
    if (hidden) {
      this.combo.offer([], true);
      const bare = button("Remove what is invisible", () => this.bare());
      this.reading.append(h("p", { class: "bad" }, `${hidden} `, bare));
      this.tell(hidden);
      return;
    }
    const bid = this.desk.bids?.typed(text) ?? null;
    const judged = text && !bid ? this.desk.reader.judge(text) : null;
    const lines = text ? this.waysOn(text) : [];
    const settled = lines.length === 1 && (bid?.line ?? judged?.text) === lines[0];
    this.combo.offer(lines, settled);
    if (this.desk.ways) this.desk.picker.draw();
    if (!judged && !bid) return;
    const told = bid ? this.drawBid(bid, lines.length > 0) : judged && this.drawReading(judged, lines.length > 0);
    this.tell(`${told}${lines.length && !settled ? ` ${count(lines.length, "suggestion")}.` : ""}`);
  }

  /**
   * Continuations of the line; if blanks are open, from the cursor on.
   * @param {string} text
   */
  waysOn(text) {
    const { forms, notation } = this.desk.reader;
    const { bids } = this.desk;
    if (bids?.typed(text)) return bids.bidding.suggestions(text);
    if (!forms) {
      const wish = notation.legal.has(text) ? null : bids?.bidding.wishOf(text);
      return [...(bids && wish ? [bids.bidding.line(1, wish.line)] : []), ...notation.suggestions(text)];
    }
    return forms.suggestions(this.combo.begun(forms.open(text).length > 0));
  }

  /**
   * Shows how a line is read; returns the part of that to announce.
   * @param {Judged} judged
   * @param {boolean} goesOn whether there are continuations
   */
  drawReading(judged, goesOn) {
    const { forms, notation } = this.desk.reader;
    const { line, meant, open, unknown } = judged;
    /** @type {(kind: string | null, ...words: (string | Node)[]) => string} */
    const write = (kind, ...words) => {
      this.reading.append(h("p", { class: kind }, words));
      return this.reading.textContent ?? "";
    };
    const strong = h("strong", {}, line);
    if (forms && unknown.length && goesOn) return ""; // It is only begun.
    if (open?.length) return write("soft", `Still to fill in: ${listed(open)}.`);
    if (open && !unknown.length && !notation.legal.has(line)) {
      write(null, "Read as ", strong);
      return `Read as ${line}.`;
    }
    if (unknown.length) return write("soft", unknown.map((one) => this.desk.reader.wordsOf(one)).join(" "));
    if (meant.length === 1 && this.desk.voice.speaks) {
      const read = write(null, "Read as ", strong);
      void this.judged(line);
      return read;
    }
    if (meant.length === 1 || open) {
      write("good", "✓ Read as ", strong);
      return `Read as ${line}. Legal.`;
    }
    if (meant.length) {
      const lines = meant.map((option) => option.line);
      return write("soft", `It could be ${listed(lines, "or")}.`);
    }
    if (this.desk.voice.speaks) {
      const read = write(null, "Read as ", strong);
      void this.judged(line);
      return read;
    }
    const fault = this.desk.reader.faultOf(line);
    return fault ? write(fault === NOT_OFFERED ? "soft" : "bad", "Read as ", strong, `. ${fault}`) : write("good", "✓ Read as ", strong);
  }

  /** Adds the judge's opinion to the reading of a line. @param {string} line */
  async judged(line) {
    const { draft, voice } = this.desk;
    const typed = this.text;
    const place = this.reading.firstElementChild;
    const remarks = await voice.would(draft.ordersField?.key ?? "", line);
    if (!remarks || place !== this.reading.firstElementChild || typed !== this.text || !place) return;
    const { kind, words } = verdictOf(line, remarks, voice.sure);
    place.className = { good: "good", fits: "soft", odd: "bad" }[kind];
    if (kind === "good") place.prepend("✓ ");
    place.append(words && `. ${words}`);
    this.tell(this.reading.textContent ?? "");
  }

  /**
   * Shows how a bid is read; returns the part of that to announce.
   * @param {{ line: string, fault: string }} bid
   * @param {boolean} goesOn whether there are continuations
   */
  drawBid({ fault, line }, goesOn) {
    if (!fault) this.reading.append(h("p", { class: "good" }, "✓ Read as the bid ", h("strong", {}, line)));
    else if (!goesOn) this.reading.append(h("p", { class: "soft" }, fault));
    return this.reading.textContent ?? "";
  }

  /** Removes invisible characters from the field. */
  bare() {
    this.field.value = this.desk.unseen.without(this.field.value);
    this.read();
    this.field.focus();
  }

  /** Takes in the text of the field, or shows its fault and ways to mend it. */
  add() {
    const { text } = this;
    if (!text) return;
    const hidden = this.desk.unseen.faultIn(this.field.value);
    if (hidden) {
      this.read();
      say(hidden);
      return;
    }
    this.hush();
    const { pointed } = this.combo;
    if (pointed !== null) {
      this.accept(pointed);
      return;
    }
    const { bids, picker, reader } = this.desk;
    const bid = bids?.typed(text);
    if (bid?.fault) this.ask(text, { text, line: text, unknown: [{ given: text, words: bid.fault }], meant: [] });
    if (bid) return bid.fault ? undefined : this.take(bid.line);
    const judged = reader.judge(text);
    const wish = judged.meant.length ? null : bids?.bidding.wishOf(text);
    if (wish) {
      this.put("");
      picker.offering?.beginWish(wish, `${wish.line}: ${reader.faultOf(judged.line)}`);
    } else if (!judged.unknown.length && judged.meant.length < 2) this.accept(judged.line);
    else this.ask(text, judged);
  }

  /**
   * Shows the parts of a line that are not understood, with ways to mend them.
   * @param {string} text
   * @param {Judged} judged
   */
  ask(text, { unknown, meant, text: read }) {
    const words = unknown.length
      ? unknown.map((one) => this.desk.reader.wordsOf(one)).join(" ")
      : "It could be several orders.";
    /** @param {string} word */
    const mend = (word) => {
      this.field.value = read.replace(unknown[0].given, () => word);
      this.field.focus();
      this.read();
    };
    const { near = null, several = [] } = unknown.length === 1 ? unknown[0] : {};
    const likely = [...(near ? [near] : []), ...several];
    fill(
      this.reading,
      h("p", { class: "bad" }, words),
      h(
        "p",
        { class: "line" },
        likely.map((word) => button(["Write ", blanked(word)], () => mend(word))),
        meant.map(({ line }) => button(line, () => this.accept(line))),
        button("Add it as written", () => this.take(unknown.length ? text : read), { class: "quiet" }),
      ),
    );
    this.combo.close();
    say(words);
  }

  /**
   * Takes a line in; one with open blanks stays in the field.
   * @param {string} line
   */
  accept(line) {
    if (this.desk.reader.forms?.open(line).length) this.begin(line);
    else this.take(line);
  }

  /** @param {string} line */
  take(line) {
    const { bids } = this.desk;
    if (bids?.typed(line)) say(bids.write(line, null));
    else if (!this.desk.take(line)) return;
    this.field.value = "";
    this.read();
    this.field.focus({ preventScroll: true });
  }

  /**
   * Takes in several pasted lines at once if they are understood; the first of the others stays in the field.
   * @param {ClipboardEvent} event
   */
  pasted(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.split(/[\r\n]+/).filter((line) => tidy(line)).length < 2) return;
    event.preventDefault();
    const { left, words } = takeIn(this.desk, text);
    this.shows(left, h("p", { class: left.length ? "bad" : "good" }, words));
    say(words);
    if (left.length) void this.asksAbout(left);
  }

  /**
   * Asks the judge about the lines that are left of a pasted text, and shows how it reads each of them.
   * @param {string[]} lines
   */
  async asksAbout(lines) {
    const first = this.field.value;
    const found = await takeMeant(this.desk, lines, () => this.field.value === first);
    if (!found?.meant.length) return;
    const { left, meant } = found;
    const words = `${count(meant.flatMap(([, orders]) => orders).length, "order")} more added.`;
    this.shows(
      left,
      h("p", { class: left.length ? "bad" : "good" }, words, left.length ? ` Not understood: ${left.join("; ")}.` : ""),
      h("ul", { class: "read" }, meant.map(([line, orders]) => h("li", {}, `${line} is read as ${orders.join("; ")}`))),
    );
    say(words);
  }

  /**
   * Shows what became of a pasted text; the first of the lines that are left stays in the field.
   * @param {readonly string[]} left
   * @param {HTMLElement[]} told
   */
  shows(left, ...told) {
    this.field.value = left[0] ?? "";
    this.read();
    this.reading.prepend(...told);
  }
}
