// @ts-check
// Walking in a list of lines: taps on the map write the line, and the desk shows what it takes and what can be done at its end.

import { button, fill, focusOn, h, say, show } from "./dom.js";
import { listed } from "./text.js";
import { WAYS } from "./walks.js";

/** @import { Board } from "./board.js" */
/** @import { Planning } from "./planning.js" */
/** @import { Walker } from "./types.js" */
/** @import { Walk, Walking } from "./walks.js" */

/** The walks of one list. */
export class OnFoot {
  /**
   * @param {Planning} plan
   * @param {Walking} walking
   */
  constructor(plan, walking) {
    this.plan = plan;
    this.walking = walking;
    /** @type {Walk | null} */
    this.walk = null; // Where the line in the field leads.
  }

  /** Follows the line in the field. */
  follow() {
    this.walk = this.walking.follow(this.plan.planned.judge(this.plan.combo.text).line);
  }

  forget() {
    this.walk = null;
  }

  /**
   * The outcome of a walk, and the actions that are possible at its end.
   * @param {Walk} walk
   */
  told(walk) {
    const { fault, has, left, path, spent } = walk;
    const end = path[path.length - 1];
    const deeds = this.plan.planned.judge(this.plan.combo.text).open.length ? [] : this.walking.deeds(walk);
    /** @param {string} deed */
    const choose = (deed) => {
      const line = this.walking.joined(this.plan.combo.text, [deed]);
      if (this.plan.planned.judge(line).open.length) this.plan.combo.begin(line);
      else this.write(line);
    };
    return h(
      "div",
      { class: "walk" },
      h("p", {}, h("strong", {}, `${spent} of ${has}`), ` Movement${path.length > 1 ? `, to ${end}` : `, on ${end}`}.`),
      left && h("p", { class: "warn" }, left),
      fault && h("p", { class: "warn" }, fault),
      deeds.length > 0 &&
        h(
          "details",
          { open: path.length > 1 },
          h("summary", {}, `What can be done on ${end}`),
          h("ul", { class: "picks" }, deeds.map((deed) => h("li", {}, button(deed.replace(/\{\w+\}/gu, "…"), () => choose(deed), { class: "pick" })))),
        ),
    );
  }

  /**
   * Puts a line into the field without opening a phone's keyboard.
   * @param {string} line
   */
  write(line) {
    this.plan.combo.field.value = line;
    this.plan.read();
    this.plan.combo.close();
    const { walk } = this;
    say(walk ? `${line}. ${walk.spent} of ${walk.has} Movement.` : line);
  }

  /** Removes the last item of the walk in the field, or the walk itself if it has no items. */
  stepBack() {
    const found = this.walking.read(this.plan.combo.text);
    if (!found) return;
    const { items, walker } = found;
    if (items.length) this.write(`${walker.name}: ${items.slice(0, -1).join(", ")}`.trim());
    else this.plan.done();
  }

  /**
   * The line in the field, going on to a place; null if that cannot be reached.
   * @param {string} place
   */
  towards(place) {
    return this.plan.combo.text ? this.walking.towards(this.plan.combo.text, place) : null;
  }

  /**
   * Begins a walker's line, or goes on with it.
   * @param {Walker} walker
   */
  begin(walker) {
    const { plan, walking } = this;
    const index = plan.lines.findIndex((one) => walking.read(one)?.walker === walker);
    if (index >= 0) plan.edit(index, false);
    else this.write(`${walker.name}:`);
  }

  /** Takes in the walk being written, so that another can begin; true if that was possible. */
  leave() {
    const { plan } = this;
    const items = this.walking.read(plan.combo.text)?.items.length ?? 0;
    if (!plan.unsent || !items) {
      plan.done();
      return true;
    }
    const { fault, line, open } = plan.planned.judge(plan.combo.text);
    const why = open.length ? `Still to fill in: ${listed(open)}.` : fault;
    if (!why) plan.put(line);
    else {
      plan.reading.append(h("p", { class: "warn" }, `Finish this line first. ${why}`));
      say(`Finish this line first. ${why}`);
    }
    return !why;
  }

  /**
   * A note that the walker of a line has an earlier line in the list; otherwise empty.
   * @param {number} index
   */
  twice(index) {
    const whose = (/** @type {string} */ line) => this.walking.read(line)?.walker;
    const walker = whose(this.plan.lines[index]);
    return walker && this.plan.lines.slice(0, index).some((line) => whose(line) === walker) ? `${walker.name} has a line already.` : "";
  }

  /** Shows the outcome of the walk, and the actions that are possible at its end. */
  reveal() {
    this.plan.reading.querySelector("details")?.setAttribute("open", "");
    focusOn(this.plan.reading.querySelector("summary") ?? this.plan.combo.field);
    show(this.plan.reading);
  }

  /**
   * Handles a tap on a place of the map: the walk being written goes on to it; true if anything was done.
   * @param {string} place
   */
  goTo(place) {
    const { walking } = this;
    const { text } = this.plan.combo;
    const open = this.plan.planned.judge(text).open;
    const walk = text ? walking.follow(text) : null;
    if (walk && open.includes("direction")) {
      const end = walk.path[walk.path.length - 1];
      const way = WAYS.find((one) => walking.step(end, one) === place);
      if (way) {
        this.write(text.replace("{direction}", way));
        return true;
      }
    }
    if (open.length) return false;
    const line = this.towards(place);
    if (line) {
      this.write(line);
      return true;
    }
    if (!walk) return false;
    const why = `${place} cannot be reached with the Movement that is left.`;
    this.plan.reading.append(h("p", { class: "warn" }, why));
    say(why);
    return true;
  }
}

/** The line below the map, where one taps: the outcome of the walk being written. */
export class WalkLine {
  /** @param {() => Planning[]} plans the lists as they are drawn */
  constructor(plans) {
    this.plans = plans;
    this.element = h("div", { class: "walk-line", hidden: true });
    /** @type {[label: string, act: () => void][]} */
    this.asked = []; // What a tap may mean.
  }

  /**
   * Handles a tap on a place where somebody is. They walk, or the reader chooses who is meant; true if anybody is there.
   * @param {string} place
   */
  tap(place) {
    const plans = this.plans();
    const now = plans.find(({ walk }) => walk);
    const here = plans.flatMap(({ onFoot }) => (onFoot?.walking.at(place) ?? []).map((walker) => ({ onFoot, walker })));
    const others = here.filter(({ walker }) => walker !== now?.walk?.walker);
    if (!others.length) return false;
    if (plans.some(({ combo, planned }) => combo.text && planned.judge(combo.text).open.length)) return false; // It fills a blank.
    const on = now?.onFoot?.towards(place);
    /** @type {typeof this.asked} */
    const ways = others.map(({ onFoot, walker }) => [`${walker.name} walks`, () => (now?.onFoot?.leave() ?? true) && onFoot?.begin(walker)]);
    if (on) ways.unshift([`${now?.walk?.walker.name} goes on to ${place}`, () => now?.onFoot?.write(on)]);
    if (ways.length === 1) ways[0][1]();
    else {
      this.asked = ways;
      for (const { looked } of plans.slice(0, 1)) looked();
      say(`${ways.map(([label]) => label).join(", or ")}?`);
      focusOn(this.element.querySelector("button") ?? this.element);
    }
    return true;
  }

  /**
   * Shows the tapped walk on the map, and its outcome below it.
   * @param {Board | null} board
   */
  draw(board) {
    const { path, reach, written } = this.shown();
    board?.mark(path, reach, [...written, path].map((mentions) => ({ mentions, sign: "walk" })));
    const plan = this.plans().find(({ walk }) => walk);
    const { asked } = this;
    this.asked = []; // Any other action settles the question.
    this.element.hidden = !plan?.walk && !asked.length;
    if (asked.length) fill(this.element, h("p", { class: "line" }, asked.map(([label, act]) => button(label, act))));
    if (asked.length || !plan?.walk) return;
    const { combo, planned, walk } = plan;
    const whole = !planned.judge(combo.text).fault && !planned.judge(combo.text).open.length;
    fill(
      this.element,
      h("p", {}, h("strong", {}, combo.text), ` ${walk.spent} of ${walk.has} Movement.`),
      walk.fault && h("p", { class: "warn" }, walk.fault),
      h(
        "p",
        { class: "line" },
        whole && button(plan.editing === null ? "Add" : "Change", () => plan.taken(), { "aria-label": `Take in ${combo.text}` }),
        button("Back", () => plan.onFoot?.stepBack(), { class: "quiet", "aria-label": `Take the last step back: ${combo.text}` }),
        button("What can be done there", () => plan.onFoot?.reveal(), { class: "quiet" }),
      ),
    );
  }

  /** The walk being written and the walks already in the lists, for the map. */
  shown() {
    const written = this.plans().flatMap(({ lines, onFoot, editing }) =>
      lines.flatMap((line, index) => (index === editing ? [] : (onFoot?.walking.follow(line) ?? []))),
    );
    const plan = this.plans().find(({ walk }) => walk);
    const reach = plan?.walk && plan.onFoot ? [...plan.onFoot.walking.reach(plan.walk).keys()] : [];
    return { path: plan?.walk?.path ?? [], reach, written: written.map(({ path }) => path).filter(({ length }) => length > 1) };
  }
}
