// A board in a frame of another page: `embed.html#GAME/TURN`, or `embed.html#GAME` for the latest. It loads the game's turns and maps from this site, and nothing else.
"use strict";

(() => {
  const NAME = /^[a-z0-9][a-z0-9-]{0,99}$/;
  const place = document.getElementById("board");
  const link = document.getElementById("turn");
  const [before, after] = ["before", "after"].map((id) => document.getElementById(id));

  const said = (source, name) => new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = source;
    script.addEventListener("load", () => done(globalThis[name]));
    script.addEventListener("error", fail);
    document.head.append(script);
  });

  const drawn = ({ pieces, maps }, name) => {
    let text = "";
    for (let i = 0; i < maps[name].length; i += 2)
      text += pieces.slice(maps[name][i], maps[name][i] + maps[name][i + 1]).join("");
    return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  };

  const open = async () => {
    const [game, turn] = location.hash.slice(1).split("/");
    if (!NAME.test(game)) return;
    const [turns, replay] = await Promise.all([
      said(`games/${game}/turns.js`, "courtlyTurns"),
      said(`games/${game}/replay.js`, "courtlyReplay"),
    ]);
    let at = turns.findIndex(([name]) => name === turn);
    if (at < 0) at = turns.length - 1;
    const show = (index) => {
      at = Math.max(0, Math.min(turns.length - 1, index));
      const [name, phase] = turns[at];
      place.replaceChildren(drawn(replay, name));
      link.href = `games/${game}/${name}/index.html`;
      link.textContent = phase;
      document.title = phase;
      before.disabled = at === 0;
      after.disabled = at === turns.length - 1;
    };
    before.hidden = after.hidden = turns.length < 2;
    before.addEventListener("click", () => show(at - 1));
    after.addEventListener("click", () => show(at + 1));
    show(at);
  };

  open().catch(() => {
    place.replaceChildren(Object.assign(document.createElement("p"), { textContent: "This board is not here any more." }));
  });
})();
