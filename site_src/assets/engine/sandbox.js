// @ts-check
// Playing on from a turn, all sides at one table (sandbox.html#GAME/TURN, followed by the written sheets). The judge offers legal orders,
// checks them, and judges. Texts may come from strangers, so elements are made one by one; the board comes from the judge and holds no
// script.

import { byId, button, fill, goesBy, h } from "../desk/dom.js";
import { EngineFault, Judge, engineOf, sizeOf } from "./engine.js";
import { beginning, newSeed, rulesetIn } from "./begin.js";
import { BEGIN, unpacked } from "./link.js";
import { count } from "../desk/text.js";
import { Gone, NAME, Wrong, answerOf, given, packsOf, wordsOf } from "./packs.js";

/** @import { Child } from "../desk/dom.js" */
/** @import { Begun } from "./link.js" */
/** @import { Origin, Stands, TablePage } from "./table.js" */

const main = byId("sandbox");
const live = byId("live");
/** @type {Judge | null} */
let judge = null;
let round = 0;
/** @type {TablePage | null} */
let current = null;

/** @param {string} words */
const say = (words) => {
  live.textContent = words;
};

/**
 * @param {string} title
 * @param {Child[]} children
 */
const page = (title, ...children) => {
  document.title = `${title} - Courtly`;
  fill(main, ...children);
};

/** Closes the present table, which then no longer listens to the keyboard. */
const leaveTable = () => {
  current?.leave();
  current = null;
};

/**
 * @param {string} game
 * @param {string} turn
 * @param {string} title
 * @param {string} words
 */
const shownFault = (game, turn, title, words) => {
  leaveTable();
  page(
    title,
    h("h1", { tabindex: "-1" }, title),
    words.split("\n").map((line) => h("p", { class: "note bad" }, line)),
    NAME.test(game) && NAME.test(turn) && h("p", {}, button("Try again", () => void route(), { class: "main" })),
    h("p", {}, h("a", { href: "sandbox.html" }, "What if?"), " · ", h("a", { href: "index.html" }, "All games")),
  );
  main.querySelector("h1")?.focus();
  say(words);
};

/**
 * Handles a table that cannot go on: the failed judge is put away, and the page explains why.
 * @param {TablePage} table
 * @param {unknown} error
 */
const failed = ({ origin: { game, turn } }, error) => {
  if (error instanceof EngineFault) {
    judge?.stop();
    judge = null;
  }
  shownFault(game, turn, "What if?", wordsOf(error));
};

/**
 * Prepares the judge of a table for the ruleset that a text names.
 * @param {TablePage} table
 * @param {string} text
 * @param {import("./engine.js").Engine} engine
 */
const readyFor = async ({ asked }, text, engine) => {
  const name = rulesetIn(text);
  if (Object.hasOwn(engine.rulesets, name)) await asked.ready(name, () => {});
};

/**
 * Starts the judge, sets the table up, and plays the written sheets again: all but the last turn are judged.
 * @param {string} title
 * @param {string} ruleset
 * @param {import("./engine.js").Engine} engine
 * @param {import("./link.js").Sheets[]} steps
 * @param {(asked: Judge) => Promise<{ stands: Stands, origin: Origin }>} set
 * @param {(words: string) => void} [refused] gets the judge's refusal, if there is a page to show it on
 */
const run = async (title, ruleset, engine, steps, set, refused) => {
  const mine = ++round;
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Loading the judge" });
  const line = h("p", { role: "status" }, "Loading the judge…");
  page(title, h("h1", {}, title), line, h("p", {}, bar));
  /** @type {Origin | null} */
  let origin = null;
  try {
    judge ??= new Judge(engine);
    const asked = judge;
    const desks = import("./table.js").catch(() => null); // With the order desk behind it: it comes while the judge does.
    await asked.ready(ruleset, (got, of) => {
      bar.value = got / of;
      if (got === of) line.textContent = "Starting the judge…";
    });
    const set_up = await asked.alone(() => set(asked));
    if (mine !== round) return;
    origin = set_up.origin;
    const loaded = await desks;
    if (!loaded) throw new Gone("assets/engine/table.js");
    const table = new loaded.TablePage(asked, origin, set_up.stands, { isCurrent: (one) => one === current, page, ready: (one, text) => readyFor(one, text, engine), failed });
    // Kept only once something is judged, so that a look at somebody's link does not replace any of the reader's games.
    if (steps.length) await asked.alone(() => table.goTo(steps.slice(0, -1), steps[steps.length - 1] ?? {}));
    if (mine === round) {
      current = table;
      table.show();
    }
  } catch (error) {
    if (error instanceof EngineFault && mine === round) {
      judge?.stop();
      judge = null;
    }
    if (mine === round && refused && error instanceof Wrong) return refused(wordsOf(error));
    if (mine === round) shownFault(origin?.game ?? "", origin?.turn ?? "", title, wordsOf(error));
  }
};

/**
 * Sets a table up at a turn of a game of this site.
 * @param {string} game
 * @param {string} turn
 * @param {any} pack
 * @param {any} first
 * @param {import("./engine.js").Engine} engine
 * @param {import("./link.js").Sheets[]} steps
 */
const atTurn = (game, turn, pack, first, engine, steps) =>
  run(`What if: ${first.phase}`, pack.ruleset, engine, steps, async (asked) => {
    await given(asked, game, turn, pack, first);
    const stands = await answerOf(asked, { do: "table", game: pack.slug, turn });
    return { stands, origin: { game, turn, title: pack.title, open: first.open === true, begun: null, id: "" } };
  });

/**
 * Sets a table up for a game that begins here.
 * @param {import("./engine.js").Engine} engine
 * @param {Begun} begun
 * @param {import("./link.js").Sheets[]} steps
 * @param {string} id key under which this browser keeps it
 * @param {import("./begin.js").Tried} [tried] the choice on the page before
 */
const beginTable = (engine, begun, steps, id, tried) => {
  const { start } = /** @type {any} */ (begun);
  const ruleset = String(start.ruleset ?? rulesetIn(start));
  return run("What if?", ruleset, engine, steps, async (asked) => {
    const stands = await answerOf(asked, { do: "begin", ...begun });
    return { stands, origin: { game: "", turn: "", title: stands.title, open: false, begun: { start: stands.start, seed: begun.seed }, id } };
  }, tried && ((words) => void beginPage("", ++round, { ...tried, fault: words })));
};

/**
 * The page without a named turn, or with the link of a game that began at a table.
 * @param {string} letters
 * @param {number} mine
 * @param {import("./begin.js").Tried} [tried] the choice that could not begin
 */
const beginPage = async (letters, mine, tried) => {
  const said = letters ? await unpacked(letters) : null;
  if (letters && !said?.begun) return shownFault("", "", "What if?", CUT);
  const intro = h("p", { class: "lead" }, "Open a turn of any game and press “What if?”: you then play on from there, for all sides, and your browser judges.");
  const home = h("p", {}, h("a", { href: "index.html" }, "All games"));
  try {
    const engine = await engineOf();
    if (mine !== round) return undefined;
    /** @type {(begun: Begun, steps: import("./link.js").Sheets[], id?: string, tried?: import("./begin.js").Tried) => void} */
    const set = (begun, steps, id = newSeed(), trying) => {
      history.replaceState(null, "", `#${BEGIN}`);
      void beginTable(engine, begun, steps, id, trying);
    };
    const size = `${Math.round(sizeOf(engine, "diplomacy") / 1e6)} MB`;
    if (said?.begun) {
      const { begun, steps } = said;
      const open = button(`Set up the table (loads ${size}, once)`, () => set(begun, steps), { class: "main" });
      return page("What if?", h("h1", {}, "What if?"), h("p", { class: "lead" }, `A game that began at a table, ${count(Math.max(0, steps.length - 1), "turn")} long. What you play from here is kept with your other tables.`), h("p", {}, open));
    }
    return page("What if?", h("h1", {}, "What if?"), intro, home, beginning(engine, size, set, tried));
  } catch (error) {
    return mine === round ? page("What if?", h("h1", {}, "What if?"), intro, home, h("p", { class: "note" }, wordsOf(error))) : undefined;
  }
};

const CUT = "This link was cut short or changed. Ask for it again, or begin at the turn’s page.";

const route = async () => {
  const mine = ++round;
  leaveTable();
  let parts = [""];
  try {
    parts = decodeURIComponent(location.hash.slice(1)).split("/");
  } catch {
    // Not an address of this site.
  }
  const [game = "", turn = "", letters = ""] = parts;
  if (game === BEGIN || (!game && !turn)) return beginPage(turn, mine);
  if (!NAME.test(game) || !NAME.test(turn))
    return shownFault(game, turn, "What if?", "There is no such turn: both names have lowercase letters, digits and hyphens.");
  // At once, so that nobody goes on at the old table while this one is fetched.
  page("What if?", h("h1", {}, "What if?"), h("p", { role: "status" }, "Fetching the turn…"));
  const said = letters ? await unpacked(letters) : { steps: [], begun: null };
  if (said === null || said.begun) return shownFault(game, turn, "What if?", CUT);
  const { steps } = said;
  try {
    const [engine, [pack, first]] = await Promise.all([engineOf(), packsOf(game, turn)]);
    if (mine !== round) return undefined;
    if (first.hidden) throw new Gone(game);
    if (judge) return atTurn(game, turn, pack, first, engine, steps);
    const size = `${Math.round(sizeOf(engine, pack.ruleset) / 1e6)} MB`;
    return page(
      `What if: ${first.phase}`,
      h("h1", {}, `What if: ${first.phase}`),
      h("p", { class: "lead" }, pack.title),
      h("p", {}, "Play on from this turn, for all sides: write orders, have them judged here, look at the map, go on or take turns back."),
      h("p", {}, button(`Set up the table (loads ${size}, once)`, () => void atTurn(game, turn, pack, first, engine, steps), { class: "main" })),
    );
  } catch (error) {
    if (mine !== round) return undefined;
    return shownFault(game, turn, "What if?", error instanceof Gone ? "This site has no files for this turn: it does not exist, or parts of it are hidden until the game ends." : wordsOf(error));
  }
};

goesBy(route);
