// The rate over the time of a phase, one strip an engine: stalls shaded, the settling behind it as a
// tail.
import {chart, element, table} from "../elements.js";
import {chosen, of} from "../data.js";
import {Plot, colours, draw, labelWidth} from "../plots.js";
import {grouped, onAxis, rate, seconds} from "../numbers.js";

export const title = "Over time";
export const about =
  "The round whose rate is nearest to the median. Grey: stalls, with their cause where the engine told " +
  "one. Dashed box behind the line: the time that settling took after the last operation, while what was " +
  "put off (buffers, compactions, checkpoints) was done. Dotted: the rate that was asked for, where it changes. " +
  "Acts of one workload are drawn behind each other.";

const steady = (over) =>
  over.steady === "steady" ? `since ${seconds(over.steady_since_seconds)}` : over.steady;

// The acts of a workload follow each other at once: their strips are one, with a line where each begins.
function inOne(acts) {
  let begin = 0;
  const over = {...acts[0].over_time, rates: [], asked: [], stalls: [], acts: []};
  for (const act of acts) {
    const later = ([x, y]) => [begin + x, y];
    over.rates.push(...act.over_time.rates.map(later));
    over.asked.push(...act.over_time.asked.map(later));
    over.stalls.push(...act.over_time.stalls.map((stall) => ({...stall,
      begin_seconds: begin + stall.begin_seconds, end_seconds: begin + stall.end_seconds})));
    over.acts.push({begin, name: act.workload.slice(act.workload.lastIndexOf(":") + 1)});
    begin = Math.max(begin, ...over.rates.map(([x]) => x));
  }
  over.settle_seconds = acts.at(-1).over_time.settle_seconds;
  return over;
}

function withItsActs(data, figure) {
  if (figure.act === null) return {...figure, over_time: {...figure.over_time, acts: []}};
  const file = figure.workload.slice(0, figure.workload.lastIndexOf(":") + 1);
  const acts = data.figures
    .filter((other) => other.engine === figure.engine && other.act !== null && other.over_time !== null &&
      other.workload.startsWith(file))
    .sort((one, other) => one.act - other.act);
  return {...figure, over_time: inOne(acts)};
}

export function render(data, state) {
  const figures = of(chosen(data, state), state.workload).filter((figure) => figure.over_time !== null)
    .map((figure) => withItsActs(data, figure));
  if (figures.length === 0) {
    return element("p", {}, `${state.workload} was over too soon to be watched, or failed.`);
  }
  const label = (figure) => figure.engine.label;
  // Each rate is of the time since the one before it.
  const points = figures.flatMap((figure) => {
    const rates = figure.over_time.rates;
    return [[0, rates.length === 0 ? 0 : rates[0][1]], ...rates]
      .map(([x, y]) => ({x, y, engine: label(figure)}));
  });
  const asked = figures.flatMap((figure) =>
    figure.over_time.asked.map(([x, y]) => ({x, y, engine: label(figure)})));
  const stalls = figures.flatMap((figure) =>
    figure.over_time.stalls.map((stall) => ({...stall, engine: label(figure)})));
  const acts = figures.flatMap((figure) =>
    figure.over_time.acts.map((act) => ({...act, engine: label(figure)})));
  const tails = figures.filter((figure) => figure.over_time.settle_seconds > 0).map((figure) => {
    const end = Math.max(0, ...figure.over_time.rates.map(([x]) => x));
    return {engine: label(figure), begin: end, end: end + figure.over_time.settle_seconds};
  });
  const labels = figures.map(label);
  const name = figures[0].act === null ? state.workload
    : state.workload.slice(0, state.workload.lastIndexOf(":"));
  const drawing = draw({
    height: 60 + 84 * figures.length,
    marginRight: labelWidth(labels),
    x: {label: "seconds", grid: true},
    y: {label: "ops/s", tickFormat: onAxis.rate, ticks: 3, zero: true, grid: true},
    fy: {domain: labels, label: null},
    color: colours(figures),
    marks: [
      Plot.frame({strokeOpacity: 0.2}),
      Plot.rectX(stalls, {x1: "begin_seconds", x2: "end_seconds", fy: "engine",
        fill: "currentColor", fillOpacity: 0.25}),
      Plot.rectX(tails, {x1: "begin", x2: "end", fy: "engine", fill: "currentColor",
        fillOpacity: 0.08, stroke: "currentColor", strokeOpacity: 0.4, strokeDasharray: "3 3"}),
      Plot.areaY(points, {x: "x", y: "y", fy: "engine", fill: "engine", fillOpacity: 0.25,
        curve: "step-before"}),
      Plot.lineY(points, {x: "x", y: "y", fy: "engine", stroke: "engine", curve: "step-before"}),
      Plot.lineY(asked, {x: "x", y: "y", fy: "engine", stroke: "currentColor", strokeDasharray: "1 3",
        curve: "step-before"}),
      Plot.ruleX(acts, {x: "begin", fy: "engine", stroke: "currentColor", strokeOpacity: 0.6}),
      Plot.text(acts, {x: "begin", fy: "engine", text: "name", frameAnchor: "top-left", dx: 4, dy: 3}),
      Plot.tip(points, Plot.pointerX({x: "x", y: "y", fy: "engine",
        title: (point) => `${point.engine}\n${seconds(point.x)}: ${rate(point.y)} ops/s`})),
    ],
  });
  return chart(`${name}: rate over time`, drawing,
    table(`${name} over time`, [
      {title: "engine", value: label},
      {title: "steady", value: (figure) => steady(figure.over_time)},
      {title: "settled in", number: (figure) => figure.over_time.settle_seconds, as: seconds},
      {title: "stalls", number: (figure) => figure.over_time.stalls.length, as: grouped},
      {title: "longest", as: seconds, number: (figure) => figure.over_time.stalls.length === 0 ? null
        : Math.max(...figure.over_time.stalls.map((stall) => stall.end_seconds - stall.begin_seconds))},
      {title: "causes", value: (figure) =>
        [...new Set(figure.over_time.stalls.flatMap((stall) => stall.causes))].join(", ") || "none told"},
    ], figures));
}
