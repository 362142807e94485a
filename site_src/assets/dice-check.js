// The check of a turn's dice (dice-check.html): everything that the archive published is computed again here, with this browser's SHA-256
// and HMAC. The data may contain texts from strangers, so elements are made one by one.

const GAME = /^[a-z0-9][a-z0-9-]{0,79}$/;
const HEX = /^(?:[0-9a-f]{2})+$/;
const SPACE = 1n << 64n;
const MOST_TRIES = 1000;

const h = (tag, options = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const hmac = async (key, text) => {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, utf8(text)));
};

/** The order of code points, which differs from the order of JavaScript's sort. */
const byCodePoint = (one, two) => {
  const [a, b] = [[...one], [...two]];
  for (let at = 0; at < Math.min(a.length, b.length); at++)
    if (a[at] !== b[at]) return a[at].codePointAt(0) - b[at].codePointAt(0);
  return a.length - b.length;
};

/** One roll: the first number from HMAC(K, name|counter) below the largest multiple of the sides. */
const rolled = async (key, name, sides) => {
  if (!Number.isInteger(sides) || sides < 1) throw new Error("no such die");
  const many = BigInt(sides);
  const limit = SPACE - (SPACE % many);
  for (let counter = 0; counter < MOST_TRIES; counter++) {
    const first = (await hmac(key, `${name}|${counter}`)).slice(0, 8);
    const number = BigInt(`0x${hex(first)}`);
    if (number < limit) return { value: Number((number % many) + 1n), number, counter };
  }
  throw new Error("no number was low enough");
};

const code = (text) => h("code", {}, text);
const values = (...pairs) =>
  h(
    "dl",
    {},
    pairs.map(([name, value]) => [h("dt", {}, name), h("dd", {}, code(String(value)))]),
  );
const details = (summary, ...children) => h("details", {}, h("summary", {}, summary), children);

const SIGNS = { good: ["✓", "Right: "], bad: ["✗", "Wrong: "], open: ["…", "Not yet: "] };

/** A step as shown: `state` is good, bad or open. */
const step = (state, title, words, ...more) => {
  const [sign, said] = SIGNS[state];
  return {
    state,
    title,
    element: h(
      "li",
      { class: state },
      h("span", { class: "sign", "aria-hidden": "true" }, sign),
      h("div", {}, h("h3", {}, h("span", { class: "unseen" }, said), title), h("p", {}, words), more),
    ),
  };
};

/** All steps for one set of dice: of a turn, or of a game's setup. */
const steps = async ({ game, turn, what, commitment, secret, shares, shareName, published, rolls, foreseen }) => {
  const found = [];
  const known = typeof secret === "string" && HEX.test(secret);
  const seed = known ? bytesOf(secret) : null;
  if (!seed && secret !== null && secret !== undefined)
    found.push(step("bad", "The secret fits the commitment", "The published secret is not hexadecimal."));
  else if (!seed)
    found.push(
      step(
        "open",
        "The secret is not published yet",
        "It is published when the turn is judged, or, in a game with hidden information, when the game ends. Its commitment is fixed already: no other secret will fit it.",
        values(["Commitment", commitment]),
      ),
    );
  else {
    const again = hex(await sha256(seed));
    const right = again === commitment;
    found.push(
      step(
        right ? "good" : "bad",
        "The secret fits the commitment",
        right
          ? `The secret was fixed before any ${shareName.one} was known: its SHA-256 is the commitment that was published ${shareName.when}.`
          : `The SHA-256 of the published secret is not the commitment. It is not the secret that was fixed ${shareName.when}.`,
        details(
          "What was computed",
          values(["Secret", secret], ["SHA-256 of it, computed here", again], ["Commitment, as published", commitment]),
        ),
      ),
    );
  }

  const seats = Object.keys(shares ?? {}).sort(byCodePoint);
  const text = seats.map((seat) => `${seat} ${shares[seat]}\n`).join("");
  const mixed = hex(await sha256(utf8(text)));
  const own = `Digest of all ${shareName.many}`;
  const list = seats.length
    ? h(
        "ul",
        { class: "pairs" },
        seats.map((seat) => h("li", {}, `${seat}: `, code(shares[seat]))),
      )
    : h("p", {}, `There are no ${shareName.many}.`);
  const state =
    published === undefined
      ? "good"
      : published === null
        ? seed
          ? "bad"
          : "open"
        : published === mixed
          ? "good"
          : "bad";
  const words = {
    good: `${seats.length} of them. ${shareName.why}`,
    bad: `The digest computed from the published ${shareName.many} differs from the published digest. A ${shareName.one} is missing, was added, or was changed.`,
    open: "The sheets are not published yet.",
  }[state];
  found.push(
    step(
      state,
      own,
      words,
      details(
        "What was computed",
        h(
          "p",
          {},
          `SHA-256 over one line for each seat, in alphabetical order: the seat, a space, its ${shareName.value}.`,
        ),
        list,
        values(["X, computed here", mixed], ...(published ? [["X, as published", published]] : [])),
      ),
    ),
  );
  if (!seed) {
    const promised = (rolls ?? []).length;
    found.push(
      step(
        "open",
        "The rolls",
        promised
          ? `${promised} published. They can be checked once the secret is published.`
          : "They can be checked once the secret is published.",
      ),
    );
    return found;
  }

  const label = `mix|${game}|${turn}|${mixed}`;
  const key = await hmac(seed, label);
  found.push(
    step(
      "good",
      "The key of the dice",
      `HMAC-SHA256 makes the key K from the secret and the digest ${what === "setup" ? "of the players’ numbers" : "of the sheets"}. ${foreseen ? FORESEEN : "Neither the host nor the players could choose it alone."} K is computed here; the rolls that it gives are compared below.`,
      details("What was computed", values(["Text that is signed", label], ["K", hex(key)])),
    ),
  );

  const rows = [];
  let wrong = 0;
  for (const roll of rolls ?? []) {
    let again = null;
    try {
      again = await rolled(key, roll.name, roll.sides);
    } catch {
      // An impossible die is shown as wrong.
    }
    const right = again !== null && again.value === roll.value;
    wrong += right ? 0 : 1;
    rows.push(
      h(
        "li",
        { class: right ? "good" : "bad" },
        details(
          [
            code(roll.name),
            h("span", { class: "value" }, `${roll.value} of ${roll.sides}`),
            h(
              "span",
              { class: "sign" },
              right ? "✓" : "✗",
              h("span", { class: "unseen" }, right ? " right" : " wrong"),
            ),
            !right && h("span", { class: "bad" }, again ? `computed: ${again.value}` : "no such die"),
          ],
          again &&
            values(
              ["First 8 bytes of HMAC(K, name|counter), as a number", again.number],
              ["Counter", again.counter],
              [`Remainder by ${roll.sides}, plus 1`, again.value],
            ),
        ),
      ),
    );
  }
  const many = rows.length;
  found.push(
    many
      ? step(
          wrong ? "bad" : "good",
          many === 1 ? "The roll" : `The ${many} rolls`,
          wrong
            ? `${wrong} of ${many} ${wrong === 1 ? "is" : "are"} not what the key gives.${found.some((one) => one.state === "bad") ? " The key depends on the step above that is wrong." : ""}`
            : `${many === 1 ? "It is" : "Each is"} what the key gives for its name.`,
          h("ul", { class: "rolls" }, rows),
        )
      : step(
          "good",
          "No rolls",
          `Nothing was rolled in this ${what}. The commitment and the mix are still checked.`,
        ),
  );
  return found;
};

const FORESEEN =
  "This game is not sealed, and the secret comes from what its game.yaml says: anybody could compute K for any sheets before the turn was judged, and choose orders accordingly.";
const SHEETS = {
  one: "sheet",
  many: "sheets",
  when: "when the turn opened",
  value: "file’s SHA-256",
  why: "Every accepted sheet is mixed into the dice. Compare yours with the digest on its receipt.",
};
const NONCES = {
  one: "player’s number",
  many: "players’ numbers",
  when: "with the game",
  value: "player’s number",
  why: "Every player’s own number is mixed into the dice.",
};

const main = document.getElementById("check");
const live = document.getElementById("live");
let round = 0;

const page = (title, ...children) => {
  document.title = `${title} - Courtly`;
  main.replaceChildren(...children.flat(9).filter(Boolean));
};
const settle = (heading, moved, words) => {
  if (moved) {
    heading.setAttribute("tabindex", "-1");
    heading.focus();
  }
  live.textContent = words;
};

const askPage = (moved, fault = "", game = "", turn = "") => {
  const title = h("h1", {}, "Check the dice");
  const one = h("input", {
    id: "game",
    type: "text",
    value: game,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
  });
  const two = h("input", {
    id: "turn",
    type: "text",
    value: turn,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    "aria-describedby": "turn-hint",
  });
  page(
    "Check the dice",
    title,
    fault && h("p", { class: "note bad" }, fault),
    h(
      "p",
      { class: "lead" },
      "When a turn opens, the archive fixes a secret and shows its fingerprint. At the deadline all sheets are mixed in. So, in a sealed game, no player can predict the dice, and nobody can choose them afterwards.",
    ),
    h(
      "p",
      {},
      "This page computes a turn’s dice again in your browser, from what is published, and shows for each step whether it is right. ",
      h("a", { href: "dice.html" }, "How the dice work"),
      ".",
    ),
    h(
      "form",
      {
        class: "ask",
        submit: (event) => {
          event.preventDefault();
          const address = `#${one.value.trim().toLowerCase()}/${two.value.trim().toLowerCase()}`;
          if (location.hash === address) route(true);
          else location.hash = address;
        },
      },
      h("div", { class: "field" }, h("label", { for: "game" }, "Game"), one),
      h(
        "div",
        { class: "field" },
        h("label", { for: "turn" }, "Turn"),
        h("p", { class: "hint", id: "turn-hint" }, "As in the turn’s address, such as 001-spring-1901-movement."),
        two,
      ),
      h("p", {}, h("button", { type: "submit", class: "main" }, "Check")),
    ),
  );
  settle(title, moved, fault);
};

const proofPage = async (mine, proof, game, turn, moved) => {
  const found = [];
  if (proof.game !== game || proof.turn !== turn)
    found.push(step("bad", "The proof is for another turn", `It says ${proof.game}, ${proof.turn}.`));
  found.push(
    ...(await steps({
      game,
      turn,
      what: "turn",
      commitment: proof.commitment,
      secret: proof.secret,
      shares: proof.sheets,
      shareName: SHEETS,
      published: proof.digest ?? null,
      rolls: proof.rolls,
      foreseen: proof.foreseen === true,
    })),
  );
  const setup = proof.setup
    ? await steps({
        game,
        turn: "setup",
        what: "setup",
        commitment: proof.setup.commitment,
        secret: proof.setup.secret ?? null,
        shares: proof.setup.nonces,
        shareName: NONCES,
        published: undefined,
        rolls: proof.setup.rolls,
      })
    : [];
  if (mine !== round) return;
  const all = [...found, ...setup];
  const bad = all.filter(({ state }) => state === "bad");
  const open = all.some(({ state }) => state === "open");
  const [kind, words] = bad.length
    ? ["bad", `✗ The check failed. ${bad.length === 1 ? "One step is" : `${bad.length} steps are`} wrong.`]
    : open
      ? ["open", "Nothing is wrong so far. The secret is not published yet."]
      : ["good", "✓ Everything is right. The dice are the ones that the secret and the sheets give."];
  const title = h("h1", {}, "The dice of ", proof.phase ?? turn);
  page(
    `The dice of ${proof.phase ?? turn}`,
    h(
      "p",
      { class: "crumbs" },
      h("a", { href: "#" }, "Another turn"),
      " › ",
      h("a", { href: `games/${game}/${turn}/index.html` }, "The turn’s page"),
    ),
    title,
    proof.title && h("p", { class: "lead" }, proof.title),
    h("p", { class: `verdict ${kind}`, id: "verdict" }, words),
    proof.foreseen === true && h("p", { class: "note bad", id: "foreseen" }, "These dice could be foreseen. ", FORESEEN),
    h("h2", {}, "The turn"),
    h(
      "ol",
      { class: "steps", id: "turn-steps" },
      found.map(({ element }) => element),
    ),
    setup.length > 0 && [
      h("h2", {}, "The setup of the game"),
      h(
        "ol",
        { class: "steps", id: "setup-steps" },
        setup.map(({ element }) => element),
      ),
    ],
    h(
      "p",
      { class: "hint" },
      "Computed by your browser from ",
      h("a", { href: `games/${game}/${turn}/proof.json` }, "proof.json"),
      ". The archive’s turn.yaml says the same; courtly verify checks that, and judges the turn again.",
    ),
  );
  settle(title, moved, words);
};

const route = async (moved) => {
  const mine = ++round;
  let parts = [];
  try {
    parts = decodeURIComponent(location.hash.slice(1)).split("/");
  } catch {
    // Not an address of this site.
  }
  const [game = "", turn = ""] = parts;
  if (!game && !turn) return askPage(moved);
  if (!GAME.test(game) || !GAME.test(turn))
    return askPage(moved, "There is no such turn: both names have lowercase letters, digits and hyphens.", game, turn);
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle)
    return askPage(
      moved,
      "Your browser computes this only on a page that came over HTTPS, or from this machine itself. Open the page at its https:// address.",
      game,
      turn,
    );
  try {
    const answer = await fetch(`games/${game}/${turn}/proof.json`, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const proof = await answer.json();
    if (mine === round) await proofPage(mine, proof, game, turn, moved);
  } catch {
    if (mine === round) askPage(true, `Nothing to check was found for ${turn} of ${game}.`, game, turn);
  }
};

document.getElementById("stand-in").remove();
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // The address names the turn.
  document.getElementById("main").focus();
});
addEventListener("hashchange", () => {
  scrollTo(0, 0);
  route(true);
});
route(false);
