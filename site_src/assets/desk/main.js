// @ts-check
// The order desk (desk.html): a turn's sheet by tapping or typing, sealed in this browser, ready to be sent.
// Nothing is fetched from elsewhere, and nothing is sent: the reader does that on the archive's forge.

import { GAME, KEYS, LESSON, parts } from "./address.js";
import { byId, goesBy, h, say } from "./dom.js";
import { OrderDesk } from "./desk.js";
import { tellItself } from "./itself.js";
import { HOST, hostPage } from "./host.js";
import { openLesson } from "./lesson.js";
import { seatOf } from "./mine.js";
import { nameSite, seatsPage, startPage } from "./pages.js";
import { keyPage } from "./keypage.js";
import { misshapen } from "./news.js";
import { ownOf } from "./own.js";
import { deskOf, fetched, fetchedData } from "./store.js";
import { Unseen } from "./text.js";
import { NewsPanel } from "./unlock.js";

/** @import { Own } from "./own.js" */
/** @import { Desk, Seat } from "./store.js" */
/** @import { DeskFile, UnseenTable } from "./types.js" */

const SCHEMA = 1;

let round = 0; // Every way to another page counts up: what an older one still fetches is not shown.
/** @type {Unseen | null} */
let unseen = null;

/**
 * A game's data; throws an error with the status if the game has no desk.
 * @param {string} game
 * @returns {Promise<Desk>}
 */
const load = async (game) => {
  if (!GAME.test(game)) throw new Error("404");
  const data = /** @type {DeskFile} */ (await fetchedData(`games/${game}/desk.json`));
  unseen ??= new Unseen(/** @type {UnseenTable} */ (await fetchedData("assets/unseen.json")));
  if (data.schema !== SCHEMA) throw new Error("another schema");
  return deskOf(data);
};

/**
 * Shows a seat's desk with all that is known of it. News in a shape that the desk cannot show is left out, and the page mentions that.
 * @param {Desk} data
 * @param {Seat} seat
 * @param {string} map
 * @param {Own} own
 * @param {boolean} moved
 */
const show = (data, seat, map, own, moved) => {
  const again = () => void routeAgain();
  try {
    const news = data.hidden ? new NewsPanel(data, seat, own, again) : null;
    if (unseen) new OrderDesk(data, own, news, unseen, turnOver).open(moved);
  } catch (error) {
    if (!own.aside) throw error;
    console.warn(error);
    show(data, seat, map, { seat, map, aside: null, fault: misshapen(seat) }, moved);
  }
};

/** Shows the desk again, and keeps the half-typed text in its field. */
const routeAgain = async () => {
  const field = () => /** @type {HTMLInputElement | null} */ (document.getElementById("typed"));
  const typed = field()?.value ?? "";
  await route(true);
  const now = field();
  if (!typed || !now) return;
  now.value = typed;
  now.dispatchEvent(new Event("input"));
};

/**
 * Shows the page that the address names.
 * @param {boolean} moved whether the reader comes from another page
 */
const route = async (moved) => {
  const mine = ++round;
  const isCurrent = () => mine === round;
  document.adoptedStyleSheets = []; // A map's own rules are for its own page.
  const [game, asked, ...more] = parts();
  if (`#${game}` === KEYS) return keyPage(moved);
  if (!game) return startPage(isCurrent, moved);
  if (game === LESSON && more.length) return lessonPage([asked, ...more].join("/"), isCurrent);
  try {
    const data = await load(game);
    if (!isCurrent()) return;
    if (asked === HOST) return hostPage(data, moved);
    // The browser remembers the seat; `#game/` lets the reader choose another.
    const file = asked ?? seatOf(data);
    const seat = data.seats.find((one) => one.file === file);
    if (!seat) return seatsPage(data, asked ?? "", moved);
    if (asked === undefined) history.replaceState(null, "", `#${game}/${encodeURIComponent(file)}`);
    const map = await fetched(`games/${game}/desk.svg`).then(
      (answer) => answer.text(),
      () => "",
    );
    const own = await ownOf(data, seat, map);
    if (!isCurrent() || !unseen) return;
    show(data, seat, map, own, moved);
  } catch (error) {
    const none = `No running game is called “${game.slice(0, 80)}” here.`;
    const other = "The game could not be loaded. Check that you are online, and try again.";
    const missing = error instanceof Error && error.message === "404";
    if (isCurrent()) return startPage(isCurrent, true, missing ? none : other);
  }
};

/**
 * Shows a lesson, `#lesson/RULESET/NAME`.
 * @param {string} name
 * @param {() => boolean} isCurrent
 */
const lessonPage = async (name, isCurrent) => {
  try {
    await openLesson(name, isCurrent, true);
  } catch {
    if (isCurrent()) return startPage(isCurrent, true, `No lesson is called “${name.slice(0, 80)}” here.`);
  }
};

/**
 * Shows the turn that has begun meanwhile, with a note about the one before.
 * @param {string} words
 */
const turnOver = async (words) => {
  await route(true);
  byId("desk")
    .querySelector("h1")
    ?.after(h("p", { class: "note" }, words));
  say(words);
};

goesBy(route);
tellItself();
void nameSite();
