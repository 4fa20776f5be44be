// The data of the page (report/html/page.h) laid flat: one list of engines over all results,
// each with its colour and its shape, one of workloads by name, and the figures of both.

// Okabe and Ito's palette, which people with any colour vision tell apart; the yellow of it is left
// out, as it is not seen on white. Shapes repeat what the colour says; of several results, they say
// which.
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C564B", "#7A5BC0"];
const COLOUR_OF_BASELINES = "#7F7F7F";
const SHAPES = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];

// What `choose` ran was named by the program; the reader knows it as the mix that was asked for.
function withItsMix(raw) {
  const [result] = raw.results;
  if (raw.results.length > 1 || result.answer === null) return raw;
  const called = (name) => (name === "choose" ? "your mix" : name);
  const renamed = (rows, member) => rows.map((row) => ({...row, [member]: called(row[member])}));
  return {...raw, results: [{...result, workloads: renamed(result.workloads, "name"),
    verdicts: renamed(result.verdicts, "workload"), pairs: renamed(result.pairs, "workload")}]};
}

export function readData(text) {
  const raw = withItsMix(JSON.parse(text));
  const engines = [];
  const kinds = [];  // Labels of engines, whose colours are the same in all results.
  const workloads = [];
  const figures = [];
  const verdicts = [];
  const pairs = [];
  const said = new Map();  // By what is said (what the marks mean, and more), of which results.
  const isSeveral = raw.results.length > 1;
  raw.results.forEach((result, r) => {
    const first = engines.length;
    for (const engine of result.engines) {
      const place = engines.length;
      if (!engine.is_floor && !kinds.includes(engine.label)) kinds.push(engine.label);
      const kind = Math.max(0, kinds.indexOf(engine.label));
      const of = result.variant.name !== "" || result.letter === "" ? "" : `${result.letter}: `;
      const name = of + engine.label + (result.variant.name === "" ? "" : ` ${result.variant.name}`);
      engines.push({
        ...engine,
        label: engines.some((other) => other.label === name) ? `${name} (${place + 1})` : name,
        scalesAs: engine.label,  // The same in all results.
        runName: result.variant.name === "" ? engine.name : `${engine.name} ${result.variant.name}`,
        result: r,
        of,  // The letter of its result, where there are several.
        place,
        colour: engine.is_floor ? COLOUR_OF_BASELINES : COLOURS[kind % COLOURS.length],
        shape: SHAPES[(isSeveral ? r : kind) % SHAPES.length],
      });
    }
    for (const workload of result.workloads) {
      const known = workloads.find((one) => one.name === workload.name);
      if (known === undefined) workloads.push({...workload});
      else known.marks = [...new Set(known.marks + workload.marks)].join("");
    }
    for (const figure of result.figures) {
      figures.push({
        ...figure,
        engine: engines[first + figure.engine],
        workload: result.workloads[figure.workload].name,
        result: r,
      });
    }
    for (const verdict of result.verdicts) verdicts.push({...verdict, result: r});
    for (const pair of result.pairs) pairs.push({...pair, result: r});
    for (const remark of result.remarks) {
      if (!said.has(remark.words)) said.set(remark.words, {...remark, letters: new Set()});
      said.get(remark.words).letters.add(result.letter);
    }
  });
  for (const engine of engines) {
    const isOnly = engines.filter((other) => other.name === engine.name && other.of === engine.of).length === 1;
    engine.shortName = isOnly ? engine.of + engine.name : engine.label;
  }
  const letters = new Set(raw.results.map((result) => result.letter));
  const remarks = [...said.values()].map((remark) => ({...remark,
    words: (remark.letters.size === letters.size ? "" : `${[...remark.letters].join(", ")}: `) + remark.words}));
  const stores = engines.filter((engine) => !engine.is_floor);
  const shown = stores.length > 0 ? stores : engines;  // With a column each.
  return {...raw, engines, shown, workloads, figures, verdicts, pairs, remarks,
    answer: isSeveral ? null : raw.results[0].answer};
}

// One engine, set in one way: there is nobody to rank it with.
export const isOfOne = (data) => data.shown.length === 1;

// Latencies as they count: since an operation was due, in an open loop. Of a mix, of all its operations.
export const latencyOf = (figure) =>
  figure.latencies.find(({kind}) => kind === "response") ?? figure.latencies[0] ?? null;

// What is chosen of it: figures of the engines that are ticked.
export const chosen = (data, state) =>
  data.figures.filter((figure) => state.engines.has(figure.engine.place));

export const of = (figures, workload) => figures.filter((figure) => figure.workload === workload);

// Of the engine that the page is of.
export const ofShown = (data) => data.figures.filter((figure) => data.shown.includes(figure.engine));

// Those that have a number.
export const measured = (figures) => figures.filter((figure) => figure.rate !== null);
