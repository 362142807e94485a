// @ts-check
// A field for a line, with the possible continuations below it.

import { blanked, h, PLAIN } from "./dom.js";
import { firstBlank } from "./forms.js";
import { tidy } from "./text.js";

/** @import { Options } from "./dom.js" */

export class Combo {
  /**
   * @param {Options} options of the field; its id begins the ids of the continuations
   * @param {string} box the id of the list
   * @param {string} label name of the list of continuations
   * @param {{ read: () => void, accept: (line: string) => void }} hears gets every change, and the chosen continuation
   */
  constructor(options, box, label, { read, accept }) {
    this.accept = accept;
    /** @type {string[]} */
    this.lines = []; // The ways that are offered.
    this.active = -1; // Which way the arrows point at.
    this.field = h("input", {
      ...PLAIN,
      role: "combobox",
      autocorrect: "off",
      enterkeyhint: "done",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": box,
      input: read,
      focus: read,
      blur: () => this.close(),
      /** @param {KeyboardEvent} event */
      keydown: (event) => this.pressed(event),
      ...options,
    });
    this.box = h("ul", { id: box, role: "listbox", "aria-label": label, class: "suggestions", hidden: true });
    this.element = h("div", { class: "combo" }, this.field, this.box);
  }

  /** The text of the field, with single spaces. */
  get text() {
    return tidy(this.field.value);
  }

  get ways() {
    return [...this.box.children];
  }

  /** The continuation that the arrow keys point at, if any. */
  get pointed() {
    return this.box.hidden ? null : (this.lines[this.active] ?? null);
  }

  /**
   * The text before the cursor if blanks are open, otherwise all of it.
   * @param {boolean} open
   */
  begun(open) {
    const at = open ? (this.field.selectionStart ?? undefined) : undefined;
    return this.field.value.slice(0, at).replace(/\s+/gu, " ").trimStart();
  }

  /**
   * Offers continuations; `settled` if there is nothing to choose.
   * @param {string[]} lines
   * @param {boolean} settled
   */
  offer(lines, settled) {
    const id = this.box.id.replace(/s$/, "");
    this.lines = lines;
    const items = lines.map((line, index) =>
      h(
        "li",
        {
          id: `${id}-${index}`,
          role: "option",
          "aria-selected": "false",
          /** @param {Event} event */
          pointerdown: (event) => event.preventDefault(),
          click: () => this.accept(line),
        },
        blanked(line),
      ),
    );
    this.box.replaceChildren(...items);
    this.box.hidden = !lines.length || settled || document.activeElement !== this.field;
    this.field.setAttribute("aria-expanded", String(!this.box.hidden));
    this.point(-1);
  }

  /**
   * Puts a line with open blanks into the field and selects the first blank. The listener for changes gets this one too.
   * @param {string} line
   */
  begin(line) {
    const name = firstBlank(line);
    this.field.value = line;
    this.field.focus();
    const at = name ? line.indexOf(`{${name}}`) : -1;
    if (at >= 0) this.field.setSelectionRange(at, at + name.length + 2);
    this.field.dispatchEvent(new Event("input"));
  }

  /**
   * Points at a continuation, or at none with -1.
   * @param {number} index
   */
  point(index) {
    this.active = index;
    this.ways.forEach((one, at) => one.setAttribute("aria-selected", String(at === index)));
    if (index >= 0) {
      this.field.setAttribute("aria-activedescendant", this.box.children[index].id);
      this.box.children[index].scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  close() {
    this.box.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.point(-1);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const number = this.ways.length;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && number && !event.altKey) {
      event.preventDefault();
      this.box.hidden = false;
      this.field.setAttribute("aria-expanded", "true");
      this.point(this.active < 0 ? (step > 0 ? 0 : number - 1) : (this.active + step + number) % number);
    } else if (event.key === "Escape" && !this.box.hidden) {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }
}
