// Writes age-encryption.js: the bundle, below the licences of every package that went into it.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const { metafile, outputFiles } = await build({
  entryPoints: ["entry.js"],
  outfile: "age-encryption.js",
  bundle: true,
  charset: "utf8",
  format: "esm",
  legalComments: "inline",
  logLevel: "warning",
  metafile: true,
  minify: true,
  platform: "browser",
  target: "es2022",
  write: false,
});

// The bundle's files -> the packages' folders, those of nested packages too.
const folders = new Set(
  Object.keys(metafile.inputs).flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/) ?? []),
);
// Packages that share a licence to the letter are listed above it, each with its copyright lines.
const licences = new Map();
for (const folder of [...folders].sort()) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const lines = readFileSync(`${folder}/LICENSE`, "utf8").split(/\r?\n/).map((line) => line.trimEnd());
  const holders = lines.filter((line) => line.startsWith("Copyright"));
  const terms = lines.filter((line) => !line.startsWith("Copyright")).join("\n").replace(/\n{3,}/g, "\n\n").trim();
  licences.set(terms, [...(licences.get(terms) ?? []), [`${name} ${version} (${license})`, ...holders].join("\n  ")]);
}
const parts = [...licences].map(([terms, packages]) => `${packages.join("\n")}\n\n${terms}`);
const title = "age for browsers. Made by `nox -s vendor`, which vendor/age-encryption explains; not to be edited. In it are:";
const banner = `/*!\n${title}\n\n${parts.join(`\n\n${"-".repeat(72)}\n\n`)}\n*/\n`;
if (banner.indexOf("*/") !== banner.length - 3) throw new Error("a licence would end the comment it stands in");
writeFileSync("age-encryption.js", banner + outputFiles[0].text);
