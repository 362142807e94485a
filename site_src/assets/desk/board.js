// @ts-check
// The map for tapping: it shows the chosen places, the places where an order can go on, and the written orders.

import { button, h, svg } from "./dom.js";

/** @import { Notation } from "./notation.js" */

const SHAPES = new Set(
  (
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc marker pattern clipPath " +
    "mask linearGradient radialGradient stop"
  ).split(" "),
);

/** The rules of each picture's sheet. @type {WeakMap<CSSStyleSheet, string>} */
const inForce = new WeakMap();

/**
 * One of our pictures as an element, without anything that could act, and with its style as a separate sheet.
 * @param {string} source
 */
export const picture = (source) => {
  let rules = "";
  // Removed before parsing, because the page's policy forbids inline styles even in a document that is only parsed.
  const bare = source.replace(/<style\b[^>]*>(?:<!\[CDATA\[)?([\s\S]*?)(?:\]\]>)?<\/style>/g, (_, text) => {
    rules += text;
    return "";
  });
  const root = /** @type {Element} */ (new DOMParser().parseFromString(bare, "image/svg+xml").documentElement);
  if (root.localName !== "svg" || root.querySelector("parsererror")) throw new Error("no picture");
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (!SHAPES.has(element.localName)) {
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      const link = /(^|:)href$/i.test(name);
      const acts = /^on/i.test(name) || name === "style" || (link && !value.startsWith("#"));
      if (acts || (/url\(/i.test(value) && !/^url\(#[\w-]+\)$/.test(value))) element.removeAttribute(name);
    }
  }
  // Pictures of one game have the same rules; the code that shows a new page removes the old ones.
  if (!document.adoptedStyleSheets.some((sheet) => inForce.get(sheet) === rules)) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    inForce.set(sheet, rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  return /** @type {SVGSVGElement} */ (document.importNode(root, true));
};

/** @typedef {[x: number, y: number]} Spot */

/**
 * An order to draw: the places that it names, its sign, the bid for it, whether it stops before its goal, and whether it belongs to another
 * seat.
 * @typedef {{ mentions: string[], sign: string, amount?: number, stops?: boolean, other?: boolean }} Drawn
 */

// Lengths on the map: the ring around a unit, the unit's size, the knob at the end of a support, half the bar at the end of a sortie, and
// half the width of a number.
const [RING, UNIT, KNOB, BAR, COIN] = [32, 26, 7, 15, 15];

export class Board {
  /**
   * Throws an error if the source is not a picture.
   * @param {string} source
   * @param {string} seat
   * @param {Notation} notation
   * @param {(place: string) => void} choose
   * @param {Iterable<string>} homes the places of the seat's units
   */
  constructor(source, seat, notation, choose, homes) {
    this.picture = picture(source);
    this.notation = notation;
    this.homes = [...homes];
    /** @type {Map<string, SVGGeometryElement[]>} */
    this.regions = new Map();
    /** @type {Map<string, Spot>} */
    this.spots = new Map();
    /** @type {NodeListOf<SVGGeometryElement>} */
    const regions = this.picture.querySelectorAll("[data-region]");
    for (const region of regions) {
      const name = region.dataset.region ?? "";
      this.regions.set(name, [...(this.regions.get(name) ?? []), region]);
      if (!region.querySelector("title")) region.append(svg("title", {}, name));
    }
    // Tapping a unit that overlaps a border counts as tapping its place.
    for (const title of this.picture.querySelectorAll("g > title")) {
      const [, owner, unit] = /^([^:]*): (.*)$/s.exec(title.textContent ?? "") ?? [];
      const place = unit && notation.read(unit).tokens.find((token) => notation.names.has(token));
      const group = /** @type {SVGGElement} */ (title.parentNode);
      const spot = /translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)/.exec(group.getAttribute("transform") ?? "");
      if (!place || !spot) continue;
      group.dataset.region = place;
      if (owner === seat || !this.spots.has(place)) this.spots.set(place, [Number(spot[1]), Number(spot[2])]);
    }
    const box = this.picture.viewBox.baseVal;
    this.size = [box.width || 1, box.height || 1];
    // Places are marked below names and units, and orders are drawn above them.
    this.under = svg("g", { class: "marks", "aria-hidden": "true" });
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    const grounds = [...this.picture.children].filter((child) => child.matches("path[data-region]") || child.querySelector("use[data-region]"));
    grounds.at(-1)?.after(this.under);
    this.picture.append(this.marks);
    this.picture.addEventListener("click", (event) => {
      const shape = event.target instanceof Element ? event.target.closest("[data-region]") : null;
      const place = /** @type {SVGElement | null} */ (shape)?.dataset.region;
      if (place) choose(place);
    });
    this.zoom = 1;
    /** The middle of the view, as shares of the map's width and height. @type {Spot} */
    this.centre = [0.5, 0.5];
    this.view = h("div", {
      class: "view",
      tabindex: "0",
      role: "group",
      "aria-label": "The map, which scrolls. You can do everything without it, below.",
    });
    this.view.append(this.picture);
    this.listenForPinches();
    this.keepCentre();
    this.view.style.aspectRatio = `${this.size[0]} / ${this.size[1]}`;
    /** @type {(text: string, label: string, act: () => void) => HTMLElement} */
    const quiet = (text, label, act) => button(text, act, { class: "quiet", "aria-label": label });
    this.element = h(
      "div",
      { class: "map" },
      this.view,
      h(
        "div",
        { class: "zoom", role: "group", "aria-label": "Size of the map" },
        quiet("−", "Smaller map", () => this.scale(this.zoom / 1.5)),
        quiet("+", "Larger map", () => this.scale(this.zoom * 1.5)),
        this.homes.length > 0 && quiet("My units", "Show my units", () => this.frame()),
        quiet("All", "Show the whole map", () => this.scale(1)),
      ),
    );
  }

  /**
   * Shows the map `zoom` times as large as the view, around a point (as shares of width and height) or around its present middle.
   * @param {number} zoom
   * @param {Spot | null} centre
   */
  scale(zoom, centre = null) {
    const { view } = this;
    const [x, y] = (this.centre = centre ?? this.middle);
    this.zoom = Math.min(5, Math.max(1, zoom));
    this.picture.style.width = `${this.zoom * 100}%`;
    view.classList.toggle("near", this.zoom > 1); // Numbers that a phone leaves out are shown.
    view.scrollLeft = x * view.scrollWidth - view.clientWidth / 2;
    view.scrollTop = y * view.scrollHeight - view.clientHeight / 2;
  }

  /** The middle of the view, as shares of the map's width and height. @returns {Spot} */
  get middle() {
    const { view } = this;
    return [
      (view.scrollLeft + view.clientWidth / 2) / view.scrollWidth,
      (view.scrollTop + view.clientHeight / 2) / view.scrollHeight,
    ];
  }

  /** A phone that is turned shows the same part of the map: what was scrolled to is remembered as a part of the map, not in pixels. */
  keepCentre() {
    let width = 0;
    this.view.addEventListener("scroll", () => {
      if (this.view.clientWidth === width) this.centre = this.middle;
    });
    new ResizeObserver(() => {
      if (width && this.view.clientWidth !== width) this.scale(this.zoom, this.centre);
      width = this.view.clientWidth;
    }).observe(this.view);
  }

  /** Two fingers, or the wheel with Ctrl, zoom around the point between them; one finger moves the map. */
  listenForPinches() {
    /** @type {Map<number, Spot>} */
    const fingers = new Map();
    let apart = 0;
    /** @param {Spot} point */
    const within = ([x, y]) => {
      const { left, top, width, height } = this.picture.getBoundingClientRect();
      /** @type {Spot} */
      const share = [(x - left) / width, (y - top) / height];
      return share;
    };
    /** @param {PointerEvent} event */
    const lifted = (event) => {
      fingers.delete(event.pointerId);
      apart = 0;
    };
    this.view.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    this.view.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size !== 2) return;
      const [[x, y], [u, v]] = fingers.values();
      const now = Math.hypot(x - u, y - v);
      if (apart) this.scale((this.zoom * now) / apart, within([(x + u) / 2, (y + v) / 2]));
      apart = now;
    });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"]))
      this.view.addEventListener(name, lifted);
    this.view.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.scale(this.zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15), within([event.clientX, event.clientY]));
      },
      { passive: false },
    );
  }

  /** Fills the view with the seat's units and their surroundings. */
  frame() {
    const [width, height] = this.size;
    const boxes = this.homes.flatMap((place) => {
      const spot = this.spot(place);
      return spot ? [spot] : [];
    });
    if (!boxes.length) return;
    const pad = width * 0.13;
    const left = Math.max(0, Math.min(...boxes.map(([x]) => x)) - pad);
    const right = Math.min(width, Math.max(...boxes.map(([x]) => x)) + pad);
    const top = Math.max(0, Math.min(...boxes.map(([, y]) => y)) - pad);
    const bottom = Math.min(height, Math.max(...boxes.map(([, y]) => y)) + pad);
    this.scale(Math.min(3, width / (right - left), height / (bottom - top)), [
      (left + right) / 2 / width,
      (top + bottom) / 2 / height,
    ]);
  }

  /**
   * The start or end of an arrow at a place: its unit, or a point well inside its largest shape; null if it has neither.
   * @param {string} place
   * @returns {Spot | null}
   */
  spot(place) {
    const known = this.spots.get(place);
    if (known) return known;
    const shape = this.regions.get(place)?.[0];
    if (shape instanceof SVGUseElement) return [shape.x.baseVal.value, shape.y.baseVal.value]; // One of many hexes, drawn about its middle.
    if (!shape?.isPointInFill) return null;
    const box = shape.getBBox();
    const steps = 16;
    /** @type {Spot[]} */
    const inside = [];
    /** @type {Spot[]} */
    const outside = [];
    for (let i = 0; i <= steps; i++)
      for (let j = 0; j <= steps; j++) {
        const point = new DOMPoint(box.x + (box.width * i) / steps, box.y + (box.height * j) / steps);
        const edge = !i || !j || i === steps || j === steps;
        (!edge && shape.isPointInFill(point) ? inside : outside).push([point.x, point.y]);
      }
    /** @param {Spot} point */
    const room = ([x, y]) => Math.min(...outside.map(([u, v]) => Math.hypot(x - u, y - v)));
    const [best] = inside.map((point) => ({ point, room: room(point) })).sort((one, two) => two.room - one.room);
    /** @type {Spot} */
    const spot = best ? best.point : [box.x + box.width / 2, box.y + box.height / 2];
    this.spots.set(place, spot);
    return spot;
  }

  /**
   * Draws the chosen places, the places that could be chosen next, and the orders so far.
   * @param {Iterable<string>} chosen
   * @param {Iterable<string>} next
   * @param {readonly Drawn[]} orders
   */
  mark(chosen, next, orders) {
    this.under.replaceChildren();
    this.marks.replaceChildren();
    /** @type {(place: string, kind: string) => void} */
    const outline = (place, kind) => {
      for (const shape of this.regions.get(place) ?? []) {
        const copy = /** @type {Element} */ (shape.cloneNode(false));
        copy.removeAttribute("data-region");
        copy.setAttribute("class", kind);
        this.under.append(copy);
      }
    };
    for (const place of next) outline(place, "next");
    for (const place of chosen) outline(place, "chosen");
    for (const order of orders) {
      const spots = order.mentions.flatMap((place) => {
        const spot = this.spot(place);
        return spot ? [spot] : [];
      });
      if (!spots.length || spots.length !== order.mentions.length) continue;
      if (order.sign === "walk") this.trail(spots);
      else this.draw(order, spots);
    }
  }

  /**
   * Draws a path over several places, with a head at its end.
   * @param {Spot[]} spots
   */
  trail(spots) {
    if (spots.length < 2) return;
    const [[u, v], [x, y]] = spots.slice(-2);
    const length = Math.hypot(x - u, y - v) || 1;
    const [ux, uy] = [(x - u) / length, (y - v) / length];
    const head = `M${x - ux * 17 - uy * 11} ${y - uy * 17 + ux * 11}L${x} ${y}L${x - ux * 17 + uy * 11} ${y - uy * 17 - ux * 11}`;
    const shape = `M${spots.map((spot) => spot.join(" ")).join("L")}${head}`;
    this.marks.append(svg("path", { class: "halo", d: shape }), svg("path", { class: "order go", d: shape }));
  }

  /**
   * Draws an order with the signs of the archive's maps. A solid arrow moves; a dotted line supports and a dash-dotted one convoys, to the
   * middle of the move that they help. A ring marks a unit that stays, and a double ring the goal of somebody who is not a unit. An order
   * with a bid has another colour, with the number on it. A move that stops before its goal ends in a bar.
   * @param {Drawn} order
   * @param {Spot[]} spots
   */
  draw({ amount = 0, mentions, other = false, sign, stops = false }, spots) {
    const kind = ["order", sign, amount && "bid", other && "other"].filter(Boolean).join(" ");
    const [from] = spots;
    const last = spots[spots.length - 1];
    const aid = sign === "aid" || sign === "carry";
    /** @type {Spot} */
    const to = spots.length > 2 ? [(spots[1][0] + last[0]) / 2, (spots[1][1] + last[1]) / 2] : last;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1) {
      if (sign === "person") this.ring(from, RING + 9, kind);
      this.ring(from, RING, kind);
      this.coin([from[0] + RING * 0.75, from[1] - RING * 0.75], amount);
      return;
    }
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    // At the ring of the unit that is helped to stay, or at the border.
    const stop = stops ? this.before(mentions[1], from, to) : aid && spots.length === 2 ? RING : 0;
    const start = [from[0] + ux * UNIT, from[1] + uy * UNIT];
    const end = [to[0] - ux * stop, to[1] - uy * stop];
    const line = `M${start[0]} ${start[1]}L${end[0]} ${end[1]}`;
    const [x, y] = end;
    const head = stops
      ? `M${x - uy * BAR} ${y + ux * BAR}L${x + uy * BAR} ${y - ux * BAR}`
      : `M${x - ux * 17 - uy * 11} ${y - uy * 17 + ux * 11}L${x} ${y}L${x - ux * 17 + uy * 11} ${y - uy * 17 - ux * 11}`;
    const shape = aid ? line : line + head;
    this.marks.append(svg("path", { class: "halo", d: shape }));
    this.marks.append(svg("path", { class: kind, d: amount ? line : shape }));
    if (amount && !aid) this.marks.append(svg("path", { class: `${kind} end`, d: head })); // Whole, where the line is dashed.
    if (aid && spots.length === 2) this.ring(to, RING, kind);
    else if (aid) this.marks.append(svg("circle", { class: ["knob", amount && "bid", other && "other"].filter(Boolean).join(" "), cx: x, cy: y, r: KNOB }));
    this.coin([from[0] + ux * (UNIT + COIN / 2), from[1] + uy * (UNIT + COIN / 2)], amount);
  }

  /**
   * How far short of a spot in a place a move there stops: at the border, or well short of a unit in the place.
   * @param {string} place
   * @param {Spot} from
   * @param {Spot} to
   */
  before(place, from, to) {
    const shapes = this.regions.get(place) ?? [];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const steps = 60;
    for (let step = 0; step <= steps; step++) {
      const part = step / steps;
      const point = new DOMPoint(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
      if (!shapes.some((shape) => shape.isPointInFill?.(point))) continue;
      // Far enough to show the direction, but never into the unit there.
      return length - Math.max(Math.min(part * length, length - UNIT - BAR), Math.min(UNIT + 2 * COIN, length * 0.6));
    }
    return UNIT + BAR;
  }

  /**
   * Writes the number of a bid, if there is a bid.
   * @param {Spot} spot
   * @param {number} amount
   */
  coin([x, y], amount) {
    if (!amount) return;
    const number = svg("text", { class: "number", x, y: y + 7 }, String(amount));
    this.marks.append(svg("circle", { class: "coin", cx: x, cy: y, r: COIN }), number);
  }

  /**
   * @param {Spot} spot
   * @param {number} radius
   * @param {string} kind
   */
  ring([cx, cy], radius, kind) {
    this.marks.append(svg("circle", { class: "halo", cx, cy, r: radius }));
    this.marks.append(svg("circle", { class: kind, cx, cy, r: radius }));
  }
}
