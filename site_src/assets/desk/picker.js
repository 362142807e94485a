// @ts-check
// Choosing an order: a unit, the orders that go on from the choice, or the form of an order to begin with.

import { Filling } from "./filling.js";
import { Offering } from "./offering.js";
import { blanked, button, fill, firstField, focusOn, h, motion, say, small } from "./dom.js";
/** @import { OrderDesk } from "./desk.js" */
/** @import { Child } from "./dom.js" */
/** @import { Option } from "./notation.js" */

/**
 * A tick after an order that is in the list already, with words for screen readers.
 * @param {string} words
 */
const tick = (words) =>
  h("span", { class: "good" }, h("span", { "aria-hidden": "true" }, " ✓"), h("span", { class: "unseen" }, words));

export class Picker {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    this.title = h("h2", {}, "Choose a unit");
    this.body = h("div", {});
    this.element = h(
      "section",
      {
        class: "panel picker",
        "aria-label": "Choose an order",
        /** @param {KeyboardEvent} event */
        keydown: (event) => this.walk(event),
      },
      this.title,
      this.body,
      desk.undoLine,
    );
    this.filling = desk.ways && new Filling(this, desk.ways);
    this.offering = desk.bids || desk.reader.persons.length ? new Offering(this, desk.bids) : null;
    // Made once, so that unfolded parts stay unfolded.
    this.beginnings = (desk.reader.forms?.groups ?? []).map(([title, forms], _, { length }) => {
      const buttons = forms.map((form) => h("li", {}, button(blanked(form), () => this.begin(form), { class: "pick" })));
      return h("details", { open: length === 1 }, h("summary", {}, title), h("ul", { class: "picks" }, buttons));
    });
  }

  focus() {
    focusOn(this.title);
  }

  /** Hides the desk's cautions while the judge speaks. */
  drawCautions() {
    for (const one of this.body.querySelectorAll(".caution")) one.toggleAttribute("hidden", this.desk.voice.speaks);
  }

  /** Brings the panel into view, below the map if the map stays in view. */
  reveal() {
    const cover = small() ? Math.max(0, this.desk.board?.element.getBoundingClientRect().bottom ?? 0) : 0;
    const { top } = this.element.getBoundingClientRect();
    const covered = Math.min(cover, innerHeight / 2);
    if (top < covered || top > innerHeight - 260) scrollBy({ top: top - covered - 12, behavior: motion() });
  }

  /** Moves the focus to the first choice. */
  focusChoice() {
    focusOn(firstField(this.body.querySelector(".picks")) ?? this.title);
  }

  /**
   * The arrow keys walk the choices.
   * @param {KeyboardEvent} event
   */
  walk(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const picks = [...this.body.querySelectorAll(".pick")];
    const at = picks.findIndex((pick) => pick === document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    focusOn(/** @type {HTMLElement} */ (picks[(at + step + picks.length) % picks.length]));
  }

  /**
   * Begins an order with a form; a form without blanks is complete.
   * @param {string} form
   */
  begin(form) {
    if (this.filling) this.filling.put(form);
    else if (this.desk.reader.forms?.open(form).length) this.desk.typing.begin(form);
    else if (this.desk.take(form)) this.focus();
  }

  /**
   * Chooses a place, and announces the orders that are possible with it.
   * @param {string} place
   */
  choose(place) {
    const { choice } = this.desk;
    this.offering?.end();
    choice.choose(place).forEach(say);
    if (small() && choice.chosen.length) {
      // The map stays in view, because the next place may be tapped there.
      const below = this.element.getBoundingClientRect().top - (innerHeight - 260);
      if (below > 0) scrollBy({ top: below, behavior: motion() });
    }
  }

  /** Goes one step back. */
  back() {
    this.desk.choice.back();
    if (this.desk.choice.chosen.length) this.focusChoice();
    else this.focus();
  }

  draw() {
    const { choice, reader } = this.desk;
    const warn = choice.note && h("p", { class: "note" }, choice.note);
    if (this.filling) this.filling.draw(warn);
    else if (this.offering?.active) this.offering.draw(warn);
    else if (choice.chosen.length) this.drawChosen(warn);
    else if (reader.forms) this.drawForms(warn);
    else if (!reader.notation.options.length) this.drawNone();
    else this.drawUnits(warn);
  }

  /** @param {Child} warn */
  drawForms(warn) {
    const { reader, seat } = this.desk;
    const some = Boolean(reader.forms?.shown.length);
    this.title.textContent = some ? "Begin an order" : "No orders to write";
    const legal = reader.notation.options.map((option) => this.orderButton(option, ""));
    const hint = some
      ? `The desk does not see what ${seat.name} sees. It checks how an order is written; you learn whether it is legal when the turn is judged. Fill in what is in braces.`
      : "There are none in this turn. What it asks for is below.";
    fill(
      this.body,
      warn,
      h("p", { class: "hint" }, hint),
      legal.length > 0 && h("ul", { class: "picks" }, legal),
      this.beginnings,
    );
  }

  drawNone() {
    const { data, seat } = this.desk;
    this.title.textContent = data.hidden ? "Your orders" : "Nothing to order";
    const none = data.hidden
      ? "The desk cannot know what you may order. Type it."
      : `${seat.name} has no legal order in this turn.`;
    fill(this.body, h("p", {}, none));
  }

  /** @param {Child} warn */
  drawUnits(warn) {
    const { draft, reader } = this.desk;
    const { notation } = reader;
    const { single } = draft;
    const [open] = draft.missing();
    const few = notation.units.size === 0;
    const full = single ? draft.orders.length > 0 : !open;
    if (few) {
      this.title.textContent = single ? "Choose your order" : "Choose your orders";
      const picks = notation.options.map((option) => this.orderButton(option, ""));
      fill(this.body, warn, h("ul", { class: "picks" }, picks));
      return;
    }
    this.title.textContent = !full ? "Choose a unit" : single ? "Your order is chosen" : "Every unit has an order";
    const hint = single
      ? full
        ? "Another order replaces it."
        : "You order only one unit. Tap it on the map, or choose it here."
      : full
        ? "You can still change each of them."
        : "On the map, or in the list of your orders.";
    const go = full
      ? button(this.desk.onward, () => this.desk.goOn(), { class: "main go" })
      : open?.place &&
        button(`Next: ${open.unit}`, () => this.next(), { class: "main go" });
    fill(
      this.body,
      warn,
      h("p", { class: "hint" }, hint, full && this.offering?.unused().map((words) => ` ${words}`)),
      full && this.cautions(),
      single && this.unitButtons(),
      go,
    );
  }

  /** Goes on to the next unit without an order. */
  next() {
    const [open] = this.desk.draft.missing();
    if (open?.place) {
      this.desk.edit(open);
      this.focusChoice();
    } else this.desk.goOn();
  }

  /** @param {Child} warn */
  drawChosen(warn) {
    const { chosen, settled } = this.desk.choice;
    const { notation } = this.desk.reader;
    const options = notation.naming(chosen).filter(({ line }) => line !== settled);
    const unit = notation.units.get(chosen[0]);
    this.title.textContent = unit ? `Order ${unit}` : `Orders that name ${chosen[0]}`;
    const hold = unit && chosen.length === 1 && this.desk.choice.holdOf(chosen[0]) ? " Tap the unit again to hold." : "";
    const tapNext = this.desk.board ? `Tap where its order goes on, or choose here.${hold}` : "Choose one.";
    const back = button(chosen.length > 1 ? "Back" : "Cancel", () => this.back(), {
      class: "quiet",
    });
    const trail =
      chosen.length > 1
        ? chosen.map((place, index) => [index ? " › " : "", h("strong", {}, place)])
        : h("span", { class: "hint" }, tapNext);
    const half = this.desk.choice.otherHalf();
    const missing = this.desk.draft.missing();
    const single = this.desk.draft.single;
    const more = this.desk.draft.more();
    fill(
      this.body,
      h("p", { class: "trail" }, trail, back),
      warn,
      settled && h("p", { class: "good" }, "✓ Written: ", h("strong", {}, settled)),
      this.lists(options, chosen, (option, kind) => this.orderButton(option, kind)),
      half && h("ul", { class: "picks" }, this.orderButton(half, "half")),
      settled && !missing.length && this.cautions(),
      settled && !missing.length && more && button(`Next ${more}`, () => this.another(), { class: "main go" }),
      settled &&
        button(single || !missing.length ? this.desk.onward : `Next: ${missing[0].unit}`, () => this.next(), {
          class: more && !missing.length ? "quiet" : "main go",
        }),
    );
  }

  /** Gives up the choice, so that another can begin. */
  another() {
    this.desk.choice.escape();
    this.focus();
  }

  /**
   * Orders that name the chosen places, first those that name nothing else; if many name more, those are folded.
   * @param {Option[]} options
   * @param {readonly string[]} chosen
   * @param {(option: Option, kind: string) => HTMLElement} item
   * @returns {Child}
   */
  lists(options, chosen, item) {
    const exact = options.filter(({ mentions }) => mentions.length === chosen.length);
    const more = options
      .filter((option) => !exact.includes(option))
      .sort((one, two) => one.mentions.length - two.mentions.length);
    const near = more.filter(({ mentions }) => mentions.length === chosen.length + 1);
    const far = more.filter((option) => !near.includes(option));
    /** @type {(options: Option[], kind: string) => Child} */
    const list = (some, kind) => some.length > 0 && h("ul", { class: "picks" }, some.map((option) => item(option, kind)));
    const folded = far.length > 0 && near.length + exact.length > 3;
    const rest = h("details", {}, h("summary", {}, `${far.length} more, with another place`), list(far, ""));
    return [list(exact, "exact"), list(near, ""), folded ? rest : list(far, "")];
  }

  /**
   * @param {Option} option
   * @param {string} kind
   */
  orderButton(option, kind) {
    const { choice, draft, reader } = this.desk;
    const { line } = option;
    const { head, words } = reader.sayings.of(option);
    const said = head && reader.notation.owners.has(choice.chosen[0]); // The heading names the unit.
    const click = () => {
      // An order such as `Waive` may be in the list several times; one that names a place is there once.
      const there = option.mentions.length > 0 && draft.orders.includes(line);
      if (there) choice.escape();
      if (there || this.desk.take(line)) focusOn(this.body.querySelector("button.go") ?? this.title);
    };
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: `pick ${kind}`, "data-line": line, click },
        kind === "half" && h("span", { class: "soft" }, "And: "),
        head && h("span", { class: said && kind !== "half" ? "unit said" : "unit" }, head),
        words,
        reader.whose.has(line) && h("span", { class: "soft" }, ` (${reader.whose.get(line)})`),
        draft.orders.includes(line) && tick(" in your list"),
      ),
    );
  }

  /** The cautions that apply to the sheet now. */
  cautions() {
    const { draft, voice } = this.desk;
    return draft.cautions().map((words) => h("p", { class: "note caution", hidden: voice.speaks }, words));
  }

  /** The units that can be ordered, for readers without the map. */
  unitButtons() {
    const { draft, reader } = this.desk;
    const buttons = [...reader.notation.units].map(([place, unit]) => {
      const click = () => {
        this.choose(place);
        this.focus();
      };
      const ordered = draft.orders.some((line) => reader.unitOf(line) === place);
      return h("li", {}, h("button", { type: "button", class: "pick", click }, unit, ordered && tick(" ordered")));
    });
    return h("ul", { class: "picks" }, buttons);
  }
}
