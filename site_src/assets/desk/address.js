// @ts-check
// The parts of the desk's address: a game and the file of a seat, a lesson, or the page that makes keys.

export const KEYS = "#:key"; // The page that makes keys.
export const GAME = /^[a-z0-9][a-z0-9-]{0,79}$/;
export const LESSON = "lesson"; // The beginning of a lesson's address; that of a game with this name has at most two parts.

/** The parts of the address: a game, and the file of a seat. */
export const parts = () => {
  try {
    return decodeURIComponent(location.hash.slice(1)).split("/");
  } catch {
    return [""];
  }
};
