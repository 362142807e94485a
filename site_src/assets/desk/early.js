// @ts-check
// Asks for the data that the address names as soon as this small module is here: the desk's other modules are still on their way then.

import { GAME, KEYS, LESSON, parts } from "./address.js";
import { askEarly } from "./store.js";

const [game, , ...more] = parts();
const lesson = game === LESSON && more.length > 0;
const play = !lesson && GAME.test(game);
if (!game) ["games/desks.json", "lessons/lessons.json"].forEach(askEarly);
if (play) [`games/${game}/desk.json`, "assets/unseen.json", `games/${game}/desk.svg`].forEach(askEarly);
if (`#${game}` !== KEYS) askEarly("assets/name.json");
