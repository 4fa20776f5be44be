// On what, as what and how it ran, and how it is run again.
import {element, table} from "../elements.js";

export const title = "Conditions and settings";
export const about = "Everything that a figure depends on, as it was recorded.";

const pairs = (caption, rows) => rows.length === 0 ? null : element("details", {},
  element("summary", {}, caption),
  table(caption, [{title: "name", value: (row) => row[0]}, {title: "value", value: (row) => row[1]}], rows));

function ofEngine(engine) {
  const facts = [
    ["library", engine.library], ["sha256", engine.sha256], ["allocator", engine.allocator],
    ...engine.settings, ...engine.configuration.map(([name, words]) => [`as ${name}`, words]),
    ...engine.notes.map((note) => ["note", note]),
  ].filter(([, value]) => value !== "");
  return pairs(engine.label, facts);
}

function ofResult(data, result, r) {
  return element("section", {}, element("h3", {}, `${result.title}, ${result.started}`),
    element("p", {}, "Run it again:"), element("pre", {class: "command"}, result.command),
    ...result.warnings.map((warning) => element("p", {class: "warning"}, warning)),
    ...data.engines.filter((engine) => engine.result === r && engine.warning !== "")
      .map((engine) => element("p", {class: "warning"}, `${engine.label}: ${engine.warning}`)),
    pairs("Machine", [["cpu", result.machine.cpu], ["largest cache", result.machine.cpu_cache],
      ["kernel", result.machine.kernel], ["fingerprint", result.machine.fingerprint],
      ["Levelfield", `${result.version} ${result.git}`], ...result.conditions]),
    pairs("Settings", result.settings),
    ...data.engines.filter((engine) => engine.result === r).map(ofEngine));
}

export const render = (data) =>
  element("div", {}, ...data.results.map((result, r) => ofResult(data, result, r)));
