// The shapes of what the desk reads. Written from adjudicator/core/turn/desk_data.py and adjudicator/site/desk_data.py: nox -s desk -- --write

/** A game whose turn is open: `games/GAME/desk.json`. */
export interface DeskFile {
  /** The places of the map. */
  names: string[];
  spelling: Spelling;
  /** How orders are written, for games whose legal orders are not public. */
  lines: WrittenLines | null;
  /** How the lists whose lines are tried in order are written; null if no sheet has such a list. */
  plans: WrittenPlans | null;
  /** Pieces that walk in this turn, and the cost of their steps; null if nothing walks. */
  walks: Walks | null;
  /** Orders other than those to a seat's own units, in games that have any. */
  beside: Beside | null;
  schema: number;
  archive: string | null;
  /** The forge that hosts the archive; null if the archive names none. */
  forge: ForgeWays | null;
  /** Ways to send a sheet: `pull_requests`, `issues`. */
  doors: string[];
  game: string;
  /** Its path in the archive: `games/NAME`. */
  folder: string;
  title: string;
  ruleset: string;
  turn: string;
  phase: string;
  /** The turn before; null in a game's first turn. */
  before: Before | null;
  deadline: string | null;
  paused: boolean;
  /** True if the site has the judge for browsers, which checks sheets while they are being written. */
  judge: boolean;
  /** True if only the seat itself knows its legal orders. */
  hidden: boolean;
  /** Attempt number of the turn, if not the first. */
  attempt: number | null;
  limits: Limits;
  /** Lengths that a sealed text may have. */
  width: Width;
  /** The key that sheets are sealed to; null in a game that is not sealed. */
  recipient: string | null;
  /** Key of a list of orders ahead -> the key that it is sealed to on its own; null if sheets have no such lists, or are not sealed. */
  ahead: Record<string, string> | null;
  /** Null where nobody rules: in lessons and at tables. */
  host: HostPart | null;
  /** The terms for letters; null in a game that takes none. */
  letters: DeskLetters | null;
  seats: SeatEntry[];
  /** The different forms of the sheets; many seats share one. */
  forms: Field[][];
}

/** How people spell the words of orders. The order desk and the ruleset match lines with the legal orders in the same way. */
export interface Spelling {
  /** One or more words in lower case -> their spelling in a canonical order. Coasts are written `/SC`, to be joined to a name. */
  words: Record<string, string>;
  /** Owners that may be named before a unit, such as the `french` of `french A Paris`. */
  owners: string[];
  /** Words that are signs directly after the ordered unit, and names of places anywhere else. */
  signs: Record<string, string>;
  /** Sign of an order -> signs that may follow it without meaning: a hold after a support. */
  idle: Record<string, string[]>;
  /** Button texts for the forms of orders. If a line fits several, the first applies. */
  sayings: Saying[];
  /** Pairs of a regular expression for text that people write around the words of an order, and its replacement. If a pattern has a group called `route`, it applies only where that part holds nothing but places and `routes`. */
  around: [string, string][];
  /** Words of a route that name no place, such as the `then` of `via NTH, then NWG`. */
  routes: string[];
}

/** Text of the button for orders of one form, and the sign that the desk draws for them. */
export interface Saying {
  /** Form of the order after its unit, with `{unit}` and `{place}` for names: `S {unit} - {place}`. */
  form: string;
  /** Text such as `Support {unit} to {place}`. */
  words: string;
  sign: "stay" | "go" | "aid" | "carry";
}

/** The forms of orders by their purpose, and the possible values of their blanks. */
export interface WrittenLines {
  forms: Record<string, string[]>;
  blanks: Record<string, Blank>;
  /** Form -> a word and blanks. Of the lines with the same word and the same values of these blanks, a sheet may hold only one. Lines of other forms may not be repeated. Null if lines may repeat. */
  once: Record<string, string[]> | null;
  /** Other forms with the same blanks -> the form that they mean. They are tried when no form fits. */
  also: Record<string, string>;
  /** Regular expressions for words that people write around an order, each with its replacement. The line is then read again. */
  around: [string, string][];
  /** A regular expression for the head of a line of speech; the text after it is left unchanged. Empty if the game has no such lines. */
  says: string;
}

/** Values that a blank accepts: `words`, a `shape`, an `exact` pattern, `forms`, a condition over `terms`, or several `of` another blank. */
export interface Blank {
  /** Words in canonical spelling. People may write them in either case, and add or drop an `s` at the end. */
  words?: string[];
  /** Regular expression that the text must match after conversion to capitals. */
  shape?: string;
  /** Regular expression that the text must match as written. */
  exact?: string;
  /** Phrases with further blanks, such as `lord of {place}`. */
  forms?: string[];
  /** Names that a condition in this blank may use. Their arguments are blanks of the same `Lines`. */
  terms?: Terms | null;
  /** Name of another blank: the text is one or more values of that blank. */
  of?: string;
  /** For a path: place -> places that one can reach from it. The first may be any place. */
  ways?: Record<string, string[]> | null;
  /** Regular expression for the separator between two values. */
  between?: string;
  /** Separator between two values in a canonical line. */
  joint?: string;
  /** Regular expression for the number before each value. */
  number?: string;
  /** Whether the number may be left out. */
  bare?: boolean;
  /** Alternative names, and alternative forms with the same blanks -> the word or form that they mean (`won` -> `win`). */
  also?: Record<string, string>;
  /** Whether one word is enough for a name of several words, if no other name has it. */
  loose?: boolean;
  /** Example for this blank in a suggested line, if `words` cannot provide one. */
  sample?: string;
  /** Advice for a wrong value, if `words` cannot provide it. */
  such?: string;
}

/** Terms that conditions may use: names of numbers and of flags, each with the blanks of its arguments. */
export interface Terms {
  numbers: Record<string, string[]>;
  flags: Record<string, string[]>;
  /** Maximum number of clauses in a condition. */
  most: number;
}

/** Lists in sheets whose lines are tried in order, and the possible values of their blanks. */
export interface WrittenPlans {
  /** Key of a field -> its plan. */
  lists: Record<string, Plan>;
  blanks: Record<string, Blank>;
  /** Alternative names of words -> the words, wherever they occur. */
  names: Record<string, string>;
  /** Word -> its name at the desk, such as a card's title. */
  titles: Record<string, string>;
  /** Number or flag of a condition -> a short description. */
  about: Record<string, string>;
  /** Seat -> key of a field -> public facts, as sentences, that the writer of this list should see. */
  told: Record<string, Record<string, string[]>>;
  /** Seat -> cards that it can fill in by taps. The taps write lines into its lists. */
  cards: Record<string, Card[]>;
}

/** Format of the lines of one list. */
export interface Plan {
  forms: string[];
  /** Texts that may follow any form, each at most once and in this order. */
  endings: string[];
  /** Pairs of a regular expression for text that people write around the words of a line, and its replacement. */
  around: [string, string][];
  /** Forms whose possible lines are all among a seat's options. Other lines of these forms are not possible now. */
  certain: string[];
  /** The numbers and flags that have a value in this list now. A line that uses any other never applies. */
  terms: string[];
}

/** A part of a sheet that players fill in by taps, such as the report of one battle. */
export interface Card {
  title: string;
  about: string;
  asks: Ask[];
}

/** A question that a tap answers. Each answer is a line of a list. */
export interface Ask {
  /** The list's key. */
  key: string;
  label: string;
  /** Label of each button, and the line that it writes. If a line has an open blank, the button starts it in the list's text field. */
  answers: [string, string][];
  /** Whether an answer replaces the earlier one. */
  one: boolean;
  /** Endings that may follow the chosen line: for each, its label in a menu, and its text in the line. */
  ends: [string, string][];
  /** Whether the question is of interest to few, and shown folded. */
  folded: boolean;
  /** The beginning of a line that the player completes by pasting a link; empty for none. */
  link: string;
}

/** Walkers of a turn, and the board. */
export interface Walks {
  columns: number;
  /** Places row by row, each row of `columns` places. Even rows lie half a place to the right. */
  places: string[];
  /** One sign for each place. There is a shore between neighbouring places whose signs differ. */
  shore: string;
  grounds: Footing[];
  /** Sets of acts that a walker may do on the way, as lines write them; `Walker.deeds` chooses one set. */
  deeds: string[][];
  /** Act on the way, by its first words -> its cost. */
  acts: Record<string, number>;
  /** Act on the way -> points that the walker gains. */
  gains: Record<string, number>;
  /** First words of acts that end a walk. */
  ends: string[];
  /** First words of acts that must come before all others. */
  first: string[];
  /** Places that lead to one another, at the cost of entering. */
  gates: string[];
  /** Act on the way -> one sign for each place: `x` where public information shows it to be pointless. */
  where: Record<string, string>;
  /** Seat -> key of a list -> walkers that have a line in it: `A1: E, NE`. */
  walkers: Record<string, Record<string, Walker[]>>;
  /** Seat -> one sign for each place: `x` where the seat may not enter. */
  closed: Record<string, string>;
}

/** Costs of entering places: one sign for each place, in the order of `Walks.places`. A digit is a cost; a letter is a key of `counted`. */
export interface Footing {
  costs: string;
  /** Letter -> number of such places that cost 1 together, paid on entering the last of them. The count continues through the walk. */
  counted: Record<string, number>;
  /** Cost of a step across a shore, in place of the cost of the place entered. Such a step does not count for `counted`. */
  crossing: number;
}

/** Somebody who walks: the name that begins their lines, their place, points and terrain. */
export interface Walker {
  name: string;
  at: string;
  has: number;
  /** Index into `Walks.grounds`. */
  ground: number;
  /** Index into `Walks.deeds`, for the acts that they may do on the way. */
  deeds: number;
  /** Number of acts that they may do on the way, each at most once. */
  once: number;
  /** Whether they may skip a place, once. */
  skips: boolean;
  /** Whether they may enter places that are closed to the seat's other walkers. */
  wide: boolean;
}

/** Everything that seats can give orders about in one turn, besides their own units. */
export interface Beside {
  /** None while there is nothing to bid on. */
  bidding: Bidding | null;
  /** Unit -> the orders that it can be given. */
  pieces: Record<string, Piece>;
  purses: Record<string, Purse>;
  persons: Record<string, Person[]>;
  /** Words for the owners of units under shared command -> orders that these units can be given. */
  shared: Record<string, string[]>;
}

/** Format of bids, their field in a sheet, and the messages about them. */
export interface Bidding {
  key: string;
  /** Unit of a bid: `DP`. */
  coin: string;
  /** Template with `{amount}` and `{wish}`. The wish begins with the unit. */
  form: string;
  /** Words that people may write between the coin and the unit. */
  joints: string[];
  /** Regular expression for the end of a wish -> its canonical spelling. Python and browsers read the expressions alike. */
  spelt: Record<string, string>;
  /** Message for bids that give one `{unit}` two orders. */
  twice: string;
  /** Message for a bid of more coins than the seat has left. Its blanks are `{left}`, the whole `{purse}` and the total `{asked}`. */
  dear: string;
  /** Message for a bid of zero or of an impossible number; `{amount}` is the number as written. */
  nothing: string;
  /** Note beside a number of coins that each count as `{weight}`. */
  heavy: string;
}

/** A unit that can be bid on, the same for every seat that may bid on it. */
export interface Piece {
  /** Owner in a few words, such as `a Minor`. */
  whose: string;
  /** Orders that it can be given, each as a canonical line without the unit's name. */
  wishes: string[];
  /** Remark on a move of the unit, if it does not move as others do. */
  going: string;
  /** Message for a bid on the unit by its attacker, if the attack voids the bid. */
  void: string;
}

/** Coins that one seat bids with, and the units that it can bid on. */
export interface Purse {
  holds: number;
  /** Unit -> weight of each coin that the seat bids on it. */
  weights: Record<string, number>;
}

/** Somebody who takes orders but is not a unit, such as an heir. */
export interface Person {
  /** Name that the seat uses for them: `My heir`. */
  name: string;
  /** Words that every order to them begins with. */
  head: string;
  groups: Group[];
  /** Reason why they can be given no order; empty if they can be given some. */
  why: string;
}

/** Orders to somebody, under a title, or the reason why there are none. */
export interface Group {
  title: string;
  /** Orders without the person's `head`. */
  orders: string[];
  /** For each order, the unit that must be bid on; empty if no order needs a bid. */
  units: string[];
  /** Order that the bid must give these units, without their names. */
  wish: string;
  why: string;
}

/** Addresses of pages and queries on the forge that hosts the archive, with blanks for variable parts, such as a file's path or its text. */
export interface ForgeWays {
  /** Name of the forge, for pages. */
  name: string;
  /** Name of the account that answers requests. */
  bot: string;
  file: string;
  /** The page for a new file. */
  new_file: string;
  /** The page for a new file with its text; null if the forge cannot prefill it. */
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

/** The turn judged last: the name of its folder, and its display name. */
export interface Before {
  turn: string;
  phase: string;
}

/** The limits of an archive, which the desk must respect. */
export interface Limits {
  /** Maximum number of keys that one file is sealed to. */
  keys: number;
  /** Maximum number of a seat's sheets in one turn. */
  sheets: number;
  /** Maximum length of an order, in characters. */
  letters: number;
  /** Maximum size of a sheet's file, in bytes. */
  bytes: number;
  /** Maximum length of a line in a sheet that holds several values, in characters. */
  line: number;
  /** Maximum number of known words that a fault lists. */
  words: number;
}

/** Lengths that sealed texts of a turn may have: multiples of `step`, from `least` to `most` bytes. */
export interface Width {
  step: number;
  least: number;
  most: number;
  /** Whether texts are compressed before they are padded (format 2). */
  packs: boolean;
}

/** Data for the host's page, which writes rulings. */
export interface HostPart {
  /** The file that rulings of this turn go into. */
  path: string;
  exists: boolean;
  /** Spaces before the entries of that file, so that a ruling can be added at its end; null if the desk writes the whole file. */
  indent: number | null;
  /** The rulings of a file that has another form, as a list with an entry a line; otherwise empty. */
  before: string;
  /** Sentences about decisions that the turn needs from its host, as far as everybody may know them. */
  waits: string[];
}

/** The terms for letters that open when the game is over. */
export interface DeskLetters {
  /** The key that they are sealed to. */
  recipient: string;
  /** The length of a sealed letter. */
  width: Width;
  /** Maximum number of characters in a letter. */
  most: number;
  /** Maximum number of a seat's letters in a game. */
  count: number;
  /** File of a seat -> the number of its next letter. */
  next: Record<string, number>;
  /** SHA-256 of every letter's file in the archive. */
  sent: string[];
}

/** A seat, as far as the public may know it. */
export interface SeatEntry {
  /** Key of a field -> its legal values. */
  options: Record<string, string[]>;
  /** Sentences about what happens without orders, if that may be shown. */
  without: string[];
  cautions: Caution[];
  /** Key of a field -> lines of earlier sheets that still apply, if that is not a secret. */
  stands: Record<string, string[]>;
  /** The cost of its orders and the means to pay it, if they are not a secret. */
  prices: Prices | null;
  name: string;
  /** The name of its sheets' files, without number and ending. */
  file: string;
  player: string;
  account: number | null;
  /** True if anybody may join. */
  open: boolean;
  /** For an open seat: the file that asks for it. */
  join: JoinFile | null;
  /** The number of its next sheet in this turn. */
  next: number;
  sent: number;
  owes: boolean;
  /** Index into the desk's forms: the form of its sheet. */
  form: number;
  /** Results of its orders in the turn before, if they are not secret: for each order a sentence, and true if the order succeeded. */
  happened: [string, boolean][];
  /** The public key that its private news is sealed to, an age key or an SSH key; null in a game without secrets. */
  key: string | null;
  /** SHA-256 of its private news of this turn: of the plain text, not of the file. */
  news: string | null;
}

/** A remark on every sheet that meets its conditions; without conditions, on every sheet. */
export interface Caution {
  /** The key that the remark concerns. */
  place: string;
  what: string;
  right?: string;
  level?: "error" | "warning";
  /** Keys that must all be filled. */
  filled?: string[];
  /** Keys that must all be empty. */
  empty?: string[];
  /** Key -> the text that it must have. */
  says?: Record<string, string>;
  /** Unit -> the order that keeps it in its place. Each of these units must have another legal order. */
  busy?: Record<string, string>;
  /** Key of a record of numbers -> the sum that they should have. The caution applies if none of these sums is right. */
  sums?: Record<string, number>;
  /** Beginnings of lines to count, such as `Build A `, or whole lines. The caution applies if there are fewer than `wanted`. Several lines for one place count once. */
  starts?: string[];
  /** Places whose lines do not count, because they are for somebody else's units. */
  elsewhere?: string[];
  wanted?: number;
  /** Line -> a unit of the seat, then the lines of that unit that the line needs. The caution applies once for each such line on the sheet if the unit has another line there. `{line}` and `{other}` in `what` become the two. */
  fits?: Record<string, string[]>;
  /** Word for one of the counted lines, such as `build`. `{left}` in `what` becomes the number of further lines possible, with this word. */
  thing?: string;
}

/** Resources of a seat when a turn opens, and the prices of its orders. */
export interface Prices {
  purse: Record<string, number>;
  /** Form of orders -> its price; other forms cost nothing. */
  forms: Record<string, Price>;
  /** Sentence about costs that the sum leaves out. */
  note: string;
}

/** Cost of an order of one form: a fixed part, and parts that depend on the words in its blanks. */
export interface Price {
  fixed?: Record<string, number>;
  /** Blank -> word -> amounts, for each time that the word occurs: twice for `2 Pikes`. The empty word means any other. */
  by?: Record<string, Record<string, Record<string, number>>>;
  /** The thing that is paid for `shares`. */
  thing?: string;
  /** Number of shares that cost one `thing`; a remainder costs one more. */
  per?: number;
  /** Blank -> word -> shares, for each time that the word occurs. */
  shares?: Record<string, Record<string, number>>;
}

/** The file that asks for an open seat. */
export interface JoinFile {
  path: string;
  text: string;
  /** The forge's page for that file, prefilled if possible; null if it cannot be sent that way. */
  address: string | null;
  /** The forge's page for an issue that holds the file, prefilled; null if it cannot be sent that way. */
  issue: string | null;
  /** A sentence about who gets the seat. */
  how: string;
}

/** A field of a sheet or of a record. */
export interface Field {
  kind: "lines" | "line" | "table" | "flag" | "answer" | "choice" | "several" | "number" | "text" | "record" | "records";
  /** Choices. For text and lines they are suggestions, and other text is possible. */
  choices?: string[];
  /** Rows of a table: name -> its choices. */
  rows?: Record<string, string[]>;
  /** Fields of a record. */
  fields?: Field[];
  /** The key of the field that names a record's form. */
  by?: string;
  /** Form of a record -> its other fields -> whether each must be filled. */
  forms?: Record<string, Record<string, boolean>>;
  /** Name for one entry of a list of records. */
  entry?: string;
  /** The minimum number, or the minimum number of entries. */
  least?: number;
  /** The maximum number, the maximum number of entries, or the maximum number of letters in a text. */
  most?: number;
  /** The maximum number of letters in a line, if it differs from the maximum for orders. */
  letters?: number;
  /** Value of the field if it is left unchanged. */
  default?: string | number | boolean;
  help?: string;
  /** Whether an empty list differs in meaning from no list. */
  empty?: boolean;
  /** Whether the field has no use in this turn. */
  idle?: boolean;
  /** Whether a record is invalid without it. */
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
  /** The data that the learner's dispatch would give the desk; None in a game without secrets. */
  aside: Aside | null;
  /** The learner's seat, as its sheets are named. */
  seat: string;
  steps: LessonStep[];
  ends: LessonEnd[];
}

/** The part of a seat's dispatch for its desk. */
export interface Aside {
  schema: number;
  game: string;
  turn: string;
  seat: string;
  /** The form of its sheet; a field that everybody knows is given by its key only. */
  form: (string | Field)[];
  /** Key of a field -> its legal values, as far as the seat can know them. */
  options: Record<string, string[]>;
  /** Sentences about what happens without orders. */
  without: string[];
  cautions: Caution[];
  /** Key of a field -> lines of earlier sheets that still apply. */
  stands: Record<string, string[]>;
  prices: Prices | null;
  /** Words in its orders -> their meanings. */
  meanings: Record<string, string>;
  /** None if it did not fit into the dispatch. */
  map: OwnMap | null;
}

/** A seat's map, as its differences from the map that everybody sees at the desk. */
export interface OwnMap {
  /** SHA-256 of the picture that the edits apply to. */
  base: string;
  /** In the order of the picture: how many pieces are kept, how many are then removed, and the text that replaces them. */
  edits: [number, number, string][];
}

/** One task of a lesson. */
export interface LessonStep {
  task: string;
  /** Right answers: the entries that a sheet must have, whatever else it has. Null marks a key that is left empty. */
  accepts: Record<string, unknown>[];
  right: string;
  hint: string;
  wrong: Foreseen[];
}

/** A wrong answer that the lesson foresees, and the reply to it. */
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
  /** Events that everybody expects of a turn. */
  plain: string[];
  verdicts: VerdictTold[];
}

/** One order and its fate. */
export interface VerdictTold {
  seat: string;
  order: string;
  good: boolean;
  /** True if it waited for an event that did not come. */
  unused: boolean;
  why: string;
  rule: string;
  /** The address of the rule, relative to the site's folder. */
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
  /** First and last character of a range, and its kind; in ascending order. */
  ranges: [number, number, string][];
  /** Number in hexadecimal digits -> name. */
  names: Record<string, string>;
}
