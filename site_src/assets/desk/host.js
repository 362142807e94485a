// @ts-check
// The host's page of a game: what waits for the host, and a form that writes a ruling.

import { button, copying, fill, focusOn, h, PLAIN, say } from "./dom.js";
import { Fault } from "./fault.js";
import { arrives, filled } from "./forge.js";
import { guide } from "./guide.js";
import { deadline, gameHead, page } from "./pages.js";
import { KINDS, rulingText } from "./ruling.js";

/** @import { Child } from "./dom.js" */
/** @import { Desk } from "./store.js" */
/** @import { Answers } from "./ruling.js" */

/** The address of the host's page of a game, behind the game's name. No seat's file has a colon. */
export const HOST = ":host";

const LINE = 40; // Letters of a line with several values: a ruling reads better on several lines.

/** @type {Record<string, (data: Desk, id: string) => HTMLElement[]>} */
const FIELDS = {
  time: (_, id) => [h("label", { for: id }, "When, by the clock of this device"), h("input", { id, name: "time", type: "datetime-local" })],
  seat: (data, id) => [
    h("label", { for: id }, "Seat"),
    h("select", { id, name: "seat" }, h("option", { value: "" }, "–"), data.seats.map(({ name }) => h("option", { value: name }, name))),
  ],
  player: (_, id) => [h("label", { for: id }, "The new player’s name, or open"), h("input", { id, name: "player", ...PLAIN })],
  account: (_, id) => [h("label", { for: id }, "The number of their account (optional)"), h("input", { id, name: "account", ...PLAIN, inputmode: "numeric" })],
  key: (data, id) =>
    data.hidden ? [h("label", { for: id }, "Their public key"), h("input", { id, name: "key", ...PLAIN })] : [],
  order: (_, id) => [h("label", { for: id }, "The order; leave it empty for the whole sheet"), h("input", { id, name: "order", ...PLAIN })],
  question: (_, id) => [h("label", { for: id }, "Question"), h("input", { id, name: "question", type: "text", maxlength: "280" })],
  answers: (_, id) => [h("label", { for: id }, "Answers, one a line (yes and no if you leave this empty)"), h("textarea", { id, name: "answers", rows: "3" })],
  how: (_, id) => [h("label", { for: id }, "How it ended, such as draw"), h("input", { id, name: "how", value: "draw", ...PLAIN })],
  winners: (_, id) => [h("label", { for: id }, "Who wins or shares it, one a line"), h("textarea", { id, name: "winners", rows: "3" })],
};

/**
 * Everything that waits for the host now.
 * @param {Desk} data
 * @returns {Child}
 */
const waiting = (data) => {
  const owing = data.seats.filter(({ owes, sent, open }) => owes && !sent && !open).map(({ name }) => name);
  const open = data.seats.filter((seat) => seat.open).map(({ name }) => name);
  const items = [
    owing.length > 0 && `No sheet yet from ${owing.join(", ")}.`,
    open.length > 0 && `Nobody has taken ${open.join(", ")}.`,
    ...(data.host?.waits ?? []),
  ].filter(Boolean);
  return h(
    "section",
    { class: "panel", "aria-labelledby": "waits" },
    h("h2", { id: "waits" }, "What waits"),
    items.length ? h("ul", {}, items.map((words) => h("li", {}, words))) : h("p", {}, "Nothing waits for you or for a player."),
  );
};

/**
 * The file with the ruling, and ways to the forge.
 * @param {Desk} data
 * @param {string} text
 * @returns {Child}
 */
const handedOut = (data, text) => {
  const { forge, host } = data;
  if (!host) return null;
  const address = forge?.filled_file && !host.exists ? filled(forge.filled_file, { filename: host.path, text }) : "";
  const there = forge && host.exists ? filled(forge.file, { path: host.path }) : "";
  return [
    h("p", {}, host.indent === null ? "This is " : "Add this at the end of ", h("code", {}, host.path), ":"),
    h("pre", { id: "ruling", tabindex: "0", "aria-label": host.indent === null ? "The file" : "The lines to add" }, text),
    h(
      "p",
      { class: "hand" },
      address && arrives(address) && h("a", { class: "button main", href: address, target: "_blank", rel: "noopener noreferrer" }, `Open it on ${forge?.name}`),
      there && h("a", { class: "button", href: there, target: "_blank", rel: "noopener noreferrer" }, `The file on ${forge?.name}`),
      copying(host.indent === null ? "the file" : "the lines", text),
    ),
    address && !arrives(address) && h("p", { class: "note" }, `The text is too long for an address of ${forge?.name}: copy it into a new file.`),
    h(
      "p",
      {},
      host.exists && host.indent === null && "The file exists: put this text in its place. ",
      "Propose the change as a pull request, or commit it. ",
      "The answer to a pull request says whether the ruling can be applied; ",
      h("code", {}, "courtly check"),
      " says it too. The next run applies it.",
    ),
    address && forge && h("details", {}, h("summary", {}, `What to press on ${forge.name}`), guide(host.path, "", forge)),
  ];
};

/**
 * Shows the page.
 * @param {Desk} data
 * @param {boolean} moved whether the reader comes from another page
 */
export const hostPage = (data, moved) => {
  const [crumbs, title] = gameHead(data);
  const offered = KINDS.filter(({ paused }) => paused === "both" || (paused === "yes") === data.paused);
  const slot = h("div", {});
  const out = h("div", {});
  const kind = h("select", { id: "kind" }, offered.map((one) => h("option", { value: one.kind }, one.words)));
  const asked = () => {
    const { fields = [] } = offered.find((one) => one.kind === kind.value) ?? {};
    const drawn = fields.map((name) => h("div", { class: "field" }, FIELDS[name](data, `ruling-${name}`)));
    fill(slot, ...drawn);
    out.replaceChildren();
  };
  kind.addEventListener("change", asked);
  const reason = h("input", { id: "reason", name: "reason", type: "text" });
  const fault = h("p", { class: "note bad", role: "alert", hidden: true });
  const write = () => {
    const { host } = data;
    if (!host) return;
    /** @type {Answers} */
    const answers = { reason: reason.value };
    for (const one of slot.querySelectorAll("input, select, textarea")) {
      const field = /** @type {HTMLInputElement} */ (one);
      answers[field.name] = field.value;
    }
    fault.hidden = true;
    out.replaceChildren();
    try {
      fill(out, handedOut(data, rulingText(host, kind.value, answers, LINE)));
      say(host.indent === null ? "The file is below." : "The lines to add are below.");
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      fault.textContent = error.message;
      fault.hidden = false;
    }
  };
  page(
    `Host of ${data.title}`,
    crumbs,
    title,
    deadline(data),
    waiting(data),
    data.host
      ? h(
          "section",
          { class: "panel ruling", "aria-labelledby": "rule" },
          h("h2", { id: "rule" }, "A ruling"),
          h("p", {}, "You decide one thing, and give a reason. Everybody can read both. ", h("a", { href: "host.html#rulings" }, "All rulings")),
          h("div", { class: "field" }, h("label", { for: "kind" }, "What you decide"), kind),
          slot,
          h("div", { class: "field" }, h("label", { for: "reason" }, "Reason"), reason),
          fault,
          button("Write the file", write, { class: "main" }),
          out,
        )
      : h("p", { class: "note" }, "This game takes no rulings now."),
  );
  asked();
  if (moved) focusOn(title);
};
