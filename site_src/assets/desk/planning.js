// @ts-check
// The editor of a list whose lines are tried in order: lines to move, a field that reads as one types, and conditions to choose.
// Tapped or chosen lines are written at once and can be undone; typed ones wait for Add.

import { chooserOf } from "./chooser.js";
import { Combo } from "./combo.js";
import { button, fill, focusOn, h, say, show } from "./dom.js";
import { OnFoot } from "./onfoot.js";
import { goingOn, rowOf } from "./planline.js";
import { standing } from "./standing.js";
import { count, listed, tidy } from "./text.js";

/** @import { Planned } from "./plans.js" */
/** @import { Unseen } from "./text.js" */
/** @import { Walking } from "./walks.js" */
/** @import { Field } from "./types.js" */

/** The judge's word on a line; undefined if it does not speak. @typedef {{ kind: string, words: string } | undefined} Said */

const MOST_PICKS = 80;

export class Planning {
  /**
   * @param {Field} field
   * @param {Planned} planned
   * @param {unknown} value
   * @param {{ help: HTMLElement | false, letters: number, said?: (lines: string[], at: number) => Said, stands: readonly string[] | undefined, told?: readonly string[], undo?: () => () => void, unseen: Unseen, walking?: Walking }} more
   * @param {(value: string | undefined, what: string) => void} change gets the new value of the list, and a description of the change
   * @param {() => void} [looked] is called when the text of the field may have changed
   */
  constructor(field, planned, value, { help, letters, said = () => undefined, stands, told = [], undo, unseen, walking }, change, looked = () => {}) {
    this.field = field;
    this.planned = planned;
    this.unseen = unseen;
    this.stands = stands;
    this.said = said;
    this.change = change;
    this.looked = looked;
    this.undo = undo;
    /** @type {number | null} */
    this.recent = null; // Which line was written last, as long as nothing else was done.
    this.onFoot = walking ? new OnFoot(this, walking) : null;
    const id = (this.id = `field-${field.key}`);
    this.lines = typeof value === "string" ? value.split("\n").map(tidy).filter(Boolean) : [];
    this.emptied = field.empty === true && value === "";
    /** @type {number | null} */
    this.editing = null; // Which line is being changed.
    this.list = h("ol", { class: "orders plan-lines" });
    this.note = h("div", { class: "hint" });
    this.reading = h("div", { id: `${id}-reading`, class: "reading" });
    this.picks = h("div", {});
    this.combo = new Combo(
      { id: `${id}-line`, maxlength: letters, "aria-describedby": `${id}-reading`, paste: (/** @type {ClipboardEvent} */ event) => this.pasted(event) },
      `${id}-ways`,
      "Ways to go on",
      { read: () => this.read(), accept: (line) => this.choose(line) },
    );
    this.add = h("button", { type: "submit" }, "Add");
    this.stop = button("Leave it as it was", () => this.done(), { class: "quiet", hidden: true });
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      this.taken();
    };
    this.element = h(
      "fieldset",
      { class: "plan", id, "aria-describedby": help && `${id}-help` },
      h("legend", {}, field.label),
      help,
      told.length > 0 && h("ul", { class: "told" }, told.map((line) => h("li", {}, line))),
      this.list,
      this.note,
      h(
        "form",
        { class: "typing", submit },
        h("label", { for: `${id}-line`, class: "unseen" }, `A line for: ${field.label}`),
        h("div", { class: "line" }, this.combo.element, this.add, this.stop),
        this.reading,
      ),
      planned.terms.length > 0 && chooserOf(planned, field, () => this.latest, (line) => this.conditioned(line)),
      this.picks,
    );
    this.draw();
  }

  /** The path of the line in the field, if it is a walk. */
  get walk() {
    return this.onFoot?.walk ?? null;
  }

  /** The line that gets a condition: the one in the field, or the one written last. */
  get latest() {
    return this.combo.text || (this.recent === null ? "" : this.lines[this.recent]);
  }

  // The list -------------------------------------------------------------------------------------------------------

  /**
   * Passes on the new value of the list, and draws it.
   * @param {string} what describes the change
   */
  commit(what) {
    this.recent = null;
    if (!this.combo.text) this.reading.replaceChildren(); // The line that it was about may have moved, or be gone.
    this.change(this.lines.length ? this.lines.join("\n") : this.emptied ? "" : undefined, what);
    this.draw();
  }

  drawRows() {
    fill(this.list, this.lines.map((line, index) => rowOf(this, line, index)));
  }

  draw() {
    this.drawRows();
    this.list.hidden = !this.lines.length;
    fill(this.note, standing(this));
    this.drawPicks();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  move(from, to) {
    if (to < 0 || to >= this.lines.length) return;
    const [line] = this.lines.splice(from, 1);
    this.lines.splice(to, 0, line);
    if (this.editing !== null) this.done();
    this.commit(`${line} moved`);
    const row = this.list.children[to];
    const wanted = row.querySelectorAll("button")[to < from ? 0 : 1];
    focusOn(wanted.disabled ? row.querySelectorAll("button")[2] : wanted);
    say(`Line ${to + 1} of ${this.lines.length}: ${line}.`);
  }

  /**
   * The fault of a line of the list; empty if it has none.
   * @param {number} index
   */
  faultOf(index) {
    return this.planned.judge(this.lines[index]).fault || (this.onFoot?.twice(index) ?? "");
  }

  /** True if the field holds text that would not be sent. */
  get unsent() {
    return this.combo.text !== (this.editing === null ? "" : this.lines[this.editing]);
  }

  /**
   * @param {number} index
   * @param {boolean} [typing] whether the reader will type, which opens the keyboard on a phone
   */
  edit(index, typing = true) {
    this.editing = index;
    this.add.textContent = "Change";
    this.stop.hidden = false;
    this.combo.field.value = this.lines[index];
    if (typing) this.combo.field.focus();
    this.read();
    if (typing) show(this.combo.field);
  }

  /** Ends the change of a line. */
  done() {
    this.onFoot?.forget();
    this.editing = null;
    this.add.textContent = "Add";
    this.stop.hidden = true;
    this.combo.field.value = "";
    this.combo.offer([], true);
    this.reading.replaceChildren();
    this.looked();
  }

  /** @param {number} index */
  remove(index) {
    const [line] = this.lines.splice(index, 1);
    if (this.editing !== null) this.done();
    this.commit(`${line} removed`);
    say(`${line}: removed.`);
    const row = this.list.children[Math.min(index, this.lines.length - 1)];
    focusOn(row?.querySelectorAll("button")[3] ?? this.combo.field);
  }

  // A line ---------------------------------------------------------------------------------------------------------

  /** Reads the text of the field, shows its meaning below it, and offers continuations. */
  read() {
    if (this.combo.text) this.recent = null;
    this.onFoot?.follow();
    this.interpret();
    if (this.walk) this.reading.append(this.onFoot?.told(this.walk) ?? "");
    this.looked();
  }

  interpret() {
    const { combo, planned } = this;
    const { text } = combo;
    this.reading.replaceChildren();
    const hidden = this.unseen.faultIn(combo.field.value);
    if (hidden) {
      combo.offer([], true);
      this.reading.append(h("p", { class: "bad" }, hidden));
      return;
    }
    const judged = text ? planned.judge(text) : null;
    const lines = planned.waysOn(combo.begun((judged?.open.length ?? 0) > 0), text);
    combo.offer(lines, false);
    if (!judged) return;
    const { fault, doubt, line, open } = judged;
    if (open.length) this.reading.append(h("p", { class: "soft" }, `Still to fill in: ${listed(open)}.`));
    else if (fault && this.walk?.path.length === 1 && text.endsWith(":")) this.reading.append(h("p", { class: "soft" }, "Tap where it goes, or write the ways."));
    else if (fault && lines.length) this.reading.append(h("p", { class: "soft" }, "Go on, or choose one of the ways."));
    else if (fault) this.reading.append(h("p", { class: "bad" }, fault));
    else {
      this.reading.append(h("p", { class: "good" }, this.said([], 0) ? "Read as " : "✓ Read as ", h("strong", {}, line)), goingOn(this, line));
      if (doubt) this.reading.append(h("p", { class: "soft" }, doubt));
    }
  }

  /** Opens the choice of a condition. */
  ask() {
    const chooser = this.element.querySelector("details.chooser");
    chooser?.setAttribute("open", "");
    focusOn(chooser?.querySelector("select") ?? this.combo.field);
  }

  /**
   * Goes on with a chosen continuation. A complete line is written; one that has no effect waits for Add.
   * @param {string} text
   */
  choose(text) {
    const { fault, line, open } = this.planned.judge(text);
    if (!open.length && !fault) return this.put(line);
    if (open.length) this.combo.begin(text);
    else this.compose(text);
    return false;
  }

  /**
   * Puts a line into the field, to be added.
   * @param {string} line
   */
  compose(line) {
    const { field } = this.combo;
    const typing = document.activeElement === field;
    field.value = line;
    this.read();
    this.combo.close();
    if (!typing) focusOn(this.add); // On a phone the field would bring the keyboard.
  }

  /**
   * Takes a line with a new condition: into the field if that has text, otherwise in place of the line written last.
   * @param {string} line
   */
  conditioned(line) {
    const at = this.combo.text ? null : this.recent;
    const { fault, open } = this.planned.judge(line);
    if (at !== null && (fault || open.length)) this.edit(at, false);
    else if (at !== null) this.editing = at;
    if (this.combo.text) this.compose(line);
    else this.choose(line);
  }

  /** Takes in the text of the field, or shows its fault. */
  taken() {
    const { pointed, text } = this.combo;
    if (pointed !== null) {
      this.choose(pointed);
      return;
    }
    if (!text) return;
    const { fault, line, near, open } = this.planned.judge(text);
    if (open.length) {
      this.combo.begin(text);
      return;
    }
    const hidden = this.unseen.faultIn(this.combo.field.value);
    if (!fault && !hidden) {
      this.put(line);
      return;
    }
    this.combo.close();
    fill(
      this.reading,
      h("p", { class: "bad" }, hidden || fault),
      !hidden &&
        h(
          "p",
          { class: "line" },
          near && button(`Write ${near.word}`, () => this.compose(text.replace(near.given, () => near.word))),
          button("Add it as written", () => this.put(line), { class: "quiet" }),
        ),
    );
    say(hidden || fault);
  }

  /**
   * Puts a line into the list, after the others or in place of the one being changed.
   * @param {string} line
   */
  put(line) {
    const most = this.field.most ?? 100;
    if (this.editing === null && this.lines.length >= most) {
      fill(this.reading, h("p", { class: "bad" }, `A list has at most ${most} lines.`));
      say(`A list has at most ${most} lines.`);
      return false;
    }
    const at = this.editing ?? this.lines.length;
    this.lines[at] = line;
    this.done();
    this.commit(line);
    this.recent = at;
    fill(
      this.reading,
      h(
        "p",
        { class: "good" },
        this.said([], 0) ? "Written: " : "✓ Written: ", // The judge says at its row whether it is taken.
        h("strong", {}, this.planned.called(line)),
        this.undo && button("Undo", this.undo(), { class: "quiet", "aria-label": `Undo: ${line}` }),
      ),
      goingOn(this, line, at),
    );
    say(`Line ${at + 1} of ${this.lines.length}: ${line}.`);
    return true;
  }

  /**
   * Takes in several pasted lines at once, each as it is read, up to the limit of the list.
   * @param {ClipboardEvent} event
   */
  pasted(event) {
    const text = event.clipboardData?.getData("text") ?? "";
    const lines = text.split(/[\r\n]+/).map((line) => tidy(line.replace(/^\s*-\s/, ""))).filter(Boolean);
    if (lines.length < 2 || this.unseen.faultIn(text)) return;
    event.preventDefault();
    const room = Math.max(0, (this.field.most ?? 100) - this.lines.length);
    this.lines.push(...lines.slice(0, room).map((line) => this.planned.judge(line).line));
    this.commit(`${count(Math.min(lines.length, room), "line")} added`);
    const left = lines.length - room;
    say(`${count(Math.min(lines.length, room), "line")} added.${left > 0 ? ` There was no room for ${left} more.` : ""}`);
  }

  // By choosing ----------------------------------------------------------------------------------------------------

  /** Draws the lines that are possible now. */
  drawPicks() {
    const { options } = this.planned;
    const some = options.filter((line) => !this.lines.includes(line)).slice(0, MOST_PICKS);
    const open = this.picks.querySelector("details")?.open === true;
    fill(
      this.picks,
      some.length > 0 &&
        h(
          "details",
          { open },
          h("summary", {}, `You can (${some.length}${options.length > MOST_PICKS ? " and more" : ""})`),
          h("ul", { class: "picks" }, some.map((line) => this.pick(line))),
        ),
    );
  }

  /** @param {string} line */
  pick(line) {
    return h("li", {}, button(this.planned.called(line), () => this.choose(line), { class: "pick", "data-line": line }));
  }

  /**
   * Handles a tap on a card or a character: it fills the open blank, or its possible lines are offered; true if either happened.
   * @param {string} word
   * @param {string} name its display name
   */
  tap(word, name) {
    if (this.onFoot?.goTo(word)) return true;
    if (this.planned.isWord(word)) {
      if (this.lines.includes(word)) say(`${name} is in your list already: ${this.field.label}.`);
      else this.choose(word);
      show(this.reading);
      return true;
    }
    const filled = this.combo.text ? this.planned.filledIn(this.combo.text, word) : null;
    if (filled) {
      this.choose(filled);
      return true;
    }
    const lines = this.planned.naming(word);
    if (!lines.length) return false;
    fill(
      this.reading,
      h("p", {}, `With ${name}, for: ${this.field.label}`),
      h("ul", { class: "picks" }, lines.slice(0, MOST_PICKS).map((line) => this.pick(line))),
    );
    show(this.reading);
    say(`${count(lines.length, "line")} with ${name}.`);
    return true;
  }
}
