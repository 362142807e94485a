// How the board of one turn becomes that of the next: units move along their arrows, turn back, or are dislodged; cards are turned.
// A board's moving parts are copied into small pictures above it. The browser moves these without drawing the board again.
"use strict";

globalThis.courtlyMotion = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 62; // In units of the picture: how far from a unit its arrow may begin or end.
  const STEP = 70; // Length of a step on a map of hexes.
  const AROUND = 90; // Space around a copied part.
  const SLIDE = 650; // Milliseconds for an arrow.
  const TURN = 170; // For half a turn of a card, or a step on a map of hexes.
  const UNITS = "g[transform] > use.t, g[transform] > use.y, g[transform] > use.p, .tk > g > use, g > rect.hk";
  const WAYS = "g.a:not(.e) > path.g, g > path.g:first-of-type, path.hv, path.hz";

  let running = null; // What is moving: its animations, and how to end.

  const shift = (element) => /translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)/.exec(element.getAttribute("transform") ?? "")?.slice(1).map(Number);
  const colour = (element) => /\bo\w+/.exec(element.getAttribute("class") ?? "")?.[0];

  // The units of a board, each with its middle.
  const unitsOf = (board) => [...board.querySelectorAll(UNITS)].flatMap((sign) => {
    const group = sign.parentNode;
    const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(sign.getAttribute(name) ?? 0));
    const at = shift(group) ?? [x + width / 2, y + height / 2];
    return group.querySelector(":scope > title") ? [{ group, at, colour: colour(group) }] : [];
  });

  // The line of a path without its arrowhead, in a few points.
  const lineOf = (path) => {
    const d = path.getAttribute("d");
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("d", d.slice(0, (d.slice(1).search(/[mM]/) + 1 || d.length)));
    const length = line.getTotalLength();
    const count = Math.max(2, Math.min(24, Math.ceil(length / 24)));
    const points = Array.from({ length: count + 1 }, (_, at) => line.getPointAtLength((length * at) / count));
    return { length, points: points.map(({ x, y }) => [x, y]) };
  };

  const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

  // The unit of an owner that is nearest to a point, if one is near.
  const unitAt = (units, point, owner) => {
    const near = units.filter((unit) => unit.colour === owner && apart(unit.at, point) < NEAR);
    return near.sort((one, other) => apart(one.at, point) - apart(other.at, point))[0];
  };

  // The moves that a board shows, each with the unit at the start of its way.
  const movesOf = (board) => {
    const units = unitsOf(board);
    const moves = [];
    const used = new Set();
    for (const path of board.querySelectorAll(WAYS)) {
      const group = path.parentNode;
      if (group.classList.contains("e") || used.has(group)) continue;
      const { length, points } = lineOf(path);
      const unit = unitAt(units, points[0], colour(group));
      if (!unit || used.has(unit)) continue;
      used.add(group).add(unit);
      moves.push({ ...unit, points, length, marched: path.matches(".hv, .hz"), failed: Boolean(group.querySelector(".x")) });
    }
    return moves;
  };

  // A layer above a board: copies of its parts move there. It is enlarged and moved together with the board.
  const layerOver = (board) => {
    const view = board.parentNode;
    const layer = document.createElement("div");
    layer.className = "courtly-moving";
    layer.setAttribute("aria-hidden", "true");
    layer.style.transform = board.style.transform;
    const { x, y, width, height } = board.viewBox.baseVal;
    const scale = Math.min(board.clientWidth / width, board.clientHeight / height);
    const left = (board.clientWidth - width * scale) / 2;
    const top = (board.clientHeight - height * scale) / 2;
    const place = ([u, v]) => `translate(${(left + (u - x) * scale).toFixed(1)}px, ${(top + (v - y) * scale).toFixed(1)}px)`;
    // A copy of a part, with the given point of the board in its middle.
    const copy = (group, [u, v], box = [-AROUND, -AROUND, 2 * AROUND, 2 * AROUND]) => {
      const picture = document.createElementNS(SVG, "svg");
      picture.setAttribute("class", board.getAttribute("class"));
      const [across, down, wide, high] = box;
      picture.setAttribute("viewBox", `${u + across} ${v + down} ${wide} ${high}`);
      Object.assign(picture.style, {
        width: `${wide * scale}px`, height: `${high * scale}px`, left: `${across * scale}px`, top: `${down * scale}px`,
      });
      let part = group.cloneNode(true);
      // The groups around it, for their place and their style.
      for (let above = group.parentNode; above !== board; above = above.parentNode) {
        const around = above.cloneNode(false);
        around.append(part);
        part = around;
      }
      picture.append(part);
      layer.append(picture);
      return picture;
    };
    return { layer, view, place, copy };
  };

  // Run animations, and resolve when all of them have ended or somebody ends them early. `parts` are hidden meanwhile.
  const run = ({ layer, view }, animations, parts) => {
    if (!animations.length) return Promise.resolve();
    view.append(layer);
    for (const part of parts) part.style.visibility = "hidden";
    const started = animations.map(([picture, frames, options]) => picture.animate(frames, { fill: "both", ...options }));
    for (const one of started) one.pause();
    return new Promise((done) => {
      let ended = false;
      const end = () => {
        if (ended) return;
        ended = true;
        running = null;
        for (const part of parts) part.style.visibility = "";
        layer.remove();
        done();
      };
      running = { end: () => { for (const one of started) one.cancel(); end(); } };
      Promise.all(started.map((one) => one.finished)).then(end, () => {});
      // They begin when the browser has drawn the copies at their places, so that nothing heavy is left to do while they move.
      const begin = () => { for (const one of started) if (!ended) one.play(); };
      requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)));
    });
  };

  // Units move to where the next board shows them.
  const leave = (board, next) => {
    const over = layerOver(board);
    const after = unitsOf(next);
    const animations = [];
    const parts = [];
    for (const { group, at, points, length, marched, failed } of movesOf(board)) {
      parts.push(group);
      if (marched) {
        // Armies march at one speed, and whoever goes farther arrives later.
        const frames = points.map(([x, y]) => ({ transform: over.place([x + at[0] - points[0][0], y + at[1] - points[0][1]]) }));
        animations.push([over.copy(group, at), frames, { duration: Math.max(2, Math.round(length / STEP)) * TURN, easing: "linear" }]);
        continue;
      }
      // The arrow begins beside its unit and ends short of its goal.
      const goal = failed ? undefined : unitAt(after, points.at(-1), colour(group));
      const there = [at, ...points.slice(1), ...(goal ? [goal.at] : [])];
      const half = there.slice(0, Math.ceil(there.length * 0.6));
      const way = failed ? [...half, ...half.toReversed().slice(1)] : there;
      const frames = way.map((point) => ({ transform: over.place(point) }));
      animations.push([over.copy(group, at), frames, { duration: SLIDE, easing: "ease-in-out" }]);
    }
    // Dislodged units tremble while the others come.
    for (const ring of board.querySelectorAll("g > .xr")) {
      const at = shift(ring.parentNode);
      const unit = at && unitsOf(board).find((one) => apart(one.at, at) < 4 && !parts.includes(one.group));
      if (!unit) continue;
      const frames = [0, 0, 4, -4, 4, -4, 3, -3, 0].map((by) => ({ transform: over.place([unit.at[0] + by, unit.at[1]]) }));
      animations.push([over.copy(unit.group, unit.at), frames, { duration: SLIDE }]);
      parts.push(unit.group);
    }
    return run(over, animations, parts);
  };

  // The cards of a table by name: what lies where, and how.
  const cardsOf = (board) => new Map([...board.querySelectorAll("g > title")].map((title) => {
    const group = title.parentNode;
    const at = shift(group) ?? [0, 0];
    const above = shift(group.parentNode) ?? [0, 0];
    return [title.textContent.split(/[,;]/)[0], { group, told: title.textContent, at: [at[0] + above[0], at[1] + above[1]] }];
  }));

  // Cards that differ from those on the board before are turned, and those that lie elsewhere move there.
  const arrive = async (board, before) => {
    const over = layerOver(board);
    const animations = [];
    const parts = [];
    if (board.classList.contains("tb") && before?.classList.contains("tb")) {
      const old = cardsOf(before);
      for (const [name, card] of cardsOf(board)) {
        const was = old.get(name);
        if (was && was.told === card.told && apart(was.at, card.at) < 2) continue;
        const box = card.group.getBBox();
        const at = [card.at[0] + box.x + box.width / 2, card.at[1] + box.y + box.height / 2];
        const size = [-box.width / 2 - 4, -box.height / 2 - 4, box.width + 8, box.height + 8];
        const here = over.place(at);
        const turned = !was || apart(was.at, card.at) < 2;
        const from = turned ? here : over.place([at[0] + was.at[0] - card.at[0], at[1] + was.at[1] - card.at[1]]);
        const frames = turned
          ? [{ transform: `${here} scaleX(0.02)` }, { transform: `${here} scaleX(1)` }]
          : [{ transform: from }, { transform: here }];
        animations.push([over.copy(card.group, at, size), frames, { duration: turned ? 2 * TURN : SLIDE, easing: "ease-out" }]);
        parts.push(card.group);
      }
    }
    await run(over, animations, parts);
  };

  return { leave, arrive, finish: () => running?.end() };
})();
