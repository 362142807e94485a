// @ts-check
// Walking in a list of lines: the line is tapped on the map, what it takes is said, and what can be done at its end is offered.

import { button, fill, focusOn, h, say, show } from "./dom.js";
import { WAYS } from "./walks.js";

/** @import { Board } from "./board.js" */
/** @import { Planning } from "./planning.js" */
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
    this.walk = this.walking.follow(this.plan.combo.text);
  }

  forget() {
    this.walk = null;
  }

  /**
   * What a walk comes to, and what can be done at its end.
   * @param {Walk} walk
   */
  told(walk) {
    const { fault, has, path, spent } = walk;
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
   * Puts a line into the field without bringing a phone's keyboard.
   * @param {string} line
   */
  write(line) {
    this.plan.combo.field.value = line;
    this.plan.read();
    this.plan.combo.close();
    const { walk } = this;
    say(walk ? `${line}. ${walk.spent} of ${walk.has} Movement.` : line);
  }

  /** Takes back the last thing of the walk in the field; without any, the walk itself. */
  stepBack() {
    const found = this.walking.read(this.plan.combo.text);
    if (!found) return;
    const { items, walker } = found;
    if (items.length) this.write(`${walker.name}: ${items.slice(0, -1).join(", ")}`.trim());
    else this.plan.done();
  }

  /** Shows what the walk comes to, and what can be done at its end. */
  reveal() {
    this.plan.reading.querySelector("details")?.setAttribute("open", "");
    focusOn(this.plan.reading.querySelector("summary") ?? this.plan.combo.field);
    show(this.plan.reading);
  }

  /**
   * A place of the map is tapped: the walk that is written goes on to it, or somebody who stands there begins one; whether anything was done.
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
    const line = walk && walking.towards(text, place);
    if (line) {
      this.write(line);
      return true;
    }
    const [walker] = walking.at(place);
    if (walker) {
      const index = this.plan.lines.findIndex((one) => walking.read(one)?.walker === walker);
      if (index >= 0) this.plan.edit(index);
      else {
        if (this.plan.editing !== null) this.plan.done();
        this.write(`${walker.name}:`);
      }
      return true;
    }
    if (!walk) return false;
    const why = `${place} cannot be reached with the Movement that is left.`;
    this.plan.reading.append(h("p", { class: "warn" }, why));
    say(why);
    return true;
  }
}

/** The line below the map, where one taps: what the walk comes to that is being written. */
export class WalkLine {
  /** @param {() => Planning[]} plans the lists as they are drawn */
  constructor(plans) {
    this.plans = plans;
    this.element = h("div", { class: "walk-line", hidden: true });
  }

  /**
   * Shows on the map the walk that is being tapped, and below it what it comes to.
   * @param {Board | null} board
   */
  draw(board) {
    const { path, reach, written } = this.shown();
    board?.mark(path, reach, [...written, path].map((mentions) => ({ mentions, sign: "walk" })));
    const plan = this.plans().find(({ walk }) => walk);
    this.element.hidden = !plan?.walk;
    if (!plan?.walk) return;
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

  /** The walk that is being written, and the lists' walks that are written: what the map shows. */
  shown() {
    const written = this.plans().flatMap(({ lines, onFoot, editing }) =>
      lines.flatMap((line, index) => (index === editing ? [] : (onFoot?.walking.follow(line) ?? []))),
    );
    const plan = this.plans().find(({ walk }) => walk);
    const reach = plan?.walk && plan.onFoot ? [...plan.onFoot.walking.reach(plan.walk).keys()] : [];
    return { path: plan?.walk?.path ?? [], reach, written: written.map(({ path }) => path).filter(({ length }) => length > 1) };
  }
}
