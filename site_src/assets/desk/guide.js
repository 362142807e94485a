// @ts-check
// Steps on the forge for a file or an issue that is filled in. On GitHub, each button to press has a sentence with a sketch of it.

import { h, svg } from "./dom.js";

/** @import { Child } from "./dom.js" */
/** @import { ForgeWays } from "./types.js" */

const LETTERS = 15; // Of a file's name in its sketch.

/** @type {(x: number, y: number, width: number, words: string) => Child[]} */
const pressed = (x, y, width, words) => [
  svg("rect", { class: "press", x, y, width, height: 26, rx: 6 }),
  svg("text", { class: "on", x: x + width / 2, y: y + 17.5 }, words),
  svg("rect", { class: "here", x: x - 4, y: y - 4, width: width + 8, height: 34, rx: 9 }),
];

/** @type {(x: number, y: number, width: number) => Child} */
const line = (x, y, width) => svg("rect", { class: "line", x, y, width, height: 6, rx: 3 });

/** @type {(x: number, y: number, words: string) => Child} */
const text = (x, y, words) => svg("text", { x, y }, words);

/** @type {(x: number, y: number, width: number, height: number) => Child} */
const box = (x, y, width, height) => svg("rect", { class: "box", x, y, width, height, rx: 6 });

/** @type {(title: string, about: string, ...shapes: Child[]) => SVGSVGElement} */
const sketch = (title, about, ...shapes) =>
  svg(
    "svg",
    { class: "sketch", viewBox: "0 0 280 112", role: "img" },
    svg("title", {}, title),
    svg("desc", {}, about),
    box(1, 1, 278, 110),
    shapes,
  );

/** @param {string} file */
const editor = (file) =>
  sketch(
    "The page of the new file",
    "The file’s name above, its text below; the green button “Commit changes…” is above it, on the right.",
    box(10, 11, 116, 26),
    text(18, 28.5, file.length > LETTERS ? `${file.slice(0, LETTERS - 1)}…` : file),
    pressed(140, 11, 130, "Commit changes…"),
    [200, 170, 215, 120].map((width, row) => line(18, 54 + row * 14, width)),
  );

const dialog = () =>
  sketch(
    "The window that opens",
    "It asks for a message, which may stay as it is; the green button “Propose changes” is at its lower right.",
    text(18, 27, "Propose changes"),
    box(18, 38, 244, 24),
    line(28, 47, 120),
    text(78, 93.5, "Cancel"),
    pressed(132, 76, 130, "Propose changes"),
  );

const request = () =>
  sketch(
    "The pull request",
    "The copy and the archive are compared; the green button “Create pull request” is below.",
    text(18, 27, "Open a pull request"),
    box(18, 38, 244, 24),
    line(28, 47, 70),
    line(108, 47, 110),
    pressed(118, 76, 144, "Create pull request"),
  );

/**
 * A link to the page of the forge where people copy the archive to their account.
 * @param {ForgeWays} forge
 * @param {string} words
 */
const fork = (forge, words) =>
  h("a", { href: forge.fork, target: "_blank", rel: "noopener noreferrer" }, words);

/**
 * Advice for people who cannot write to the archive, before they go to the page for a new file.
 * @param {ForgeWays} forge
 */
export const copyFirst = (forge) =>
  h(
    "p",
    { class: "hint" },
    `If you cannot write to the archive yourself, ${forge.name} makes a fork on the way: your own copy. If its button fails, `,
    fork(forge, "make the fork first"),
    ", then come back.",
  );

/**
 * A note about addresses that fill in a page.
 * @param {ForgeWays} forge
 */
export const inApp = (forge) =>
  h(
    "p",
    { class: "hint" },
    `${forge.name}’s mobile app may open these pages empty. Then open them in the browser: press and hold the link and choose it, or copy the text.`,
  );

/**
 * The step for an issue that is filled in.
 * @param {string} first
 * @param {ForgeWays} forge
 */
export const issueGuide = (first, forge) =>
  h("p", {}, `${first}${first ? "p" : "P"}ress `, h("strong", {}, "Create"), ` below the text on ${forge.name}. Change nothing in it; no fork is needed.`);

/**
 * The steps on a forge that fills nothing in.
 * @param {string} path
 * @param {ForgeWays} forge
 */
const byHand = (path, forge) =>
  h(
    "ol",
    { class: "guide" },
    [
      ["If you cannot write to the archive yourself, ", fork(forge, "make a fork"), " once: your own copy. Go on in it."],
      ["There press ", h("strong", {}, "New file"), ", give it the name ", h("code", {}, path), ", and paste the text."],
      [
        "Choose to make a new branch for it, press the button below, and open a ",
        h("strong", {}, "pull request"),
        " to the archive’s own repository, not to your copy.",
      ],
    ].map((words) => h("li", {}, h("p", {}, words))),
  );

/**
 * The steps on the forge, in order; `first` comes before them on the same page.
 * @param {string} path path of the file in the archive
 * @param {string} first
 * @param {ForgeWays} forge
 */
export const guide = (path, first, forge) => {
  if (!forge.filled_file) return byHand(path, forge);
  /** @type {[words: Child[], picture: SVGSVGElement][]} */
  const steps = [
    [
      [
        `${first} Press `,
        h("strong", {}, "Commit changes…"),
        ` above the text. The first time, ${forge.name} first asks: “Fork this repository”, which makes a copy for you.`,
      ],
      editor(path.split("/").pop() ?? ""),
    ],
    [["In the window that opens press ", h("strong", {}, "Propose changes"), "."], dialog()],
    [["Press ", h("strong", {}, "Create pull request"), ", and the same once more on the next page."], request()],
  ];
  return h(
    "ol",
    { class: "guide" },
    steps.map(([words, picture]) => h("li", {}, h("p", {}, words), picture)),
  );
};
