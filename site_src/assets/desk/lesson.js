// @ts-check
// A lesson: a turn at the desk with a task for each order, judged in advance. Nothing is remembered, sealed or sent.

import { alike, differences, judged } from "./answers.js";
import { OrderDesk } from "./desk.js";
import { button, fill, focusOn, h, say, show, small } from "./dom.js";
import { page } from "./pages.js";
import { deskOf, fetched, fetchedData } from "./store.js";
import { listed, Unseen } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Change } from "./draft.js" */
/** @import { Desk, Seat } from "./store.js" */
/** @import { LessonEnd, LessonFile, UnseenTable, VerdictTold } from "./types.js" */

const NAME = /^[a-z][a-z0-9_]{0,39}\/[a-z0-9][a-z0-9-]{0,79}$/;
const ASTRAY = "That is written, but it is not what the task asks for. There is a hint below.";
const FEW = 4; // Sentences that are not folded.

/**
 * Opens a lesson; throws an error with the status if it does not exist.
 * @param {string} name
 * @param {() => boolean} isCurrent
 * @param {boolean} moved whether the reader comes from another page
 */
export const openLesson = async (name, isCurrent, moved) => {
  if (!NAME.test(name)) throw new Error("404");
  const lesson = /** @type {LessonFile} */ (await fetchedData(`lessons/${name}.json`));
  const unseen = new Unseen(/** @type {UnseenTable} */ (await fetchedData("assets/unseen.json")));
  const map = await fetched(`lessons/${name}.svg`).then(
    (answer) => answer.text(),
    () => "",
  );
  const data = deskOf(lesson.desk);
  const seat = data.seats.find((one) => one.file === lesson.seat);
  if (!seat) throw new Error("404");
  if (isCurrent()) new LessonDesk(lesson, data, seat, map, unseen).open(moved);
};

/**
 * The fate of an order, without the order itself, which is shown above it.
 * @param {string} order
 * @param {string} why
 */
const without = (order, why) => {
  const rest = why.startsWith(order) ? why.slice(order.length).replace(/^:? /, "") : why;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
};

class LessonDesk extends OrderDesk {
  /**
   * @param {LessonFile} lesson
   * @param {Desk} data
   * @param {Seat} seat
   * @param {string} map the map's SVG
   * @param {Unseen} unseen
   */
  constructor(lesson, data, seat, map, unseen) {
    const aside = lesson.aside && { ...lesson.aside, news: "", brief: [], verdicts: [], told: [] };
    super(data, { seat, map, aside, fault: "" }, null, unseen, () => {});
    this.lesson = lesson;
    this.map = map;
    this.at = 0; // The step that is to be done.
    this.seen = this.draft.sheet(); // As it was when it was looked at last.
    this.heading = h("h2", {});
    this.told = h("div", {});
    this.task = h("p", { class: "task" });
    this.now = h("p", { class: "now", "aria-hidden": "true" }); // The step above the board of a phone, where the panel is far below.
    this.hint = h("details", { class: "hints" });
    this.onwards = h("div", {});
    this.panel = h(
      "section",
      { class: "panel lesson", "aria-label": "Your task" },
      this.heading,
      this.told,
      this.task,
      this.hint,
      this.onwards,
    );
  }

  get remembers() {
    return false;
  }

  get onward() {
    return "Back to the task";
  }

  goOn() {
    show(this.panel, "start");
    focusOn(this.heading);
  }

  /** The title, and links to the other pages. */
  head() {
    const { data, lesson } = this;
    const title = h("h1", {}, lesson.title);
    const crumbs = h("p", { class: "crumbs" }, h("a", { href: "#" }, "All desks and lessons"), ` › ${data.ruleset}`);
    return { title, crumbs };
  }

  /** @param {boolean} moved */
  open(moved) {
    const { board, data, draft, lesson, seat } = this;
    const { title, crumbs } = this.head();
    const paragraphs = lesson.before.map((words) => h("p", {}, words));
    page(
      lesson.title,
      crumbs,
      title,
      h("p", { class: "facts" }, h("strong", {}, `A lesson: ${seat.name}, ${data.phase}`), " · nothing is sent"),
      h("div", { class: "before" }, paragraphs),
      h(
        "div",
        { class: "desk" },
        h(
          "div",
          { class: "left" },
          this.now,
          board?.element ?? h("p", { class: "note" }, "The map cannot be shown. Write your orders without it."),
          this.form.walkLine.element,
        ),
        h(
          "div",
          { class: "right" },
          this.panel,
          this.lists,
          this.form.element,
          !draft.ordersField && this.undoLine,
        ),
      ),
    );
    this.form.draw();
    this.draw();
    this.drawTask("");
    if (small()) board?.frame();
    this.listen();
    if (moved) focusOn(title);
  }

  /** @param {Change} change */
  changed(change) {
    super.changed(change);
    if (change !== "choice") this.look();
  }

  /** Checks whether the sheet does its tasks, and shows the result; tasks that are done already are skipped. */
  look() {
    const { steps } = this.lesson;
    if (this.at >= steps.length) return this.drawTask("");
    const sheet = this.draft.sheet();
    const { more } = differences(sheet, this.seen);
    let { right, words } = judged(steps[this.at], sheet, this.seen);
    this.seen = sheet;
    if (!right) return this.correct(words || (more.length ? ASTRAY : ""));
    while (right && ++this.at < steps.length) {
      const next = judged(steps[this.at], sheet);
      if (next.right) words = `${words} ${next.words}`;
      right = next.right;
    }
    this.drawTask(words);
    say(words);
    say(this.at < steps.length ? `${this.heading.textContent}: ${steps[this.at].task}` : "All tasks are done.");
  }

  /** True if the choice on the map leads to an answer, so that nothing in it is wrong yet. */
  get isOnTheWay() {
    const { choice, draft, lesson, reader } = this;
    const lines = lesson.steps[this.at].accepts.flatMap((answer) => [answer[draft.ordersField?.key ?? ""] ?? []].flat());
    const paths = lines.map((line) => reader.notation.known(String(line)).mentions);
    const { chosen } = choice;
    return chosen.length > 0 && paths.some((path) => chosen.every((place, index) => path[index] === place));
  }

  /**
   * Shows the fault of a written line, but none of an unfinished choice.
   * @param {string} words
   */
  correct(words) {
    if (this.isOnTheWay) return;
    fill(this.told, words && h("p", { class: "note" }, words));
    if (words) say(words);
  }

  /**
   * Shows the task, after the reply to the one before.
   * @param {string} words
   */
  drawTask(words) {
    const { steps } = this.lesson;
    const step = steps[this.at];
    this.heading.textContent = step ? `Step ${this.at + 1} of ${steps.length}` : "Every task is done";
    fill(this.told, words && h("p", { class: "good" }, "✓ ", words));
    this.task.textContent = step?.task ?? "";
    fill(this.now, h("strong", {}, this.heading.textContent), step && ` ${step.task}`);
    this.task.hidden = this.hint.hidden = !step;
    this.hint.open = false;
    fill(
      this.hint,
      h("summary", {}, "A hint"),
      step && h("p", {}, step.hint, " ", button("Write it for me", () => this.write(step.accepts[0]), { class: "quiet" })),
    );
    fill(this.onwards, !step && this.last());
  }

  /** The part after the last step: the turn is judged, or the desk shows what prevents that. */
  last() {
    const { ends } = this.lesson;
    const sheet = this.draft.sheet();
    const end = ends.find((one) => alike(sheet, one.sheet));
    if (end) return button("Judge the turn", () => this.judge(end), { class: "main" });
    const { missing, more } = differences(sheet, ends[0].sheet);
    return [
      h("p", {}, "The lesson was judged in advance, for the sheet that its tasks make. Yours is different."),
      missing.length > 0 && h("p", {}, `Missing: ${listed(missing)}.`),
      more.length > 0 && h("p", {}, `Not in it: ${listed(more)}.`),
      button("Write the lesson’s sheet", () => this.writeAll(ends[0]), { class: "main" }),
    ];
  }

  /**
   * Writes an answer down.
   * @param {Record<string, unknown>} answer
   */
  write(answer) {
    const { draft } = this;
    const key = draft.ordersField?.key;
    for (const [name, value] of Object.entries(answer)) {
      if (name !== key) {
        if (value === null) delete draft.values[name];
        else if (this.form.planned.has(name)) draft.values[name] = this.withLines(draft.values[name], [value].flat().map(String));
        else if (name === this.bids?.field.key) draft.values[name] = this.bids.with([value].flat().map(String));
        else draft.values[name] = value;
      } else if (value === null) draft.orders = [];
      else for (const line of [value].flat()) draft.write(String(line), null);
    }
    draft.changed("all");
    this.goOn();
  }

  /**
   * The lines of a plan, followed by those of `more` that are missing; each replaces a line with the same beginning.
   * @param {unknown} held
   * @param {readonly string[]} more
   */
  withLines(held, more) {
    const start = (/** @type {string} */ line) => line.replace(/ (?:for|if) .*$/u, "");
    const kept = (typeof held === "string" ? held.split("\n") : []).filter((line) => line && !more.some((one) => start(one) === start(line)));
    return [...kept, ...more].join("\n");
  }

  /** @param {LessonEnd} end */
  writeAll({ sheet }) {
    this.draft.replace();
    this.write(sheet);
  }

  // Judged ----------------------------------------------------------------------------------------------------------

  /**
   * Shows the outcome of the sheet, in place of the desk.
   * @param {LessonEnd} end
   */
  judge(end) {
    const { data, lesson, seat } = this;
    const { title, crumbs } = this.head();
    const own = end.verdicts.filter((one) => one.seat === seat.name);
    const others = end.verdicts.filter((one) => one.seat !== seat.name);
    const heading = h("h2", {}, `${data.phase}, judged`);
    const size = /viewBox="0 0 (\d+) (\d+)"/.exec(this.map) ?? [];
    const again = () => new LessonDesk(lesson, data, seat, this.map, this.unseen).open(true);
    page(
      lesson.title,
      crumbs,
      title,
      h(
        "div",
        { class: "desk" },
        h(
          "figure",
          { class: "left judged" },
          h(
            "a",
            { href: end.picture },
            h("img", { src: end.picture, alt: `The map of ${data.phase}, judged`, width: size[1], height: size[2] }),
          ),
          h("figcaption", { class: "hint" }, "The map as it was, with what was ordered; what failed is crossed out. The list says why."),
        ),
        h(
          "div",
          { class: "right" },
          h(
            "section",
            { class: "panel" },
            heading,
            h("p", { class: "headline" }, end.headline),
            end.more.length > 0 && h("p", {}, end.more.join(" ")),
            this.sentences(end.plain),
          ),
          h("section", { class: "panel" }, h("h2", {}, "Your orders"), this.verdicts(own)),
          others.length > 0 &&
            h(
              "details",
              { class: "panel" },
              h("summary", {}, `What the others ordered (${others.length})`),
              this.verdicts(others, true),
            ),
          h(
            "section",
            { class: "panel lesson" },
            lesson.after.map((words) => h("p", {}, words)),
            h(
              "p",
              { class: "hand" },
              button("Once more", again),
              h("a", { class: "button", href: lesson.book }, "The rulebook"),
              h("a", { class: "button main", href: "#" }, "Other lessons, and the desk"),
            ),
          ),
        ),
      ),
    );
    scrollTo(0, 0);
    focusOn(heading);
    say(end.headline);
  }

  /**
   * Events that everybody expects of a turn, folded if there are many.
   * @param {string[]} sentences
   * @returns {Child}
   */
  sentences(sentences) {
    if (sentences.length <= FEW) return sentences.map((words) => h("p", {}, words));
    const all = sentences.map((words) => h("li", {}, words));
    return h("details", {}, h("summary", {}, `And ${sentences.length} more things`), h("ul", {}, all));
  }

  /**
   * The fate of orders, each with its rule.
   * @param {VerdictTold[]} verdicts
   */
  verdicts(verdicts, named = false) {
    return h(
      "ul",
      { class: "verdicts" },
      verdicts.map(({ address, good, order, rule, seat, unused, why }) =>
        h(
          "li",
          { class: good ? "good" : unused ? "soft" : "bad" },
          h("span", { class: "sign", "aria-hidden": "true" }, good ? "✓" : unused ? "–" : "✗"),
          h("span", {}, named && h("span", { class: "soft" }, `${seat}: `), h("strong", {}, order)),
          h("span", { class: "why" }, without(order, why), " ", rule && h("a", { href: address }, rule)),
        ),
      ),
    );
  }
}
