// Paired ratios against the baseline, with their intervals: an interval that touches the grey band is
// no difference that may be claimed.
import {chart, element, table} from "../elements.js";
import {Plot, draw, halfWidth, labelWidth} from "../plots.js";
import {grouped, latency, percent, ratio} from "../numbers.js";

export const title = "Verdicts";
export const about =
  "The candidate's rate over the baseline's, round by round or in slices, and the 95 % interval of the mean " +
  "of these ratios. 1 is no difference; the grey band is what the same thing measured against itself differs " +
  "by, where that is known. Faster and slower are said only where the whole interval is beyond it, and where " +
  "all rows together hold with 95 %.";

const columns = [
  {title: "workload", value: (verdict) => verdict.workload},
  {title: "candidate", value: (verdict) => verdict.candidate},
  {title: "baseline", value: (verdict) => verdict.baseline},
  {title: "verdict", value: (verdict) => verdict.is_slower_by_cpu ? "slower by processor time"
    : verdict.reason === "" ? verdict.verdict : `${verdict.verdict}: ${verdict.reason}`},
  {title: "ratio", number: (verdict) => verdict.ratio, as: ratio},
  {title: "from", isOptional: true, number: (verdict) => verdict.low, as: ratio},
  {title: "to", isOptional: true, number: (verdict) => verdict.high, as: ratio},
  {title: "noise", number: (verdict) => (verdict.noise === 0 ? null : verdict.noise), as: percent},
  {title: "rounds", number: (verdict) => verdict.rounds, as: grouped},
  {title: "in slices", value: (verdict) => (verdict.in_slices ? "yes" : "no")},
];

const latencyColumns = [
  {title: "workload", value: (one) => one.workload},
  {title: "percentile", value: (one) => one.percentile},
  {title: "candidate", value: (one) => one.candidate},
  {title: "baseline's latency", number: (one) => one.baseline_ns, as: latency},
  {title: "candidate's latency", number: (one) => one.candidate_ns, as: latency},
  {title: "times as fast", number: (one) => one.ratio, as: ratio},
  {title: "from", isOptional: true, number: (one) => one.low, as: ratio},
  {title: "to", isOptional: true, number: (one) => one.high, as: ratio},
  {title: "verdict", value: (one) => one.verdict},
];

// p50, p99 and p99.9, each compared like a rate.
function latencies(verdicts) {
  const rows = verdicts.flatMap(({workload, candidate, latencies: of}) =>
    of.map((one) => ({...one, workload, candidate})));
  return rows.length === 0 ? null : element("details", {}, element("summary", {}, "Latencies"),
    table(`Against ${verdicts[0].baseline}: latencies, round by round`, latencyColumns, rows));
}

const SHAPES = {faster: "triangle", slower: "diamond", equivalent: "circle"};

// A ratio of 2 and one of a half are as far from 1 as each other, so the axis is logarithmic.
function forest(verdicts, candidate, domain) {
  const shown = verdicts.filter((verdict) => verdict.candidate === candidate && verdict.ratio !== null);
  if (shown.length === 0) return null;
  const labels = shown.map((verdict) => verdict.workload);
  const x = (verdict) => verdict.ratio;
  const drawing = draw({
    width: halfWidth(),
    height: 56 + 22 * labels.length,
    marginLeft: labelWidth(labels),
    marginRight: 100,
    x: {type: "log", domain, label: `${candidate} over ${shown[0].baseline} (log)`, grid: true,
      tickFormat: (value) => String(Number(value.toPrecision(3))), ticks: 3},
    y: {domain: labels, label: null},
    marks: [
      Plot.barX(shown.filter((verdict) => verdict.noise > 0), {
        x1: (verdict) => 1 / (1 + verdict.noise), x2: (verdict) => 1 + verdict.noise, y: "workload",
        fill: "currentColor", fillOpacity: 0.15}),
      Plot.ruleX([1], {strokeDasharray: "3 3"}),
      Plot.ruleY(shown.filter((verdict) => verdict.low !== null),
        {x1: "low", x2: "high", y: "workload", strokeWidth: 2}),
      Plot.dot(shown, {x, y: "workload", r: 4, fill: "currentColor",
        symbol: (verdict) => SHAPES[verdict.verdict] ?? "cross"}),
      Plot.text(shown, {y: "workload", frameAnchor: "right", dx: 94, textAnchor: "end", text: "verdict"}),
      Plot.tip(shown, Plot.pointerY({x, y: "workload", title: (verdict) =>
        `${verdict.workload}: ${verdict.verdict}\n${ratio(verdict.ratio)}` +
        (verdict.low === null ? "" : ` (${ratio(verdict.low)} to ${ratio(verdict.high)})`)})),
    ],
  });
  return chart(`${candidate} against ${shown[0].baseline}`, drawing,
    table(`${candidate} against ${shown[0].baseline}`, columns,
      verdicts.filter((verdict) => verdict.candidate === candidate)));
}

// One axis for all candidates, so that their charts can be held against each other.
function commonAxis(verdicts) {
  const ratios = verdicts.filter((verdict) => verdict.ratio !== null)
    .flatMap((verdict) => [verdict.ratio, verdict.low ?? verdict.ratio, verdict.high ?? verdict.ratio, 1]);
  return ratios.length === 0 ? [0.5, 2] : [Math.min(...ratios) / 1.1, Math.max(...ratios) * 1.1];
}

// Workloads down, candidates across: each cell its verdict and its ratio.
function matrix(verdicts, candidates) {
  const workloads = [...new Set(verdicts.map((verdict) => verdict.workload))];
  const cell = (workload, candidate) => {
    const verdict = verdicts.find((one) => one.workload === workload && one.candidate === candidate);
    if (verdict === undefined) return "";
    return verdict.ratio === null ? verdict.verdict : `${verdict.verdict} ${ratio(verdict.ratio)}`;
  };
  const [{baseline}] = verdicts;
  return table(`Against ${baseline}: the verdict, and the candidate's rate over ${baseline}'s`, [
    {title: "workload", value: (workload) => workload},
    ...candidates.map((candidate) => ({title: candidate, value: (workload) => cell(workload, candidate)})),
  ], workloads);
}

export const hasAny = (data) => data.verdicts.length > 0;

// Of several results each has verdicts of its own.
function named(data) {
  return data.verdicts.map((verdict) => {
    const {letter} = data.results[verdict.result];
    const of = letter === "" ? "" : `${letter}: `;
    return {...verdict, candidate: of + verdict.candidate, baseline: of + verdict.baseline};
  });
}

export function render(data) {
  const all = named(data);
  return element("div", {}, ...[...Map.groupBy(all, ({baseline}) => baseline).values()].flatMap((verdicts) => {
    const candidates = [...new Set(verdicts.map((verdict) => verdict.candidate))];
    const domain = commonAxis(verdicts);
    return [matrix(verdicts, candidates), element("div", {class: "grid"},
      ...candidates.map((candidate) => forest(verdicts, candidate, domain))), latencies(verdicts)];
  }));
}
