// Compiles everything that a browser needs to run the judge, with the Python that will run it there: node build.mjs FROM TO.
// FROM holds the wheels (wheels/) and the package's sources (source/); make.py fills it, and packs TO.
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const here = dirname(fileURLToPath(import.meta.url));
const npm = join(here, "node_modules", "pyodide");
const [from, to] = process.argv.slice(2).map((path) => resolve(path));
const python = await loadPyodide({ indexURL: npm });
for (const [place, folder] of [
  ["/from", from],
  ["/to", to],
  ["/npm", npm],
])
  python.mountNodeFS(place, folder);
python.runPython(readFileSync(join(here, "compile.py"), "utf8"));
python.runPython("compile_all()");
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) copyFileSync(join(npm, name), join(to, name));
