// The judge, in a worker: Courtly's Python, compiled, in Pyodide. engine.js starts it from a blob, so that the page's content policy binds it,
// and it fetches only the parts that it is given the names of, from this site. Messages: {id, do, ...} -> {id, answer} or {id, fault: {kind,
// text}}; while it starts also {got, of}, in bytes.

const HERE = "/judge";
const WASM = "pyodide.asm.wasm";
const LIBRARY = "python_stdlib.zip";

class Fault extends Error {
  constructor(kind, text) {
    super(text);
    this.kind = kind;
  }
}

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

let [got, of] = [0, 0];

/** The bytes of one part, compared with its digest, then decompressed. */
const part = async (base, { file, bytes, sha256 }) => {
  let body;
  try {
    const answer = await fetch(new URL(file, base));
    if (!answer.ok) throw new Error(String(answer.status));
    body = await answer.arrayBuffer();
  } catch {
    throw new Fault("download", `${file} did not arrive`);
  }
  if (body.byteLength !== bytes || hex(await crypto.subtle.digest("SHA-256", body)) !== sha256)
    throw new Fault("download", `${file} is not whole`);
  got += bytes;
  postMessage({ got, of });
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/** Gives Pyodide the files that were fetched already, in place of those that it would fetch. */
const give = (files) => {
  const real = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (what, options) => {
    const found = files.get(String(what?.url ?? what));
    return found ? Promise.resolve(found()) : real(what, options);
  };
};

const UNPACK = `
def unpack(data, folder):
    import importlib, io, zipfile
    zipfile.ZipFile(io.BytesIO(data.to_bytes())).extractall(folder)
    importlib.invalidate_caches()
unpack
`;

let python = null;
let unpack = null;
let ask = null;
let settings = null;
const loaded = new Set();

/** Stops if no page's policy applies here, or if anything would be loaded from elsewhere. */
const inside = (base, engine) => {
  const own = new URL(import.meta.url).origin;
  const places = [base, new URL(engine.base, base), ...Object.values({ ...engine.parts, ...engine.own }).map(({ file }) => new URL(file, base))];
  if (location.protocol !== "blob:" || places.some((place) => new URL(place).origin !== own)) throw new Fault("blocked", "outside");
};

const boot = async ({ base, engine, ruleset }) => {
  inside(base, engine);
  settings = { base, engine };
  const names = [...Object.keys(engine.parts), "core", ...needs(ruleset)];
  const parts = { ...engine.parts, ...engine.own };
  of = names.reduce((sum, name) => sum + parts[name].bytes, 0);
  const index = new URL(engine.base, base).href;
  const [bodies, pyodide] = await Promise.all([
    Promise.all(names.map((name) => part(base, parts[name]))),
    import(`${index}pyodide.mjs`).catch(() => {
      throw new Fault("download", "pyodide.mjs did not arrive");
    }),
  ]);
  const found = Object.fromEntries(names.map((name, at) => [name, bodies[at]]));
  give(
    new Map([
      [index + WASM, () => new Response(found.wasm, { headers: { "content-type": "application/wasm" } })],
      [index + LIBRARY, () => new Response(found.stdlib)],
    ]),
  );
  python = await pyodide.loadPyodide({
    indexURL: index,
    lockFileContents: { info: engine.info, packages: {} },
    packageBaseUrl: index,
    env: { HOME: HERE, PYTHONHASHSEED: "0" },
  });
  unpack = python.runPython(UNPACK);
  unpack(found.binary, `${HERE}/site`);
  python.FS.writeFile(`${HERE}/packages.zip`, found.packages);
  for (const name of names.slice(Object.keys(engine.parts).length)) take(name, found[name]);
  python.runPython(`import sys; sys.path[:0] = ["${HERE}/own", "${HERE}/site", "${HERE}/packages.zip"]`);
  ask = python.runPython("from adjudicator.core.jobs.page import asking; asking()");
  return { python: engine.info.python };
};

const needs = (ruleset) => {
  const found = Object.hasOwn(settings.engine.rulesets, ruleset) && settings.engine.rulesets[ruleset];
  if (!found) throw new Fault("ruleset", ruleset);
  return found;
};
const take = (name, body) => {
  unpack(body, `${HERE}/own`);
  loaded.add(name);
};

/** Loads a ruleset's modules, with those of the rulesets that it builds on. */
const bring = async ({ ruleset }) => {
  const missing = needs(ruleset).filter((name) => !loaded.has(name));
  const bodies = await Promise.all(missing.map((name) => part(settings.base, settings.engine.own[name])));
  missing.forEach((name, at) => take(name, bodies[at]));
  return null;
};

const answer = async ({ id, ...question }) => {
  try {
    if (question.do === "boot") return { id, answer: await boot(question) };
    if (question.do === "bring") return { id, answer: await bring(question) };
    return { id, ...JSON.parse(ask(JSON.stringify(question))) };
  } catch (error) {
    return { id, fault: { kind: error.kind ?? "failed", text: String(error.message ?? error).slice(-2000) } };
  }
};

// One question at a time, in the order of their arrival.
let last = Promise.resolve();
addEventListener("message", ({ data }) => {
  last = last.then(async () => postMessage(await answer(data)));
});
