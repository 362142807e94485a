// Enhancements: every page works without them. They have no dependency and fetch nothing from elsewhere.
"use strict";

(() => {
  const here = document.currentScript?.src;
  if (location.protocol === "file:") document.documentElement.classList.add("courtly-file");

  // The home page: filters.
  const filters = document.querySelector(".courtly-filters");
  if (filters) {
    const cards = [...document.querySelectorAll(".courtly-card")];
    const selects = [...filters.querySelectorAll("select")];
    const apply = () => {
      let shown = 0;
      for (const card of cards) {
        const fits = selects.every((select) => !select.value || card.dataset[select.name] === select.value);
        card.hidden = !fits;
        shown += fits ? 1 : 0;
      }
      filters.querySelector("output").textContent = `${shown} ${shown === 1 ? "game" : "games"}`;
    };
    filters.addEventListener("change", apply);
    filters.addEventListener("submit", (event) => event.preventDefault());
    filters.hidden = false;
    apply();
  }

  // The home page: the reader’s seats while their games wait for orders (the desk’s mine.js remembers them).
  const tellYours = async (home) => {
    const seats = new Map(); // Game -> the files of its seats, by the desk's own memory.
    for (const key of Object.keys(localStorage)) {
      const [, scope, game] = /^courtly-desk:mine:([^:]*):([a-z0-9-]+)$/.exec(key) ?? [];
      if (game) seats.set(game, [scope, JSON.parse(localStorage.getItem(key))]);
    }
    if (!seats.size) return;
    // They come first on the page, and their room is kept while they load, so that nothing jumps.
    const section = document.createElement("section");
    const title = document.createElement("h2");
    const list = document.createElement("ul");
    title.textContent = "Your games";
    section.className = "courtly-yours md-content__inner md-typeset";
    list.style.minHeight = `${seats.size * 2.2}em`;
    section.append(title, list);
    home.before(section);
    const open = await (await fetch("games/desks.json")).json();
    const lines = [];
    for (const { game } of open.filter((one) => seats.has(one.game))) {
      const [scope, file] = seats.get(game);
      const data = await (await fetch(`games/${game}/desk.json`)).json();
      const seat = data.seats.find((one) => one.file === file);
      if (!seat || (data.archive ?? scope) !== scope) continue;
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = `desk.html#${game}/${encodeURIComponent(file)}`;
      link.textContent = `${seat.name} in ${data.title}`;
      const sent = seat.sent ? "sent" : seat.owes ? "not sent yet" : "nothing to do";
      line.append(link, `: ${data.phase}, `, data.deadline ? "due " : "no deadline", `, ${sent}`);
      if (data.deadline) {
        const time = document.createElement("time");
        Object.assign(time, { dateTime: data.deadline, className: "courtly-time", textContent: data.deadline });
        line.insertBefore(time, line.lastChild);
      }
      lines.push(line);
    }
    if (!lines.length) return section.remove();
    list.append(...lines);
    tellTimes();
  };
  const home = document.querySelector(".courtly-doors")?.closest("article");
  // A browser that remembers nothing, or a site without desks, has nothing to show.
  if (home?.querySelector("h1") && location.protocol !== "file:") tellYours(home).catch(() => document.querySelector(".courtly-yours")?.remove());

  const slider = (turns, index, label) => {
    const input = document.createElement("input");
    input.type = "range";
    input.min = "0";
    input.max = String(turns.length - 1);
    input.value = String(index);
    input.setAttribute("aria-label", label);
    input.setAttribute("aria-valuetext", turns[index][1]);
    return input;
  };

  // Boards for a close look: two fingers, the wheel with Ctrl, a double tap, + and - zoom. A finger or the mouse moves a board that is
  // larger than its frame, and 0 shows all of it. Zoom and position stay the same from turn to turn.
  const look = { zoom: 1, x: 0.5, y: 0.5, whole: false, framed: false }; // How close, and which point of the picture is in the middle.
  const NEAREST = 8;
  const NEAR = 0.75; // Pixels for a unit of the picture, at least, after a double tap: the smallest letters have 12 units.
  const press = (text, name, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "md-button";
    button.append(text);
    if (name) button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    return button;
  };

  // Text to copy, where the theme's script, which has a button for it, comes only with the search.
  if (document.getElementById("courtly-theme"))
    for (const text of document.querySelectorAll(".md-content pre")) {
      const copy = press("Copy", "Copy this text", async () => {
        await navigator.clipboard.writeText(text.querySelector("code")?.textContent ?? "");
        copy.firstChild.textContent = "Copied";
      });
      copy.classList.add("courtly-copy");
      text.append(copy);
      for (const code of text.querySelectorAll("code")) code.tabIndex = 0; // It scrolls sideways, also by the keyboard.
    }

  const wholeScreen = (() => {
    let dialog = null; // A board that fills the screen lies in it, and goes back to its figure.
    let home = null;
    const leave = () => {
      Object.assign(look, { whole: false, framed: false, zoom: 1, x: 0.5, y: 0.5 });
      home?.prepend(dialog.firstElementChild);
      home = null;
      if (dialog.open) dialog.close();
      if (document.fullscreenElement) document.exitFullscreen();
    };
    return (board) => {
      if (board.parentNode === dialog) return leave();
      if (!dialog) {
        dialog = document.createElement("dialog");
        dialog.className = "courtly-map courtly-whole md-typeset";
        dialog.setAttribute("aria-label", "The board");
        dialog.addEventListener("close", () => home && leave());
        document.addEventListener("fullscreenchange", () => document.fullscreenElement || (dialog.open && leave()));
        document.body.append(dialog);
      }
      look.whole = true;
      home = board.parentNode;
      dialog.replaceChildren(board);
      if (dialog.open) return undefined; // The next turn's board replaces the last one's.
      dialog.showModal();
      // If a page may not fill the screen, the dialog fills the window.
      return document.documentElement.requestFullscreen?.().catch(() => {});
    };
  })();

  const lookCloser = (board, step, phase) => {
    const view = board.querySelector(".courtly-view");
    view.tabIndex = 0;
    view.setAttribute("role", "group");
    view.setAttribute("aria-label", "The board: + and − zoom, 0 shows all of it, Shift with arrows moves it");
    // The shares of the frame that the unenlarged picture fills: in a frame of another shape there is room beside it.
    const filled = () => {
      const [picture] = view.children;
      const { width, height } = picture.viewBox?.baseVal ?? { width: picture.getAttribute("width"), height: picture.getAttribute("height") };
      const [across, down] = [picture.clientWidth / width, picture.clientHeight / height];
      const least = Math.min(across, down);
      return [least / across || 1, least / down || 1];
    };
    const show = (eased = false) => {
      const edge = 0.5 / look.zoom;
      // No empty room is shown as long as there is board to fill the frame.
      const within = (at, share) => (share <= 2 * edge ? 0.5 : Math.min(0.5 + share / 2 - edge, Math.max(0.5 - share / 2 + edge, at)));
      const shares = look.zoom > 1 ? filled() : [1, 1];
      const [x, y] = [look.x, look.y].map((at, side) => within(at, shares[side]));
      Object.assign(look, { x, y });
      const { clientWidth: width, clientHeight: height } = view;
      const near = look.zoom > 1;
      view.classList.toggle("courtly-near", near);
      view.classList.toggle("courtly-eased", eased);
      const moved = [width / 2 - x * width * look.zoom, height / 2 - y * height * look.zoom];
      for (const picture of view.children)
        picture.style.transform = near ? `translate(${moved[0]}px, ${moved[1]}px) scale(${look.zoom})` : "";
      // Not `disabled`, because that would take the focus away from keyboard users who press the button.
      for (const button of [all, farther]) button.setAttribute("aria-disabled", String(!near));
      closer.setAttribute("aria-disabled", String(look.zoom >= NEAREST));
    };
    // The picture under a point of the frame stays there.
    const zoom = (to, point = null, eased = false) => {
      const { left, top, width, height } = view.getBoundingClientRect();
      const [across, down] = point ? [(point[0] - left) / width - 0.5, (point[1] - top) / height - 0.5] : [0, 0];
      const after = Math.min(NEAREST, Math.max(1, to));
      look.x += across / look.zoom - across / after;
      look.y += down / look.zoom - down / after;
      look.zoom = after;
      show(eased);
    };
    const tap = (x, y) => {
      const [picture] = view.children;
      const units = picture.viewBox?.baseVal ?? { width: picture.getAttribute("width"), height: picture.getAttribute("height") };
      const pixels = Math.min(view.clientWidth / units.width, view.clientHeight / units.height); // For a unit, unenlarged.
      zoom(look.zoom > 1 ? 1 : Math.max(2, NEAR / pixels), [x, y], true);
    };
    const move = (dx, dy, eased = false) => {
      look.x -= dx / view.clientWidth / look.zoom;
      look.y -= dy / view.clientHeight / look.zoom;
      show(eased);
    };

    // The middle of the orders on a board, as shares of the frame; the middle of the board if it shows none.
    const eventful = () => {
      const [picture] = view.children;
      const box = picture.viewBox?.baseVal;
      const drawn = box ? [...picture.querySelectorAll("g.a, g > .xr, path.hv, path.hz, path.ha, g > path.a")] : [];
      if (!drawn.length) return [0.5, 0.5];
      const boxes = drawn.map((one) => one.getBBox());
      const spots = drawn.map((one, at) => [boxes[at].x + boxes[at].width / 2 + (one.getCTM().e - one.ownerSVGElement.getCTM().e) / one.getCTM().a, boxes[at].y + boxes[at].height / 2]);
      const average = (of) => spots.reduce((sum, spot) => sum + spot[of], 0) / spots.length;
      const [across, down] = filled();
      return [0.5 + ((average(0) - box.x) / box.width - 0.5) * across, 0.5 + ((average(1) - box.y) / box.height - 0.5) * down];
    };
    // So close that the board fills the height of a narrow screen, and that its smallest letters have 9 pixels.
    const readable = () => {
      const [picture] = view.children;
      const box = picture.viewBox?.baseVal;
      if (!box) return 1;
      const fit = Math.min(view.clientWidth / box.width, view.clientHeight / box.height); // Pixels for a unit of the picture.
      const letters = [...picture.querySelectorAll("text")].filter((text) => text.getClientRects().length);
      const least = Math.min(...letters.map((text) => Number.parseFloat(getComputedStyle(text).fontSize)));
      return Math.min(NEAREST, Math.max(1, view.clientHeight / box.height / fit, Number.isFinite(least) ? 9.2 / (least * fit) : 1));
    };
    const frame = () => {
      const to = readable();
      [look.x, look.y] = to > 1 ? eventful() : [0.5, 0.5];
      look.zoom = to;
      show();
    };

    const fingers = new Map();
    let way = 0; // How far the first finger moved: lifting it after a movement is not a click.
    let tapped = null;
    const middle = () => {
      const [[x, y], [u, v]] = fingers.values();
      return [(x + u) / 2, (y + v) / 2, Math.hypot(x - u, y - v)];
    };
    view.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      if (!fingers.size) way = 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    view.addEventListener("pointermove", (event) => {
      if (!event.buttons) fingers.delete(event.pointerId); // Let go outside the frame.
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = [event.clientX, event.clientY];
      if (fingers.size === 2) {
        const [x, y, apart] = middle();
        fingers.set(event.pointerId, now);
        const [u, v, further] = middle();
        way = Infinity;
        if (apart) zoom((look.zoom * further) / apart, [x, y]);
        move(u - x, v - y);
        return;
      }
      fingers.set(event.pointerId, now);
      way += Math.hypot(now[0] - before[0], now[1] - before[1]);
      if (look.zoom === 1 || fingers.size > 1) return;
      if (way > 6 && event.pointerType === "mouse") view.setPointerCapture(event.pointerId);
      move(now[0] - before[0], now[1] - before[1]);
    });
    const lift = (event) => {
      if (!fingers.delete(event.pointerId) || event.type !== "pointerup" || event.pointerType === "mouse") return;
      const { clientX: x, clientY: y, timeStamp: time } = event;
      const again = tapped && time - tapped.time < 350 && Math.hypot(x - tapped.x, y - tapped.y) < 30;
      tapped = way < 10 && !again ? { x, y, time } : null;
      if (way < 10 && again) tap(x, y);
    };
    for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, lift);
    let touched = false;
    view.addEventListener("pointerup", (event) => (touched = event.pointerType !== "mouse"));
    view.addEventListener("dblclick", (event) => {
      if (!touched) tap(event.clientX, event.clientY);
    });
    view.addEventListener("dragstart", (event) => event.preventDefault());
    const swallow = (event) => {
      if (way <= 10) return;
      event.preventDefault();
      event.stopPropagation();
    };
    view.addEventListener("click", swallow, true);
    // The page scrolls under one finger while the whole board is visible.
    const hold = (event) => (look.zoom > 1 || event.touches.length > 1) && event.cancelable && event.preventDefault();
    view.addEventListener("touchmove", hold, { passive: false });
    const wheel = (event) => {
      if (!event.ctrlKey && !look.whole) return;
      event.preventDefault();
      zoom(look.zoom * Math.exp(-Math.max(-25, Math.min(25, event.deltaY)) / 100), [event.clientX, event.clientY]);
    };
    view.addEventListener("wheel", wheel, { passive: false });
    view.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const arrow = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (event.key === "+" || event.key === "=") zoom(look.zoom * 1.5, null, true);
      else if (event.key === "-") zoom(look.zoom / 1.5, null, true);
      else if (event.key === "0") zoom(1, null, true);
      else if (event.shiftKey && arrow) move((arrow[0] * view.clientWidth) / 4, (arrow[1] * view.clientHeight) / 4, true);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });

    const farther = press("−", "Smaller board", () => zoom(look.zoom / 1.5, null, true));
    const closer = press("+", "Larger board", () => zoom(look.zoom * 1.5, null, true));
    const all = press("Whole board", "Show the whole board", () => zoom(1, null, true));
    const fill = press("", null, () => {
      wholeScreen(board);
      fill.focus();
      look.zoom = 1;
      show();
      if (look.whole && matchMedia("(max-width: 700px), (max-height: 500px)").matches) {
        look.framed = true;
        requestAnimationFrame(frame);
      }
    });
    for (const text of ["Full screen", "Close"]) fill.append(Object.assign(document.createElement("span"), { textContent: text }));
    const tools = document.createElement("div");
    tools.className = "courtly-tools";
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "Size of the board");
    tools.append(farther, closer, all, fill);
    const label = document.createElement("output");
    label.textContent = phase;
    if (step) {
      const turns = document.createElement("span");
      turns.className = "courtly-steps";
      turns.append(press("‹", "Turn before", () => step(-1)), label, press("›", "Next turn", () => step(1)));
      tools.append(turns);
    }
    board.append(tools);
    // A board that fills a small screen does so again in a screen that was turned.
    new ResizeObserver(() => {
      if (look.framed && look.whole) frame();
      else show();
    }).observe(view);
    if (look.whole) {
      wholeScreen(board);
      view.focus();
    }
    show();
    return { show, label, follow: () => (look.whole && look.zoom > 1 ? ([look.x, look.y] = eventful()) : null, show()) };
  };

  // The board as a picture file, made by the page from the board on it.
  const offerFile = (figure, name, between) => {
    const picture = () => document.querySelector(".courtly-whole .courtly-view > svg") ?? figure.querySelector(".courtly-view > svg");
    const link = document.createElement("a");
    link.textContent = "Download this map";
    link.href = figure.querySelector(".courtly-view img")?.src ?? "#";
    link.download = `${name()}.svg`;
    link.addEventListener("click", () => {
      link.download = `${name()}.svg`;
      const drawn = picture()?.cloneNode(true);
      if (!drawn) return;
      for (const one of [drawn, ...drawn.querySelectorAll("[class*=courtly-]")]) {
        one.classList.remove("courtly-dim", "courtly-lit", "courtly-drawn");
        if (!one.classList.length) one.removeAttribute("class");
      }
      drawn.removeAttribute("style");
      if (link.href.startsWith("blob:")) URL.revokeObjectURL(link.href);
      const text = new XMLSerializer().serializeToString(drawn);
      link.href = URL.createObjectURL(new Blob([text, "\n"], { type: "image/svg+xml" }));
    });
    const way = document.createElement("span");
    way.className = "courtly-save";
    way.append(between, link);
    figure.querySelector("figcaption").append(way);
  };

  // The data in a file of the game. It is a script, so that it loads from a disk as well.
  const said = (source, name) => new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = source;
    script.addEventListener("load", () => done(globalThis[name]));
    script.addEventListener("error", fail);
    document.head.append(script);
  });

  // The script that moves units from turn to turn, loaded with the first step; null for readers who want nothing to move.
  let motion = null;
  const moving = () => {
    if (!here || matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
    return (motion ??= said(new URL("motion.js", here).href, "courtlyMotion").catch(() => null));
  };
  const stopMoving = () => globalThis.courtlyMotion?.finish();

  // The maps of a game, from one file that is loaded when the first is needed.
  const mapsOf = (source) => {
    let coming = null;
    return async (name) => {
      const { pieces, maps } = await (coming ??= said(source, "courtlyReplay"));
      let text = "";
      for (let i = 0; i < maps[name].length; i += 2)
        text += pieces.slice(maps[name][i], maps[name][i] + maps[name][i + 1]).join("");
      const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      return document.importNode(drawn, true);
    };
  };

  // Boards of other pages, such as a seat’s last one.
  for (const picture of document.querySelectorAll("figure.courtly-map > svg")) {
    const [board, view] = ["courtly-board", "courtly-view"].map((className) => Object.assign(document.createElement("div"), { className }));
    picture.replaceWith(board);
    board.append(view);
    view.append(picture);
    lookCloser(board, null, "");
  }

  // A game's page: a slider over the maps of all turns; the address names the turn shown.
  const replay = document.getElementById("replay");
  if (replay) {
    const turns = JSON.parse(replay.dataset.turns);
    const names = turns.map((turn) => turn[0]);
    const figure = replay.querySelector("figure");
    const view = replay.querySelector(".courtly-view");
    view.replaceChildren(view.querySelector("img")); // The link to the turn is below: here the reader drags and taps.
    const caption = replay.querySelector("figcaption a");
    const mapOf = mapsOf(replay.dataset.maps);
    const first = Number(replay.dataset.first);
    const find = () => {
      const index = names.indexOf(decodeURIComponent(location.hash.slice(1)));
      return index < 0 ? first : index;
    };
    const input = slider(turns, find(), "Turn shown");
    const label = document.createElement("output");
    let at = find();
    let drawn = first;
    const draw = async () => {
      const wanted = at;
      const picture = drawn === wanted ? null : await mapOf(names[wanted]);
      if (!picture || wanted !== at) return;
      const moves = wanted === drawn + 1 ? await moving() : null;
      if (moves) {
        if (!view.querySelector("svg")) view.replaceChildren(await mapOf(names[drawn])); // The first is only a link to a picture.
        closely.show();
        await moves.leave(view.firstElementChild, picture);
        if (wanted !== at) return;
      }
      const before = view.firstElementChild;
      drawn = at;
      view.replaceChildren(picture);
      closely.follow();
      if (moves) await moves.arrive(picture, before);
    };
    let ready = Promise.resolve(); // Once the board of the turn is there and nothing moves.
    const show = (index) => {
      stopMoving();
      at = Math.max(0, Math.min(turns.length - 1, index));
      const [, phase, page] = turns[at];
      input.value = String(at);
      input.setAttribute("aria-valuetext", phase);
      label.textContent = `${phase} (${at + 1} of ${turns.length})`;
      caption.textContent = phase;
      caption.href = page;
      closely.label.textContent = phase;
      ready = ready.then(draw).catch(() => {}); // Without the file of maps the caption still leads to the turn.
    };
    const go = (index) => {
      show(index);
      history.replaceState(null, "", `#${turns[at][0]}`);
    };
    let playing = 0; // The timer of the next step.
    let run = 0; // A pause ends the run: its next step must not come after another run has begun.
    const closely = lookCloser(view.parentNode, (by) => go(at + by), turns[at][1]);
    offerFile(figure, () => `${location.pathname.split("/").at(-2)}-${names[at]}`, " · ");
    const play = press("▶", "Play", () => {
      clearTimeout(playing);
      const mine = ++run;
      const on = () => {
        if (at === turns.length - 1) return play.click();
        go(at + 1);
        return ready.then(() => mine === run && playing && (playing = setTimeout(on, 1100)));
      };
      if (playing) playing = 0;
      else {
        if (at === turns.length - 1) go(0);
        playing = setTimeout(on, 1100);
      }
      play.textContent = playing ? "❚❚" : "▶";
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
    });
    // A tick at the start of each year, or at every turn if the turns name no years.
    const ticks = document.createElement("datalist");
    ticks.id = "replay-ticks";
    const year = (index) => /\d{3,}/.exec(turns[index]?.[1] ?? "")?.[0];
    for (const index of turns.keys())
      if (!year(0) || year(index) !== year(index - 1)) ticks.append(new Option("", String(index)));
    input.setAttribute("list", ticks.id);
    const box = document.createElement("div");
    box.className = "courtly-slider";
    box.hidden = turns.length < 2;
    box.append(
      press("‹", "Turn before", () => go(at - 1)),
      play,
      press("›", "Next turn", () => go(at + 1)),
      label,
      input,
      ticks,
    );
    figure.before(box);
    if ("hatched" in replay.dataset) {
      const label = document.createElement("label");
      label.className = "courtly-switch";
      const hatch = document.createElement("input");
      hatch.type = "checkbox";
      hatch.className = "courtly-hatch";
      label.append(hatch, " Hatch each owner’s land");
      figure.querySelector("figcaption").append(label);
      keepHatch();
      // The first board is only a link to a picture, which the page cannot hatch.
      const putBoard = () => hatch.checked && !view.querySelector("svg") && mapOf(names[drawn]).then((picture) => {
        if (!view.querySelector("svg")) view.replaceChildren(picture);
      }).catch(() => {});
      hatch.addEventListener("change", putBoard);
      putBoard();
    }
    input.addEventListener("input", () => go(Number(input.value)));
    addEventListener("hashchange", () => show(find()));
    addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest("input, select, textarea, button, a, summary") || turns.length < 2) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) go(at + step);
      else if (event.key === " ") play.click();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }, true);
    show(find());
  }

  // Times in the reader’s time zone, with how far off they are; without script they stay in UTC.
  function tellTimes() {
    const day = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
    for (const time of document.querySelectorAll("time.courtly-time")) {
      const till = Date.parse(time.dateTime);
      if (Number.isNaN(till)) continue;
      time.title ||= time.textContent;
      const minutes = Math.round((till - Date.now()) / 60_000);
      const left = minutes >= 2880 ? `${Math.floor(minutes / 1440)} days` : minutes >= 120 ? `${Math.floor(minutes / 60)} h` : `${minutes} min`;
      const here = new Intl.DateTimeFormat("en-GB", day).format(till);
      time.textContent = `${here} your time${minutes > 0 ? `, in ${left}` : ", now past"}`;
    }
    // A turn that is due and not judged. The page was built before its deadline, and the clock that starts the job may be late.
    for (const line of document.querySelectorAll("[data-due]")) {
      line.hidden = !(Date.now() > Date.parse(line.dataset.due) + 30 * 60_000);
    }
  }
  tellTimes();

  // A turn's page: slider and arrow keys go to other turns without loading the whole page again.
  const pager = () => document.querySelector(".courtly-pager[data-turns]");
  let turns = []; // Folder and phase of each, once the game's file of them is there; until then its links lead on.
  const place = (index) => new URL(`../${turns[index][0]}/index.html`, location.href);
  let newest = 0;
  let aim = null; // Where we are going, while a page is on its way: two quick key presses go two turns.

  const go = async (index, push, focus) => {
    if (index < 0 || index >= turns.length || turns.length < 2) return;
    aim = index;
    stopMoving();
    const address = place(index);
    const mine = ++newest;
    try {
      if (location.protocol === "file:") throw new Error("a file cannot be fetched");
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== newest) return;
      const shown = () => document.querySelector("#turn .courtly-view > svg, .courtly-whole .courtly-view > svg");
      const before = shown();
      const moves = index === Number(pager().dataset.index) + 1 && before ? await moving() : null;
      await moves?.leave(before, page.querySelector("#turn .courtly-view > svg") ?? before);
      if (mine !== newest) return;
      aim = null;
      const fresh = page.getElementById("turn");
      document.getElementById("turn").replaceWith(fresh);
      document.title = page.title;
      if (push) history.pushState({ courtly: true }, "", address);
      enhance();
      if (focus) pager().querySelector("input").focus();
      if (moves && shown()) await moves.arrive(shown(), before);
    } catch (error) {
      if (mine === newest) location.href = address.href;
    }
  };

  // If a turn waits for its host from some time on, the page says so once that time has come.
  const tellWaiting = () => {
    for (const line of document.querySelectorAll(".courtly-host[data-since]"))
      if (Date.now() >= Date.parse(line.dataset.since)) line.textContent = line.dataset.past;
  };
  tellWaiting();

  // Orders and their drawings: pointing at one highlights the other. The title of a drawn order is the sentence of its row, and only that
  // text connects them. In a row, "It" is the order beside it.
  const sentence = (text) => text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  const linkBoard = () => {
    const spread = document.querySelector(".courtly-spread");
    const board = spread?.querySelector(".courtly-view > svg");
    if (!board) return;
    const rows = [...spread.querySelectorAll(".courtly-told li")].map((element) => {
      const order = element.querySelector(".courtly-order")?.textContent ?? "";
      const told = element.querySelector(".courtly-why")?.firstChild ?? element;
      const whole = told.textContent.replace(/^It(?= )/, () => order || "It");
      return { element, order, told: sentence(whole), marks: [], text: `${order} ${element.textContent}` };
    });
    const groups = [...board.querySelectorAll("g > title")].map((title) => [title.parentNode, title.textContent]);
    for (const [group, text] of groups) {
      const whole = rows.some((row) => sentence(text) === row.told);
      const [, unit] = (!whole && /^[^:]+: ([^,]*)/.exec(text)) || [];
      const number = /^(?:[^:]+: )?([A-Z]+\d+)\b/.exec(text)?.[1]; // A unit that goes by its number is known everywhere.
      const named = number && new RegExp(`\\b${number}\\b`);
      if (!unit && (number || whole)) group.classList.add("courtly-drawn");
      for (const row of rows)
        if (sentence(text) === row.told || (unit && row.order.startsWith(`${unit} `)) || named?.test(row.text))
          row.marks.push(group);
    }
    const light = (lit, marks = lit.flatMap((row) => row.marks)) => {
      board.classList.toggle("courtly-dim", marks.length > 0);
      for (const group of board.querySelectorAll(".courtly-lit")) group.classList.remove("courtly-lit");
      for (const group of marks) group.classList.add("courtly-lit");
      for (const row of rows) row.element.classList.toggle("courtly-lit", lit.includes(row));
    };
    const ordered = rows.filter((row) => row.order); // Events may be told in other words one day; orders stay.
    let held = []; // What was chosen by a tap stays lit.
    let scrolling = 0;
    const study = studyOf(spread, {
      show: (numbers) => {
        held = numbers.flatMap((number) => ordered[number] ?? []);
        light(held);
      },
      lit: () => held.flatMap((row) => (ordered.includes(row) ? [ordered.indexOf(row)] : [])),
    });
    const hold = (lit) => {
      const again = lit.length > 0 && lit.every((row) => held.includes(row));
      if (study.open) held = again ? held.filter((row) => !lit.includes(row)) : [...new Set([...held, ...lit])];
      else held = again && lit.length === held.length ? [] : lit;
      light(held);
    };
    for (const row of rows.filter((one) => one.marks.length)) {
      row.element.tabIndex = 0;
      for (const name of ["pointerenter", "focus"]) row.element.addEventListener(name, () => light([row]));
      for (const name of ["pointerleave", "blur"]) row.element.addEventListener(name, () => light(held));
      row.element.addEventListener("click", (event) => event.target.closest("a") || hold([row]));
    }
    // From the board: an order gives its row, and a place gives the rows that name it.
    const rowsAt = (target) => {
      const group = target.closest("g");
      const own = rows.filter((row) => row.marks.includes(group));
      if (own.length) return own;
      const name = target.closest("path")?.querySelector("title")?.textContent.split(",")[0];
      return name ? rows.filter((row) => row.marks.length && row.text.includes(name)) : [];
    };
    board.addEventListener("pointerover", (event) => event.pointerType === "mouse" && light(rowsAt(event.target)));
    board.addEventListener("pointerleave", () => light(held));
    board.addEventListener("click", (event) => {
      const lit = rowsAt(event.target);
      hold(lit);
      clearTimeout(scrolling);
      if (!held.length || !lit.length) return;
      // Delayed, because otherwise the page would scroll away under the second tap of a double tap.
      scrolling = setTimeout(() => lit[0].element.scrollIntoView({ block: "nearest" }), 350);
    });
  };

  // A study: lit orders and a note, all of it in the page's address. Nothing is sent anywhere.
  const LONGEST = 280;
  const studyOf = (spread, board) => {
    const given = new URLSearchParams(location.hash.slice(1));
    const numbers = (given.get("lit") ?? "").split(".").filter((text) => /^\d{1,4}$/.test(text)).map(Number);
    const note = (given.get("note") ?? "").slice(0, LONGEST).trim();
    const made = (name, text, more = {}) => Object.assign(document.createElement(name), { textContent: text, ...more });
    if (note) {
      const shown = made("blockquote", note, { className: "courtly-note" });
      shown.append(made("footer", "A note in the link that you followed, not a part of this game’s archive."));
      spread.querySelector(".courtly-told").prepend(shown);
    }
    if (numbers.length) queueMicrotask(() => board.show(numbers));
    const box = made("details", "", { className: "courtly-study", open: false });
    const words = made("textarea", "", { maxLength: LONGEST, rows: 2, value: note });
    words.setAttribute("aria-label", "A note for the study");
    const told = made("output", "");
    const put = async (text, otherwise) => {
      try {
        await navigator.clipboard.writeText(text);
        told.textContent = "Copied.";
      } catch {
        told.textContent = otherwise;
      }
    };
    const copy = press("Copy the link", null, async () => {
      const address = new URL(location.href);
      const said = new URLSearchParams();
      if (board.lit().length) said.set("lit", board.lit().join("."));
      if (words.value.trim()) said.set("note", words.value.trim());
      address.hash = said.toString();
      history.replaceState(history.state, "", address);
      await put(address.href, "The link is in the address bar now.");
    });
    const [game, turn] = location.pathname.split("/").slice(-3);
    const embed = press("Copy code for another page", null, () => {
      const address = new URL("../../../embed.html", location.href);
      address.hash = `${game}/${turn}`;
      const frame = Object.assign(document.createElement("iframe"), { src: address.href, title: document.title, width: 640, height: 680, loading: "lazy" });
      return put(frame.outerHTML, frame.outerHTML);
    });
    box.append(made("summary", "Share this board"), made("p", "Tap the orders that you want to show, write a note, and share the link."), words, copy, " ", embed, told);
    spread.querySelector("figcaption")?.append(box);
    return box;
  };

  // Hatched land: the page does the hatching without a script, and this remembers the choice.
  function keepHatch() {
    const box = document.querySelector(".courtly-hatch");
    if (!box || "kept" in box.dataset) return;
    box.dataset.kept = "";
    box.addEventListener("change", () => {
      try {
        localStorage.setItem("courtly-hatch", box.checked ? "1" : "");
      } catch {} // A browser that remembers nothing still hatches.
    });
    try {
      box.checked = localStorage.getItem("courtly-hatch") === "1";
    } catch {}
  }

  // A sequence of events, row by row: each deed, and the numbers of its columns as bars.
  const stepThrough = () => {
    for (const section of document.querySelectorAll(".courtly-acts")) {
      const table = section.querySelector(":scope > .courtly-table"); // A chart before it has one too.
      const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
      const rows = [...table.querySelectorAll("tbody tr")];
      const cells = rows.map((row) => [...row.children].map((cell) => cell.textContent));
      const most = Math.max(1, ...cells.flatMap((row) => row.slice(2).map(Number)));
      const told = document.createElement("output");
      const bars = heads.slice(2).map((name) => {
        const row = document.createElement("p");
        row.className = "courtly-bar";
        row.append(name, document.createElement("span"), document.createElement("strong"));
        return row;
      });
      const what = heads[0].toLowerCase();
      let at = 0;
      const show = (index, seen = true) => {
        at = Math.min(rows.length - 1, Math.max(0, index));
        input.value = String(at);
        told.textContent = `${cells[at][0]}: ${cells[at][1]}`;
        input.setAttribute("aria-valuetext", told.textContent);
        if (seen) lightHexes(told.textContent);
        rows.forEach((row, number) => row.classList.toggle("courtly-lit", number === at));
        bars.forEach((bar, column) => {
          const filled = cells.slice(0, at + 1).findLast((row) => row[column + 2]);
          const number = Number(filled?.[column + 2] ?? 0);
          bar.querySelector("span").style.setProperty("--share", String(number / most));
          bar.querySelector("strong").textContent = String(number);
        });
      };
      const input = Object.assign(document.createElement("input"), { type: "range", min: "0", max: String(rows.length - 1), step: "1" });
      input.setAttribute("aria-label", `Go to ${what}`);
      input.addEventListener("input", () => show(Number(input.value)));
      const box = document.createElement("div");
      box.className = "courtly-slider courtly-stepper";
      box.append(press("‹", `${heads[0]} before`, () => show(at - 1)), press("›", `Next ${what}`, () => show(at + 1)), told, input, ...bars);
      (section.querySelector(":scope > figure") ?? table).before(box);
      show(0, false);
    }
  };

  // Highlights hexes on the map that a text names; a hex’s title begins with its name.
  const lightHexes = (text) => {
    const named = new Set(text.match(/\b\d{4}\b/g));
    for (const title of document.querySelectorAll(".courtly-view .hx title"))
      title.parentNode.classList.toggle("courtly-here", named.has(title.textContent.slice(0, 4)));
  };

  const enhance = () => {
    stepThrough();
    tellWaiting();
    tellTimes();
    keepHatch();
    linkBoard();
    const nav = pager();
    if (!nav) return;
    const index = Number(nav.dataset.index);
    const figure = document.querySelector("#turn .courtly-map");
    offerFile(figure, () => figure.dataset.name, " ");
    lookCloser(figure.querySelector(".courtly-board"), (by) => go(index + by, true, false), document.querySelector("#turn h1").textContent);
    if (turns.length) offerTurns(nav, index);
    nav.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || !turns.length || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(index + (link.rel === "prev" ? -1 : 1), true, false);
    });
  };

  // A slider over all turns.
  const offerTurns = (nav, index) => {
    const input = slider(turns, index, "Go to turn");
    nav.append(input);
    const count = nav.querySelector(".courtly-count");
    count.textContent = `Turn ${index + 1} of ${turns.length}`;
    input.addEventListener("input", () => {
      const phase = turns[Number(input.value)][1];
      input.setAttribute("aria-valuetext", phase);
      count.textContent = phase;
    });
    input.addEventListener("change", () => go(Number(input.value), true, true));
  };

  if (pager()) {
    enhance();
    said(pager().dataset.turns, "courtlyTurns").then((known) => {
      turns = known;
      offerTurns(pager(), Number(pager().dataset.index));
    }, () => {}); // Without the file the links lead on.
    addEventListener("popstate", () => {
      const name = decodeURIComponent(location.pathname.split("/").at(-2));
      const index = turns.findIndex((turn) => turn[0] === name);
      if (index >= 0) go(index, false, false);
    });
    addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest("input, select, textarea, [contenteditable]")) return;
      if (document.getElementById("__search")?.checked) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || !turns.length) return;
      event.preventDefault();
      event.stopPropagation();
      go((aim ?? Number(pager().dataset.index)) + step, true, false);
    }, true);
  }
})();
