// @ts-check
// Walking on a board of hexes: the cost of a path, and the places that a walker can still reach. It counts by the tables of
// adjudicator/core/contract/walks.py as the game does (mechanics/hexes.py); the game decides whether walkers arrive.
// This draws nothing and keeps no state.

/** @import { Footing, Walker, Walks } from "./types.js" */

export const WAYS = ["NW", "NE", "E", "SE", "SW", "W"];
const BARRED = "-";
const CLOSED = "x";

/**
 * A walker on the way: the path so far, the Movement spent and available, the actions (each with its place), the part of the line that is
 * left out, and the obstacle that stopped them.
 * @typedef {{
 *   walker: Walker, path: string[], spent: number, has: number, counts: Record<string, number>, did: [what: string, place: string][],
 *   items: number, skipped: boolean, left: string, done: boolean, fault: string,
 * }} Walk
 */

/** The walkers of a seat in one list of its sheet. */
export class Walking {
  /**
   * @param {Walks} walks
   * @param {string} seat
   * @param {string} key of the list
   */
  constructor(walks, seat, key) {
    this.walks = walks;
    this.walkers = walks.walkers[seat]?.[key] ?? [];
    this.closed = walks.closed[seat] ?? "";
    this.numbers = new Map(walks.places.map((place, at) => [place, at]));
  }

  /**
   * The place one step away; null off the map.
   * @param {string} place
   * @param {string} way
   */
  step(place, way) {
    const { columns, places } = this.walks;
    const at = this.numbers.get(place);
    if (at === undefined) return null;
    const [column, row] = [at % columns, Math.floor(at / columns)];
    const side = way === "W" || way === "E" ? (way === "E" ? 1 : -1) : way.endsWith("E") ? row % 2 : (row % 2) - 1;
    const [x, y] = [column + side, row + (way.startsWith("N") ? -1 : way.startsWith("S") ? 1 : 0)];
    return x < 0 || x >= columns ? null : (places[y * columns + x] ?? null);
  }

  /** @param {Walker} walker @returns {Footing} */
  footing({ ground }) {
    return this.walks.grounds[ground];
  }

  /**
   * The cost of a step, and the letter of the count that it adds to; null if nobody can enter.
   * @param {Walk} walk
   * @param {string} from
   * @param {string} to
   */
  cost({ walker, counts }, from, to) {
    const { costs, counted, crossing } = this.footing(walker);
    const [here, there] = [this.numbers.get(from) ?? 0, this.numbers.get(to) ?? 0];
    const sign = costs[there];
    if (sign === BARRED) return null;
    if (this.walks.shore[here] !== this.walks.shore[there]) return { takes: crossing, letter: "" };
    const every = counted[sign];
    if (every === undefined) return { takes: Number(sign), letter: "" };
    return { takes: Number(((counts[sign] ?? 0) + 1) % every === 0), letter: sign };
  }

  /**
   * True if a walker may enter a place.
   * @param {Walker} walker
   * @param {string} place
   */
  open(walker, place) {
    return walker.wide === true || this.closed[this.numbers.get(place) ?? 0] !== CLOSED;
  }

  /**
   * The walker of a line, and the items after the colon; null if it is nobody's.
   * @param {string} line
   */
  read(line) {
    const [, name, rest] = /^\s*(\w+)\s*:(.*)$/su.exec(line) ?? [];
    const walker = this.walkers.find((one) => one.name.toLowerCase() === name?.toLowerCase());
    return walker ? { walker, items: rest.split(",").map((item) => item.trim()).filter(Boolean) } : null;
  }

  /**
   * The walk along a line as far as it goes; null if the line is nobody's.
   * @param {string} line
   * @returns {Walk | null}
   */
  follow(line) {
    const found = this.read(line);
    if (!found) return null;
    const { walker, items } = found;
    /** @type {Walk} */
    const walk = { walker, path: [walker.at], spent: 0, has: walker.has, counts: {}, did: [], items: 0, skipped: false, left: "", done: false, fault: "" };
    for (const item of items) {
      if (walk.done) walk.fault = `${item} comes after the end of its turn.`;
      if (!walk.fault) this.take(walk, item);
      if (walk.fault) break;
      walk.items += 1;
    }
    return walk;
  }

  /**
   * Does one item of a line; an impossible one becomes the fault of the walk.
   * @param {Walk} walk
   * @param {string} item
   */
  take(walk, item) {
    const here = walk.path[walk.path.length - 1];
    const [first, ...more] = item.toUpperCase().split(" ");
    if (WAYS.includes(item.toUpperCase()) || first === "SKIP" || first === "PORTAL") {
      const skip = first === "SKIP" && more.length === 2;
      const gates = this.walks.gates ?? [];
      let to = this.step(here, first);
      if (skip) to = this.step(this.step(here, more[0]) ?? "", more[1]);
      if (first === "PORTAL") to = gates.includes(here) && gates.includes(more[0]) && more[0] !== here ? more[0] : null;
      if (skip && (!walk.walker.skips || walk.skipped)) walk.fault = `${item}: ${walk.walker.name} cannot skip${walk.skipped ? " again" : ""}.`;
      else if (first === "PORTAL" && !to) walk.fault = `${item} is not a way from ${here}: portals lead from one to another.`;
      else if (!to || to === here || !this.numbers.has(to)) walk.fault = `${item} leads off the map, or nowhere.`;
      else this.enter(walk, item, here, to);
      walk.skipped ||= skip;
      return;
    }
    const { acts, ends = [], gains = {}, where = {} } = this.walks;
    const what = longest(Object.keys(acts), item);
    if (!what) {
      if (!this.begun(item)) walk.fault = `${item} is not understood.`;
      return;
    }
    if (this.surplus(walk, what)) {
      walk.left = `${item} is one Action too many, and is left out.`;
      return;
    }
    this.spend(walk, item, acts[what]);
    if (walk.fault) return;
    walk.has += gains[longest(Object.keys(gains), item)] ?? 0;
    walk.done = ends.includes(what);
    const late = this.walks.first?.includes(what) && walk.items > 0;
    // An action may have changed the place, and then only the game knows what is possible there.
    const never = where[longest(Object.keys(where), item)]?.[this.numbers.get(here) ?? 0] === CLOSED && !walk.did.some(([, place]) => place === here);
    if (late) walk.fault = `${item} must be the first thing that ${walk.walker.name} does.`;
    else if (never) walk.fault = `${item} is not possible on ${here} as things stand.`;
    walk.did.push([what, here]);
  }

  /**
   * True if an item is not complete, or comes before the walk begins.
   * @param {string} item
   */
  begun(item) {
    const low = item.toLowerCase();
    const known = [...WAYS, "Skip", "Portal", "Emerge", ...Object.keys(this.walks.acts)];
    return known.some((one) => one.toLowerCase().startsWith(low)) || low.startsWith("emerge ");
  }

  /**
   * True if an item would be one Action too many, or a repeated one.
   * @param {Walk} walk
   * @param {string} what
   */
  surplus({ did, walker }, what) {
    return did.length >= walker.once || did.some(([one]) => one === what);
  }

  /**
   * @param {Walk} walk
   * @param {string} item
   * @param {string} from
   * @param {string} to
   */
  enter(walk, item, from, to) {
    const cost = this.cost(walk, from, to);
    if (!cost) walk.fault = `${item} leads to ${to}, which cannot be entered.`;
    else if (!this.open(walk.walker, to)) walk.fault = `${item} leads to ${to}, which others hold: that takes an attack.`;
    else this.spend(walk, item, cost.takes);
    if (!cost || walk.fault) return;
    if (cost.letter) walk.counts[cost.letter] = (walk.counts[cost.letter] ?? 0) + 1;
    walk.path.push(to);
  }

  /**
   * @param {Walk} walk
   * @param {string} item
   * @param {number} takes
   */
  spend(walk, item, takes) {
    if (walk.spent + takes > walk.has) walk.fault = `${item} takes ${takes} Movement, but only ${walk.has - walk.spent} is left.`;
    else walk.spent += takes;
  }

  /**
   * The places that a walker can still reach, each with the cheapest way there.
   * @param {Walk} walk
   * @returns {Map<string, string[]>}
   */
  reach(walk) {
    const start = walk.path[walk.path.length - 1];
    /** @typedef {{ place: string, ways: string[], spent: number, counts: Record<string, number> }} Spot */
    /** @type {Map<string, Spot>} */
    const found = new Map();
    // The counts on the way split a place into several states, because the next step may have another price from each.
    const every = Object.entries(this.footing(walk.walker).counted);
    const keyOf = (/** @type {Spot} */ { place, counts }) => [place, ...every.map(([sign, number]) => (counts[sign] ?? 0) % number)].join(" ");
    const closed = new Set();
    /** @type {Spot[]} */
    const waiting = walk.done || walk.fault ? [] : [{ place: start, ways: [], spent: walk.spent, counts: walk.counts }];
    while (waiting.length) {
      // The cheapest first; among equals, the one found first.
      const [from] = waiting.splice(waiting.reduce((best, { spent }, index) => (spent < waiting[best].spent ? index : best), 0), 1);
      if (closed.has(keyOf(from))) continue;
      closed.add(keyOf(from));
      if (!found.has(from.place)) found.set(from.place, from);
      for (const [way, to] of this.ways(from.place)) {
        if (!this.open(walk.walker, to)) continue;
        const cost = this.cost({ ...walk, counts: from.counts }, from.place, to);
        if (!cost || from.spent + cost.takes > walk.has) continue;
        const counts = cost.letter ? { ...from.counts, [cost.letter]: (from.counts[cost.letter] ?? 0) + 1 } : from.counts;
        const spot = { place: to, ways: [...from.ways, way], spent: from.spent + cost.takes, counts };
        if (!closed.has(keyOf(spot))) waiting.push(spot);
      }
    }
    found.delete(start);
    return new Map([...found].map(([place, { ways }]) => [place, ways]));
  }

  /**
   * The ways that lead on from a place, each with its goal.
   * @param {string} place
   * @returns {[way: string, place: string][]}
   */
  ways(place) {
    const { gates = [] } = this.walks;
    const through = gates.includes(place) ? gates.filter((one) => one !== place) : [];
    return [
      ...WAYS.flatMap((way) => /** @type {[string, string][]} */ ([[way, this.step(place, way) ?? ""]])).filter(([, to]) => to),
      ...through.map((gate) => /** @type {[string, string]} */ ([`Portal ${gate}`, gate])),
    ];
  }

  /**
   * The actions that are possible at the end of a walk, as a line writes them.
   * @param {Walk} walk
   */
  deeds(walk) {
    if (walk.done || walk.fault) return [];
    const { acts, deeds, first = [], where = {} } = this.walks;
    const place = walk.path[walk.path.length - 1];
    const here = this.numbers.get(place) ?? 0;
    const changed = walk.did.some(([, one]) => one === place);
    const named = (/** @type {string} */ deed) => longest(Object.keys(acts), deed);
    const open = (/** @type {string} */ deed) => !this.surplus(walk, named(deed)) && !(walk.items && first.includes(named(deed)));
    const enough = (/** @type {string} */ deed) => walk.spent + (acts[longest(Object.keys(acts), deed)] ?? 0) <= walk.has;
    const possible = (/** @type {string} */ deed) => changed || where[longest(Object.keys(where), deed)]?.[here] !== CLOSED;
    return deeds[walk.walker.deeds].filter((deed) => open(deed) && enough(deed) && possible(deed));
  }

  /**
   * A line that goes on to a place; null if it cannot be reached.
   * @param {string} line
   * @param {string} place
   */
  towards(line, place) {
    const walk = this.follow(line);
    const ways = walk && this.reach(walk).get(place);
    if (!walk || !ways) return null;
    return this.joined(line, ways);
  }

  /**
   * A line with more items at its end.
   * @param {string} line
   * @param {readonly string[]} more
   */
  joined(line, more) {
    const found = this.read(line);
    return found ? `${found.walker.name}: ${[...found.items, ...more].join(", ")}` : line;
  }

  /**
   * The walkers on a place.
   * @param {string} place
   */
  at(place) {
    return this.walkers.filter((walker) => walker.at === place);
  }
}

/**
 * The longest of some beginnings that a text has; empty if it has none.
 * @param {readonly string[]} beginnings
 * @param {string} text
 */
const longest = (beginnings, text) => {
  const low = text.toLowerCase();
  const fit = beginnings.filter((one) => low === one.toLowerCase() || low.startsWith(`${one.toLowerCase()} `));
  return fit.sort((one, two) => two.length - one.length)[0] ?? "";
};

/**
 * The places of a seat's walkers.
 * @param {Walks | null} walks
 * @param {string} seat
 */
export const homesOf = (walks, seat) => Object.values(walks?.walkers[seat] ?? {}).flatMap((some) => some.map(({ at }) => at));

/**
 * The walks of a seat's lists, by key.
 * @param {Walks | null} walks
 * @param {string} seat
 * @returns {Map<string, Walking>}
 */
export const walkingOf = (walks, seat) =>
  new Map(walks ? Object.keys(walks.walkers[seat] ?? {}).map((key) => [key, new Walking(walks, seat, key)]) : []);
