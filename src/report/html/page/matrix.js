// What the page opens with: workloads down, engines across, best first. All numbers of it are computed
// here from the figures, so that a reader can choose the figure, the base and the mix of workloads.
import {chosen, isOfOne, latencyOf} from "./data.js";
import {latency, none, plain, rate, ratio, significant} from "./numbers.js";

// `value` of a figure of one engine and one workload; `isMore`: more is better.
export const MEASURES = {
  rate: {name: "operations a second", isMore: true, format: rate, value: (figure) => figure.rate},
  p99: {name: "p99 latency", isMore: false, format: latency,
    value: (figure) => latencyOf(figure)?.percentiles_ns.p99 ?? null},
  cpu: {name: "CPU time of an operation", isMore: false,
    format: (us) => latency(us === null ? null : us * 1e3), value: (figure) => figure.cost?.cpu_us ?? null},
  written: {name: "bytes written for each byte put", isMore: false, format: plain,
    value: (figure) => figure.cost?.write_dirtied ?? null},
  space: {name: "disk space for each byte held", isMore: false, format: plain,
    value: (figure) => figure.cost?.space ?? null},
};

// Weights of workloads that a reader may start from, by their families.
export const MIXES = {
  "every operation": (family) => (family === "maintenance" ? 0 : 1),
  reads: (family) => (["reads", "scans"].includes(family) ? 1 : 0),
  writes: (family) => (["writes", "deletes", "large values"].includes(family) ? 1 : 0),
  "synced writes": (family) => (family === "synced writes" ? 1 : 0),
};

const isNumber = (value) => value !== null && value !== undefined && value > 0;

// How good a cell is for another one: 2 is twice as good.
const goodness = (measure, cell, other) =>
  (measure.isMore ? cell.value / other.value : other.value / cell.value);

function rowOf(data, state, workload, engines) {
  const measure = MEASURES[state.measure];
  const cells = engines.map((engine) => {
    const figure = chosen(data, state).find((one) =>
      one.engine === engine && one.workload === workload.name) ?? null;
    const value = figure === null ? null : measure.value(figure);
    return {engine, figure, workload: workload.name, value: isNumber(value) ? value : null};
  });
  // Figures over stores that differ are shown, and rank nothing.
  const unequal = cells.find(({figure}) => figure !== null && figure.unequal !== "")?.figure.unequal ?? "";
  const known = unequal !== "" ? [] : cells.filter((cell) => cell.value !== null);
  const best = known.reduce((one, other) =>
    (one === null || goodness(measure, other, one) > 1 ? other : one), null);
  const base = state.base === "best" || state.base === "all" ? best
    : known.find((cell) => String(cell.engine.place) === state.base) ?? null;
  for (const cell of cells) {
    const isKnown = known.includes(cell);
    cell.isBest = cell === best;
    cell.isBase = cell === base;
    cell.base = base;
    cell.best = best;
    cell.ofBest = isKnown ? goodness(measure, cell, best) : null;
    cell.good = isKnown && base !== null ? goodness(measure, cell, base) : null;
    cell.times = cell.good === null || measure.isMore ? cell.good : cell.value / base.value;
    cell.verdict = state.measure === "rate" ? verdictOf(data, cell, base) : null;
    cell.marks = cell.value === null ? "" : cell.figure.marks;
  }
  // Whether verdicts say that the best is, not only its rate.
  const verdicts = cells.map((cell) => verdictOf(data, cell, best)?.verdict ?? "faster");
  const isClear = unequal !== "" || state.measure !== "rate" ||
    verdicts.every((verdict) => ["faster", "slower"].includes(verdict));
  return {workload, cells, isClear, isRanked: !verdicts.includes("not ranked"), unequal, weight: state.weights.get(workload.name) ?? 0};
}

const INVERSE = {faster: "slower", slower: "faster"};
const inverse = (value) => (value === null ? null : 1 / value);

// Whether the rounds of one result were better than those of another, nobody has judged here.
const OF_TWO_RESULTS = {verdict: "not ranked", low: null, high: null,
  reason: "the two are of different results; levelfield compare says how these differ"};

// The paired verdict of a cell's engine against that of `base`; null where none was made. Those of variants
// are made in one direction only, the first variant being the baseline.
function verdictOf(data, cell, base) {
  if (base === null || cell === base || cell.figure === null || base.figure === null) return null;
  const isOf = (name, engine) => name === engine.scalesAs || name === engine.name;
  const pair = data.pairs.find((one) => one.workload === cell.workload && one.result === cell.figure.result &&
    base.figure.result === cell.figure.result && isOf(one.candidate, cell.engine) &&
    isOf(one.baseline, base.engine));
  if (pair !== undefined) return pair;
  const ofVariants = (candidate, baseline) => data.verdicts.find((one) => one.workload === cell.workload &&
    one.candidate === candidate.runName && one.baseline === baseline.runName);
  if (cell.figure.result === base.figure.result) return null;
  const letterOf = ({figure}) => data.results[figure.result].letter;
  if (letterOf(cell) !== letterOf(base)) return OF_TWO_RESULTS;
  const found = ofVariants(cell.engine, base.engine);
  if (found !== undefined) return found;
  const swapped = ofVariants(base.engine, cell.engine);
  return swapped === undefined ? null : {...swapped, baseline: swapped.candidate, candidate: swapped.baseline,
    ratio: inverse(swapped.ratio), low: inverse(swapped.high), high: inverse(swapped.low),
    verdict: INVERSE[swapped.verdict] ?? swapped.verdict};
}

export const isOpen = (cell) =>
  cell.verdict !== null && ["unresolved", "equivalent"].includes(cell.verdict.verdict);

// The weighted geometric mean of an engine's shares of the best. Null where it lacks a workload that has
// weight, or none has.
function scoreOf(rows, place) {
  let sum = 0;
  let weights = 0;
  for (const row of rows.filter((one) => one.weight > 0 && one.cells.some((cell) => cell.ofBest !== null))) {
    const share = row.cells[place].ofBest;
    if (share === null) return null;
    sum += row.weight * Math.log(share);
    weights += row.weight;
  }
  return weights === 0 ? null : Math.exp(sum / weights);
}

// {engines: [{engine, score}...], best first, rows: [{workload, cells, weight}...]}, cells in that order.
export function matrixOf(data, state) {
  const engines = data.engines.filter((engine) => !engine.is_floor && state.engines.has(engine.place));
  const rows = data.workloads.map((workload) => rowOf(data, state, workload, engines));
  const ranked = engines.map((engine, place) => ({engine, place, score: scoreOf(rows, place)}))
    .sort((one, other) => (other.score ?? -1) - (one.score ?? -1));
  for (const row of rows) row.cells = ranked.map(({place}) => row.cells[place]);
  if (state.sortedBy !== null) {
    const goodOf = (row) =>
      row.cells.find((cell) => cell.engine.place === state.sortedBy.engine)?.ofBest ?? -1;
    rows.sort((one, other) => state.sortedBy.sign * (goodOf(other) - goodOf(one)));
  }
  return {engines: ranked, rows};
}

export const percent = (share) => (share >= 9.995 ? `${significant(share)}×`
  : share < 0.001 ? "<0.1%" : `${share < 0.01 ? (share * 100).toFixed(1) : Math.round(share * 100)}%`);
const times = (value) => `${value < 10 ? value.toFixed(2) : significant(value)}×`;
const narrow = (text) => text.replace(" ", "\u202f");

// What stands in a cell.
export function textOf(cell, state) {
  const measure = MEASURES[state.measure];
  if (cell.figure === null) return "";
  if (cell.value === null) return cell.figure.outcome === "ok" ? none : cell.figure.outcome;
  const number = state.base === "all" || cell.isBase || cell.good === null
    ? narrow(measure.format(cell.value)) : measure.isMore ? percent(cell.good) : times(cell.times);
  return number + (isOpen(cell) ? "=" : "") + cell.marks;
}

const VERDICTS = {
  faster: "faster", slower: "slower", equivalent: "no difference that matters",
  unresolved: "no difference in rates was found: the interval holds both faster and slower",
  indicative: "without a verdict: too few rounds", "not ranked": "not ranked",
};

// The same in words, with its interval and verdict.
export function wordsOf(cell, state) {
  const measure = MEASURES[state.measure];
  const {figure} = cell;
  const of = `${cell.engine.label}, ${cell.workload}: `;
  if (figure === null) return `${of}not run.`;
  if (cell.value === null) return `${of}${figure.outcome === "ok" ? "not known" : figure.message || figure.outcome}.`;
  let words = `${of}${measure.format(cell.value)}${state.measure === "rate" ? " ops/s" : ` ${measure.name}`}`;
  if (state.measure === "rate" && figure.low !== null) {
    words += ` (${rate(figure.low)} to ${rate(figure.high)}, ${figure.rates.length} rounds)`;
  }
  if (cell.isBase) words += cell.isBest ? ", the best of the row" : ", the base";
  else if (cell.times !== null) words += `, ${ratio(cell.times)} times ${cell.base.engine.label}`;
  words += ".";
  if (cell.verdict !== null) {
    const {verdict, low, high, reason, in_slices: inSlices} = cell.verdict;
    const how = verdict === "not ranked" ? "Not ranked" : inSlices ? "In slices" : "Round by round";
    words += ` ${how}: ${reason || VERDICTS[verdict] || verdict}` +
      `${low === null ? "" : ` (${ratio(low)} to ${ratio(high)})`}.`;
  }
  if (figure.unequal !== "") words += ` Not ranked: ${figure.unequal}.`;
  if (figure.few_keys !== null) words += ` It found ${figure.few_keys} keys, fewer than half of those it is made for.`;
  if (cell.marks.includes("!")) words += ` Disturbed: ${[...new Set(figure.disturbances)].slice(0, 2).join("; ")}.`;
  return words;
}

const listed = (names, most = 4) => names.length <= most ? names.join(", ")
  : `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;

// Families of which all workloads are among `names`, then the names of the others.
function grouped(names, rows) {
  const all = Map.groupBy(rows, (row) => row.workload.family);
  const whole = [...all].filter(([, members]) => members.length > 1 &&
    members.every((row) => names.includes(row.workload.name)));
  const covered = new Set(whole.flatMap(([, members]) => members.map((row) => row.workload.name)));
  const called = (family) => (family === "writes" && all.has("synced writes") ? "writes that are not synced" : family);
  return [...whole.map(([family]) => `all ${called(family)}`), ...names.filter((name) => !covered.has(name))];
}

export const isJudged = ({verdict}) => verdict !== null && !["indicative", "not ranked"].includes(verdict.verdict);

// Whether a verdict tells two engines apart in some workload of the mix. Only rates have verdicts.
export function areToldApart(data, state, one, other, rows) {
  return state.measure !== "rate" || rows.filter((row) => row.weight > 0).some((row) => {
    const [first, second] = [one, other].map((engine) => row.cells.find((cell) => cell.engine === engine));
    return ["faster", "slower"].includes(verdictOf(data, second, first)?.verdict);
  });
}

// Whether they are compared at all: runs of different machines are not, nor engines with different allocators.
export function areCompared(data, one, other, rows) {
  return rows.some((row) => {
    const [first, second] = [one, other].map((engine) => row.cells.find((cell) => cell.engine === engine));
    const judged = verdictOf(data, second, first);
    return judged !== null && judged.verdict !== "not ranked";
  });
}

export const areOfSeveralResults = (engines) => new Set(engines.map(({engine}) => engine.of)).size > 1;

// Who leads where, in two sentences; without enough rounds for a verdict, who was the fastest this time.
export function summaryOf(data, {engines, rows}, state) {
  const [first, second] = engines.filter(({score}) => score !== null);
  if (second !== undefined && areOfSeveralResults(engines)) {
    return [`The best figures for this mix: ${first.engine.shortName} with ${percent(first.score)} of the best on ` +
      `average, then ${second.engine.shortName} with ${percent(second.score)}.`,
    "Different results are not ranked here: levelfield compare says how two of them differ."];
  }
  if (second !== undefined && !rows.some(({cells}) => cells.some(isJudged))) {
    return [`Fastest for this mix, this time: ${first.engine.shortName} with ${percent(first.score)} of the best on average, ` +
      `then ${second.engine.shortName} with ${percent(second.score)}.`,
    "Whether it would be again is not known: a ranking takes six rounds or more (--repeat=6)."];
  }
  const led = engines.map(({engine}) => ({engine, names: rows.filter((row) => row.isClear &&
    row.cells.some((cell) => cell.engine === engine && cell.isBest)).map((row) => row.workload.name)}))
    .filter(({names}) => names.length > 0).sort((one, other) => other.names.length - one.names.length);
  const open = rows.filter((row) => !row.isClear && row.isRanked).length;
  const leads = led.map(({engine, names}, i) =>
    `${engine.shortName}${i > 0 ? "" : state.measure === "rate" ? " leads" : ` has the best ${MEASURES[state.measure].name} in`} ${listed(grouped(names, rows))}`);
  if (open > 0) leads.push(`${leads.length > 0 ? "in" : "In"} ${open} of ${rows.length} workloads the best rate is not told apart from another`);
  return [
    first === undefined ? "No engine has every workload of this mix, so none is ranked."
      : second === undefined
        ? engines.length === 1 ? `${first.engine.shortName} alone is ticked: another one to compare it with is below.`
          : `Only ${first.engine.shortName} has every workload of this mix, so none is ranked.`
        : areToldApart(data, state, first.engine, second.engine, rows)
          ? `For this mix ${first.engine.shortName} ranks first with ${percent(first.score)} of the best on average, ` +
            `before ${second.engine.shortName} with ${percent(second.score)}.`
          : `For this mix none ranks first: ${first.engine.shortName} (${percent(first.score)} of the best on average) and ` +
            `${second.engine.shortName} (${percent(second.score)}) ` +
            `${areCompared(data, first.engine, second.engine, rows) ? "show no difference in rates" : "are not compared"}.`,
    leads.length === 0 ? "" : `${leads.join("; ")}.`,
  ];
}

// What commits survive and whether answers were right, in a line. Levels that differ come first: rates at
// two levels are not to be compared.
export function safetyOf(data, state) {
  const figures = chosen(data, state).filter((figure) => !figure.engine.is_floor && figure.level !== "");
  const byWorkload = Map.groupBy(figures, (figure) => figure.workload);
  const levelsOf = (some) => [...new Set(some.map((figure) => figure.level))].sort();
  const differing = [...byWorkload].filter(([, some]) => levelsOf(some).length > 1)
    .map(([name, some]) => `${name} (${levelsOf(some).join(", ")})`);
  const levels = [...Map.groupBy([...byWorkload].filter(([, some]) => levelsOf(some).length === 1),
    ([, some]) => levelsOf(some)[0])].sort((one, other) => other[1].length - one[1].length)
    .map(([level, some], i) => `${i === 0 ? "" : `in ${listed(some.map(([name]) => name))} it `}${data.fates_of_writes[level] ?? ""} (${level})`);
  const failed = figures.filter((figure) => figure.outcome !== "ok").length;
  const unchecked = figures.filter((figure) => figure.outcome === "ok" && !figure.is_checked).length;
  const checks = [failed === 0 ? "" : `${failed} failed`, unchecked === 0 ? "" : `${unchecked} were not checked`]
    .filter((one) => one !== "");
  const keepLess = [...new Set(figures.filter((figure) => figure.keeps_less).map(({engine}) => engine.shortName))];
  const seen = keepLess.length === 0 ? "" : ` (known to keep less: ${listed(keepLess)}; "Durability and checks" says when)`;
  return (differing.length === 0 ? "" : `Durability differs in ${listed(differing)}: do not compare these. `) +
    (levels.length === 0 ? ""
      : `By ${isOfOne(data) ? "the" : "every"} engine's claim, a write ${levels.join(", ")}${seen}. `) +
    (checks.length === 0 ? "All answers were checked and right." : `Of ${figures.length} figures ${checks.join(", ")}.`);
}

// What the marks behind figures mean.
export const marksInWords = (data) => data.remarks.filter(({mark}) => mark !== "").map(({words}) => words);
