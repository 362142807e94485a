// @ts-check
// Asking the judge: starts the worker from a blob, asks one question at a time, and puts faults into words. It draws nothing.
//
// A worker that is loaded by its address follows only the policy that its server sends, and static hosts send none. One that starts from a
// blob follows the page's policy, so it can ask this site and nobody else.

/** One part of the engine. @typedef {{ file: string, bytes: number, sha256: string }} Part */
/**
 * The site's list of its engine.
 * @typedef {{ base: string, info: Record<string, string>, parts: Record<string, Part>, own: Record<string, Part>,
 *   rulesets: Record<string, string[]>, titles?: Record<string, string> }} Engine
 */

/** A fault in words for the reader; `kind` names it. */
export class EngineFault extends Error {
  /**
   * @param {string} kind
   * @param {string} words
   */
  constructor(kind, words) {
    super(words);
    this.kind = kind;
  }
}

/** Faults in words for the reader. */
export const WORDS = {
  none: "This site was built without the judge for browsers. The command courtly verify judges every turn again.",
  wasm: "Your browser cannot run the judge: WebAssembly is switched off in it, or it is too old. The command courtly verify judges every turn again.",
  secure: "Your browser runs the judge only on a page that came over HTTPS, or from this machine itself.",
  blocked: "Your browser did not let the judge start. An add-on may block workers on this page.",
  download: "Part of the judge did not arrive complete. Check that you are online, and try again.",
  ruleset: "The judge on this site does not know this game’s rules. The site was built with a different version: its host can build it again.",
  time: "The judge took too long, and was stopped.",
  failed: "The judge itself failed. The command courtly verify judges the turn again, too.",
};

/** Longest time for a question, in milliseconds. */
const LONGEST = 60_000;
/** Longest silence while the judge starts, in milliseconds. */
const STALLED = 60_000;
const PARTS = ["wasm", "stdlib", "packages", "binary"];

/** The list of the engine's parts; throws an `EngineFault` if the site has none. @returns {Promise<Engine>} */
export const engineOf = async () => {
  /** @type {Response | null} */
  let answer = null;
  try {
    answer = await fetch("engine/engine.json", { cache: "no-cache" });
  } catch {
    throw fault("download");
  }
  if (!answer.ok) throw fault("none");
  const engine = await answer.json().catch(() => null);
  /** @param {unknown} value */
  const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  /** @param {any} part */
  const isPart = (part) => isRecord(part) && typeof part.file === "string" && Number.isSafeInteger(part.bytes) && typeof part.sha256 === "string";
  const right =
    isRecord(engine) && typeof engine.base === "string" && [engine.info, engine.parts, engine.own, engine.rulesets].every(isRecord) &&
    PARTS.every((name) => isPart(engine.parts[name])) && Object.values(engine.own).every(isPart) &&
    Object.values(engine.rulesets).every((names) => Array.isArray(names) && names.every((name) => Object.hasOwn(engine.own, name)));
  if (!right) throw fault("download");
  return engine;
};

/**
 * How many bytes a page fetches before it can judge games of a ruleset.
 * @param {Engine} engine
 * @param {string} ruleset
 */
export const sizeOf = (engine, ruleset) =>
  [...Object.values(engine.parts), ...["core", ...(Object.hasOwn(engine.rulesets, ruleset) ? (engine.rulesets[ruleset] ?? []) : [])].map((name) => engine.own[name])].reduce(
    (sum, part) => sum + (part?.bytes ?? 0),
    0,
  );

/** @param {string} kind */
const fault = (kind) => new EngineFault(kind, WORDS[/** @type {keyof typeof WORDS} */ (kind)] ?? WORDS.failed);

/** The judge. */
export class Judge {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void, timer: ReturnType<typeof setTimeout> }>} */
  #asked = new Map();
  #next = 1;

  /**
   * @param {Engine} engine
   */
  constructor(engine) {
    this.engine = engine;
    /** @type {(got: number, of: number) => void} */
    this.progress = () => {};
    /** @type {Promise<void> | null} */
    this.started = null;
    /** @type {Promise<unknown>} */
    this.last = Promise.resolve();
  }

  /**
   * Resolves when games of a ruleset can be judged: starts the worker, once, and loads the ruleset.
   * @param {string} ruleset
   * @param {(got: number, of: number) => void} progress
   */
  async ready(ruleset, progress = () => {}) {
    this.progress = progress;
    if (!Object.hasOwn(this.engine.rulesets, ruleset)) throw fault("ruleset");
    this.started ??= this.#start(ruleset);
    await this.started;
    await this.ask({ do: "bring", ruleset });
  }

  /**
   * Does tasks one after the other, because each consists of several questions.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  alone(work) {
    const done = this.last.then(work, work);
    this.last = done;
    return done;
  }

  /** @param {string} ruleset */
  async #start(ruleset) {
    if (!globalThis.isSecureContext || !globalThis.crypto?.subtle) throw fault("secure");
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") throw fault("wasm");
    // Imported at run time: the static imports of a module worker follow `worker-src`, which has no address of this site, so that no worker
    // can start another without a policy. Messages that arrive meanwhile are kept.
    const code = `const held = [];
      const hold = ({ data }) => held.push(data);
      addEventListener("message", hold);
      await import(${JSON.stringify(new URL("worker.js", import.meta.url).href)});
      removeEventListener("message", hold);
      for (const data of held) dispatchEvent(new MessageEvent("message", { data }));`;
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    try {
      this.#worker = new Worker(address, { type: "module" });
    } catch {
      throw fault("blocked");
    }
    this.#worker.addEventListener("message", ({ data }) => this.#answered(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.stop("blocked");
    });
    await this.#ask({ do: "boot", base: new URL(".", document.baseURI).href, engine: this.engine, ruleset }, STALLED);
  }

  /**
   * Asks a question; throws an `EngineFault` if no answer comes, and returns the faults if the judge finds some.
   * @param {Record<string, unknown>} question
   * @returns {Promise<{ answer?: any, faults?: Record<string, any>[] }>}
   */
  ask(question) {
    return this.#ask(question, LONGEST);
  }

  /**
   * @param {Record<string, unknown>} question
   * @param {number} most
   * @returns {Promise<any>}
   */
  #ask(question, most) {
    const worker = this.#worker;
    if (!worker) return Promise.reject(fault("blocked"));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.stop("time"), most);
      this.#asked.set(id, { resolve, reject, timer });
      worker.postMessage({ id, ...question });
    });
  }

  /** @param {any} data */
  #answered(data) {
    if (data.got !== undefined) {
      for (const asked of this.#asked.values()) {
        clearTimeout(asked.timer);
        asked.timer = setTimeout(() => this.stop("time"), STALLED);
      }
      return this.progress(data.got, data.of);
    }
    const asked = this.#asked.get(data.id);
    this.#asked.delete(data.id);
    if (!asked) return;
    clearTimeout(asked.timer);
    if (!data.fault) return asked.resolve(data);
    console.error(data.fault.text);
    asked.reject(fault(data.fault.kind));
  }

  /**
   * Ends the worker; everyone who waits for an answer gets a fault of this kind.
   * @param {string} kind
   */
  stop(kind = "time") {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject, timer } of this.#asked.values()) {
      clearTimeout(timer);
      reject(fault(kind));
    }
    this.#asked.clear();
  }
}
