// @ts-check
// A tapped card that cannot be played now: its effect, what bars it, and the lists that it may be in.

import { button, fill, h, say, show } from "./dom.js";

/** @import { Planning } from "./planning.js" */

/**
 * The sentences about a card: those that begin with its name.
 * @param {readonly string[]} sentences
 * @param {string} title
 */
const speakingOf = (sentences, title) => sentences.filter((one) => one.startsWith(`${title}: `) || one.startsWith(`${title} cannot `));

/**
 * Shows a card below the first list; true if there was anything to show.
 * @param {readonly Planning[]} plans
 * @param {string} word
 * @param {string} title
 * @param {readonly string[]} sentences of the seat's news
 */
export const aboutCard = (plans, word, title, sentences) => {
  const lists = plans.filter(({ planned }) => planned.isWord(word));
  const told = speakingOf(sentences, title);
  const [first] = plans;
  const said = told[0] ?? (lists.length ? `Where does ${title} go?` : `${title} can do nothing as things stand.`);
  if (!first || (!lists.length && !told.length)) return false;
  /** @param {Planning} list */
  const put = (list) => {
    if (list.lines.includes(word)) return say(`${title} is in your list already: ${list.field.label}.`);
    if (!list.choose(word)) return show(list.reading);
    const undo = list.undo && button("Undo", list.undo(), { class: "quiet", "aria-label": `Undo: ${title}` });
    fill(first.reading, h("p", { class: "good" }, "✓ Written under ", h("strong", {}, list.field.label), `: ${title}`, undo));
  };
  fill(
    first.reading,
    h("p", {}, h("strong", {}, title)),
    (told.length ? told : [said]).map((words) => h("p", {}, words)),
    lists.length > 0 &&
      h(
        "ul",
        { class: "picks" },
        lists.map((list) => h("li", {}, button(`Put it under: ${list.field.label}`, () => put(list), { class: "pick" }))),
      ),
  );
  show(first.reading);
  say(said);
  return true;
};
