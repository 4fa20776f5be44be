// Latency over how rare it is: the nines axis gives p99, p99.9 and p99.99 the same room.
import {chart, element, table} from "../elements.js";
import {chosen, of} from "../data.js";
import {Plot, colours, draw} from "../plots.js";
import {grouped, latency, nines, onAxis} from "../numbers.js";

export const title = "Latency";
export const about =
  "How long the slowest operations took: one in ten is right of p90, one in a thousand right of " +
  "p99.9. Solid: service time, from the beginning of a call to its end. Dashed: response time, from when " +
  "the operation was due, in an open loop; with \u2264 the load generator was late, so it took at most that. " +
  "The last point of a line is the slowest operation of all.";

export function render(data, state) {
  const figures = of(chosen(data, state), state.workload);
  const lines = figures.flatMap((figure) => figure.latencies.map((one) => ({figure, ...one})));
  if (lines.length === 0) {
    return element("p", {}, `Latencies of ${state.workload} were not measured.`);
  }
  const points = lines.flatMap((line, i) => line.curve_ns.map(([x, y]) => ({
    x, y: Math.max(y, 1), line: i, engine: line.figure.engine.label, kind: line.kind,
    operation: line.operation,
  })));
  const most = Math.max(...points.map((point) => point.x));
  const drawing = draw({
    height: 380,
    marginRight: 30,
    x: {label: "share of operations that are faster", domain: [0, most], grid: true,
      ticks: Array.from({length: Math.floor(most) + 1}, (_, i) => i), tickFormat: nines},
    y: {type: state.isLinearTime ? "linear" : "log", label: "latency", grid: true,
      tickFormat: onAxis.latency, ticks: 6},
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
  return chart(`${state.workload}: latency over its rarity`, drawing,
    table(`${state.workload}, latencies`, [
      {title: "engine", value: (line) => line.figure.engine.label},
      {title: "operation", value: (line) => line.operation},
      {title: "time", value: (line) => line.kind},
      ...names.map((name) => ({title: name, isNumber: true,
        value: (line) => (line.is_at_most ? "\u2264 " : "") + latency(line.percentiles_ns[name])})),
      {title: "operations", isNumber: true, value: (line) => grouped(line.count)},
    ], lines));
}
