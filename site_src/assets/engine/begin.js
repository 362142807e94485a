// @ts-check
// A game that begins at a table, without an archive: how it is chosen, where this browser keeps it, and the files that readers can save.

import { button, fill, firstField, focusOn, h, say } from "../desk/dom.js";
import { keptNames, recall, remember } from "../desk/store.js";
import { tableIn } from "./link.js";
import { listed } from "../desk/text.js";

/** @typedef {import("./link.js").Begun} Begun */
/** The earlier choice, and why it could not begin. @typedef {{ ruleset: string, rules: string, fault: string }} Tried */
/** @typedef {import("./link.js").Sheets} Sheets */
/** @typedef {import("./engine.js").Engine} Engine */

const KEPT = `table:${location.pathname}:`; // Several archives may have one address; the game's id follows.

/**
 * Keeps a game as far as it was played; true if the browser allows it. The last of its steps is not judged yet.
 * @param {string} id key under which it is kept
 * @param {{ begun: Begun, steps: Sheets[], phase: string, title: string }} table
 */
export const keep = (id, table) => remember(KEPT + id, { ...table, at: new Date().toISOString() });

/** The games that this browser keeps, the latest first. */
const kept = () =>
  keptNames(KEPT)
    .flatMap((name) => {
      const said = /** @type {any} */ (recall(name));
      const table = tableIn(said);
      const text = (/** @type {string} */ key) => (typeof said?.[key] === "string" ? said[key].slice(0, 80) : "");
      return table?.begun ? [{ id: name.slice(KEPT.length), begun: table.begun, steps: table.steps, phase: text("phase"), title: text("title"), at: text("at") }] : [];
    })
    .sort((one, two) => two.at.localeCompare(one.at));

/**
 * Hands a file to the reader.
 * @param {string} name
 * @param {string} body a text; of a zip file its bytes in base64
 * @param {string} type
 */
export const download = (name, body, type) => {
  const bytes = type === "application/zip" ? Uint8Array.from(atob(body), (char) => char.charCodeAt(0)) : body;
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** A seed for dice, at random. */
export const newSeed = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The ruleset that a position or a case names; empty if it names none. @param {string} text */
export const rulesetIn = (text) => /(?:^|\{|,)\s*["']?ruleset["']?\s*:\s*["']?(\w+)/mu.exec(text)?.[1] ?? "";

/** @param {string} text */
const indented = (text) => text.split("\n").filter((line) => line.trim()).map((line) => `  ${line}`).join("\n");

/**
 * The page's contents if no turn is named: a game to begin, and those that are kept.
 * @param {Engine} engine
 * @param {string} size of the files that are loaded
 * @param {(begun: Begun, steps: Sheets[], id?: string, tried?: Tried) => void} set gets the game to set up
 * @param {Tried} tried the earlier choice, if it could not begin
 * @returns {HTMLElement[]}
 */
export const beginning = (engine, size, set, { ruleset, rules: before_, fault } = { ruleset: "diplomacy", rules: "", fault: "" }) => {
  const before = kept();
  const names = Object.keys(engine.rulesets).sort();
  const select = h("select", { id: "ruleset" }, names.map((name) => h("option", { value: name, selected: name === ruleset }, engine.titles?.[name] ?? name)));
  const rules = h("textarea", { id: "rules", rows: 2, spellcheck: "false", placeholder: "draws: none", value: before_ });
  const said = h("p", { class: "note bad", role: "alert", hidden: !fault }, fault);
  /** @param {string} words */
  const fail = (words) => {
    said.textContent = words;
    said.hidden = false;
    say(words);
  };
  const begin = () => {
    const title = select.selectedOptions[0]?.textContent ?? select.value;
    const settings = indented(rules.value);
    set({ start: /** @type {any} */ (`ruleset: ${select.value}\ntitle: ${JSON.stringify(title)}\n${settings && `settings:\n${settings}\n`}`), seed: newSeed() }, [], undefined, { ruleset: select.value, rules: rules.value, fault: "" });
  };
  const file = h("input", {
    id: "file",
    type: "file",
    accept: ".yaml,.yml,.txt",
    change: async () => {
      const text = await file.files?.[0]?.text();
      file.value = ""; // So that the same file can be chosen again when it is mended.
      const name = rulesetIn(text ?? "");
      if (!name) return fail("This file names no ruleset: a position or a case that was saved at a table has a line `ruleset: NAME`.");
      if (!names.includes(name)) return fail(`The judge of this site knows no ruleset “${name}”. It knows ${listed(names)}.`);
      set({ start: /** @type {any} */ (text), seed: newSeed() }, [], undefined, { ruleset: name, rules: rules.value, fault: "" });
      return undefined;
    },
  });
  const parts = [
    h("h2", {}, "Begin a game here"),
    said,
    h("p", {}, "All sides sit at one table, and your browser judges: for people around a table, for a class, or to try something out."),
    h("div", { class: "field" }, h("label", { for: "ruleset" }, "Which game"), select),
    h("details", { open: Boolean(before_) }, h("summary", {}, "House rules"), h("div", { class: "field" }, h("label", { for: "rules" }, "One per line, as in game.yaml"), rules)),
    h("p", {}, button(`Begin (loads ${size}, once)`, begin, { class: "main" })),
    h("details", {}, h("summary", {}, "From a file"), h("div", { class: "field" }, h("label", { for: "file" }, "A position or a case that was saved at a table"), file)),
  ];
  return before.length ? [...tablesOf(before, set), ...parts] : parts;
};

/**
 * The kept games, each with buttons to go on or to forget it.
 * @param {ReturnType<typeof kept>} tables
 * @param {(begun: Begun, steps: Sheets[], id: string) => void} set
 */
const tablesOf = (tables, set) => {
  const list = h("ul", { class: "what-if-tables" });
  const heading = h("h2", { tabindex: "-1" });
  const draw = () => {
    heading.textContent = ["No tables are kept", "Your table"][tables.length] ?? "Your tables";
    fill(
      list,
      tables.map(({ id, begun, steps, phase, title }) => {
        const turns = Math.max(0, steps.length - 1);
        const forget = () => {
          remember(KEPT + id, null);
          tables.splice(tables.findIndex((one) => one.id === id), 1);
          draw();
          focusOn(firstField(list) ?? heading);
          say(`${title} is forgotten.`);
        };
        return h(
          "li",
          {},
          h("span", {}, h("strong", {}, title || "A game"), `, ${turns} ${turns === 1 ? "turn" : "turns"} long`),
          h("span", { class: "line" }, button(`Go on with ${phase || "it"}`, () => set(begun, steps, id), { class: "main" }), button("Forget it", forget, { class: "quiet", "aria-label": `Forget ${title}` })),
        );
      }),
    );
  };
  draw();
  return [heading, list];
};
