// Reading, writing and space against each other: no store is best at all three, and those that
// nobody beats at both rates are joined by a line.
import {chart, element, table} from "../elements.js";
import {chosen, isOfOne, measured, of} from "../data.js";
import {Plot, colours, draw, shapes} from "../plots.js";
import {onAxis, plain, rate} from "../numbers.js";

export const title = "Reads, writes and space";
export const about =
  "To the right reads faster, upwards writes faster; the larger the mark, the more space it takes for each " +
  "byte that it holds. The line joins those that no other beats at both.";

const READS = ["readrandom", "ycsb-c", "readhot", "readseq"];
const WRITES = ["overwrite", "fillrandom", "ycsb-load", "fillseq"];

const firstOf = (data, names) =>
  names.find((name) => data.workloads.some((workload) => workload.name === name));

// Nobody is faster at both.
function front(points) {
  return points
    .filter((point) => !points.some((other) =>
      other !== point && other.read >= point.read && other.write >= point.write))
    .sort((one, other) => one.read - other.read);
}

export const hasAny = (data) =>
  !isOfOne(data) && firstOf(data, READS) !== undefined && firstOf(data, WRITES) !== undefined;

export function render(data, state) {
  const reads = firstOf(data, READS);
  const writes = firstOf(data, WRITES);
  const figures = measured(chosen(data, state)).filter((figure) => !figure.engine.is_floor);
  const points = of(figures, reads).flatMap((read) => {
    const write = of(figures, writes).find((other) => other.engine === read.engine);
    if (write === undefined) return [];
    return [{engine: read.engine.label, unequal: read.unequal || write.unequal, read: read.rate, write: write.rate,
      space: write.cost === null ? null : write.cost.space}];
  });
  if (points.length < 2) return element("p", {}, "It takes two stores to be drawn.");
  const unequal = points.find((point) => point.unequal !== "");
  if (unequal !== undefined) return element("p", {}, `Not drawn: ${unequal.unequal}.`);
  const drawing = draw({
    height: 360,
    marginTop: 36,
    marginRight: 120,
    x: {type: state.isLog ? "log" : "linear", label: `${reads}, ops/s`, tickFormat: onAxis.rate, grid: true,
      zero: !state.isLog, ticks: 5},
    y: {type: state.isLog ? "log" : "linear", label: `${writes}, ops/s`, tickFormat: onAxis.rate, grid: true,
      zero: !state.isLog, ticks: 5},
    r: {range: [4, 16], domain: [0, Math.max(2, ...points.map((point) => point.space ?? 1))]},
    color: colours(figures),
    symbol: shapes(figures),
    marks: [
      Plot.line(front(points), {x: "read", y: "write", stroke: "currentColor", strokeOpacity: 0.4,
        strokeDasharray: "4 4"}),
      Plot.dot(points, {x: "read", y: "write", r: (point) => point.space ?? 1, fill: "engine",
        symbol: "engine", fillOpacity: 0.8}),
      Plot.text(points, {x: "read", y: "write", text: "engine", dx: 18, textAnchor: "start"}),
      Plot.tip(points, Plot.pointer({x: "read", y: "write", title: (point) =>
        `${point.engine}\n${reads}: ${rate(point.read)} ops/s\n${writes}: ${rate(point.write)} ops/s\n` +
        `space: ${plain(point.space)}`})),
    ],
  });
  return chart(`${reads} against ${writes}`, drawing, table("Reads, writes and space", [
    {title: "engine", value: (point) => point.engine},
    {title: `${reads}, ops/s`, number: (point) => point.read, as: rate},
    {title: `${writes}, ops/s`, number: (point) => point.write, as: rate},
    {title: "bytes allocated for each byte held", number: (point) => point.space, as: plain},
  ], points));
}
