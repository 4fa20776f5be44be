// The data of the page (report/html/page.h) laid flat: one list of engines over all results,
// each with its colour and its shape, one of workloads by name, and the figures of both.

// Okabe and Ito's palette, which people with any colour vision tell apart; the yellow of it is left
// out, as it is not seen on white. Shapes repeat what the colour says; of several results, they say
// which.
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C564B", "#7A5BC0"];
const COLOUR_OF_BASELINES = "#7F7F7F";
const SHAPES = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];

export function readData(text) {
  const raw = JSON.parse(text);
  const engines = [];
  const kinds = [];  // Labels of engines, whose colours are the same in all results.
  const workloads = [];
  const figures = [];
  const verdicts = [];
  const pairs = [];
  const remarks = [];  // What the marks mean, and what else is said; each once.
  const isSeveral = raw.results.length > 1;
  raw.results.forEach((result, r) => {
    const first = engines.length;
    for (const engine of result.engines) {
      const place = engines.length;
      if (!engine.is_floor && !kinds.includes(engine.label)) kinds.push(engine.label);
      const kind = Math.max(0, kinds.indexOf(engine.label));
      const name = result.variant.name !== "" ? `${engine.label} ${result.variant.name}`
        : isSeveral ? `${result.title} ${r + 1}: ${engine.label}` : engine.label;
      engines.push({
        ...engine,
        label: engines.some((other) => other.label === name) ? `${name} (${place + 1})` : name,
        scalesAs: engine.label,  // The same in all results.
        runName: result.variant.name === "" ? engine.name : `${engine.name} ${result.variant.name}`,
        result: r,
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
      if (!remarks.some((known) => known.words === remark.words)) remarks.push(remark);
    }
  });
  for (const engine of engines) {
    const isOnly = engines.filter((other) => other.name === engine.name).length === 1;
    engine.shortName = isOnly ? engine.name : engine.label;
  }
  return {...raw, engines, workloads, figures, verdicts, pairs, remarks};
}

// What is chosen of it: figures of the engines that are ticked.
export const chosen = (data, state) =>
  data.figures.filter((figure) => state.engines.has(figure.engine.place));

export const of = (figures, workload) => figures.filter((figure) => figure.workload === workload);

// Those that have a number.
export const measured = (figures) => figures.filter((figure) => figure.rate !== null);
