// Latency by percentile: the nines axis gives p99, p99.9 and p99.99 the same room.
import {chart, element, table} from "../elements.js";
import {chosen, of} from "../data.js";
import {Plot, colours, draw, fullWidth, halfWidth} from "../plots.js";
import {grouped, latency, nines, onAxis} from "../numbers.js";

export const title = "Latency";
export const about =
  "How long the slowest operations took: one in ten is right of p90, one in a thousand right of " +
  "p99.9. Solid: service time, from the beginning of a call to its end. Dashed: response time, from when " +
  "the operation was due, in an open loop; with \u2264 the load generator was late, so it took at most that. " +
  "The last point of a line is the slowest operation of all.";

const pointsOf = (lines) => lines.flatMap((line, i) => line.curve_ns.map(([x, y]) => ({
  x, y: Math.max(y, 1), line: i, engine: line.figure.engine.label, kind: line.kind, operation: line.operation,
})));

// Pixels.
const LETTER = 7;  // Of the small type.
const LEFT = 64;
const RIGHT = 30;

// Percentiles that have room for their names on an axis of so many pixels, up to `rarest`.
function ticksOf(rarest, pixels) {
  const ticks = [];
  let end = -Infinity;
  for (let tick = 0; tick <= rarest; ++tick) {
    const half = nines(tick).length * LETTER / 2;
    const middle = tick / rarest * pixels;
    if (middle - half < end + LETTER) continue;
    ticks.push(tick);
    end = middle + half;
  }
  return ticks;
}

function ofOperation(state, figures, lines, axes, name, isOneOfSeveral) {
  const points = pointsOf(lines);
  const width = isOneOfSeveral ? halfWidth() : fullWidth();
  const drawing = draw({
    width,
    height: isOneOfSeveral ? 280 : 380,
    marginLeft: LEFT,
    marginRight: RIGHT,
    x: {label: "share of operations that are faster", domain: [0, axes.rarest], grid: true,
      ticks: ticksOf(axes.rarest, width - LEFT - RIGHT), tickFormat: nines},
    y: {type: state.isLinearTime ? "linear" : "log", domain: state.isLinearTime ? [0, axes.ns[1]] : axes.ns,
      label: "latency", grid: true, tickFormat: onAxis.latency, ticks: 6},
    color: {...colours(figures), legend: true},
    marks: [
      Plot.line(points, {x: "x", y: "y", z: "line", stroke: "engine", strokeWidth: 2,
        filter: (point) => point.kind === "service"}),
      Plot.line(points, {x: "x", y: "y", z: "line", stroke: "engine", strokeWidth: 2,
        strokeDasharray: "5 4", filter: (point) => point.kind === "response"}),
      Plot.tip(points, Plot.pointer({x: "x", y: "y", stroke: "engine",
        title: (point) => `${point.engine}, ${point.operation}, ${point.kind} time\n` +
          `${nines(point.x)}: ${latency(point.y)}`})),
    ],
  });
  const names = ["p50", "p90", "p99", "p99.9", "p99.99", "max"];
  return chart(`${name}: latency by percentile`, drawing,
    table(`${name}, latencies`, [
      {title: "engine", value: (line) => line.figure.engine.label},
      {title: "operation", value: (line) => line.operation},
      {title: "time", value: (line) => line.kind},
      ...names.map((name) => ({title: name, number: (line) => line.percentiles_ns[name], as: latency,
        isAtMost: (line) => line.is_at_most})),
      {title: "operations", number: (line) => line.count, as: grouped},
    ], lines));
}

export function render(data, state) {
  const figures = of(chosen(data, state), state.workload);
  const lines = figures.flatMap((figure) => figure.latencies.map((one) => ({figure, ...one})));
  if (lines.length === 0) {
    return element("p", {}, `Latencies of ${state.workload} were not measured.`);
  }
  const operations = [...new Set(lines.map((line) => line.operation))];
  // Charts of one mix have the same axes, so that its operations can be compared.
  const all = pointsOf(lines);
  const axes = {rarest: Math.max(...all.map((point) => point.x)),
    ns: [Math.min(...all.map((point) => point.y)), Math.max(...all.map((point) => point.y))]};
  if (operations.length === 1) return ofOperation(state, figures, lines, axes, state.workload, false);
  return element("div", {class: "grid"}, ...operations.map((operation) => ofOperation(state, figures,
    lines.filter((line) => line.operation === operation), axes, `${state.workload}, ${operation}`, true)));
}
