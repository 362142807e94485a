// @ts-check
// Judging a finished turn again (again.html#GAME/TURN). The page fetches the turn's files from this site, opens sealed ones with the keys
// that the archive has published, has the judge judge it, and shows whether any byte differs. Texts may come from strangers, so elements
// are made one by one.

import { byId, button, fill, h, goesBy } from "../desk/dom.js";
import { EngineFault, Judge, engineOf, sizeOf } from "./engine.js";
import { Gone, NAME, answerOf, given, packsOf, wordsOf } from "./packs.js";

/** @typedef {import("./packs.js").GamePack} GamePack */
/** @typedef {import("./packs.js").TurnPack} TurnPack */

const main = byId("again");
const live = byId("live");
/** @type {Judge | null} */
let judge = null;
let round = 0;

/**
 * @param {string} title
 * @param {import("../desk/dom.js").Child[]} children
 */
const page = (title, ...children) => {
  document.title = `${title} - Courtly`;
  fill(main, ...children);
};

/** @param {string} words */
const say = (words) => {
  live.textContent = words;
};

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 1 : 0)} MB`;

/**
 * Judges a turn again with the files that the site has of it.
 * @param {Judge} asked
 * @param {string} game
 * @param {string} turn
 * @param {GamePack} pack
 * @param {TurnPack} first
 */
const judgeAgain = async (asked, game, turn, pack, first) => {
  const maps = await given(asked, game, turn, pack, first);
  return answerOf(asked, { do: "again", game: pack.slug, turn, maps });
};

/** @param {string} text */
const code = (text) => h("code", {}, text);

/**
 * @param {string} game
 * @param {string} turn
 */
const crumbs = (game, turn) =>
  h(
    "p",
    { class: "crumbs" },
    h("a", { href: `games/${game}/index.html` }, "The game"),
    " › ",
    h("a", { href: `games/${game}/${turn}/index.html` }, "The turn’s page"),
  );

const PROVES = h(
  "p",
  { class: "hint" },
  "The judge is Courtly’s own code, and it came from this site, as the files did. So this shows that they agree. To see whether another copy of the archive agrees too, compare the digests with another site’s, or run ",
  code("courtly verify"),
  " on a clone. ",
  h("a", { href: "trust.html" }, "What you can trust, and whom"),
  ".",
);

/**
 * Shows the result.
 * @param {string} game
 * @param {string} turn
 * @param {GamePack} pack
 * @param {any} done
 */
const shownResult = (game, turn, pack, done) => {
  const same = done.differences.length === 0;
  const sheets = `${done.sheets} ${done.sheets === 1 ? "sheet" : "sheets"}`;
  const words = same
    ? `✓ The same, to the byte. ${sheets} lead to what the archive says.`
    : `✗ ${done.differences.length === 1 ? "Something differs" : `${done.differences.length} things differ`} from what the archive says.`;
  const next = done.leads_to === "ending.yaml" ? "the ending that is archived" : "the position that the next turn began with";
  page(
    `${done.phase}, judged again`,
    crumbs(game, turn),
    h("h1", { tabindex: "-1" }, `${done.phase}, judged again`),
    h("p", { class: "lead" }, pack.title),
    h("p", { class: `verdict ${same ? "good" : "bad"}`, id: "verdict" }, words),
    !same &&
      h(
        "ul",
        { class: "steps", id: "differences" },
        done.differences.map((/** @type {any} */ one) =>
          h(
            "li",
            { class: "bad" },
            h("span", { class: "sign", "aria-hidden": "true" }, "✗"),
            h(
              "div",
              {},
              h("h3", {}, code(one.line ? `${one.path}:${one.line}` : one.path)),
              h("p", {}, one.what),
              one.right && h("p", {}, one.right),
            ),
          ),
        ),
      ),
    done.leads_to && same && h("p", {}, `It leads to ${next}, too.`),
    done.notes.map((/** @type {string} */ note) => h("p", {}, note)),
    h("h2", {}, "Digests"),
    h("p", { class: "hint" }, "SHA-256 of the files as they were made here, as ", code("sha256sum"), " prints it for yours."),
    h(
      "dl",
      { class: "digests" },
      Object.entries(done.files).map(([name, digest]) => [h("dt", {}, name), h("dd", {}, code(String(digest)))]),
    ),
    PROVES,
  );
  byId("again").querySelector("h1")?.focus();
  say(words);
};

/**
 * Shows a fault in words, and a button to try again.
 * @param {string} game
 * @param {string} turn
 * @param {string} title
 * @param {string} words
 */
const shownFault = (game, turn, title, words) => {
  page(
    title,
    NAME.test(game) && NAME.test(turn) && crumbs(game, turn),
    h("h1", { tabindex: "-1" }, title),
    words.split("\n").map((line) => h("p", { class: "note bad" }, line)),
    NAME.test(game) && NAME.test(turn) && h("p", {}, button("Try again", () => void route(), { class: "main" })),
    h("p", {}, "You can always run ", code("courtly verify"), " on a clone of the archive."),
  );
  byId("again").querySelector("h1")?.focus();
  say(words);
};

/**
 * @param {string} game
 * @param {string} turn
 * @param {GamePack} pack
 * @param {TurnPack} first
 * @param {import("./engine.js").Engine} engine
 */
const run = async (game, turn, pack, first, engine) => {
  const mine = ++round;
  const title = `${first.phase}, judged again`;
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Loading the judge" });
  const line = h("p", { role: "status" }, judge ? "Judging…" : "Loading the judge…");
  page(title, crumbs(game, turn), h("h1", {}, title), h("p", { class: "lead" }, pack.title), line, judge ? null : h("p", {}, bar));
  try {
    judge ??= new Judge(engine);
    const asked = judge;
    await asked.ready(pack.ruleset, (got, of) => {
      bar.value = got / of;
      if (got === of) line.textContent = "Starting the judge…";
    });
    line.textContent = "Judging…";
    const done = await asked.alone(() => judgeAgain(asked, game, turn, pack, first));
    if (mine === round) shownResult(game, turn, pack, done);
  } catch (error) {
    if (error instanceof EngineFault && mine === round) {
      judge?.stop();
      judge = null;
    }
    if (mine === round) shownFault(game, turn, title, wordsOf(error));
  }
};

const route = async () => {
  const mine = ++round;
  let parts = [""];
  try {
    parts = decodeURIComponent(location.hash.slice(1)).split("/");
  } catch {
    // Not an address of this site.
  }
  const [game = "", turn = ""] = parts;
  const title = "Judge a turn again";
  if (!game && !turn) {
    return page(
      title,
      h("h1", {}, title),
      h(
        "p",
        { class: "lead" },
        "Open a finished turn and press “Judge this turn again, here”. Your browser then reads the sheets, judges the turn with the same code as the archive, and compares every byte.",
      ),
      h("p", {}, h("a", { href: "index.html" }, "All games"), " · ", h("a", { href: "trust.html" }, "What this proves")),
    );
  }
  if (!NAME.test(game) || !NAME.test(turn))
    return shownFault(game, turn, title, "There is no such turn: both names have lowercase letters, digits and hyphens.");
  try {
    const [engine, [pack, first]] = await Promise.all([engineOf(), packsOf(game, turn)]);
    if (mine !== round) return undefined;
    const size = judge ? "" : ` (loads ${megabytes(sizeOf(engine, pack.ruleset))}, once)`;
    const start = button(`Judge it again${size}`, () => void run(game, turn, pack, first, engine), { class: "main" });
    page(
      `${first.phase}, judged again`,
      crumbs(game, turn),
      h("h1", {}, `${first.phase}, judged again`),
      h("p", { class: "lead" }, pack.title),
      h(
        "p",
        {},
        "Your browser reads the sheets that the archive was sent, opens those that were sealed, judges the turn with the same code, draws the map, and compares every byte with what is archived.",
      ),
      h("p", {}, start),
      PROVES,
    );
    return undefined;
  } catch (error) {
    if (mine !== round) return undefined;
    const words = error instanceof Gone ? "This site has no files for this turn: it does not exist, it is not finished, or parts of it are hidden until the game ends." : wordsOf(error);
    return shownFault(game, turn, title, words);
  }
};

goesBy(route);
