// @ts-check
// The desk's other pages (all games, a game's seats), and the head of each.

import { GAME, KEYS } from "./address.js";
import { byId, fill, focusOn, h, PLAIN, say } from "./dom.js";
import { seatOf } from "./mine.js";
import { fetchedData } from "./store.js";
import { count } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Desk, Seat } from "./store.js" */
/** @import { LessonEntry, OpenGame } from "./types.js" */

const [HOUR, DAY] = [60, 1440]; // Minutes.

let leave = () => {}; // What happens when the reader leaves the page shown.

/**
 * Registers an action for when the reader leaves the page shown.
 * @param {() => void} act
 */
export const onLeave = (act) => {
  leave = act;
};

/** Runs the action for the page that is left. */
export const left = () => {
  leave();
  leave = () => {};
};

/**
 * Shows a page in place of the one before.
 * @param {string} title
 * @param {Child[]} children
 */
export const page = (title, ...children) => {
  left();
  document.title = `${title} - Courtly`;
  fill(byId("desk"), ...children);
};

/**
 * @param {Desk} data
 * @returns {[crumbs: HTMLElement, title: HTMLElement]}
 */
export const gameHead = (data) => [
  h(
    "p",
    { class: "crumbs" },
    h("a", { href: "#" }, "All desks"),
    " › ",
    h("a", { href: `games/${data.game}/index.html` }, "The game’s page"),
    data.before && [" · ", h("a", { href: `games/${data.game}/${data.before.turn}/index.html` }, `What happened in ${data.before.phase}`)],
  ),
  h("h1", {}, data.title),
];

/**
 * The fate of a seat's orders in the turn before, folded; nothing if it gave none, or if its news tells it.
 * @param {Desk} data
 * @param {Seat} seat
 * @returns {Child}
 */
export const happened = ({ before }, { happened: lines }) => {
  if (!before || !lines.length) return false;
  const done = lines.filter(([, ok]) => ok).length;
  const items = lines.map(([words, ok]) =>
    h("li", { class: ok ? "good" : "fits" }, h("span", { class: "sign", "aria-hidden": "true" }, ok ? "✓" : "✗"), h("span", { class: "order" }, words)),
  );
  return h("details", { class: "happened" }, h("summary", {}, `Your orders in ${before.phase}: ${done} of ${lines.length} succeeded`), h("ul", { class: "orders" }, items));
};

/**
 * The turn, and its deadline for sheets.
 * @param {Desk} data
 * @returns {Child}
 */
export const deadline = (data) => {
  const paused = data.paused && h("p", { class: "note" }, "The game is paused. The host has stopped the clock.");
  const phase = h("strong", {}, data.phase);
  const time = data.deadline ? new Date(data.deadline) : null;
  if (!time || Number.isNaN(Number(time)))
    return [h("p", { class: "facts" }, phase, " · no deadline: the host judges when ready"), paused];
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || "here";
  const day = /** @type {const} */ ({
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
  const here = new Intl.DateTimeFormat("en-GB", day).format(time);
  const short = /** @type {const} */ ({ ...day, weekday: "short", month: "short", timeZone: "UTC" });
  const there = new Intl.DateTimeFormat("en-GB", short).format(time);
  const minutes = Math.round((Number(time) - Date.now()) / 60000);
  const left =
    minutes >= 2 * DAY
      ? `in ${Math.floor(minutes / DAY)} days`
      : minutes >= 2 * HOUR
        ? `in ${Math.floor(minutes / HOUR)} hours`
        : `in ${count(Math.max(minutes, 1), "minute")}`;
  const past = minutes <= 0;
  const utc = zone === "UTC" ? " (UTC)" : ` (${zone.replaceAll("_", " ")}; ${there} UTC)`;
  return [
    h(
      "p",
      { class: "facts" },
      phase,
      " · deadline ",
      h("time", { datetime: data.deadline }, here),
      ` your time${utc}${past ? "" : `, ${left}`}`,
    ),
    paused,
    past && h("p", { class: "note bad" }, "The deadline has passed. Orders that you send now may come too late."),
  ];
};

/**
 * Words for whether a seat has sent its sheet.
 * @param {Seat} seat
 */
export const sentText = ({ sent, owes }) =>
  sent ? (sent === 1 ? "has sent orders" : `has sent orders ${sent} times`) : owes ? "orders missing" : "nothing to do";

/** Puts the site's name into the header of a page that is identical on every site. */
export const nameSite = async () => {
  const name = await fetchedData("assets/name.json").then(
    (/** @type {any} */ said) => said?.name,
    () => null,
  );
  const brand = document.querySelector(".brand span");
  if (brand && typeof name === "string" && name) brand.textContent = name.slice(0, 60);
};

/** The games that have a desk; none if the archive does not list them. */
const openGames = async () => {
  try {
    const games = /** @type {OpenGame[]} */ (await fetchedData("games/desks.json"));
    return games.filter(({ game }) => GAME.test(game));
  } catch {
    return []; // An archive without the list: its games can be named.
  }
};

/** The lessons of the site; none if it does not list them. */
const lessons = async () => {
  try {
    return /** @type {LessonEntry[]} */ (await fetchedData("lessons/lessons.json"));
  } catch {
    return [];
  }
};

/**
 * Cards that link to the lessons: a first turn of each game.
 * @param {LessonEntry[]} entries
 */
const lessonCards = (entries) => {
  const cards = entries.map(({ lesson, title, ruleset, seat }) =>
    h(
      "li",
      {},
      h("a", { class: "card", href: `#lesson/${lesson}` }, h("strong", {}, title), h("span", {}, `${ruleset}, as ${seat}`)),
    ),
  );
  return [
    h("h2", { id: "lessons" }, "New here? A first turn, step by step"),
    h("p", { class: "hint" }, "A few minutes each. Nothing is sent, and nothing is kept."),
    h("ul", { class: "cards", "aria-labelledby": "lessons" }, cards),
  ];
};

/** A field for a game's name. */
const askForGame = () => {
  const input = h("input", { ...PLAIN, id: "game", "aria-describedby": "game-hint" });
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (input.value.trim()) location.hash = encodeURIComponent(input.value.trim().toLowerCase());
  };
  return h(
    "form",
    { class: "ask", submit },
    h("label", { for: "game" }, "The game’s name"),
    h("p", { class: "hint", id: "game-hint" }, "As in the address of its page: games/NAME."),
    h("div", { class: "line" }, input, h("button", { type: "submit", class: "main" }, "Open")),
  );
};

/**
 * The page of all games; not shown if the reader has gone on meanwhile.
 * @param {() => boolean} isCurrent
 * @param {boolean} moved whether the reader comes from another page
 */
export const startPage = async (isCurrent, moved, fault = "") => {
  const [games, learning] = await Promise.all([openGames(), lessons()]);
  if (!isCurrent()) return;
  const title = h("h1", {}, "Order desk");
  const cards = games.map(({ game, title: name, phase }) =>
    h("li", {}, h("a", { class: "card", href: `#${game}` }, h("strong", {}, name), h("span", {}, phase))),
  );
  page(
    "Order desk",
    title,
    fault && h("p", { class: "note bad" }, fault),
    h(
      "p",
      { class: "lead" },
      "Write your orders for a turn, seal them in this browser, and send them. Choose your game.",
    ),
    games.length ? h("ul", { class: "cards" }, cards) : askForGame(),
    games.length > 0 &&
      !fault &&
      h("p", {}, "Missing one? Finished games and games that wait for their host take no orders."),
    h("p", {}, "Games with hidden information send you news that only your key opens: ", h("a", { href: KEYS }, "your key"), "."),
    learning.length > 0 && lessonCards(learning),
  );
  if (moved) focusOn(title);
  if (fault) say(fault);
};

/**
 * The page of a game's seats; `file` is an unknown seat, or empty.
 * @param {Desk} data
 * @param {string} file
 * @param {boolean} moved whether the reader comes from another page
 */
export const seatsPage = (data, file, moved) => {
  const [crumbs, title] = gameHead(data);
  const mine = seatOf(data);
  const cards = data.seats.map((seat) =>
    h(
      "li",
      {},
      h(
        "a",
        { class: "card", href: `#${data.game}/${encodeURIComponent(seat.file)}` },
        h("strong", {}, seat.name, seat.file === mine && h("span", { class: "tag" }, "yours"), seat.open && h("span", { class: "tag" }, "open: join")),
        h("span", {}, seat.player),
        h("span", { class: seat.sent ? "good" : "soft" }, seat.sent ? "✓ " : "", sentText(seat)),
      ),
    ),
  );
  page(
    data.title,
    crumbs,
    title,
    deadline(data),
    file && h("p", { class: "note bad" }, `No seat of this game is called “${file.slice(0, 80)}”.`),
    h("h2", { id: "seats" }, "Which seat is yours?"),
    h("ul", { class: "cards", "aria-labelledby": "seats" }, cards),
    data.host && h("p", {}, "Do you host this game? ", h("a", { href: `#${data.game}/:host` }, "Write a ruling")),
  );
  if (moved) focusOn(title);
};
