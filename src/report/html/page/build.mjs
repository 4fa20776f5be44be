// Puts the script of the page together: `node build.mjs OUT` writes OUT/script.js, OUT/style.css,
// OUT/licences.txt (of everything that is in the script), and OUT/script.sha256, by which the page
// allows this script and no other.
import {createHash} from "node:crypto";
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
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
// `</script` would end the element that the script stands in.
const script = bundle.outputFiles[0].text.replaceAll("</script", "<\\/script");
writeFileSync(join(out, "script.js"), script);
writeFileSync(join(out, "script.sha256"), createHash("sha256").update(script).digest("base64"));
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
