// @ts-check
// The judge for the order desk, in a separate page inside the desk's: no worker may ask the archive's forge as the desk may, and the desk's
// page compiles nothing. Messages from the desk: {id, do: "open", game, turn, seat, news} and {id, do: "look", sheet} or {id, do: "pasted",
// lines}; answers {id, answer}, or {id, fault} in words for the reader; {ready: true} at first, and while the judge loads {got, of} in bytes.

import { EngineFault, Judge, engineOf } from "./engine.js";
import { Wrong, answerOf, packsOf, wordsOf } from "./packs.js";

/** @type {Judge | null} */
let judge = null;

/** @param {unknown} message */
const tell = (message) => parent.postMessage(message, location.origin);

/**
 * Starts the judge, and sets up the data that a seat's sheets are checked against.
 * @param {{ game: string, turn: string, seat: string, news: string | null }} desk
 */
const open = async ({ game, turn, seat, news }) => {
  const [engine, [pack, first]] = await Promise.all([engineOf(), packsOf(game, turn)]);
  judge ??= new Judge(engine);
  await judge.ready(pack.ruleset, (got, of) => tell({ got, of }));
  await answerOf(judge, { do: "forget" });
  await answerOf(judge, { do: "files", files: { ...pack.files, ...first.files } });
  await answerOf(judge, { do: "desk", game: pack.slug, turn, seat, news });
  return null;
};

/** @param {any} question */
const answer = async ({ id, do: what, ...rest }) => {
  try {
    if (what === "open") return { id, answer: await open(rest) };
    if (!judge) throw new Wrong("The judge has not been started.");
    const asked = what === "pasted" ? { do: "pasted", lines: rest.lines } : { do: "look", sheet: rest.sheet };
    return { id, answer: await answerOf(judge, asked) };
  } catch (error) {
    if (error instanceof EngineFault) {
      judge?.stop();
      judge = null;
    }
    return { id, fault: wordsOf(error) };
  }
};

// One question at a time: questions that arrive while the judge starts wait for the setup.
/** @type {Promise<void>} */
let last = Promise.resolve();
addEventListener("message", ({ data, origin, source }) => {
  if (source !== parent || parent === self || origin !== location.origin) return;
  last = last.then(async () => tell(await answer(data)));
});
if (parent !== self) tell({ ready: true });
