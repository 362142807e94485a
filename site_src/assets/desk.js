// The order desk (desk.html): a turn's sheet by tapping or typing, sealed in this browser, ready to be sent.
// The data's texts may come from strangers: elements are made one by one, never from markup. Nothing is fetched
// from elsewhere, and nothing is sent: the reader does that on GitHub.

const GAME = /^[a-z0-9][a-z0-9-]{0,79}$/;
const OWN_KEY = /^age1[02-9ac-hj-np-z]{58}$/;
const REPOSITORY = /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/;
const LONGEST_ADDRESS = 6000;
const LIMITS = {}; // What the archive takes in, and how it writes: `limits` of desk.json.
const CHOSEN = new Set(["choice", "several"]);
const WHOLE = /^-?\d{1,15}$/;
const KEY = /^[a-z][a-z0-9_]*$/;
const MISREAD = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/;

// Small things ------------------------------------------------------------------------------------------------------

const put = (element, options, children) => {
  for (const [key, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else if (key === "value" || key === "checked") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};
const h = (tag, options = {}, ...children) => put(document.createElement(tag), options, children);
const svg = (tag, options = {}, ...children) =>
  put(document.createElementNS("http://www.w3.org/2000/svg", tag), options, children);

const live = document.getElementById("live");
let saying = [];
/** Has a screen reader say something; what is said at once is joined. */
const say = (text) => {
  if (!saying.length) {
    live.textContent = "";
    setTimeout(() => {
      live.textContent = saying.join(" ");
      saying = [];
    }, 60);
  }
  saying.push(text);
};

const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
const listed = (words, last = "and") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
const small = () => matchMedia("(max-width: 999px)").matches;
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const show = (element, block = "nearest") => element.scrollIntoView({ block, behavior: calm() ? "auto" : "smooth" });

/** What this browser remembers; it may be told to remember nothing. */
const memory = {
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(`courtly-desk:${key}`));
    } catch {
      return null;
    }
  },
  write(key, value) {
    try {
      if (value === null) localStorage.removeItem(`courtly-desk:${key}`);
      else localStorage.setItem(`courtly-desk:${key}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};

const fetched = async (path) => {
  const answer = await fetch(path, { cache: "no-cache" });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

/** What helps to fill in a field, for below it; the words in backticks are as they are written in a sheet. */
const helpOf = (field, id) =>
  typeof field?.help === "string" &&
  h(
    "p",
    { class: "hint", id: `${id}-help` },
    field.help.split("`").map((text, index) => (index % 2 ? h("code", {}, text) : text)),
  );

/** One line, with single spaces. */
const tidy = (text) => text.replace(/\s+/gu, " ").trim();

/** Characters that a reader cannot see, by the archive's own table: it refuses them. */
const table = { kinds: {}, ranges: [], names: {} };
const loadTable = async () => {
  if (!table.ranges.length) Object.assign(table, await (await fetched("assets/unseen.json")).json());
};
const kindOf = (char) => {
  const code = char.codePointAt(0);
  const found = char !== "\n" && char !== "\t" && table.ranges.find(([, last]) => code <= last);
  return found && code >= found[0] ? found[2] : "";
};
/** What the archive would say of the first character of a text that nobody sees; empty if there is none. */
const unseenIn = (text) => {
  const lines = text.split("\n").map((line) => [...line]);
  for (const [row, line] of lines.entries())
    for (const [column, char] of line.entries()) {
      const kind = kindOf(char);
      if (!kind) continue;
      const number = char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      const name = table.names[number] ? ` ${table.names[number]}` : "";
      const place = `${lines.length > 1 ? `line ${row + 1}, ` : ""}character ${column + 1}`;
      return `${place}: ${table.kinds[kind]} (U+${number}${name}); remove it.`;
    }
  return "";
};
const seenOf = (text) => [...text].filter((char) => !kindOf(char)).join("");

// Reading orders ----------------------------------------------------------------------------------------------------

const LETTERS = "(?:\\p{L}\\p{M}*)+";
const TOKEN = new RegExp(`${LETTERS}(?:[.'’]${LETTERS})*\\.?|[-=]+>|[→–—⇒]|-+|[/()]|\\d+|\\S`, "gu");
const KIND = /^\p{Lu}$/u;

/** A word without case, accents, full stops and apostrophes. */
const plain = (word) =>
  word
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[\p{M}.'’]/gu, "");
const scan = (text) => [...text.matchAll(TOKEN)].map(([raw]) => ({ raw, word: plain(raw) || raw }));
const isWord = (word) => /^[\p{L}\p{N}]/u.test(word);

const likeness = (one, two) => {
  let row = Array.from({ length: two.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= two.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === two[j - 1] ? 0 : 1));
    row = next;
  }
  return 1 - row[two.length] / Math.max(one.length, two.length, 1);
};

/** Reads lines as people write them, by the game's own spellings, and knows the orders that are legal. */
class Notation {
  constructor(data, lines) {
    this.forms = data.lines ? new Forms(data.lines) : null;
    this.names = new Set(data.names);
    this.phrases = new Map(Object.entries(data.spelling));
    for (const name of data.names) {
      const words = scan(name)
        .map(({ word }) => word)
        .filter(isWord)
        .join(" ");
      if (!this.phrases.has(words)) this.phrases.set(words, name);
    }
    this.seats = new Set(data.seats.map(({ name }) => plain(name)));
    this.longest = Math.max(1, ...[...this.phrases.keys()].map((phrase) => phrase.split(" ").length));
    for (const line of lines)
      // What no spelling explains in a legal order is a word of its own, such as a number.
      for (const { given } of this.read(line).unknown)
        for (const { word, raw } of scan(given)) this.phrases.set(word, raw);
    this.options = lines.map((line) => this.option(line));
    this.legal = new Map(this.options.map((option) => [option.line, option]));
    this.kinds = new Set();
    this.units = new Map();
    this.owners = new Set();
    for (const { tokens, mentions, unit } of this.options) {
      const kind = this.names.has(tokens[0]) || KIND.test(tokens[0]) ? tokens[0] : tokens[1];
      if (KIND.test(kind ?? "")) this.kinds.add(kind);
      if (unit) this.units.set(mentions[0], unit);
      if (mentions.length) this.owners.add(mentions[0]);
    }
    this.aliases = new Map();
    for (const [phrase, token] of this.phrases) {
      if (!this.aliases.has(token)) this.aliases.set(token, []);
      this.aliases.get(token).push(phrase);
    }
  }

  /** An order, taken apart: its words, the places that it names, and the unit that it is for, if any. */
  option(line) {
    const { tokens } = this.read(line);
    const at = tokens.findIndex((token) => this.names.has(token));
    const leads = at === 0 || (at === 1 && KIND.test(tokens[0]));
    const coast = tokens[at + 1]?.startsWith("/") ? tokens[at + 1] : "";
    const unit = leads ? tokens.slice(0, at + 1).join(" ") + coast : null;
    return { line, tokens, mentions: tokens.filter((token) => this.names.has(token)), unit };
  }

  known(line) {
    return this.legal.get(line) ?? this.option(line);
  }

  /** The words of a line in the game's own spelling, and what in it cannot be read. */
  read(text) {
    const all = scan(text);
    let at = 0;
    if (/^\d+$/.test(all[0]?.raw) && /^[.)]$/.test(all[1]?.raw)) at = 2;
    const colon = all.findIndex(({ raw }) => raw === ":");
    if (
      colon > 0 &&
      this.seats.has(
        plain(
          all
            .slice(at, colon)
            .map(({ raw }) => raw)
            .join(" "),
        ),
      )
    )
      at = colon + 1;
    while (all.length > at && /^[;,.]$/.test(all.at(-1).raw)) all.pop();
    const tokens = [];
    const unknown = [];
    let opened = false;
    let last = null;
    while (at < all.length) {
      const { raw, word } = all[at];
      const found = (opened && this.coast(all, at)) || this.longestAt(all, at) || this.beginning(all, at);
      opened = raw === "(" || raw === "/";
      if (found?.token) {
        tokens.push(found.token);
        at = found.next;
      } else if (!found && (opened || raw === ")" || word === "the")) {
        at++;
      } else {
        const given = all
          .slice(at, found?.next ?? at + 1)
          .map((part) => part.raw)
          .join(" ");
        if (last === at && !found && isWord(word)) unknown.at(-1).given += ` ${given}`;
        else unknown.push({ given, several: found?.several ?? [] });
        tokens.push(given);
        at = found?.next ?? at + 1;
        last = at;
      }
    }
    for (const fault of unknown) if (!fault.several.length) fault.near = this.nearest(fault.given);
    return { tokens, unknown, text: tokens.join(" ").replaceAll(" /", "/") };
  }

  coast(all, at) {
    const token = this.phrases.get(`${all[at].word} coast`);
    if (!token?.startsWith("/")) return null;
    return { token, next: at + (all[at + 1]?.word === "coast" ? 2 : 1) };
  }

  longestAt(all, at) {
    const words = [];
    let best = null;
    let joined = false;
    for (let end = at; end < all.length && words.length < this.longest; end++) {
      if (all[end].raw === "-" && words.length) {
        joined = true; // Hyphens inside a name are optional.
        continue;
      }
      words.push(all[end].word);
      const token = this.phrases.get(words.join(" "));
      if (token !== undefined && (!joined || this.names.has(token))) best = { token, next: end + 1 };
    }
    return best;
  }

  /** The place whose name begins with the next words, if they are unmistakable. */
  beginning(all, at) {
    for (let size = 3; size > 0; size--) {
      const words = all.slice(at, at + size).map(({ word }) => word);
      if (words.length < size || !words.every((word) => /^\p{L}/u.test(word)) || words.join("").length < 3) continue;
      const fits = new Set();
      for (const [phrase, token] of this.phrases) {
        const parts = phrase.split(" ");
        if (this.names.has(token) && words.every((word, index) => parts[index]?.startsWith(word))) fits.add(token);
      }
      if (fits.size === 1) return { token: [...fits][0], next: at + size };
      if (fits.size) return { several: [...fits].sort(), next: at + size };
    }
    return null;
  }

  nearest(given) {
    const wanted = scan(given)
      .map(({ word }) => word)
      .join(" ");
    let best = null;
    let most = 0.55;
    for (const [phrase, token] of this.phrases) {
      const score = phrase.length > 2 ? likeness(wanted, phrase) : 0;
      if (score > most) [best, most] = [this.names.has(token) ? token : phrase, score];
    }
    return best;
  }

  /** The legal orders that a read line can mean, where kinds, coasts or arrows are left out, or words are turned round. */
  meant({ tokens, text }) {
    if (this.legal.has(text)) return [this.legal.get(text)];
    const loose = (arrows) =>
      this.options.filter((option) => {
        let at = 0;
        for (const [index, token] of option.tokens.entries()) {
          const kind = this.kinds.has(token) && option.tokens[index + 1] === tokens[at];
          if (token === tokens[at]) at++;
          else if (!kind && !token.startsWith("/") && !(arrows && token === "-")) return false;
        }
        return at === tokens.length;
      });
    for (const found of [loose(false), loose(true)]) if (found.length) return found;
    const bag = [...tokens].sort().join("|");
    const places = tokens.filter((token) => this.names.has(token)).join("|");
    return this.options.filter((o) => [...o.tokens].sort().join("|") === bag && o.mentions.join("|") === places);
  }

  /** Legal orders that what is typed so far may become. */
  suggestions(text, most = 8) {
    const words = scan(text)
      .map(({ word }) => word)
      .filter(isWord);
    if (!words.length) return [];
    const whole = this.read(text);
    const head = this.read(text.trimEnd().replace(/[\p{L}\p{M}\p{N}]+$/u, ""));
    const tail = words.at(-1);
    const after = (tokens, wanted) => {
      let at = 0;
      for (const token of wanted) {
        at = tokens.indexOf(token, at) + 1;
        if (!at) return -1;
      }
      return at;
    };
    const spelled = (option) => {
      let at = 0;
      for (const { word } of scan(option.line)) if (at < words.length && word.startsWith(words[at])) at++;
      return at === words.length;
    };
    const begun = (option) => {
      if (head.unknown.length) return false;
      const at = after(option.tokens, head.tokens);
      if (at < 0) return false;
      return option.tokens.slice(at).some((token) => this.aliases.get(token)?.some((alias) => alias.startsWith(tail)));
    };
    const ranked = [];
    for (const [index, option] of this.options.entries()) {
      const full = !whole.unknown.length && after(option.tokens, whole.tokens) >= 0;
      if (full || spelled(option) || begun(option))
        ranked.push([
          full ? (option.line === whole.text ? 0 : 1) : spelled(option) ? 2 : 3,
          option.tokens.length,
          index,
          option.line,
        ]);
    }
    ranked.sort((one, two) => one[0] - two[0] || one[1] - two[1] || one[2] - two[2]);
    return ranked.slice(0, most).map((entry) => entry[3]);
  }

  /** What single letters in these orders stand for, by the longest word that begins with them: S, supports. */
  letters(options) {
    const used = new Set(
      options.flatMap(({ tokens }) => tokens.filter((token) => KIND.test(token) && !this.kinds.has(token))),
    );
    return [...used].flatMap((letter) => {
      const words = (this.aliases.get(letter) ?? []).filter(
        (word) => word.startsWith(letter.toLowerCase()) && word.length > 2,
      );
      return words.length ? [[letter, words.sort((one, two) => two.length - one.length)[0]]] : [];
    });
  }

  /** What is wrong with a line, as far as the desk can know; empty if nothing is. */
  faultOf(line) {
    if (this.legal.has(line)) return "";
    return this.forms ? (this.forms.read(line).fault?.words ?? "") : "Not among the orders that are legal now.";
  }

  /** The place of the unit that a line is for; null for lines that are for none, such as builds. */
  unitOf(line) {
    if (this.forms && !this.legal.has(line)) return null; // Any number of orders may be about one place.
    const { mentions, unit } = this.known(line);
    const own = unit || (this.legal.has(line) && this.units.has(mentions[0])); // A retreating unit may be disbanded.
    return mentions.length && own ? mentions[0] : null;
  }

  /** The legal orders that name these places, in this order; the first is the unit's own, unless none is there. */
  naming(places) {
    return this.options.filter(({ mentions }) => {
      let at = 0;
      for (const [index, place] of places.entries()) {
        if (!index && this.owners.has(place) && mentions[0] !== place) return false;
        at = mentions.indexOf(place, at) + 1;
        if (!at) return false;
      }
      return true;
    });
  }
}

// Reading orders by their forms ---------------------------------------------------------------------------------------

const OPEN = /\{(\w+)\}/u;
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
const begins = (text, start) => text.toLowerCase().startsWith(start.toLowerCase());

/**
 * Reads lines by the forms of orders, where what is legal is not known to everybody: `Tax {resource} at {estate}`.
 * It reads as the game does (adjudicator/core/contract/lines.py); a blank that is still open stands for itself.
 */
class Forms {
  constructor({ forms, blanks }) {
    this.groups = Object.entries(forms);
    this.shown = this.groups.flatMap(([, some]) => some);
    this.blanks = new Map(Object.entries(blanks));
    const spelt = (words) => new Map(words.map((word) => [word.toLowerCase(), word]));
    this.words = new Map([...this.blanks].map(([name, { words = [] }]) => [name, spelt(words)]));
    const own = (form) => form.replace(/\{\w+\}/gu, "").length;
    this.forms = [...this.shown].sort((one, two) => own(two) - own(one)); // The closest first.
    this.patterns = new Map();
  }

  /** The blanks of a line that are still to be filled in. */
  open(line) {
    return [...line.matchAll(/\{(\w+)\}/gu)].filter(([, name]) => this.blanks.has(name)).map(([, name]) => name);
  }

  pattern(form) {
    if (!this.patterns.has(form)) {
      const parts = form.split(OPEN).map((part, index) => (index % 2 ? "(.+?)" : escaped(part)));
      this.patterns.set(form, new RegExp(`^${parts.join("")}$`, "iu"));
    }
    return this.patterns.get(form);
  }

  /** A line as an order, or what is wrong with it. */
  read(text) {
    const line = text.replace(/[.;]+$/, "");
    let fault = null;
    for (const form of this.forms) {
      const found = this.fit(form, this.says(form) ? text : line); // What one says stays as it is.
      if (found?.text) return { line: found.text, fault: null };
      // Of several forms the one is meant of which the least is wrong.
      if (found && (!fault || found.fault.given.length < fault.given.length)) fault = found.fault;
    }
    return { line: text, fault: fault ?? this.formless(line) };
  }

  /** Whether a form has a blank for any text. */
  says(form) {
    return this.open(form).some((name) => {
      const { words, forms, shape, of } = this.blanks.get(name);
      return !words?.length && !forms?.length && !shape && !of;
    });
  }

  /** A form filled by a line, or what is wrong in a blank; null if the line has another form. */
  fit(form, line) {
    const match = this.pattern(form).exec(line);
    if (!match) return null;
    const parts = form.split(OPEN);
    for (let index = 1; index < parts.length; index += 2) {
      const found = this.fill(parts[index], match[(index + 1) / 2]);
      if (found.fault) return found;
      parts[index] = found.text;
    }
    return { text: parts.join("") };
  }

  /** What stands in a blank, as the game writes it, or what is wrong with it. */
  fill(name, given) {
    const text = given.trim();
    const blank = this.blanks.get(name) ?? {};
    if (text === `{${name}}`) return { text };
    if (blank.of) return this.several(blank, text);
    const known = this.words.get(name);
    const low = text.toLowerCase();
    const word = known?.get(low) ?? known?.get(low.replace(/s$/, "")) ?? known?.get(`${low}s`);
    if (word !== undefined) return { text: word };
    if (blank.shape && new RegExp(`^(?:${blank.shape})$`, "u").test(text.toUpperCase()))
      return { text: text.toUpperCase() };
    let fault = null;
    for (const form of blank.forms ?? []) {
      const found = this.fit(form, text);
      if (found?.text) return found;
      fault ??= found?.fault;
    }
    if (fault) return { fault };
    return blank.words || blank.shape || blank.forms ? { fault: this.strange(name, blank, text) } : { text: given };
  }

  /** Some of another blank, which may be counted. */
  several(blank, given) {
    const parts = [];
    for (const part of given.split(new RegExp(blank.between, "iu")).map((one) => one.trim())) {
      const match = new RegExp(`^(?:(${blank.number ?? "(?!)"}) )?(.+)$`, "u").exec(part);
      if (!match || (blank.number && !blank.bare && match[1] === undefined)) {
        const right = blank.such ? `, ${blank.such.replaceAll("`", "")}` : "";
        const what = part ? `“${part}” is not understood` : `There is no ${blank.of} before or after a comma`;
        return { fault: { given: part, words: `${what}${right}.` } };
      }
      const found = this.fill(blank.of, match[2]);
      if (found.fault) return found;
      parts.push(match[1] === undefined ? found.text : `${match[1]} ${found.text}`);
    }
    return { text: parts.join(", ") };
  }

  /** What is wrong with a word that a blank does not know. */
  strange(name, { words = [], such }, given) {
    if (such) return { given, words: `“${given}” is no ${name}; ${such.replaceAll("`", "")}.` };
    const near = this.closest(given, words);
    const all = words.length <= LIMITS.words;
    const known =
      all || !near ? ` ${all ? "Known are" : "Such as"} ${listed(words.slice(0, LIMITS.words))}.` : "";
    return { given, near, words: `No ${name} is called “${given}”.${near ? ` Did you mean ${near}?` : ""}${known}` };
  }

  closest(given, words) {
    const scored = words.map((word) => [likeness(given.toLowerCase(), word.toLowerCase()), word]);
    return scored.filter(([score]) => score > 0.55).sort((one, two) => two[0] - one[0])[0]?.[1] ?? null;
  }

  /** What is wrong with a line that has none of the forms: those that begin as it does, or nearly so. */
  formless(line) {
    const [given] = line.split(" ");
    const heads = [...new Set(this.shown.map((form) => form.split(" ")[0]))];
    const head = heads.find((one) => one.toLowerCase() === given.toLowerCase());
    const near = head ? null : this.closest(given, heads);
    const what = `“${line}” has no form of an order of this turn.`;
    if (!head && !near) return { given: line, words: what };
    const alike = this.shown
      .filter((form) => form.split(" ")[0] === (head ?? near))
      .sort((one, two) => likeness(line, two) - likeness(line, one))
      .slice(0, 3);
    return { given, near, words: `${what} Did you mean ${listed(alike, "or")}?` };
  }

  /** How a line may go on from what is written of it: forms, with as much filled in as there is. */
  suggestions(text, most = 8) {
    const found = new Set();
    for (const form of this.shown) {
      this.goOn(form.split(OPEN), 0, text, "", found);
      if (found.size >= most) break;
    }
    return [...found].slice(0, most);
  }

  goOn(parts, at, rest, done, found) {
    const written = (from) =>
      parts
        .slice(from)
        .map((part, index) => ((from + index) % 2 ? `{${part}}` : part))
        .join("");
    const part = parts[at];
    if (at % 2 === 0) {
      if (begins(rest, part) && at + 1 < parts.length)
        this.goOn(parts, at + 1, rest.slice(part.length), done + part, found);
      else if (begins(part, rest)) found.add(done + written(at));
      return;
    }
    const next = parts[at + 1];
    const low = rest.toLowerCase();
    // The blank may be full, and what follows it begun.
    for (let cut = 1; next && cut < rest.length; cut++) {
      const tail = low.slice(cut);
      if (!begins(next, tail) && !begins(tail, next)) continue;
      const { text } = this.fill(part, rest.slice(0, cut));
      if (text) this.goOn(parts, at + 1, rest.slice(cut), done + text, found);
    }
    const blank = this.blanks.get(part) ?? {};
    const inner = this.blanks.get(blank.of) ?? blank;
    const before = blank.of
      ? new RegExp(`^(?:.*(?:${blank.between})\\s*)?(?:(?:${blank.number ?? "(?!)"}) )?`, "iu").exec(rest)[0]
      : "";
    const last = rest.slice(before.length);
    const head = blank.of && new RegExp(`^(.*)(?:${blank.between})`, "iu").exec(rest)?.[1];
    if (typeof head === "string" && !this.fill(part, head).text) return;
    const choices = [...(inner.words ?? []), ...(inner.forms ?? [])].filter((word) => begins(word, last));
    if (before && !choices.length && !last) return;
    const whole = rest && this.fill(part, rest).text;
    if (whole) found.add(done + whole + written(at + 1));
    else if (!rest) found.add(done + written(at));
    for (const word of choices.slice(0, 8)) found.add(done + before + word + written(at + 1));
  }
}

// The map -----------------------------------------------------------------------------------------------------------

const SHAPES = new Set(
  (
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc marker pattern clipPath " +
    "mask linearGradient radialGradient stop"
  ).split(" "),
);

/** A picture of ours as an element: nothing that could act, and its style as a sheet of its own. */
const picture = (source) => {
  let rules = "";
  // Taken out before it is read: the page's policy forbids inline styles, even in what is only parsed.
  const bare = source.replace(/<style\b[^>]*>(?:<!\[CDATA\[)?([\s\S]*?)(?:\]\]>)?<\/style>/g, (_, text) => {
    rules += text;
    return "";
  });
  const root = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  if (root.localName !== "svg" || root.querySelector("parsererror")) throw new Error("no picture");
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (!SHAPES.has(element.localName)) {
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) {
      const link = /(^|:)href$/i.test(name);
      const acts = /^on/i.test(name) || name === "style" || (link && !value.startsWith("#"));
      if (acts || (/url\(/i.test(value) && !/^url\(#[\w-]+\)$/.test(value))) element.removeAttribute(name);
    }
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [sheet];
  return document.importNode(root, true);
};

/** The map that is tapped: it shows the places chosen, where an order can go on, and the orders written. */
class Board {
  constructor(source, seat, notation, choose) {
    this.picture = picture(source);
    this.notation = notation;
    this.regions = new Map();
    this.spots = new Map();
    for (const region of this.picture.querySelectorAll("[data-region]")) {
      const name = region.dataset.region;
      this.regions.set(name, [...(this.regions.get(name) ?? []), region]);
      if (!region.querySelector("title")) region.append(svg("title", {}, name));
    }
    // A unit that stands over a border is tapped for the place where it stands.
    for (const title of this.picture.querySelectorAll("g > title")) {
      const [, owner, unit] = /^([^:]*): (.*)$/s.exec(title.textContent) ?? [];
      const place = unit && notation.read(unit).tokens.find((token) => notation.names.has(token));
      const spot = /translate\(\s*(-?[\d.]+)[ ,]+(-?[\d.]+)/.exec(title.parentNode.getAttribute("transform") ?? "");
      if (!place || !spot) continue;
      title.parentNode.dataset.region = place;
      if (owner === seat || !this.spots.has(place)) this.spots.set(place, [Number(spot[1]), Number(spot[2])]);
    }
    const box = this.picture.viewBox.baseVal;
    this.size = [box.width || 1, box.height || 1];
    // Places are marked below names and units, orders are drawn above them.
    this.under = svg("g", { class: "marks", "aria-hidden": "true" });
    this.marks = svg("g", { class: "marks", "aria-hidden": "true" });
    [...this.picture.children].findLast((child) => child.matches("path[data-region]"))?.after(this.under);
    this.picture.append(this.marks);
    this.picture.addEventListener("click", (event) => {
      const place = event.target.closest("[data-region]")?.dataset.region;
      if (place) choose(place);
    });
    this.zoom = 1;
    this.view = h("div", {
      class: "view",
      tabindex: "0",
      role: "group",
      "aria-label": "The map, which scrolls. Everything can be done without it, below.",
    });
    this.view.append(this.picture);
    this.view.style.aspectRatio = `${this.size[0]} / ${this.size[1]}`;
    const button = (text, label, act) =>
      h("button", { type: "button", class: "quiet", "aria-label": label, click: act }, text);
    this.element = h(
      "div",
      { class: "map" },
      this.view,
      h(
        "div",
        { class: "zoom", role: "group", "aria-label": "Size of the map" },
        button("−", "Smaller map", () => this.scale(this.zoom / 1.5)),
        button("+", "Larger map", () => this.scale(this.zoom * 1.5)),
        button("My units", "Show my units", () => this.frame()),
        button("All", "Show the whole map", () => this.scale(1)),
      ),
    );
  }

  scale(zoom, centre = null) {
    const { view } = this;
    const [x, y] = centre ?? [
      (view.scrollLeft + view.clientWidth / 2) / view.scrollWidth,
      (view.scrollTop + view.clientHeight / 2) / view.scrollHeight,
    ];
    this.zoom = Math.min(5, Math.max(1, zoom));
    this.picture.style.width = `${this.zoom * 100}%`;
    view.scrollLeft = x * view.scrollWidth - view.clientWidth / 2;
    view.scrollTop = y * view.scrollHeight - view.clientHeight / 2;
  }

  /** Fills the view with the seat's units and what lies around them. */
  frame() {
    const [width, height] = this.size;
    const boxes = [...this.notation.owners].map((place) => this.spot(place)).filter(Boolean);
    if (!boxes.length) return;
    const pad = width * 0.13;
    const left = Math.max(0, Math.min(...boxes.map(([x]) => x)) - pad);
    const right = Math.min(width, Math.max(...boxes.map(([x]) => x)) + pad);
    const top = Math.max(0, Math.min(...boxes.map(([, y]) => y)) - pad);
    const bottom = Math.min(height, Math.max(...boxes.map(([, y]) => y)) + pad);
    this.scale(Math.min(3, width / (right - left), height / (bottom - top)), [
      (left + right) / 2 / width,
      (top + bottom) / 2 / height,
    ]);
  }

  /** Where an arrow to or from a place begins and ends: at its unit, or well inside its largest shape. */
  spot(place) {
    if (this.spots.has(place)) return this.spots.get(place);
    const shape = this.regions.get(place)?.[0];
    if (!shape?.isPointInFill) return null;
    const box = shape.getBBox();
    const steps = 16;
    const inside = [];
    const outside = [];
    for (let i = 0; i <= steps; i++)
      for (let j = 0; j <= steps; j++) {
        const point = new DOMPoint(box.x + (box.width * i) / steps, box.y + (box.height * j) / steps);
        const edge = !i || !j || i === steps || j === steps;
        (!edge && shape.isPointInFill(point) ? inside : outside).push([point.x, point.y]);
      }
    const room = ([x, y]) => Math.min(...outside.map(([u, v]) => Math.hypot(x - u, y - v)));
    const best = inside.map((point) => [room(point), point]).sort((one, two) => two[0] - one[0])[0];
    const found = best ? best[1] : [box.x + box.width / 2, box.y + box.height / 2];
    this.spots.set(place, found);
    return found;
  }

  /** Draws what is chosen, what could be chosen next, and the orders so far. */
  mark(chosen, next, orders) {
    this.under.replaceChildren();
    this.marks.replaceChildren();
    const outline = (place, kind) => {
      for (const shape of this.regions.get(place) ?? []) {
        const copy = shape.cloneNode(false);
        copy.removeAttribute("data-region");
        copy.setAttribute("class", kind);
        this.under.append(copy);
      }
    };
    for (const place of next) outline(place, "next");
    for (const place of chosen) outline(place, "chosen");
    for (const line of orders) {
      const { mentions } = this.notation.known(line);
      const spots = mentions.map((place) => this.spot(place));
      if (spots.length && spots.every(Boolean)) this.arrow(spots);
    }
  }

  arrow(spots) {
    const from = spots[0];
    let to = spots.at(-1);
    if (spots.length > 2) to = [(spots[1][0] + to[0]) / 2, (spots[1][1] + to[1]) / 2];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1) {
      this.marks.append(svg("circle", { class: "halo", cx: from[0], cy: from[1], r: 32 }));
      this.marks.append(svg("circle", { class: "order", cx: from[0], cy: from[1], r: 32 }));
      return;
    }
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const start = [from[0] + ux * 26, from[1] + uy * 26];
    const head = ([x, y]) =>
      `M${x - ux * 17 - uy * 11} ${y - uy * 17 + ux * 11}L${x} ${y}L${x - ux * 17 + uy * 11} ${y - uy * 17 - ux * 11}`;
    const shape = `M${start[0]} ${start[1]}L${to[0]} ${to[1]}`;
    const aid = spots.length > 2;
    this.marks.append(svg("path", { class: "halo", d: aid ? shape : shape + head(to) }));
    this.marks.append(svg("path", { class: aid ? "order aid" : "order", d: aid ? shape : shape + head(to) }));
  }
}

// Sheets and seals --------------------------------------------------------------------------------------------------

const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const keyOf = (key) => (KEY.test(key) && !MISREAD.test(key) ? key : JSON.stringify(key));

/** A value as YAML on one line, in JSON's strings, which are YAML's as well. */
const inLine = (value) => {
  if (Array.isArray(value)) return `[${value.map(inLine).join(", ")}]`;
  if (!isTable(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${keyOf(key)}: ${inLine(one)}`)
    .join(", ")}}`;
};

/** The lines of a sheet as YAML; within its values (`inner`) what is short stays on one line. */
const sheetLines = (sheet, pad = "", inner = false) =>
  Object.entries(sheet).flatMap(([key, value]) => {
    const head = `${pad}${keyOf(key)}:`;
    const line = `${head} ${inLine(value)}`;
    if (typeof value !== "object" || !Object.keys(value).length || (inner && line.length <= LIMITS.line)) return [line];
    if (isTable(value)) return [head, ...sheetLines(value, `${pad}  `, true)];
    return [head, ...value.flatMap((one) => entryLines(one, pad))];
  });

const entryLines = (value, pad) => {
  const line = `${pad}- ${inLine(value)}`;
  if (!isTable(value) || line.length <= LIMITS.line) return [line];
  const [first, ...rest] = sheetLines(value, `${pad}  `, true);
  return [`${pad}- ${first.trimStart()}`, ...rest];
};

// Fields ------------------------------------------------------------------------------------------------------------
// A field's value in a draft is as it was typed or ticked; a record's is its fields' values by their keys.

/** The fields that a record has by its form, each with whether it must be filled. */
const askedOf = (field, held) => {
  const named = field.fields.find(({ key }) => key === field.by);
  const form = named && (held[field.by] ?? named.default);
  const blanks = Object.hasOwn(field.forms ?? {}, form ?? "") ? field.forms[form] : {};
  return field.fields
    .filter((part) => !named || part === named || Object.hasOwn(blanks, part.key))
    .map((part) => [part, part.must === true || blanks[part.key] === true]);
};

/** A draft's entries of a list of records, and as many empty ones as it must have. */
const entriesOf = ({ must, least = 0, most = 100 }, value) => {
  const found = (Array.isArray(value) ? value : []).filter(isTable).slice(0, most);
  while (must && found.length < least) found.push({});
  return found;
};

const isBegun = (value) => isTable(value) && Object.keys(value).length > 0;

const recordOf = (field, value) => {
  const held = isTable(value) ? value : {};
  const pairs = askedOf(field, held).map(([part]) => [part.key, told(part, held[part.key])]);
  return Object.fromEntries(pairs.filter(([, one]) => one !== undefined));
};

/** What a field's value in a draft stands for; undefined if that is nothing. */
const givenOf = (field, value) => {
  const { kind, choices = [], rows = {}, must, least = 0, most = 100 } = field;
  const some = (list) => (list.length || (must && !least) ? list : undefined);
  if (kind === "flag") return typeof value === "boolean" ? value : field.default === true;
  if (kind === "answer") return typeof value === "boolean" ? value : undefined;
  if (kind === "several") return some(choices.filter((one) => Array.isArray(value) && value.includes(one)));
  if (kind === "records") return some(entriesOf(field, value).map((one) => recordOf(field, one)));
  if (kind === "record") {
    const found = must || isBegun(value) ? recordOf(field, value) : {};
    return Object.keys(found).length || must ? found : undefined;
  }
  if (kind === "table") {
    const kept = Object.entries(rows).filter(([name, offers]) => isTable(value) && offers.includes(value[name]));
    return kept.length ? Object.fromEntries(kept.map(([name]) => [name, value[name]])) : undefined;
  }
  const text = typeof value === "string" ? value : "";
  if (kind === "lines") return some(text.split("\n").map(tidy).filter(Boolean).slice(0, most));
  if (kind === "number") return WHOLE.test(text) ? Number(text) : undefined;
  if (kind === "choice") return choices.includes(text) ? text : undefined;
  return kind === "text" ? tidy(text) || undefined : undefined;
};

/** What a sheet says of a field: nothing of what is left as it is. */
const told = (field, value) => {
  const found = givenOf(field, value);
  const start = field.default ?? (field.kind === "flag" ? false : undefined);
  return found === start && !field.must ? undefined : found;
};

/** The first thing in a field that is missing, or that the archive would not read: where it is, and what to say. */
const faultOf = (field, value, id, must = field.must === true, trail = []) => {
  const { kind, label, least, most } = field;
  const fault = (words) => ({ id, here: `${label}: ${words}`, words: `${[...trail, label].join(" › ")}: ${words}` });
  const within = (held, at, path) => {
    for (const [part, needed] of askedOf(field, held)) {
      const found = faultOf(part, held[part.key], `${at}-${part.key}`, needed, [...trail, ...path]);
      if (found) return found;
    }
    return null;
  };
  if (kind === "record") {
    const found = (must || isBegun(value)) && within(isTable(value) ? value : {}, id, [label]);
    if (found) return found;
  }
  const found = givenOf(field, value);
  if (kind === "records")
    for (const [index, one] of entriesOf(field, value).entries()) {
      const wrong = within(one, `${id}-${index}`, [`${label}, ${field.entry} ${index + 1}`]);
      if (wrong) return wrong;
    }
  const unseen = (kind === "lines" || kind === "text") && typeof value === "string" ? unseenIn(value) : "";
  if (unseen) return fault(unseen);
  if (Array.isArray(found) && found.length < (least ?? 0)) return fault(`${least} are needed.`);
  if (kind === "number" && typeof value === "string" && value) {
    const right = found !== undefined && found >= (least ?? found) && found <= (most ?? found);
    const bounds = [least !== undefined && `from ${least}`, most !== undefined && `to ${most}`].filter(Boolean);
    if (!right) return fault(`${["write a whole number", ...bounds].join(" ")}.`);
  }
  if (!must || told(field, value) !== undefined) return null;
  return fault(CHOSEN.has(kind) ? "nothing is chosen yet." : "nothing is written yet.");
};

const envelopeText = (data, seat, number, sheet) => {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)));
  const named = { archive: data.archive, game: data.game, turn: data.turn, attempt: data.attempt, seat: seat.name };
  const lines = Object.entries(named)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  if (seat.account !== null && seat.account !== undefined) lines.push(`account: ${seat.account}`);
  lines.push(`sequence: ${number}`, `nonce: ${JSON.stringify(nonce)}`);
  const inner = sheetLines(sheet, "  ");
  return [...lines, ...(inner.length ? ["sheet:", ...inner] : ["sheet: {}"])].join("\n") + "\n";
};

// How long a sealed text is made, so that its length tells nothing: of these widths the least that holds so many bytes.
const lengthFor = ({ step, least, most }, bytes) => {
  const length = Math.max(least, Math.ceil(bytes / step) * step);
  if (length > most) throw new Fault(`The sheet is too long: sealed, it has ${bytes} bytes, and ${most} are allowed.`);
  return length;
};

const commented = (bytes, width) => {
  const length = lengthFor(width, bytes.length + 3);
  return new Uint8Array([...bytes, 10, 35, ...new Array(length - bytes.length - 3).fill(46), 10]);
};

// A gzip member with a comment in its header that makes it as long as all sheets of the turn (RFC 1952: flag 16).
const packed = async (bytes, width) => {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const member = new Uint8Array(await new Response(stream).arrayBuffer());
  const body = member.subarray(10);
  const found = new Uint8Array(lengthFor(width, body.length + 11)).fill(46);
  found.set([31, 139, 8, 16, 0, 0, 0, 0, 0, 255]);
  found.set([0, ...body], found.length - body.length - 1);
  return found;
};

// An older browser cannot compress; then the text goes as it is, and has less room.
const fitted = (text, width) => {
  const bytes = new TextEncoder().encode(text);
  return width.packs && typeof CompressionStream === "function" ? packed(bytes, width) : commented(bytes, width);
};

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const digestOf = async (text) =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));

const sealed = async (bytes, keys) => {
  const { Encrypter, armor } = await import("./age-encryption.js");
  const encrypter = new Encrypter();
  for (const key of keys) {
    try {
      encrypter.addRecipient(key);
    } catch {
      throw new Fault(`${key.slice(0, 20)}… is no age key. Copy it again: one letter of it is wrong.`);
    }
  }
  return armor.encode(await encrypter.encrypt(bytes));
};

/** Something that the reader can mend, in words for the reader. */
class Fault extends Error {}

// Pages -------------------------------------------------------------------------------------------------------------

const main = document.getElementById("desk");
let round = 0; // Every way to another page counts up: what an older one still fetches is not shown.
let leave = () => {}; // What the page that is shown does when it goes.

const page = (title, ...children) => {
  leave();
  leave = () => {};
  document.title = `${title} - Courtly`;
  main.replaceChildren(...children.flat(9).filter(Boolean));
};

/** Moves the reader's place to a heading, so that a keyboard and a screen reader go on from there. */
const focusOn = (element) => {
  if (!element.hasAttribute("tabindex") && !/^(A|BUTTON|INPUT|TEXTAREA|SELECT)$/.test(element.tagName))
    element.setAttribute("tabindex", "-1");
  element.focus({ preventScroll: true });
};

const parts = () => {
  try {
    return decodeURIComponent(location.hash.slice(1)).split("/");
  } catch {
    return [""];
  }
};

const route = async (moved) => {
  const mine = ++round;
  const [game, file] = parts();
  if (!game) return startPage(mine, moved);
  try {
    if (!GAME.test(game)) throw new Error("404");
    const data = await (await fetched(`games/${game}/desk.json`)).json();
    await loadTable();
    if (mine !== round) return;
    if (data.schema !== 1) throw new Error("another schema");
    Object.assign(LIMITS, data.limits);
    for (const one of data.seats) one.form = data.forms[one.form];
    const seat = data.seats.find((one) => one.file === file);
    if (!seat) return seatsPage(data, file, moved);
    const map = await fetched(`games/${game}/desk.svg`).then(
      (answer) => answer.text(),
      () => "",
    );
    if (mine === round) deskPage(data, seat, map, moved);
  } catch (error) {
    const none = `No running game is called “${game.slice(0, 80)}” here.`;
    const other = "The game could not be loaded. Look whether you are online, and try again.";
    if (mine === round) startPage(mine, true, error.message === "404" ? none : other);
  }
};

const startPage = async (mine, moved, fault = "") => {
  const title = h("h1", {}, "Order desk");
  const lead = h(
    "p",
    { class: "lead" },
    "Write your orders for a turn, seal them in this browser, and send them. Choose your game.",
  );
  let games = [];
  try {
    const found = await (await fetched("games/desks.json")).json();
    games = found.filter(({ game }) => GAME.test(game));
  } catch {
    // An archive without the list: its games can be named.
  }
  if (mine !== round) return;
  const input = h("input", {
    id: "game",
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
  });
  const hint = "As in the address of its page: games/NAME.";
  const ask = h(
    "form",
    {
      class: "ask",
      submit: (event) => {
        event.preventDefault();
        if (input.value.trim()) location.hash = encodeURIComponent(input.value.trim().toLowerCase());
      },
    },
    h("label", { for: "game" }, "The game’s name"),
    h("p", { class: "hint", id: "game-hint" }, hint),
    h("div", { class: "line" }, input, h("button", { type: "submit", class: "main" }, "Open")),
  );
  input.setAttribute("aria-describedby", "game-hint");
  const cards = games.map(({ game, title: name, phase }) =>
    h("li", {}, h("a", { class: "card", href: `#${game}` }, h("strong", {}, name), h("span", {}, phase))),
  );
  page(
    "Order desk",
    title,
    fault && h("p", { class: "note bad" }, fault),
    lead,
    games.length ? h("ul", { class: "cards" }, cards) : ask,
    games.length > 0 &&
      fault === "" &&
      h("p", {}, "Not there? A game that has ended, or waits for its host, has no desk."),
  );
  if (moved) focusOn(title);
  if (fault) say(fault);
};

const gameHead = (data) => {
  const crumbs = h(
    "p",
    { class: "crumbs" },
    h("a", { href: "#" }, "All desks"),
    " › ",
    h("a", { href: `games/${data.game}/index.html` }, "The game’s page"),
  );
  return [crumbs, h("h1", {}, data.title)];
};

const deadline = (data) => {
  const notes = [];
  if (data.paused) notes.push(h("p", { class: "note" }, "The game is paused. The host has stopped the clock."));
  const time = data.deadline ? new Date(data.deadline) : null;
  if (!time || Number.isNaN(Number(time)))
    return [
      h("p", { class: "facts" }, h("strong", {}, data.phase), " · no deadline: the host judges when ready"),
      notes,
    ];
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || "here";
  const day = { weekday: "long", day: "numeric", month: "long", hour: "2-digit", minute: "2-digit" };
  const here = new Intl.DateTimeFormat("en-GB", day).format(time);
  const there = new Intl.DateTimeFormat("en-GB", { ...day, weekday: "short", month: "short", timeZone: "UTC" }).format(
    time,
  );
  const minutes = Math.round((Number(time) - Date.now()) / 60000);
  const left =
    minutes >= 2880
      ? `in ${Math.floor(minutes / 1440)} days`
      : minutes >= 120
        ? `in ${Math.floor(minutes / 60)} hours`
        : `in ${count(Math.max(minutes, 1), "minute")}`;
  const past = minutes <= 0;
  const said = past ? "" : `, ${left}`;
  const facts = h(
    "p",
    { class: "facts" },
    h("strong", {}, data.phase),
    " · deadline ",
    h("time", { datetime: data.deadline }, here),
    ` your time${zone === "UTC" ? " (UTC)" : ` (${zone.replaceAll("_", " ")}; ${there} UTC)`}${said}`,
  );
  if (past)
    notes.push(h("p", { class: "note bad" }, "The deadline is past. A sheet that you send now may come too late."));
  return [facts, notes];
};

const sentText = ({ sent, owes }) =>
  sent ? (sent === 1 ? "has sent a sheet" : `has sent ${sent} sheets`) : owes ? "owes a sheet" : "owes no sheet";
const scopeOf = (data) => data.archive ?? location.pathname;

const seatsPage = (data, file, moved) => {
  const [crumbs, title] = gameHead(data);
  const mine = memory.read(`seat:${scopeOf(data)}:${data.game}`);
  const cards = data.seats.map((seat) =>
    h(
      "li",
      {},
      h(
        "a",
        { class: "card", href: `#${data.game}/${encodeURIComponent(seat.file)}` },
        h("strong", {}, seat.name, seat.file === mine && h("span", { class: "tag" }, "last time")),
        h("span", {}, seat.player),
        h("span", { class: seat.sent ? "good" : "soft" }, seat.sent ? "✓ " : "", sentText(seat)),
      ),
    ),
  );
  page(
    data.title,
    crumbs,
    title,
    deadline(data),
    file && h("p", { class: "note bad" }, `No seat of this game is called “${file.slice(0, 80)}”.`),
    h("h2", { id: "seats" }, "Which seat is yours?"),
    h("ul", { class: "cards", "aria-labelledby": "seats" }, cards),
  );
  if (moved) focusOn(title);
};

/** The desk itself. */
const deskPage = (data, seat, mapSource, moved) => {
  const scope = scopeOf(data);
  const draftKey = `draft:${scope}:${data.game}:${data.turn}:${seat.file}`;
  const sentKey = `sent:${scope}:${data.game}:${data.turn}:${seat.file}`;
  memory.write(`seat:${scope}:${data.game}`, seat.file);
  // The field that is filled on the map: a list of orders, or a single one.
  const ordersField =
    seat.form.find(({ key, kind }) => key === "orders" && kind === "lines") ??
    seat.form.find(({ kind }) => kind === "line");
  const single = ordersField?.kind === "line";
  const otherFields = seat.form.filter((field) => field !== ordersField);
  const notation = new Notation(data, (ordersField && seat.options[ordersField.key]) || []);
  const { forms } = notation; // Where the desk cannot know what is legal, it goes by these.
  const most = single ? 1 : (ordersField?.most ?? 100);
  const draft = memory.read(draftKey) ?? {};
  const state = {
    orders: (Array.isArray(draft.orders) ? draft.orders : []).filter((line) => typeof line === "string").slice(0, most),
    values: draft.values && typeof draft.values === "object" ? draft.values : {},
    chosen: [],
    editing: null,
    note: "",
  };
  let fetchedAt = Date.now();
  let keeps = true;
  const save = () => {
    const empty = !state.orders.length && !Object.keys(state.values).length;
    keeps = memory.write(draftKey, empty ? null : { orders: state.orders, values: state.values });
    sendFault.hidden = true;
    fieldFault.remove();
    result.hidden = true;
    result.replaceChildren();
    drawSend();
  };

  // The orders so far: a row for every unit, then what is for no unit. A single order leaves no unit without one.
  const rows = () => {
    const left = [...state.orders];
    if (single) return left.map((line) => ({ place: notation.unitOf(line), unit: notation.known(line).unit, line }));
    const found = [...notation.units].map(([place, unit]) => {
      const at = left.findIndex((line) => notation.unitOf(line) === place);
      return { place, unit, line: at < 0 ? null : left.splice(at, 1)[0] };
    });
    return [...found, ...left.map((line) => ({ place: null, unit: null, line }))];
  };
  const missing = () => rows().filter(({ line }) => line === null);

  // What is to be told of a sheet by what stands in it: adjudicator/core/contract/cautions.py says when.
  const met = () => {
    const filled = sheet();
    const lines = rows().flatMap(({ line }) => (notation.legal.has(line) ? [line] : []));
    const used = ([unit, stays]) => lines.some((line) => line.startsWith(`${unit} `) && line !== stays);
    return (seat.cautions ?? []).filter(
      (one) =>
        (one.filled ?? []).every((key) => key in filled) &&
        !(one.empty ?? []).some((key) => key in filled) &&
        Object.entries(one.says ?? {}).every(([key, text]) => filled[key] === text) &&
        Object.entries(one.busy ?? {}).every(used),
    );
  };
  const sentence = (text) => text && `${text[0].toUpperCase()}${text.slice(1)}.`;
  const caution = ({ what, right = "" }) => [what, right].filter(Boolean).map(sentence).join(" ");
  /** What is met now and was not before is said aloud. */
  const sayNew = (before) => {
    for (const one of met()) if (!before.includes(one)) say(caution(one));
  };

  const take = (text, editing = state.editing) => {
    const line = tidy(text).slice(0, LIMITS.letters);
    if (!line) return false;
    const place = notation.unitOf(line);
    let before = place === null ? -1 : state.orders.findIndex((one) => notation.unitOf(one) === place);
    if (single) before = state.orders.length - 1; // Whichever unit it is for, it is the only one.
    const replaced = before >= 0 ? state.orders[before] : null;
    const known = met();
    if (editing !== null && editing < state.orders.length && before !== editing) {
      if (before >= 0) state.orders.splice(before, 1);
      state.orders[before >= 0 && before < editing ? editing - 1 : editing] = line;
    } else if (before >= 0) {
      state.orders[before] = line;
    } else if (state.orders.length >= most) {
      say(`A sheet has at most ${most} orders.`);
      return false;
    } else {
      state.orders.push(line);
    }
    Object.assign(state, { chosen: [], editing: null, note: "" });
    save();
    draw();
    const wrong = notation.faultOf(line);
    const odd = !wrong ? "" : forms ? ` ${wrong}` : " It is not among the orders that are legal now.";
    const still = missing().length;
    const rest = still
      ? ` ${count(still, "unit has", "units have")} no order.`
      : notation.units.size && !single
        ? " Every unit has an order."
        : "";
    say(`${line}: ${replaced && replaced !== line ? `in place of ${replaced}` : "added"}.${odd}${rest}`);
    sayNew(known);
    return true;
  };

  // Choosing an order.
  /** Puts a line with open blanks into the field: the first of them is typed over. */
  const begin = (line) => {
    const [, name] = OPEN.exec(line) ?? [];
    typed.value = line;
    typed.focus();
    const at = line.indexOf(`{${name}}`);
    if (at >= 0) typed.setSelectionRange(at, at + name.length + 2);
    readTyped();
  };
  /** A place on the map fills the first open blank that it can stand in. */
  const tapped = (place) => {
    const text = tidy(typed.value);
    const name = forms.open(text).find((one) => forms.fill(one, place).text);
    if (name) begin(text.replace(`{${name}}`, () => forms.fill(name, place).text));
    else if (notation.naming([place]).length) choose(place);
    else {
      state.note = `Begin an order first: then ${place} fills in where it is tapped.`;
      drawPicker();
      say(state.note);
    }
  };
  const choose = (place) => {
    const { chosen } = state;
    const fits = (places) => notation.naming(places).length > 0;
    const who = notation.units.get(chosen[0]) ?? chosen[0];
    state.note = "";
    if (chosen.at(-1) === place) state.chosen = chosen.slice(0, -1);
    else if (chosen.length && fits([...chosen, place])) state.chosen = [...chosen, place];
    else if (chosen.length && !notation.owners.has(chosen[0]) && notation.owners.has(place) && fits([place, ...chosen]))
      state.chosen = [place, ...chosen];
    else if (notation.owners.has(place) || (!chosen.length && fits([place]))) state.chosen = [place];
    else if (chosen.length) state.note = `No legal order for ${who} goes on to ${place}.`;
    else state.note = `No legal order of yours names ${place}.`;
    if (state.chosen.length !== 1) state.editing = state.chosen.length ? state.editing : null;
    draw();
    const number = notation.naming(state.chosen).length;
    say(
      state.note ||
        (state.chosen.length ? `${listed(state.chosen, "then")}: ${count(number, "order")}.` : "Nothing is chosen."),
    );
    if (small() && state.chosen.length) {
      // The map stays in sight: the next place may be tapped there.
      const below = picker.getBoundingClientRect().top - (innerHeight - 260);
      if (below > 0) scrollBy({ top: below, behavior: calm() ? "auto" : "smooth" });
    }
  };

  const orderButton = (option, kind) => {
    const { line, unit } = option;
    const head = unit && line.startsWith(`${unit} `) ? `${unit} ` : "";
    const said = head && notation.owners.has(state.chosen[0]); // The heading names the unit.
    const chosenNow = state.orders.includes(line);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `pick ${kind}`,
          click: () => {
            if (take(line)) focusOn(picker.querySelector(".go") ?? pickerTitle);
          },
        },
        head && h("span", { class: said ? "unit said" : "unit" }, head),
        line.slice(head.length),
        chosenNow &&
          h(
            "span",
            { class: "good" },
            h("span", { "aria-hidden": "true" }, " ✓"),
            h("span", { class: "unseen" }, " in your list"),
          ),
      ),
    );
  };

  /** The units of which one can be ordered: without the map they are found here. */
  const unitButtons = () =>
    h(
      "ul",
      { class: "picks" },
      [...notation.units].map(([place, unit]) => {
        const click = () => {
          choose(place);
          focusOn(pickerTitle);
        };
        const ordered = state.orders.some((line) => notation.unitOf(line) === place);
        return h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "pick", click },
            unit,
            ordered &&
              h(
                "span",
                { class: "good" },
                h("span", { "aria-hidden": "true" }, " ✓"),
                h("span", { class: "unseen" }, " ordered"),
              ),
          ),
        );
      }),
    );

  const pickerTitle = h("h2", {}, "Choose a unit");
  const pickerBody = h("div", {});
  // Made once, so that what is unfolded stays so.
  const beginnings = (forms?.groups ?? []).map(([title, some], _, { length }) => {
    const buttons = some.map((form) => {
      const click = () => {
        if (forms.open(form).length) begin(form);
        else if (take(form)) focusOn(pickerTitle);
      };
      return h("li", {}, h("button", { type: "button", class: "pick", click }, form));
    });
    return h("details", { open: length === 1 }, h("summary", {}, title), h("ul", { class: "picks" }, buttons));
  });
  const picker = h("section", { class: "panel picker", "aria-label": "Choose an order" }, pickerTitle, pickerBody);
  const drawPicker = () => {
    const { chosen, note } = state;
    const warn = note && h("p", { class: "note" }, note);
    if (!chosen.length && forms) {
      pickerTitle.textContent = forms.shown.length ? "Begin an order" : "No lines of orders";
      const known = notation.options.map((option) => orderButton(option, ""));
      pickerBody.replaceChildren(
        ...[
          warn,
          h(
            "p",
            { class: "hint" },
            forms.shown.length
              ? `The desk does not see what ${seat.name} sees. It looks at how an order is written; whether it is legal is told when the turn is judged. What stands in braces is for you to fill in.`
              : "There are none in this turn. What it asks for is below.",
          ),
          known.length > 0 && h("ul", { class: "picks" }, known),
          ...beginnings,
        ].filter(Boolean),
      );
      return;
    }
    if (!chosen.length) {
      const open = missing();
      const few = notation.units.size === 0;
      const full = single ? state.orders.length > 0 : !open.length;
      pickerTitle.textContent = few
        ? single
          ? "Choose your order"
          : "Choose your orders"
        : !full
          ? "Choose a unit"
          : single
            ? "Your order is chosen"
            : "Every unit has an order";
      if (!notation.options.length) {
        pickerTitle.textContent = data.hidden ? "Your orders" : "Nothing to order";
        const none = data.hidden
          ? "The desk cannot know what you may order. Type it."
          : `${seat.name} has no legal order in this turn.`;
        pickerBody.replaceChildren(h("p", {}, none));
        return;
      }
      const done = !few && full;
      const go = done
        ? h("button", { type: "button", class: "main go", click: () => toSend() }, "Go on to sending")
        : !few &&
          !single &&
          h(
            "button",
            { type: "button", class: "main go", click: () => choose(open[0].place) },
            `Next: ${open[0].unit}`,
          );
      pickerBody.replaceChildren(
        ...[
          warn,
          few
            ? h(
                "ul",
                { class: "picks" },
                notation.options.map((option) => orderButton(option, "")),
              )
            : h(
                "p",
                { class: "hint" },
                single
                  ? done
                    ? "Another order takes its place."
                    : "You order one unit, and no more. Tap it on the map, or choose it here."
                  : done
                    ? "You can still change each of them."
                    : "On the map, or in the list of your orders.",
              ),
          done && met().map((one) => h("p", { class: "note" }, caution(one))),
          single && !few && unitButtons(),
          go,
        ].flat().filter(Boolean),
      );
      return;
    }
    const found = notation.naming(chosen);
    const exact = found.filter(({ mentions }) => mentions.length === chosen.length);
    const more = found
      .filter((option) => !exact.includes(option))
      .sort((one, two) => one.mentions.length - two.mentions.length);
    const near = more.filter(({ mentions }) => mentions.length === chosen.length + 1);
    const far = more.filter((option) => !near.includes(option));
    const unit = notation.units.get(chosen[0]);
    pickerTitle.textContent = unit ? `Order ${unit}` : `Orders that name ${chosen[0]}`;
    const trail = h(
      "p",
      { class: "trail" },
      chosen.length > 1
        ? chosen.map((place, index) => [index ? " › " : "", h("strong", {}, place)])
        : h("span", { class: "hint" }, board ? "Tap the next place on the map, or choose here." : "Choose one."),
      h(
        "button",
        { type: "button", class: "quiet", click: () => choose(chosen.at(-1)) },
        chosen.length > 1 ? "Back" : "Cancel",
      ),
    );
    const list = (options, kind) =>
      options.length > 0 &&
      h(
        "ul",
        { class: "picks" },
        options.map((option) => orderButton(option, kind)),
      );
    const fold = far.length > 0 && near.length + exact.length > 3;
    const signs = notation.letters(found);
    pickerBody.replaceChildren(
      ...[
        trail,
        warn,
        list(exact, "exact"),
        list(near, ""),
        fold
          ? h("details", {}, h("summary", {}, `${far.length} more, with another place`), list(far, ""))
          : list(far, ""),
        signs.length > 0 && h("p", { class: "hint" }, signs.map(([sign, word]) => `${sign}: ${word}`).join(" · ")),
      ].filter(Boolean),
    );
  };

  // Typing an order.
  const typed = h("input", {
    id: "typed",
    type: "text",
    maxlength: String(LIMITS.letters),
    role: "combobox",
    autocomplete: "off",
    autocapitalize: "none",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "done",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "suggestions",
    "aria-describedby": "typed-hint reading",
  });
  const box = h("ul", {
    id: "suggestions",
    role: "listbox",
    "aria-label": forms ? "Ways to go on" : "Legal orders",
    class: "suggestions",
    hidden: true,
  });
  const reading = h("div", { id: "reading", class: "reading" });
  const typing = h(
    "form",
    {
      class: "typing",
      submit: (event) => {
        event.preventDefault();
        addTyped();
      },
    },
    h("label", { for: "typed" }, "Or type an order"),
    h("div", { class: "line" }, h("div", { class: "combo" }, typed, box), h("button", { type: "submit" }, "Add")),
    h(
      "p",
      { class: "hint", id: "typed-hint" },
      notation.options.length && !forms
        ? `Such as ${(notation.options.find((o) => o.mentions.length > 1) ?? notation.options[0]).line}. `
        : "",
      forms ? "Small and capital letters are the same here." : "Short names and other spellings are understood.",
      single ? "" : " You can paste several lines.",
    ),
    reading,
  );
  // Of a single order, all that are legal fit into one field, a group for each unit.
  const whole = h("select", {
    id: "whole",
    change: () => {
      if (whole.value) take(whole.value, null);
      else if (state.orders.length) remove(rows()[0], 0);
      whole.focus({ preventScroll: true });
    },
  });
  const wholeField = h(
    "div",
    { class: "field side" },
    h("label", { for: "whole" }, ordersField?.label ?? ""),
    whole,
    helpOf(ordersField, "whole"),
  );
  const drawWhole = () => {
    const line = state.orders[0] ?? "";
    const groups = new Map();
    for (const option of notation.options) {
      const unit = notation.units.get(option.mentions[0]) ?? "";
      groups.set(unit, [...(groups.get(unit) ?? []), h("option", { value: option.line }, option.line)]);
    }
    whole.replaceChildren(
      h("option", { value: "" }, "–"),
      ...(line && !notation.legal.has(line) ? [h("option", { value: line }, line)] : []),
      ...[...groups].flatMap(([unit, lines]) => (unit ? [h("optgroup", { label: unit }, lines)] : lines)),
    );
    whole.value = line;
  };
  let active = -1;
  let telling = 0;
  const offered = () => [...box.children];
  const point = (index) => {
    active = index;
    offered().forEach((one, at) => one.setAttribute("aria-selected", String(at === index)));
    if (index >= 0) {
      typed.setAttribute("aria-activedescendant", `suggestion-${index}`);
      box.children[index].scrollIntoView({ block: "nearest" });
    } else typed.removeAttribute("aria-activedescendant");
  };
  const closeBox = () => {
    box.hidden = true;
    typed.setAttribute("aria-expanded", "false");
    point(-1);
  };
  const fromTyping = (line) => (forms?.open(line).length ? begin(line) : addLine(line));
  const addLine = (line) => {
    if (!take(line)) return;
    typed.value = "";
    readTyped();
    typed.focus({ preventScroll: true });
  };
  const faultText = ({ given, near, several, words }) => {
    if (words) return words;
    if (several.length) return `“${given}” could be ${listed(several, "or")}.`;
    return `“${given}” is not understood.${near ? ` Did you mean ${near}?` : ""}`;
  };
  /** What the field says: the line it stands for, whether that is legal, and what cannot be read. */
  const judged = (text) => {
    if (forms) {
      const { line, fault } = forms.read(text);
      if (!fault) return { text: line, line, unknown: [], meant: [], open: forms.open(line) };
      const other = notation.read(text);
      const legal = other.unknown.length ? [] : notation.meant(other);
      if (legal.length !== 1) return { text, line, unknown: [fault], meant: [], open: [] };
    }
    const read = notation.read(text);
    const meant = read.unknown.length ? [] : notation.meant(read);
    return { ...read, meant, line: meant.length === 1 ? meant[0].line : read.text };
  };
  /** How the line may go on: where blanks are open, from where one writes. */
  const goingOn = (text) => {
    const at = forms.open(text).length ? typed.selectionStart : undefined;
    return forms.suggestions(typed.value.slice(0, at).replace(/\s+/gu, " ").trimStart());
  };
  const readTyped = () => {
    const text = tidy(typed.value);
    reading.replaceChildren();
    clearTimeout(telling);
    const unseen = unseenIn(typed.value);
    if (unseen) {
      box.replaceChildren();
      closeBox();
      reading.append(
        h("p", { class: "bad" }, `${unseen} `, h("button", { type: "button", click: bare }, "Remove what nobody sees")),
      );
      telling = setTimeout(() => say(unseen), 700);
      return;
    }
    const found = text ? judged(text) : null;
    const lines = text ? (forms ? goingOn(text) : notation.suggestions(text)) : [];
    box.replaceChildren(
      ...lines.map((line, index) =>
        h(
          "li",
          {
            id: `suggestion-${index}`,
            role: "option",
            "aria-selected": "false",
            pointerdown: (event) => event.preventDefault(),
            click: () => fromTyping(line),
          },
          line,
        ),
      ),
    );
    const settled = found && lines.length === 1 && found.text === lines[0];
    box.hidden = !lines.length || settled || document.activeElement !== typed;
    typed.setAttribute("aria-expanded", String(!box.hidden));
    point(-1);
    if (!found) return;
    let told;
    if (forms && found.unknown.length && lines.length) {
      told = ""; // It is only begun.
    } else if (found.open?.length) {
      reading.append(h("p", { class: "soft" }, `Still to fill in: ${listed(found.open)}.`));
      told = reading.textContent;
    } else if (found.open && !found.unknown.length && !notation.legal.has(found.line)) {
      reading.append(h("p", {}, "Read as ", h("strong", {}, found.line)));
      told = `Read as ${found.line}.`;
    } else if (found.unknown.length) {
      const words = found.unknown.map(faultText);
      reading.append(h("p", { class: "soft" }, words.join(" ")));
      told = words.join(" ");
    } else if (found.meant.length === 1 || found.open) {
      reading.append(h("p", { class: "good" }, "✓ Read as ", h("strong", {}, found.line)));
      told = `Read as ${found.line}. Legal.`;
    } else if (found.meant.length) {
      reading.append(
        h(
          "p",
          { class: "soft" },
          `It could be ${listed(
            found.meant.map(({ line }) => line),
            "or",
          )}.`,
        ),
      );
      told = reading.textContent;
    } else {
      reading.append(
        h(
          "p",
          { class: "soft" },
          "Read as ",
          h("strong", {}, found.line),
          ", which is not among the orders that are legal now.",
        ),
      );
      told = reading.textContent;
    }
    telling = setTimeout(
      () => say(`${told}${lines.length && !settled ? ` ${count(lines.length, "suggestion")}.` : ""}`),
      700,
    );
  };
  /** Leaves in the field what can be seen of it. */
  const bare = () => {
    typed.value = seenOf(typed.value);
    readTyped();
    typed.focus();
  };
  const addTyped = () => {
    const text = tidy(typed.value);
    if (!text) return;
    const unseen = unseenIn(typed.value);
    if (unseen) {
      readTyped();
      say(unseen);
      return;
    }
    clearTimeout(telling);
    if (active >= 0 && !box.hidden) {
      fromTyping(box.children[active].textContent);
      return;
    }
    const found = judged(text);
    if (!found.unknown.length && found.meant.length < 2) {
      fromTyping(found.line);
      return;
    }
    const words = found.unknown.length ? found.unknown.map(faultText).join(" ") : "It could be several orders.";
    const mended = (word) => {
      typed.value = found.text.replace(found.unknown[0].given, () => word);
      typed.focus();
      readTyped();
    };
    const { near, several = [] } = found.unknown.length === 1 ? found.unknown[0] : {};
    const button = (label, act, kind = null) => h("button", { type: "button", class: kind, click: act }, label);
    reading.replaceChildren(
      h("p", { class: "bad" }, words),
      h(
        "p",
        { class: "line" },
        [...(near ? [near] : []), ...several].map((word) => button(`Write ${word}`, () => mended(word))),
        found.meant.map(({ line }) => button(line, () => fromTyping(line))),
        button("Add it as it is", () => addLine(found.unknown.length ? text : found.text), "quiet"),
      ),
    );
    closeBox();
    say(words);
  };
  typed.addEventListener("input", readTyped);
  typed.addEventListener("focus", readTyped);
  typed.addEventListener("blur", closeBox);
  typed.addEventListener("keydown", (event) => {
    const number = offered().length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && number) {
      event.preventDefault();
      if (box.hidden) {
        box.hidden = false;
        typed.setAttribute("aria-expanded", "true");
      }
      point(active < 0 ? (step > 0 ? 0 : number - 1) : (active + step + number) % number);
    } else if (event.key === "Escape" && !box.hidden) {
      event.preventDefault();
      event.stopPropagation();
      closeBox();
    }
  });
  typed.addEventListener("paste", (event) => {
    const lines = (event.clipboardData?.getData("text") ?? "")
      .split(/[\r\n]+/)
      .filter((line) => tidy(line));
    if (lines.length < 2) return;
    event.preventDefault();
    const bad = [];
    let added = 0;
    for (const line of lines.slice(0, most)) {
      if (unseenIn(line)) {
        bad.push(line);
        continue;
      }
      const text = tidy(line).replace(/^[-*•]\s+/u, "");
      const found = judged(text);
      if (found.unknown.length || found.open?.length) bad.push(text);
      else if (take(found.line, null)) added++;
    }
    typed.value = bad[0] ?? "";
    readTyped();
    const words = `${count(added, "order")} added.${bad.length ? ` Not understood: ${bad.join("; ")}.` : ""}`;
    reading.prepend(h("p", { class: bad.length ? "bad" : "good" }, words));
    say(words);
  });

  // The list.
  const listTitle = h("h2", {}, single ? "Your order" : "Your orders");
  const list = h("ul", { class: "orders" });
  const listNote = h("p", { class: "hint" });
  const undo = h("p", { class: "line" });
  const change = ({ place, line }) => {
    state.editing = state.orders.indexOf(line);
    if (place !== null) {
      state.chosen = [];
      choose(place);
      if (small()) show(picker);
      focusOn(pickerTitle);
      return;
    }
    typed.value = line;
    readTyped();
    typed.focus();
    typed.select();
  };
  const remove = ({ line }, index) => {
    state.orders.splice(state.orders.indexOf(line), 1);
    state.editing = null;
    save();
    draw();
    say(`${line}: removed.`);
    focusOn(list.children[Math.min(index, list.children.length - 1)]?.querySelector("button") ?? listTitle);
  };
  const drawList = () => {
    const all = rows();
    const named = new Map();
    for (const { place, line } of all)
      if (place === null && line) {
        const spot = notation.known(line).mentions[0];
        if (spot) named.set(spot, (named.get(spot) ?? 0) + 1);
      }
    list.replaceChildren(
      ...all.map((row, index) => {
        if (row.line === null)
          return h(
            "li",
            { class: "open" },
            h(
              "button",
              {
                type: "button",
                class: "row",
                click: () => {
                  state.chosen = [];
                  choose(row.place);
                  focusOn(pickerTitle);
                },
              },
              h("span", { class: "sign", "aria-hidden": "true" }, "○"),
              h("span", {}, h("strong", {}, row.unit), " has no order"),
              h("span", { class: "do" }, "Choose"),
            ),
          );
        const wrong = notation.faultOf(row.line);
        const kind = wrong ? "odd" : notation.legal.has(row.line) ? "good" : "fits";
        const twice = !forms && row.place === null && (named.get(notation.known(row.line).mentions[0]) ?? 0) > 1;
        const notes = [
          wrong,
          twice && "Two lines name this place.",
        ].filter(Boolean);
        return h(
          "li",
          { class: kind },
          h("span", { class: "sign", "aria-hidden": "true" }, { good: "✓", fits: "•", odd: "!" }[kind]),
          h("span", { class: "order" }, row.line, notes.length > 0 && h("span", { class: "why" }, notes.join(" "))),
          h(
            "span",
            { class: "acts" },
            h(
              "button",
              { type: "button", class: "quiet", "aria-label": `Change ${row.line}`, click: () => change(row) },
              "Change",
            ),
            h(
              "button",
              { type: "button", class: "quiet", "aria-label": `Remove ${row.line}`, click: () => remove(row, index) },
              "Remove",
            ),
          ),
        );
      }),
    );
    const without = Array.isArray(seat.without) ? seat.without : [];
    listNote.textContent =
      !notation.units.size && !state.orders.length && without.length
        ? `Without orders: ${without.join("; ")}.`
        : all.length
          ? ""
          : single
            ? "No order yet."
            : "No orders yet.";
    listNote.hidden = !listNote.textContent;
  };
  const clear = () => {
    const before = { orders: state.orders, values: state.values };
    Object.assign(state, { orders: [], values: {}, chosen: [], editing: null, note: "" });
    save();
    drawFields();
    draw();
    const back = h(
      "button",
      {
        type: "button",
        click: () => {
          Object.assign(state, before);
          undo.replaceChildren();
          save();
          drawFields();
          draw();
          say("Your draft is back.");
          focusOn(listTitle);
        },
      },
      "Undo",
    );
    undo.replaceChildren("Your draft is cleared. ", back);
    say("Your draft is cleared.");
    focusOn(back);
  };
  const clearButton = h("button", { type: "button", class: "quiet", click: clear }, "Clear the draft");

  // The sheet's other fields.
  const fieldset = h("fieldset", { class: "fields" });
  const setValue = (key, value) => {
    const known = met();
    if (value === undefined) delete state.values[key];
    else state.values[key] = value;
    save();
    if (ordersField) drawPicker();
    sayNew(known);
    clearButton.hidden = !state.orders.length && !Object.keys(state.values).length;
  };
  /** A list of choices: values, or pairs of a value and what is shown for it. `none` stands for no choice, if that may be. */
  const selection = (options, none, choices, chosen) => {
    const pairs = choices.map((choice) => (Array.isArray(choice) ? choice : [choice, choice]));
    const input = h(
      "select",
      options,
      none !== null && h("option", { value: "" }, none),
      pairs.map(([value, text]) => h("option", { value }, text)),
    );
    input.value = pairs.some(([value]) => value === chosen) ? chosen : "";
    return input;
  };
  const group = ({ label }, id, kind, help, ...children) =>
    h("fieldset", { class: kind, id, "aria-describedby": help && `${id}-help` }, h("legend", {}, label), children);
  /** The fields of a record. Which there are changes with its form; what is hidden by it stays in the draft. */
  const drawParts = (field, id, value, change, where) => {
    const held = { ...(isTable(value) ? value : {}) };
    const slots = field.fields.map((part) => [part, h("div", { class: `part ${part.kind}` })]);
    const fill = ([part, slot]) => {
      const [, must] = askedOf(field, held).find(([one]) => one === part) ?? [];
      const changed = (one) => {
        if (one === undefined) delete held[part.key];
        else held[part.key] = one;
        change(Object.keys(held).length ? held : undefined);
        if (part.key === field.by) slots.filter(([other]) => other !== part).forEach(fill);
      };
      const drawn = must !== undefined && drawField(part, `${id}-${part.key}`, held[part.key], changed, must, where);
      slot.replaceChildren(...(drawn ? [drawn] : []));
    };
    slots.forEach(fill);
    return h(
      "div",
      { class: "parts" },
      slots.map(([, slot]) => slot),
    );
  };
  /** A list of records, which can be added and removed. `where` says in which other ones it is. */
  const drawEntries = (field, id, value, change, help, where) => {
    const { label, entry, must, least = 0, most = 100 } = field;
    const list = entriesOf(field, value);
    const body = h("div", {});
    const gone = h("p", { class: "line" });
    const named = (index) => `${entry} ${index + 1}`;
    const store = () => change(list.length ? list : undefined);
    const firstOf = (index) => body.children[index].querySelector("input, select, textarea, button");
    const insert = (index, one, words) => {
      list.splice(index, 0, one);
      store();
      redraw();
      focusOn(firstOf(index));
      show(firstOf(index));
      say(`The ${named(index)} ${words}.`);
    };
    const remove = (index) => {
      const [one] = list.splice(index, 1);
      store();
      redraw();
      const back = h("button", { type: "button", click: () => insert(index, one, "is back") }, "Undo");
      gone.replaceChildren(`The ${named(index)} is removed. `, back);
      focusOn(back);
      say(`The ${named(index)} is removed.`);
    };
    const add = h(
      "button",
      {
        type: "button",
        "aria-label": [`Add ${entry}`, label, ...where].join(", "),
        click: () => insert(list.length, {}, "is added"),
      },
      `Add ${entry}`,
    );
    const redraw = () => {
      gone.replaceChildren();
      add.hidden = list.length >= most;
      body.replaceChildren(
        ...list.map((one, index) => {
          const changed = (held) => {
            list[index] = held ?? {};
            store();
          };
          const options = {
            type: "button",
            class: "quiet",
            "aria-label": [`Remove ${named(index)}`, label, ...where].join(", "),
            click: () => remove(index),
          };
          return h(
            "fieldset",
            { class: "entry", id: `${id}-${index}` },
            h("legend", {}, named(index)),
            drawParts(field, `${id}-${index}`, one, changed, [named(index), ...where]),
            (!must || list.length > least) && h("button", options, `Remove ${named(index)}`),
          );
        }),
      );
    };
    redraw();
    return group(field, id, "records", help, help, body, gone, add);
  };
  /** A field of the sheet, or of a record in it: there it is said whether it must be filled. */
  const drawField = (field, id, value, change, must, where = []) => {
    const { label, kind, choices = [], least, most, default: start } = field;
    const help = helpOf(field, id);
    const described = { id, "aria-describedby": help && `${id}-help`, required: must === true };
    const free = must === false && start === undefined && h("span", { class: "soft" }, " (optional)");
    const named = h("label", { for: id }, label, free);
    const changed = (event) => change(event.target.value || undefined);
    if (kind === "record")
      return group(field, id, "record", help, drawParts(field, id, value, change, [label, ...where]), help);
    if (kind === "records") return drawEntries(field, id, value, change, help, where);
    if (kind === "flag") {
      const usual = start === true;
      const ticked = ({ target }) => change(target.checked === usual ? undefined : target.checked);
      const checked = typeof value === "boolean" ? value : usual;
      const options = { id, "aria-describedby": help && `${id}-help`, type: "checkbox", checked, change: ticked };
      return h("div", { class: "flag" }, h("input", options), h("div", {}, h("label", { for: id }, label), help));
    }
    if (kind === "several") {
      const chosen = new Set(Array.isArray(value) ? value : []);
      const boxes = choices.map((choice, index) => {
        const ticked = ({ target }) => {
          chosen[target.checked ? "add" : "delete"](choice);
          change(chosen.size ? [...chosen] : undefined);
        };
        const options = { id: `${id}-${index}`, type: "checkbox", checked: chosen.has(choice), change: ticked };
        return h("div", { class: "flag" }, h("input", options), h("label", { for: options.id }, choice));
      });
      return group({ label: [label, free] }, id, "several", help, h("div", { class: "boxes" }, boxes), help);
    }
    if (kind === "answer") {
      const answered = ({ target }) => change(target.value ? target.value === "yes" : undefined);
      const answers = [
        ["yes", "Yes"],
        ["no", "No"],
      ];
      const chosen = value === true ? "yes" : value === false ? "no" : "";
      const input = selection({ ...described, change: answered }, "Leave as it is", answers, chosen);
      return h("div", { class: "field side" }, named, input, help);
    }
    if (kind === "table") {
      const table = { ...(isTable(value) ? value : {}) };
      const rows = Object.entries(field.rows ?? {}).map(([name, offers], index) => {
        const chosen = ({ target }) => {
          table[name] = target.value;
          change(Object.values(table).some(Boolean) ? table : undefined);
        };
        const input = selection({ id: `${id}-${index}`, change: chosen }, "–", offers, table[name]);
        return h("div", { class: "field side" }, h("label", { for: input.id }, name), input);
      });
      return group(field, id, "table", help, rows, help);
    }
    const text = typeof value === "string" ? value : String(start ?? "");
    if (kind === "choice") {
      const none = start === undefined ? "–" : null;
      const input = selection({ ...described, change: changed }, none, choices, choices.includes(text) ? text : start);
      return h("div", { class: "field side" }, named, input, help);
    }
    const given = { ...described, value: text, input: changed };
    if (kind === "lines") {
      const hint = h("p", { class: "hint" }, `One each line${most === undefined ? "" : `, at most ${most}`}.`);
      const rows = must === undefined ? "4" : "2";
      return h("div", { class: "field" }, named, hint, h("textarea", { ...given, rows, spellcheck: "false" }), help);
    }
    if (kind === "number") {
      // What the browser does not take for a number it keeps to itself: then nothing may stand there.
      const left = ({ target }) => {
        if (target.validity.badInput) target.value = "";
      };
      const options = { type: "number", min: least, max: most, step: "1", autocomplete: "off", change: left };
      const place = must === undefined ? "field" : "field side";
      return h("div", { class: place }, named, h("input", { ...given, ...options }), help);
    }
    const input =
      most > 100
        ? h("textarea", { ...given, class: "prose", rows: "2", maxlength: most })
        : h("input", { ...given, type: "text", autocomplete: "off", maxlength: most });
    return h("div", { class: "field" }, named, input, help);
  };
  const drawTop = (field) =>
    drawField(field, `field-${field.key}`, state.values[field.key], (value) => setValue(field.key, value));
  const drawFields = () => {
    // What is for nothing now is put aside, and can be written all the same.
    const idle = otherFields.filter((field) => field.idle);
    const filled = idle.some(({ key }) => key in state.values);
    fieldset.replaceChildren(
      h("legend", {}, ordersField ? "With this sheet" : "Your sheet"),
      ...otherFields.filter((field) => !field.idle).map(drawTop),
      ...(idle.length
        ? [h("details", { class: "idle", open: filled }, h("summary", {}, "Not offered now"), idle.map(drawTop))]
        : []),
    );
    fieldset.hidden = !otherFields.length;
  };
  const sheet = () => {
    const found = {};
    for (const field of seat.form) {
      const { key, kind } = field;
      if (key === "orders" && kind === "lines") {
        const orders = rows()
          .map(({ line }) => line)
          .filter((line) => line !== null);
        if (orders.length) found[key] = orders;
      } else if (kind === "line" && ordersField.key === key) {
        if (state.orders.length) found[key] = state.orders[0];
      } else {
        const value = told(field, state.values[key]);
        if (value !== undefined) found[key] = value;
      }
    }
    return found;
  };

  // Sending.
  const safe = globalThis.isSecureContext && Boolean(globalThis.crypto?.subtle);
  const canSeal = Boolean(data.recipient && data.archive && safe);
  let sealing = canSeal;
  const number = () => Math.max(seat.next, seat.sent + 1, (Number(memory.read(sentKey)) || 0) + 1);
  const pathOf = (at, shut) =>
    `games/${data.game}/${data.turn}/orders/${seat.file}${at > 1 ? `.${at}` : ""}.yaml${shut ? ".age" : ""}`;
  const sendTitle = h("h2", {}, "Send");
  const sendFacts = h("div", { class: "hint" });
  const sendFault = h("p", { class: "note bad", hidden: true });
  const fieldFault = h("p", { class: "hint bad" }); // The same at the field that it is about.
  const make = h("button", { type: "submit", class: "main" });
  const ownKeys = h("input", {
    id: "own",
    type: "text",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": "own-hint",
    value: typeof memory.read("keys") === "string" ? memory.read("keys") : "",
    input: () => {
      memory.write("keys", ownKeys.value.trim() || null);
      hideResult();
    },
  });
  const ownField = h(
    "details",
    { class: "own", open: Boolean(ownKeys.value) },
    h("summary", {}, "Also readable by me"),
    h("label", { for: "own" }, "Your own age keys"),
    h(
      "p",
      { class: "hint", id: "own-hint" },
      "Each begins with age1. You can leave this empty. This browser remembers it.",
    ),
    ownKeys,
  );
  const result = h("section", { class: "panel result", hidden: true, "aria-label": "Your sheet, ready to send" });
  const hideResult = () => {
    result.hidden = true;
    result.replaceChildren();
  };
  const radio = (value, label, more) => {
    const input = h("input", {
      id: `way-${value}`,
      type: "radio",
      name: "way",
      value,
      checked: sealing === (value === "seal"),
      disabled: value === "seal" && !canSeal,
      change: () => {
        sealing = value === "seal";
        hideResult();
        drawSend();
      },
    });
    return h(
      "div",
      { class: "flag" },
      input,
      h("label", { for: input.id }, h("strong", {}, label), h("span", { class: "soft" }, more)),
    );
  };
  const ways = data.recipient
    ? h(
        "fieldset",
        { class: "fields" },
        h("legend", {}, "How"),
        radio("seal", "Sealed. ", "Nobody but the holder of the archive’s key can read it until the turn is judged."),
        radio("open", "Open. ", "Everybody can read it at once."),
      )
    : h("p", { class: "hint" }, "This game is not sealed. Everybody can read what you send as soon as you send it.");
  const unsafe =
    data.recipient &&
    !safe &&
    h(
      "p",
      { class: "note bad" },
      "Sealing needs a page that came over HTTPS, or from this machine itself. Open the desk at its https:// address, or use courtly seal.",
    );
  const sending = h(
    "form",
    {
      class: "panel send",
      submit: (event) => {
        event.preventDefault();
        seal();
      },
    },
    sendTitle,
    ways,
    unsafe,
    ownField,
    sendFacts,
    sendFault,
    make,
  );
  const forget = () => {
    memory.write(sentKey, null);
    hideResult();
    drawSend();
    say(`The next sheet is sheet ${number()} again.`);
    focusOn(sendTitle);
  };
  const drawSend = () => {
    const at = number();
    const open = missing().map(({ unit }) => unit);
    const odd = state.orders.filter((line) => notation.faultOf(line));
    ownField.hidden = !sealing;
    make.textContent = sealing ? "Seal my sheet" : "Make my sheet";
    make.disabled = at > LIMITS.sheets || seat.open;
    const told = Number(memory.read(sentKey)) || 0;
    sendFacts.replaceChildren(
      ...[
        Object.keys(sheet()).length
          ? open.length > 0 && h("p", {}, `${listed(open)} ${open.length > 1 ? "have" : "has"} no order.`)
          : h("p", {}, "Your sheet is still empty. You can send it all the same."),
        met().map((one) => h("p", { class: "warn" }, caution(one))),
        odd.length > 0 &&
          h(
            "p",
            { class: "warn" },
            forms
              ? `${count(odd.length, "order is", "orders are")} not understood.`
              : `${count(odd.length, "order is", "orders are")} not among the legal ones.`,
          ),
        at > LIMITS.sheets
          ? h("p", { class: "warn" }, `You have sent ${LIMITS.sheets} sheets this turn, and more are not taken.`)
          : h(
              "p",
              {},
              `This is sheet ${at} of ${seat.name} in this turn${at > 1 ? "; it replaces the earlier ones" : ""}: `,
              h("code", {}, pathOf(at, sealing)),
            ),
        told >= seat.next &&
          h(
            "p",
            {},
            `This browser has handed out sheet ${told}, and the archive does not show it yet. `,
            h("button", { type: "button", class: "quiet", click: forget }, "I did not send it"),
          ),
        // Sealed now, it would be for nobody's account, and would not count for whoever joins.
        seat.open &&
          h(
            "p",
            { class: "warn" },
            "This seat is open. Join it first: the game’s page says how. Then load this page again, once the game’s page names you.",
          ),
        !keeps && h("p", { class: "warn" }, "This browser keeps no drafts: finish before you close the page."),
      ].flat().filter(Boolean),
    );
  };
  const toSend = () => {
    show(sending, "start");
    focusOn(sendTitle);
  };
  const failed = (words) => {
    sendFault.textContent = words;
    sendFault.hidden = false;
    say(words);
  };

  const seal = async () => {
    sendFault.hidden = true;
    hideResult();
    if (tidy(typed.value)) {
      failed(`“${tidy(typed.value)}” is still in the field and not in your list. Add it, or empty the field.`);
      typed.focus();
      return;
    }
    const unseen = state.orders.find((line) => unseenIn(line));
    if (unseen !== undefined) {
      failed(`In “${seenOf(unseen)}”, ${unseenIn(unseen)}`);
      return;
    }
    const [fault] = otherFields.flatMap((one) => faultOf(one, state.values[one.key], `field-${one.key}`) ?? []);
    if (fault) {
      failed(fault.words);
      const place = document.getElementById(fault.id);
      place.closest("details")?.setAttribute("open", "");
      focusOn(place.matches("fieldset") ? (place.querySelector("input, select, textarea, button") ?? place) : place);
      const around = place.matches("fieldset") ? place : place.closest(".field");
      fieldFault.textContent = fault.here;
      around.append(fieldFault);
      show(around);
      return;
    }
    make.disabled = true;
    try {
      const now = await latest();
      if (now && now.turn !== data.turn) {
        turnOver(now);
        return;
      }
      const at = number();
      const content = sheet();
      let text = `${sheetLines(content).join("\n") || "{}"}\n`;
      if (sealing) {
        const own = ownKeys.value.split(/[\s,;]+/).filter(Boolean);
        const wrong = own.find((key) => !OWN_KEY.test(key));
        if (wrong) throw new Fault(`“${wrong.slice(0, 20)}…” is no key of the kind age1 and 58 letters more.`);
        const keys = [...new Set([data.recipient, ...own])];
        if (keys.length > LIMITS.keys) throw new Fault(`A sheet can be sealed to ${LIMITS.keys} keys at most.`);
        text = await sealed(await fitted(envelopeText(data, seat, at, content), data.width), keys);
        if (!text.endsWith("\n")) text += "\n";
      } else if (new TextEncoder().encode(text).length > LIMITS.bytes)
        throw new Fault("The sheet is too long: at most 16 KiB can be sent.");
      drawResult({ at, text, path: pathOf(at, sealing), digest: safe ? await digestOf(text) : null, shut: sealing });
    } catch (error) {
      failed(
        error instanceof Fault
          ? error.message
          : "Your browser could not seal the sheet. Try another browser, or use courtly seal.",
      );
      if (!(error instanceof Fault)) console.warn(error);
    } finally {
      make.disabled = number() > LIMITS.sheets;
    }
  };

  const drawResult = ({ at, text, path, digest, shut }) => {
    const told = h("p", { class: "hint" });
    const handed = (words) => {
      memory.write(sentKey, Math.max(at, Number(memory.read(sentKey)) || 0));
      told.textContent = words;
      say(words);
      drawSend();
    };
    const known = typeof data.repository === "string" && REPOSITORY.test(data.repository);
    const base =
      known &&
      `https://github.com/${data.repository}/new/${String(data.branch ?? "main")
        .split("/")
        .map(encodeURIComponent)
        .join("/")}`;
    const named = known && `${base}?filename=${encodeURIComponent(path)}`;
    const address = known && `${named}&value=${encodeURIComponent(text)}`;
    const fits = known && address.length <= LONGEST_ADDRESS;
    const outward = (href, words, kind) => {
      const followed = () =>
        handed(`Sheet ${at} is on its way. If you change something later, the desk makes sheet ${at + 1}.`);
      const options = { href, class: kind, target: "_blank", rel: "noopener noreferrer" };
      return h("a", { ...options, click: followed, auxclick: followed }, words);
    };
    const area = h("textarea", {
      id: "sheet-text",
      readonly: true,
      rows: "9",
      wrap: "off",
      spellcheck: "false",
      value: text,
    });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        area.select();
        if (!document.execCommand("copy")) {
          told.textContent = "Your browser does not let pages copy. The text is selected: copy it yourself.";
          say(told.textContent);
          return;
        }
      }
      handed("Copied. Put it into a file of just this name, and change nothing in it.");
    };
    const download = () => {
      const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      h("a", { href: address, download: path.split("/").at(-1) }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      handed("Saved on your device. It belongs at the place named below; change nothing in it.");
    };
    const title = h("h2", {}, shut ? `Sheet ${at} is sealed` : `Sheet ${at} is ready`);
    const next = known
      ? "On GitHub press “Commit changes”, “Propose changes” and “Create pull request”: it makes a copy of the archive for you (a fork), and from that the pull request. Do not change the text: the receipt names the same digest as this page."
      : "This archive does not say where it lives. Give the file to your host, or add it to the archive under just this name by a pull request. Do not change the text: the receipt names the same digest as this page.";
    const long =
      known &&
      !fits &&
      `With its text the address for GitHub would have ${address.length.toLocaleString("en")} characters, and more than ${LONGEST_ADDRESS.toLocaleString("en")} are not sure to arrive. Copy the text first; then open an empty file of the right name and paste it there.`;
    result.replaceChildren(
      ...[
        title,
        long && h("p", { class: "note" }, long),
        h(
          "div",
          { class: "hand" },
          fits && outward(address, "Open on GitHub", "button main"),
          h("button", { type: "button", click: copy, class: long ? "main" : null }, "Copy"),
          h("button", { type: "button", click: download }, "Download"),
          long && outward(named, "Open an empty file on GitHub", "button"),
        ),
        told,
        h("p", {}, next),
        h(
          "dl",
          {},
          h("dt", {}, "File"),
          h("dd", {}, h("code", { id: "sheet-path" }, path)),
          h("dt", {}, "Digest (SHA-256)"),
          h(
            "dd",
            {},
            h("code", { id: "sheet-digest" }, digest ?? "cannot be computed on a page that did not come over HTTPS"),
          ),
        ),
        h("label", { for: "sheet-text" }, shut ? "The sealed text" : "The text"),
        area,
      ].filter(Boolean),
    );
    result.hidden = false;
    focusOn(title);
    show(result, "start");
    say(`${title.textContent}.`);
  };

  // The turn may end while the page is open.
  const latest = async () => {
    try {
      const now = await (await fetched(`games/${data.game}/desk.json`)).json();
      fetchedAt = Date.now();
      const mine = now.seats.find(({ file }) => file === seat.file);
      if (now.turn === data.turn && mine) {
        Object.assign(seat, { next: mine.next, sent: mine.sent, owes: mine.owes });
        for (const one of data.seats) one.sent = now.seats.find(({ file }) => file === one.file)?.sent ?? one.sent;
        drawSent();
      }
      return now;
    } catch {
      return null; // Offline: what is known is used.
    }
  };
  const turnOver = (now) => {
    leave();
    const words = `This turn is over: it is now ${now.phase}. Your draft for ${data.phase} is kept, and not shown.`;
    route(true).then(() => {
      main.querySelector("h1")?.after(h("p", { class: "note" }, words));
      say(words);
    });
  };
  const looked = async () => {
    if (document.visibilityState !== "visible" || Date.now() - fetchedAt < 60_000) return;
    const now = await latest();
    if (now && now.turn !== data.turn) turnOver(now);
  };

  const sentList = h("ul", { class: "sent" });
  const drawSent = () =>
    sentList.replaceChildren(
      ...data.seats.map((one) =>
        h(
          "li",
          { class: one.sent ? "good" : "soft" },
          h("strong", {}, one.name),
          ` (${one.player}) `,
          sentText(one),
          one.sent ? " ✓" : "",
        ),
      ),
    );

  // All together.
  const [crumbs, title] = gameHead(data);
  let board = null;
  try {
    board = new Board(mapSource, seat.name, notation, (place) => ordersField && (forms ? tapped : choose)(place));
  } catch {
    // Every order can be chosen or typed without it.
  }
  const draw = () => {
    if (ordersField) {
      drawPicker();
      drawList();
      drawWhole();
    }
    const { chosen } = state;
    const next = chosen.length
      ? new Set(
          notation
            .naming(chosen)
            .flatMap(({ mentions }) =>
              mentions.filter((place) => !chosen.includes(place) && mentions.indexOf(place) >= chosen.length),
            ),
        )
      : [];
    board?.mark(chosen, next, chosen.length ? [] : state.orders);
    clearButton.hidden = !state.orders.length && !Object.keys(state.values).length;
  };
  const who = h(
    "p",
    { class: "who" },
    h("strong", {}, seat.name),
    h("span", {}, seat.player),
    h("a", { href: `#${data.game}` }, "Another seat"),
  );
  page(
    `${seat.name}, ${data.title}`,
    crumbs,
    title,
    deadline(data),
    who,
    !seat.owes &&
      !seat.sent &&
      h("p", { class: "note" }, `${seat.name} owes no sheet in this turn. You can send one all the same.`),
    h(
      "div",
      { class: "desk" },
      h(
        "div",
        { class: "left" },
        board?.element ?? h("p", { class: "note" }, "The map cannot be shown. Write your sheet without it."),
      ),
      h(
        "div",
        { class: "right" },
        ordersField && [
          picker,
          typing,
          h("section", { class: "panel" }, listTitle, list, listNote, single && wholeField),
        ],
        fieldset,
        clearButton,
        undo,
        sending,
        result,
        h("details", { class: "who-sent" }, h("summary", {}, "Who has sent"), sentList),
      ),
    ),
  );
  drawFields();
  drawSent();
  drawSend();
  draw();
  if (board && small()) board.frame();
  document.addEventListener("visibilitychange", looked);
  const escape = (event) => {
    if (event.key !== "Escape" || !state.chosen.length) return;
    state.chosen = [];
    state.editing = null;
    state.note = "";
    draw();
    focusOn(pickerTitle);
    say("Nothing is chosen.");
  };
  document.addEventListener("keydown", escape);
  leave = () => {
    document.removeEventListener("visibilitychange", looked);
    document.removeEventListener("keydown", escape);
    clearTimeout(telling);
  };
  if (moved) focusOn(title);
};

document.getElementById("stand-in").remove();
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // The address names the game.
  document.getElementById("main").focus();
});
addEventListener("hashchange", () => {
  scrollTo(0, 0);
  route(true);
});
route(false);
