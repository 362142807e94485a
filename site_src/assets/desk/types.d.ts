// The shapes of what the desk reads. Written from adjudicator/core/turn/desk_data.py and adjudicator/site/desk_data.py: nox -s desk -- --write

/** A game whose turn is open: `games/GAME/desk.json`. */
export interface DeskFile {
  /** The places of the map. */
  names: string[];
  spelling: Spelling;
  /** How orders are written, where the public does not know what is legal. */
  lines: WrittenLines | null;
  /** How lists of lines are written that are tried in order; none where no sheet has any. */
  plans: WrittenPlans | null;
  /** Who walks in this turn, and what their steps take; none where nobody does. */
  walks: Walks | null;
  /** What seats order beside their own units, where a game has any of it. */
  beside: Beside | null;
  schema: number;
  archive: string | null;
  /** Where the archive lives; none if it does not say it. */
  forge: ForgeWays | null;
  /** How sheets may come: `pull_requests`, `issues`. */
  doors: string[];
  game: string;
  /** Where it lies in the archive: `games/NAME`. */
  folder: string;
  title: string;
  ruleset: string;
  turn: string;
  phase: string;
  /** The turn before; None in a game's first. */
  before: Before | null;
  deadline: string | null;
  paused: boolean;
  /** Whether the site has the judge for browsers, which checks sheets as they are written. */
  judge: boolean;
  /** Whether only a seat knows what is legal for it. */
  hidden: boolean;
  /** Which time the turn was begun, if not the first. */
  attempt: number | null;
  limits: Limits;
  /** How long a sealed text is. */
  width: Width;
  /** The key that sheets are sealed to; none in a game that is not sealed. */
  recipient: string | null;
  seats: SeatEntry[];
  /** The sheets' forms: of many seats it is the same. */
  forms: Field[][];
}

/** How people spell the words of orders. The order desk matches lines with the legal orders by it, as the ruleset reads them. */
export interface Spelling {
  /** A word or several in lower case -> how the canonical order writes them. Coasts come as `/SC`, to be joined to a name. */
  words: Record<string, string>;
  /** Whose a unit is, as it may be said before it: `french` A Paris. */
  owners: string[];
  /** Words that name a place, and are a sign where one must stand: behind the unit that is ordered. */
  signs: Record<string, string>;
  /** Sign of an order -> the signs that say nothing behind it: a hold behind a support. */
  idle: Record<string, string[]>;
  /** What the forms of orders do; of several that a line has the first counts. */
  sayings: Saying[];
  /** Regular expressions for what people write around the words of an order, each with what stays of it. */
  around: [string, string][];
}

/** What an order of one form does, in words for a button, and the sign that the desk draws for it. */
export interface Saying {
  /** What follows the unit that is ordered, with `{unit}` and `{place}` for names: `S {unit} - {place}`. */
  form: string;
  /** As `Support {unit} to {place}`. */
  words: string;
  sign: "stay" | "go" | "aid" | "carry";
}

/** The forms of orders by what they are for, and what may stand in their blanks. */
export interface WrittenLines {
  forms: Record<string, string[]>;
  blanks: Record<string, Blank>;
  /** Form -> a word and blanks: of lines that share these a sheet holds one; of other forms no two equal lines. None where any may repeat. */
  once: Record<string, string[]> | null;
  /** Other forms with the same blanks -> the form that they mean; they are tried when no form fits. */
  also: Record<string, string>;
  /** Regular expressions for what people write around the words of an order, each with what stays of it; then the line is read again. */
  around: [string, string][];
  /** A regular expression for the head of a line that says something: what follows it stays as it is. Empty if none does. */
  says: string;
}

/** What may stand in a blank: one of `words`, a `shape`, an `exact` text, one of `forms`, or some `of` another; any text without these. */
export interface Blank {
  /** As they are written canonically; people may use either case, and an `s` at the end more or less. */
  words?: string[];
  /** A regular expression for the text in capitals. */
  shape?: string;
  /** A regular expression for the text as it is. */
  exact?: string;
  /** Texts with blanks of their own, as `lord of {place}`. */
  forms?: string[];
  /** What a condition that stands here may name; its arguments have blanks of these lines. */
  terms?: Terms | null;
  /** The blank that may stand here several times. */
  of?: string;
  /** For a path: each place that `of` has -> where one can go from there. The first may be any place. */
  ways?: Record<string, string[]> | null;
  /** A regular expression for what stands between two of them. */
  between?: string;
  /** What stands between two of them in a canonical line. */
  joint?: string;
  /** A regular expression for how many of each there are, which is written before it. */
  number?: string;
  /** Whether the number may be left out. */
  bare?: boolean;
  /** Other names, and other forms with the same blanks -> the word or the form that they mean (`won` -> `win`). */
  also?: Record<string, string>;
  /** Whether a name of several words may be called by one of them, where no other name has it. */
  loose?: boolean;
  /** What stands here in a line that is shown as right, where the words do not give it. */
  sample?: string;
  /** What would be right, where the words alone do not say it. */
  such?: string;
}

/** What conditions may speak of: the names of numbers and of flags, each with the blanks of its arguments. */
export interface Terms {
  numbers: Record<string, string[]>;
  flags: Record<string, string[]>;
  /** Clauses that a condition may have. */
  most: number;
}

/** The lists of sheets whose lines are tried in order, and what may stand in these lines. */
export interface WrittenPlans {
  /** Key of a field -> its plan. */
  lists: Record<string, Plan>;
  blanks: Record<string, Blank>;
  /** Other names of words -> the words, wherever they stand. */
  names: Record<string, string>;
  /** Word -> what the desk calls it, such as a card's title. */
  titles: Record<string, string>;
  /** Number or flag of a condition -> what it is, in a few words. */
  about: Record<string, string>;
  /** Seat -> key of a field -> sentences that everybody knows, and whoever writes this list should have before their eyes. */
  told: Record<string, Record<string, string[]>>;
  /** Seat -> what it can fill in by taps; its lists hold the same lines. */
  cards: Record<string, Card[]>;
}

/** How the lines of one list are written. */
export interface Plan {
  forms: string[];
  /** What may follow any form, each at most once and in this order. */
  endings: string[];
  /** Regular expressions for what people write around the words of a line, each with what stays of it. */
  around: [string, string][];
  /** Forms whose possible lines are all among a seat's options: another line of them is not possible as things stand. */
  certain: string[];
  /** The numbers and flags that mean something in this list now; any other makes its line hold never. */
  terms: string[];
}

/** A part of a sheet that is filled in by taps, such as the report of one battle. */
export interface Card {
  title: string;
  about: string;
  asks: Ask[];
}

/** A question that a tap answers: each answer is a line of a list. */
export interface Ask {
  /** The list's key. */
  key: string;
  label: string;
  /** What a button says, and the line that it writes; one with an open blank is begun in the list's own field. */
  answers: [string, string][];
  /** Whether an answer takes the place of another. */
  one: boolean;
  /** What may follow the line that was chosen: as a menu calls it, and as it is written. */
  ends: [string, string][];
  /** Whether it is for those who look for it. */
  folded: boolean;
  /** The beginning of a line that a link completes, which is pasted; empty for none. */
  link: string;
}

/** Who walks in a turn, and over what. */
export interface Walks {
  columns: number;
  /** Row by row, each of so many columns; even rows lie half a place to the right. */
  places: string[];
  /** A sign a place: those that differ have a shore between them. */
  shore: string;
  grounds: Footing[];
  /** What somebody may do on their way, as a line says it. */
  deeds: string[][];
  /** What is done on the way -> what it takes; by its first words. */
  acts: Record<string, number>;
  /** What is done on the way -> what it adds to what somebody has. */
  gains: Record<string, number>;
  /** What nothing is done after, by its first words. */
  ends: string[];
  /** What is done before anything else or not at all, by its first words. */
  first: string[];
  /** Places that lead to one another, for what entering one takes. */
  gates: string[];
  /** What is done on the way -> a sign a place: `x` where it makes no sense, as everybody sees. */
  where: Record<string, string>;
  /** Seat -> key of a list -> those who have a line in it: `A1: E, NE`. */
  walkers: Record<string, Record<string, Walker[]>>;
  /** Seat -> a sign a place: `x` where it is not let in. */
  closed: Record<string, string>;
}

/** What entering each place takes: a sign a place, in their order. A digit is a cost, a letter one of `counted`. */
export interface Footing {
  costs: string;
  /** Letter -> how many such places cost 1 together, the last of them: entered one by one they are counted through the walk. */
  counted: Record<string, number>;
  /** What a step across a shore takes, in place of the rest; it is not counted. */
  crossing: number;
}

/** Somebody who walks: what lines of theirs begin with, where they stand, what they have, what they walk on. */
export interface Walker {
  name: string;
  at: string;
  has: number;
  /** Which of the grounds. */
  ground: number;
  /** Which of the lists of what they may do on their way. */
  deeds: number;
  /** How many things they may do on their way, none of them twice. */
  once: number;
  /** Whether they may skip a place, once. */
  skips: boolean;
  /** Whether they may enter what is closed to others of the seat. */
  wide: boolean;
}

/** All that the seats order beside their own units in one turn. */
export interface Beside {
  /** None while nothing can be bid. */
  bidding: Bidding | null;
  /** Unit -> what it can be told. */
  pieces: Record<string, Piece>;
  purses: Record<string, Purse>;
  persons: Record<string, Person[]>;
  /** Whose units they are that a seat commands with others -> the orders of these units. */
  shared: Record<string, string[]>;
}

/** How bids are written, in which field of a sheet, and what is said of them. */
export interface Bidding {
  key: string;
  /** What is bid: `DP`. */
  coin: string;
  /** With `{amount}` and `{wish}`; the wish begins with the unit. */
  form: string;
  /** What may stand between the coin and the unit, or be left out. */
  joints: string[];
  /** How the end of a wish may be spelt, as regular expressions that Python and browsers read alike -> how the game writes it. */
  spelt: Record<string, string>;
  /** Said of bids that tell one `{unit}` two things. */
  twice: string;
  /** Said of a bid of more than is `{left}`, of the `{purse}` and of all that is `{asked}`. */
  dear: string;
  /** Said of a bid of nothing: `{amount}` is what it says. */
  nothing: string;
  /** Said beside a number that counts more than itself, by its `{weight}`. */
  heavy: string;
}

/** A unit that can be bid on, the same for every seat that may. */
export interface Piece {
  /** In a few words, as `a Minor`. */
  whose: string;
  /** What it can be told, each as a canonical line without the unit's name. */
  wishes: string[];
  /** What is said of a move of it, if it does not go as others do. */
  going: string;
  /** Said of a bid on it by whoever attacks it, if that makes the bid void. */
  void: string;
}

/** What one seat bids with, and on which units. */
export interface Purse {
  holds: number;
  /** Unit -> what each coin of the seat counts for it. */
  weights: Record<string, number>;
}

/** Somebody who is ordered and is no unit, such as an heir. */
export interface Person {
  /** As the seat calls them: `My heir`. */
  name: string;
  /** What every order of theirs begins with. */
  head: string;
  groups: Group[];
  /** Why there is no order for them. */
  why: string;
}

/** Orders of somebody, under a title; why there are none, if so. */
export interface Group {
  title: string;
  /** Each without its head. */
  orders: string[];
  /** The unit of each order that has to be bid on with it; none if that is not so. */
  units: string[];
  /** What these units have to be told, without their names. */
  wish: string;
  why: string;
}

/** The pages and questions of the forge where the archive lives: addresses in which a place, a text or a number is still to be filled in. */
export interface ForgeWays {
  /** As pages call it. */
  name: string;
  /** The name of the account that answers requests. */
  bot: string;
  file: string;
  /** The page for a new file. */
  new_file: string;
  /** The same with its text; none where the forge fills none in. */
  filled_file: string | null;
  new_issue: string;
  pull: string;
  issue: string;
  fork: string;
  commits: string;
  raw: string;
  requests: string;
  comments: string;
}

/** The turn that was judged last: what it was called, and the folder of its page. */
export interface Before {
  turn: string;
  phase: string;
}

/** What the desk may not go beyond, since the archive takes in no more. */
export interface Limits {
  /** Keys that open a sealed sheet. */
  keys: number;
  /** Sheets of a seat in a turn. */
  sheets: number;
  /** Letters of an order. */
  letters: number;
  /** Bytes of a sheet. */
  bytes: number;
  /** Letters of a sheet's line that holds several things. */
  line: number;
  /** Known words that a fault shows. */
  words: number;
}

/** How long the sealed texts of a turn are: multiples of `step`, from `least` to `most` bytes. */
export interface Width {
  step: number;
  least: number;
  most: number;
  /** Whether texts are compressed before they are padded (format 2). */
  packs: boolean;
}

/** A seat, as far as the public may know it. */
export interface SeatEntry {
  /** Key of a field -> its legal texts. */
  options: Record<string, string[]>;
  /** What happens without orders, where that may be said. */
  without: string[];
  cautions: Caution[];
  /** Key of a field -> the lines that stand of earlier sheets, where that is no secret. */
  stands: Record<string, string[]>;
  /** What its orders take of what it has, where that is no secret. */
  prices: Prices | null;
  name: string;
  /** What its sheets are called. */
  file: string;
  player: string;
  account: number | null;
  /** Whether anybody may join. */
  open: boolean;
  /** Of an open seat: the file that asks for it. */
  join: JoinFile | null;
  /** The number of its next sheet in this turn. */
  next: number;
  sent: number;
  owes: boolean;
  /** Which of the desk's forms its sheet has. */
  form: number;
  /** What became of its orders in the turn before, where that is no secret: each in a sentence, and whether it succeeded. */
  happened: [string, boolean][];
  /** The public key that its private news is sealed to, an age key or an SSH key; none in a game without secrets. */
  key: string | null;
  /** SHA-256 of its private news of this turn, of what is told and not of the file. */
  news: string | null;
}

/** A remark on every sheet that meets its conditions; without conditions, on every sheet. */
export interface Caution {
  /** The key that it is about. */
  place: string;
  what: string;
  right?: string;
  level?: "error" | "warning";
  /** Keys that are filled, all of them. */
  filled?: string[];
  /** Keys that are all empty. */
  empty?: string[];
  /** Key -> the text that stands there. */
  says?: Record<string, string>;
  /** Unit -> the order that keeps it where it is: each of these has another one, and a legal one. */
  busy?: Record<string, string>;
  /** Key of a record of numbers -> what they should add up to: each adds up to something else. */
  sums?: Record<string, number>;
  /** How the lines begin that are counted, such as `Build A `, or all of such a line: there are fewer than `wanted`. Several for one place count once. */
  starts?: string[];
  /** Places at which lines are not counted, since they are for somebody else's units. */
  elsewhere?: string[];
  wanted?: number;
  /** What such a line is, in the singular; `{left}` in `what` is how many more there could be. */
  thing?: string;
}

/** What a seat has when a turn opens, and what its orders take of it. */
export interface Prices {
  purse: Record<string, number>;
  /** Form of orders -> its price; other forms take nothing. */
  forms: Record<string, Price>;
  /** What the sum leaves out, in a sentence. */
  note: string;
}

/** What an order of one form takes: a fixed part, and parts that hang on what stands in its blanks. */
export interface Price {
  fixed?: Record<string, number>;
  /** Blank -> word -> amounts, as often as the word stands there: `2 Pikes` twice; the empty word is any other. */
  by?: Record<string, Record<string, Record<string, number>>>;
  /** What `shares` add up to. */
  thing?: string;
  /** How many shares are one of the thing; what is left over counts as one. */
  per?: number;
  /** Blank -> word -> shares, as often as the word stands there. */
  shares?: Record<string, Record<string, number>>;
}

/** What asks for an open seat. */
export interface JoinFile {
  path: string;
  text: string;
  /** The forge's page for that file, filled in where it can be; none where none is to be sent so. */
  address: string | null;
  /** The forge's page for an issue that holds the file, filled in; none where none is to be sent so. */
  issue: string | null;
  /** Who gets the seat, in a sentence. */
  how: string;
}

/** A field of a sheet or of a record. */
export interface Field {
  kind: "lines" | "line" | "table" | "flag" | "answer" | "choice" | "several" | "number" | "text" | "record" | "records";
  /** What may be chosen; of a text, and of lines, what may stand there among others. */
  choices?: string[];
  /** Of a table: name -> what may be chosen for it. */
  rows?: Record<string, string[]>;
  /** Of a record. */
  fields?: Field[];
  /** The key of the field that names a record's form. */
  by?: string;
  /** Form of a record -> the other fields that it has -> whether each must be filled. */
  forms?: Record<string, Record<string, boolean>>;
  /** What one of a list of records is called. */
  entry?: string;
  /** The least number, or the fewest entries. */
  least?: number;
  /** The greatest number, the most entries, or the most letters of a text. */
  most?: number;
  /** The most letters of a line, where it is another number than that of orders. */
  letters?: number;
  /** What the field stands for if it is left as it is. */
  default?: string | number | boolean;
  help?: string;
  /** Whether an empty list says something else than no list. */
  empty?: boolean;
  /** Whether nothing can be done with it in this turn. */
  idle?: boolean;
  /** Whether a record cannot be without it. */
  must?: boolean;
  key: string;
  label: string;
}

/** A game that has a desk, in `games/desks.json`. */
export interface OpenGame {
  game: string;
  title: string;
  phase: string;
}

/** A lesson: `lessons/RULESET/NAME.json`. */
export interface LessonFile {
  schema: number;
  lesson: string;
  title: string;
  /** The address of the rulebook. */
  book: string;
  before: string[];
  after: string[];
  desk: DeskFile;
  /** What the learner's dispatch would say to the desk; none in a game without secrets. */
  aside: Aside | null;
  /** The learner's, as its sheets are called. */
  seat: string;
  steps: LessonStep[];
  ends: LessonEnd[];
}

/** What a seat's desk learns from its dispatch. */
export interface Aside {
  schema: number;
  game: string;
  turn: string;
  seat: string;
  /** Its sheet's form; a key stands for a field that is as everybody knows it. */
  form: (string | Field)[];
  /** Key of a field -> its legal texts, as far as the seat can know. */
  options: Record<string, string[]>;
  /** What happens without orders. */
  without: string[];
  cautions: Caution[];
  /** Key of a field -> the lines that stand of earlier sheets. */
  stands: Record<string, string[]>;
  prices: Prices | null;
  /** Words that stand in its orders -> what they stand for. */
  meanings: Record<string, string>;
  /** None where there was no room for it in the dispatch. */
  map: OwnMap | null;
}

/** A seat's map, as what differs in it from the map that everybody sees at the desk. */
export interface OwnMap {
  /** SHA-256 of the picture that is changed. */
  base: string;
  /** In the order of the picture: how many pieces stay as they are, how many go then, and what comes in their place. */
  edits: [number, number, string][];
}

/** One task of a lesson. */
export interface LessonStep {
  task: string;
  /** Right answers: what a sheet must say, whatever else it says; null for a key that is left empty. */
  accepts: Record<string, unknown>[];
  right: string;
  hint: string;
  wrong: Foreseen[];
}

/** A wrong answer that was thought of, and what is said of it. */
export interface Foreseen {
  answer: Record<string, unknown>;
  says: string;
}

/** A sheet that a lesson leads to, judged. */
export interface LessonEnd {
  sheet: Record<string, unknown>;
  picture: string;
  headline: string;
  more: string[];
  /** What everybody expects of a turn. */
  plain: string[];
  verdicts: VerdictTold[];
}

/** One order, and what became of it. */
export interface VerdictTold {
  seat: string;
  order: string;
  good: boolean;
  /** Whether it waited for what did not come. */
  unused: boolean;
  why: string;
  rule: string;
  /** Of the rule, from the site's own folder. */
  address: string;
}

/** A lesson, in `lessons/lessons.json`. */
export interface LessonEntry {
  lesson: string;
  title: string;
  ruleset: string;
  seat: string;
}

/** Characters that no sheet may hold: `assets/unseen.json`. */
export interface UnseenTable {
  kinds: Record<string, string>;
  /** The first and last of a range, and its kind; in ascending order. */
  ranges: [number, number, string][];
  /** Number in hexadecimal digits -> name. */
  names: Record<string, string>;
}
