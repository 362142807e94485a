// Enhancements; every page works without them. No dependency, nothing fetched from elsewhere.
"use strict";

(() => {
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

  // The home page: the seats that this browser has played at the desk, while their games wait for orders.
  const tellYours = async (home) => {
    const seats = new Map(); // Game -> the files of its seats, by the desk's own memory.
    for (const key of Object.keys(localStorage)) {
      const [, scope, game] = /^courtly-desk:seat:([^:]*):([a-z0-9-]+)$/.exec(key) ?? [];
      if (game) seats.set(game, [scope, JSON.parse(localStorage.getItem(key))]);
    }
    const open = seats.size ? await (await fetch("games/desks.json")).json() : [];
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
      const sent = seat.sent ? "sent" : seat.owes ? "not sent yet" : "nothing is owed";
      line.append(link, `: ${data.phase}, `, data.deadline ? "due " : "without a deadline", `, ${sent}`);
      if (data.deadline) {
        const time = document.createElement("time");
        Object.assign(time, { dateTime: data.deadline, className: "courtly-time", textContent: data.deadline });
        line.insertBefore(time, line.lastChild);
      }
      lines.push(line);
    }
    if (!lines.length) return;
    const section = document.createElement("section");
    const title = document.createElement("h2");
    const list = document.createElement("ul");
    title.textContent = "Yours";
    section.className = "courtly-yours";
    list.append(...lines);
    section.append(title, list);
    home.querySelector("h1").after(section);
    tellTimes();
  };
  const home = document.querySelector("section#games")?.closest("article");
  // A browser that remembers nothing, or a site without desks, has nothing to tell.
  if (home?.querySelector("h1") && location.protocol !== "file:") tellYours(home).catch(() => {});

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

  // A game's page: a slider over the maps of all turns; the address names the turn shown.
  const replay = document.getElementById("replay");
  if (replay) {
    const turns = JSON.parse(replay.dataset.turns);
    const names = turns.map((turn) => turn[0]);
    const image = replay.querySelector("img");
    const links = replay.querySelectorAll("a");
    const caption = replay.querySelector("figcaption a");
    const first = Number(replay.dataset.first);
    const find = () => {
      const index = names.indexOf(decodeURIComponent(location.hash.slice(1)));
      return index < 0 ? first : index;
    };
    const input = slider(turns, find(), "Turn shown");
    const label = document.createElement("output");
    let at = find();
    const show = (index) => {
      at = Math.max(0, Math.min(turns.length - 1, index));
      const [, phase, picture, page] = turns[at];
      input.value = String(at);
      input.setAttribute("aria-valuetext", phase);
      label.textContent = `${phase} (${at + 1} of ${turns.length})`;
      image.src = picture;
      image.alt = `Map: ${phase}`;
      caption.textContent = phase;
      for (const link of links) link.href = page;
      if (turns[at + 1]) new Image().src = turns[at + 1][2]; // The next one is there when it is asked for.
    };
    const go = (index) => {
      show(index);
      history.replaceState(null, "", `#${turns[at][0]}`);
    };
    let playing = 0;
    const press = (text, name, act) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "md-button";
      button.textContent = text;
      button.setAttribute("aria-label", name);
      button.addEventListener("click", act);
      return button;
    };
    const play = press("▶", "Play", () => {
      if (playing) {
        clearInterval(playing);
        playing = 0;
      } else {
        if (at === turns.length - 1) go(0);
        playing = setInterval(() => (at < turns.length - 1 ? go(at + 1) : play.click()), 1500);
      }
      play.textContent = playing ? "❚❚" : "▶";
      play.setAttribute("aria-label", playing ? "Pause" : "Play");
    });
    // A tick where a new year begins, or every turn where nothing is named by years.
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
    replay.querySelector("figure").before(box);
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

  // Times in the reader's own zone, with how long it is till then; without script they stand in UTC.
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
  }
  tellTimes();

  // A turn's page: slider and arrow keys go to other turns without loading the whole page again.
  const pager = () => document.querySelector(".courtly-pager");
  const place = (index, turns) => new URL(`../${turns[index][0]}/index.html`, location.href);
  let newest = 0;
  let aim = null; // Where we are going, while a page is on its way: two quick key presses go two turns.

  const go = async (index, turns, push, focus) => {
    if (index < 0 || index >= turns.length || turns.length < 2) return;
    aim = index;
    const address = place(index, turns);
    const mine = ++newest;
    try {
      if (location.protocol === "file:") throw new Error("a file cannot be fetched");
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (mine !== newest) return;
      aim = null;
      const fresh = page.getElementById("turn");
      document.getElementById("turn").replaceWith(fresh);
      document.title = page.title;
      if (push) history.pushState({ courtly: true }, "", address);
      enhance();
      if (focus) pager().querySelector("input").focus();
    } catch (error) {
      if (mine === newest) location.href = address.href;
    }
  };

  // What waits for its host from some time on says so when that time has come.
  const tellWaiting = () => {
    for (const line of document.querySelectorAll(".courtly-host[data-since]"))
      if (Date.now() >= Date.parse(line.dataset.since)) line.textContent = line.dataset.past;
  };
  tellWaiting();

  // Orders and what is drawn of them: what one points at on one side is lit on the other. A drawn order's title is the
  // sentence of its row, so nothing but the words ties them together.
  const sentence = (text) => text.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  const linkBoard = () => {
    const spread = document.querySelector(".courtly-spread");
    const board = spread?.querySelector(".courtly-map svg");
    if (!board) return;
    const rows = [...spread.querySelectorAll(".courtly-told li")].map((element) => {
      const order = element.querySelector(".courtly-order")?.textContent ?? "";
      const told = element.querySelector(".courtly-why")?.firstChild ?? element;
      return { element, order, told: sentence(told.textContent), marks: [], text: `${order} ${element.textContent}` };
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
    let held = []; // What was chosen by a tap stays lit.
    const hold = (lit) => {
      held = lit.length === held.length && lit.every((row) => held.includes(row)) ? [] : lit;
      light(held);
    };
    for (const row of rows.filter((one) => one.marks.length)) {
      row.element.tabIndex = 0;
      for (const name of ["pointerenter", "focus"]) row.element.addEventListener(name, () => light([row]));
      for (const name of ["pointerleave", "blur"]) row.element.addEventListener(name, () => light(held));
      row.element.addEventListener("click", (event) => event.target.closest("a") || hold([row]));
    }
    // Of the board: an order's own row; of a place, the rows that name it.
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
      if (held.length) lit[0].element.scrollIntoView({ block: "nearest" });
    });
  };

  // Hatched land: the page does that by itself, here it is remembered.
  const keepHatch = () => {
    const box = document.querySelector(".courtly-hatch");
    if (!box) return;
    box.addEventListener("change", () => {
      try {
        localStorage.setItem("courtly-hatch", box.checked ? "1" : "");
      } catch {} // A browser that remembers nothing still hatches.
    });
    try {
      box.checked = localStorage.getItem("courtly-hatch") === "1";
    } catch {}
  };

  const enhance = () => {
    tellWaiting();
    tellTimes();
    keepHatch();
    linkBoard();
    const nav = pager();
    if (!nav) return;
    const turns = JSON.parse(nav.dataset.turns);
    const index = Number(nav.dataset.index);
    const input = slider(turns, index, "Go to turn");
    nav.append(input);
    const count = nav.querySelector(".courtly-count");
    input.addEventListener("input", () => {
      const phase = turns[Number(input.value)][1];
      input.setAttribute("aria-valuetext", phase);
      count.textContent = phase;
    });
    input.addEventListener("change", () => go(Number(input.value), turns, true, true));
    nav.addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      go(index + (link.rel === "prev" ? -1 : 1), turns, true, false);
    });
  };

  if (pager()) {
    enhance();
    addEventListener("popstate", () => {
      const turns = JSON.parse(pager().dataset.turns);
      const name = decodeURIComponent(location.pathname.split("/").at(-2));
      const index = turns.findIndex((turn) => turn[0] === name);
      if (index >= 0) go(index, turns, false, false);
    });
    addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest("input, select, textarea, [contenteditable]")) return;
      if (document.getElementById("__search")?.checked) return;
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const nav = pager();
      go((aim ?? Number(nav.dataset.index)) + step, JSON.parse(nav.dataset.turns), true, false);
    }, true);
  }
})();
