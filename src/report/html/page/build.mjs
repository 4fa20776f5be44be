// Puts the scripts of the page together: `node build.mjs OUT` writes OUT/program.base64 (main.js and its
// libraries, packed), OUT/loader.js, which unpacks it, OUT/style.css, OUT/licences.txt (of everything that
// is in the program), and OUT/allowed.txt: the hashes by which the page allows these scripts and no other.
import {createHash} from "node:crypto";
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import {gzipSync} from "node:zlib";
import {build} from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (out === undefined) throw new Error("build.mjs needs a directory to write to");
mkdirSync(out, {recursive: true});

const bundle = await build({
  absWorkingDir: here,
  entryPoints: ["main.js"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
  write: false,
});
const program = bundle.outputFiles[0].text;
const loader = readFileSync(join(here, "loader.js"), "utf8").trim();
const hash = (script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
writeFileSync(join(out, "program.base64"), gzipSync(program, {level: 9}).toString("base64"));
writeFileSync(join(out, "loader.js"), loader);
writeFileSync(join(out, "allowed.txt"), `${hash(loader)} ${hash(program)}`);
writeFileSync(join(out, "style.css"), readFileSync(join(here, "style.css")));

const packages = new Set();
for (const input of Object.keys(bundle.metafile.inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (name !== null) packages.add(name[1]);
}
const licences = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file`);
  return `${name} ${about.version} (${about.license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
});
writeFileSync(join(out, "licences.txt"), licences.join(`\n${"-".repeat(72)}\n\n`));
