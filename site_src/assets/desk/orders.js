// @ts-check
// The list of a sheet's orders; for a single order, the field that offers all legal ones.

import { button, fill, focusOn, h, say, show, small } from "./dom.js";
import { helpOf } from "./inputs.js";
import { NOT_OFFERED } from "./reader.js";
import { SIGNS } from "./text.js";
import { verdictOf } from "./voice.js";

/** @import { OrderDesk } from "./desk.js" */
/** @import { Row } from "./draft.js" */
/** @import { Person } from "./types.js" */


export class Orders {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    const { ordersField, single } = desk.draft;
    this.title = h("h2", {}, single ? "Your order" : "Your orders");
    this.list = h("ul", { class: "orders" });
    this.note = h("p", { class: "hint" });
    // For a single order, one field has space for all legal ones, with a group for each unit.
    this.whole = h("select", { id: "whole", change: () => this.wholeChosen() });
    const wholeField = h(
      "div",
      { class: "field side" },
      h("label", { for: "whole" }, ordersField?.label ?? ""),
      this.whole,
      helpOf(ordersField, "whole"),
    );
    this.element = h("section", { class: "panel" }, this.title, this.list, this.note, single && wholeField);
  }

  focus() {
    focusOn(this.title);
  }

  draw() {
    const { draft, reader, seat } = this.desk;
    const { notation } = reader;
    const rows = draft.rows();
    /** @type {Map<string, number>} */
    const named = new Map(); // Place -> the lines for no unit that name it.
    for (const { place, line, person } of rows) {
      const [spot] = place === null && line && !person ? notation.known(line).mentions : [];
      if (spot) named.set(spot, (named.get(spot) ?? 0) + 1);
    }
    fill(
      this.list,
      rows.map((row, index) => {
        if (row.person && row.line === null) return this.personRow(row.person);
        if (row.line === null) return this.openRow(row);
        const [spot] = row.place === null && !row.person ? notation.known(row.line).mentions : [];
        const twice = !reader.forms && (named.get(spot) ?? 0) > 1;
        return this.orderRow(row, row.line, index, twice);
      }),
    );
    const without = !notation.units.size && !draft.orders.length && seat.without.length > 0;
    this.note.textContent = without
      ? `Without orders: ${seat.without.join("; ")}.`
      : rows.length
        ? ""
        : draft.single
          ? "No order yet."
          : "No orders yet.";
    this.note.hidden = !this.note.textContent;
    if (draft.single) this.drawWhole();
  }

  /** @param {Row} row of a unit without an order */
  openRow(row) {
    const whose = this.desk.reader.whoseAt(row.place);
    const click = () => {
      this.desk.edit(row);
      this.desk.picker.focus();
    };
    return h(
      "li",
      { class: "open" },
      h(
        "button",
        { type: "button", class: "row", click },
        h("span", { class: "sign", "aria-hidden": "true" }, "○"),
        h("span", {}, h("strong", {}, row.unit), whose && ` (${whose})`, " has no order"),
        h("span", { class: "do" }, "Choose"),
      ),
    );
  }

  /**
   * A person without an order, who is not a unit; if they cannot have one, the reason.
   * @param {Person} person
   */
  personRow(person) {
    const sign = h("span", { class: "sign", "aria-hidden": "true" }, "○");
    if (!person.groups.length)
      return h("li", { class: "open" }, h("div", { class: "row" }, sign, h("span", {}, h("strong", {}, person.name), `: ${person.why}`)));
    const click = () => this.desk.picker.offering?.beginPerson(person);
    return h(
      "li",
      { class: "open" },
      h(
        "button",
        { type: "button", class: "row", click },
        sign,
        h("span", {}, h("strong", {}, person.name), " has no order"),
        h("span", { class: "do" }, "Choose"),
      ),
    );
  }

  /**
   * @param {Row} row
   * @param {string} line
   * @param {number} index
   * @param {boolean} twice true if another line names its place
   */
  orderRow(row, line, index, twice) {
    const { draft, reader, voice } = this.desk;
    const said = voice.said(draft.ordersField?.key, draft.rows().map((one) => one.line), index);
    const own = voice.speaks ? "" : reader.faultOf(line);
    const { kind, words: wrong } = said ? verdictOf(line, said, voice.sure) : { kind: own && own !== NOT_OFFERED ? "odd" : reader.notation.legal.has(line) && !voice.speaks ? "good" : "fits", words: own };
    const whose = reader.whose.get(line) ?? "";
    const notes = [wrong, twice && !voice.speaks && "Two lines name this place."].filter(Boolean);
    /** @type {(label: string, act: () => void) => HTMLElement} */
    const quiet = (label, act) => button(label, act, { class: "quiet", "aria-label": `${label} ${line}` });
    const bid = wrong ? this.bidFor(line, wrong) : null;
    return h(
      "li",
      { class: kind },
      h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[/** @type {keyof typeof SIGNS} */ (kind)]),
      h("span", { class: "order" }, line, whose && h("span", { class: "soft" }, ` (${whose})`), notes.length > 0 && h("span", { class: "why" }, notes.join(" "))),
      h(
        "span",
        { class: "acts" },
        bid && quiet("Bid", bid),
        quiet("Change", () => this.change(row)),
        quiet("Remove", () => this.remove(line, index)),
      ),
    );
  }

  /**
   * The button that turns a line without effect among orders into a bid; null if it cannot be a bid.
   * @param {string} line
   * @param {string} why
   */
  bidFor(line, why) {
    const { bids, draft, picker } = this.desk;
    const bid = bids?.typed(line);
    const wish = bid ? null : bids?.bidding.wishOf(line);
    if (bid)
      return () => {
        draft.remove(line);
        say(bids?.write(bid.line, null) ?? "");
      };
    if (!wish) return null;
    return () => {
      draft.remove(line);
      picker.offering?.beginWish(wish, `${wish.line}: ${why}`);
    };
  }

  /** @param {Row} row */
  change(row) {
    this.desk.edit(row);
    if (row.person) return;
    if (row.place === null) {
      this.desk.typing.edit(row.line ?? "");
      return;
    }
    if (small()) show(this.desk.picker.element);
    this.desk.picker.focus();
  }

  /**
   * @param {string} line
   * @param {number} index
   */
  remove(line, index) {
    this.desk.choice.editing = null;
    this.desk.draft.remove(line);
    say(`${line}: removed.`);
    const row = this.list.children[Math.min(index, this.list.children.length - 1)];
    focusOn(row?.querySelector("button") ?? this.title);
  }

  wholeChosen() {
    const { draft } = this.desk;
    if (this.whole.value) this.desk.take(this.whole.value, null);
    else if (draft.orders.length) this.remove(draft.orders[0], 0);
    this.whole.focus({ preventScroll: true });
  }

  drawWhole() {
    const { notation } = this.desk.reader;
    const line = this.desk.draft.orders[0] ?? "";
    /** @type {Map<string, HTMLElement[]>} */
    const groups = new Map();
    for (const option of notation.options) {
      const unit = notation.units.get(option.mentions[0]) ?? "";
      groups.set(unit, [...(groups.get(unit) ?? []), h("option", { value: option.line }, option.line)]);
    }
    fill(
      this.whole,
      h("option", { value: "" }, "–"),
      line && !notation.legal.has(line) && h("option", { value: line }, line),
      [...groups].map(([unit, lines]) => (unit ? h("optgroup", { label: unit }, lines) : lines)),
    );
    this.whole.value = line;
  }
}
