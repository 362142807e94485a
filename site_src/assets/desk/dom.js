// @ts-check
// Makes elements, and moves the reader's focus. The data may contain texts from strangers, so elements are made one by one, never from
// markup.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */
/**
 * Attributes by name, without those that are null, undefined or false; listeners by event.
 * @typedef {Record<string, unknown>} Options
 */

/**
 * @template {Element} T
 * @param {T} element
 * @param {Options} options
 * @param {Child[]} children
 * @returns {T}
 */
const put = (element, options, children) => {
  for (const [key, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, /** @type {EventListener} */ (value));
    else if (key === "value" || key === "checked") Object.assign(element, { [key]: value });
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...shown(children));
  return element;
};

/**
 * A flat list of children, without those that are left out.
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
export const shown = (children) =>
  children.flatMap((child) => {
    if (Array.isArray(child)) return shown(child);
    return child === null || child === undefined || child === false ? [] : [child instanceof Node ? child : `${child}`];
  });

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Options} options
 * @param {Child[]} children
 */
export const h = (tag, options = {}, ...children) => put(document.createElement(tag), options, children);

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Options} options
 * @param {Child[]} children
 */
export const svg = (tag, options = {}, ...children) =>
  put(document.createElementNS("http://www.w3.org/2000/svg", tag), options, children);

/**
 * Begins a page whose address names what it shows, after `#`; replaces the content for readers without scripts.
 * @param {(moved: boolean) => unknown} route shows it; `moved` is true if the reader comes from another part of the page
 */
export const goesBy = (route) => {
  byId("stand-in").remove();
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // It would change the address.
    byId("main").focus();
  });
  addEventListener("hashchange", () => {
    scrollTo(0, 0);
    void route(true);
  });
  void route(false);
};

/**
 * Redraws the inside of an element and keeps the reader's focus in it.
 * @param {Element} element
 * @param {() => void} draw
 */
export const inPlace = (element, draw) => {
  const all = () => [...element.querySelectorAll("button, input, select, textarea")];
  const at = all().findIndex((one) => one === document.activeElement);
  draw();
  const now = all()[at];
  if (now instanceof HTMLElement && now !== document.activeElement) now.focus({ preventScroll: true });
};

/**
 * A button, which sends nothing.
 * @param {Child} label
 * @param {() => void} click
 * @param {Options} options
 */
export const button = (label, click, options = {}) => h("button", { type: "button", ...options, click }, label);

/**
 * Replaces an element's children.
 * @param {Element} element
 * @param {Child[]} children
 */
export const fill = (element, ...children) => element.replaceChildren(...shown(children));

/**
 * The page's element with this id.
 * @param {string} id
 */
export const byId = (id) => {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return element;
};

/** @type {string[]} */
let saying = [];
/**
 * Has a screen reader announce a text; texts announced together are joined.
 * @param {string} text
 */
export const say = (text) => {
  const live = byId("live");
  if (!saying.length) {
    live.textContent = "";
    setTimeout(() => {
      live.textContent = saying.join(" ");
      saying = [];
    }, 60);
  }
  saying.push(text);
};

/** True if the map is above the orders, as on a phone. */
export const small = () => matchMedia("(max-width: 999px)").matches;

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * How the page scrolls: at once for readers who prefer reduced motion.
 * @returns {ScrollBehavior}
 */
export const motion = () => (calm() ? "auto" : "smooth");

/**
 * Scrolls to an element.
 * @param {Element} element
 * @param {ScrollLogicalPosition} block
 */
export const show = (element, block = "nearest") => element.scrollIntoView({ block, behavior: motion() });

/**
 * Moves the focus to an element, so that a keyboard and a screen reader go on from there.
 * @param {HTMLElement} element
 */
export const focusOn = (element) => {
  if (!element.hasAttribute("tabindex") && !/^(A|BUTTON|INPUT|TEXTAREA|SELECT)$/.test(element.tagName))
    element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
};

/**
 * The first field or button in an element; undefined if it has neither.
 * @param {ParentNode | undefined | null} element
 */
export const firstField = (element) =>
  /** @type {HTMLElement | undefined} */ (element?.querySelector("input, select, textarea, button") ?? undefined);

/** The attributes of a field where names and keys are typed. */
export const PLAIN = { type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false" };

/**
 * A line for people to read, with the name of a blank instead of `{name}`.
 * @param {string} line
 * @returns {Child}
 */
export const blanked = (line) => line.split(/\{(\w+)\}/u).map((part, index) => (index % 2 ? h("span", { class: "blank" }, part) : part));

/**
 * A button that copies a text, and the words that say whether it did.
 * @param {string} label what is copied, such as `the file`
 * @param {string} text
 * @returns {Child[]}
 */
export const copying = (label, text) => {
  const told = h("span", { class: "soft" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = " Copied.";
    } catch {
      told.textContent = " Your browser does not let pages copy: select the text.";
    }
    say(told.textContent);
  };
  return [button("Copy", () => void copy(), { "aria-label": `Copy ${label}` }), told];
};
