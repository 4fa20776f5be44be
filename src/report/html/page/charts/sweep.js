// What a setting does (--vary): rate and latency over its values, a line for each engine and for each
// combination of the other settings that vary.
import {chart, element, table} from "../elements.js";
import {Plot, draw, halfWidth} from "../plots.js";
import {grouped, latency, onAxis, rate} from "../numbers.js";

export const title = "Settings that were varied";
export const about =
  "Points are geometric means of the rounds, the upright line is the 95 % interval of that mean. " +
  "Variants of one run had the same rounds, in turns; those of a merged result did not. " +
  "Lines join values of one setting; where several were " +
  "varied, the dashes tell the others apart.";

const DASHES = ["none", "6 3", "2 3", "8 3 2 3", "1 5", "12 4"];
const DASH_NAMES = ["line", "dashes", "dots", "dash and dot", "wide dots", "long dashes"];
const UNITS = {k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40};

// 4M as 4194304; what is no number as NaN.
function numberOf(text) {
  const parts = /^([0-9.]+(?:e[0-9]+)?)([kmgt])?$/i.exec(text);
  return parts === null ? NaN : Number(parts[1]) * (UNITS[parts[2]?.toLowerCase()] ?? 1);
}

// The settings of a variant as typed, in order: "a=1 b=2" as [["a", "1"], ["b", "2"]].
const settingsOf = (result) => result.variant.name.split(" ").map((word) => {
  const equals = word.indexOf("=");
  return [word.slice(0, equals), word.slice(equals + 1)];
});

export const hasAny = (data) => data.results.some((result) => result.variant.name !== "");

// The settings that vary, with their values in the order typed; that with most values first.
function varied(data) {
  const values = new Map();
  for (const result of data.results.filter((one) => one.variant.name !== "")) {
    for (const [name, value] of settingsOf(result)) {
      if (!values.has(name)) values.set(name, []);
      if (!values.get(name).includes(value)) values.get(name).push(value);
    }
  }
  return [...values].sort((one, other) => other[1].length - one[1].length);
}

// One list of points, each with its place on the axis of `setting`.
function pointsOf(data, state, setting) {
  const kinds = new Set(data.engines.filter((engine) => state.kinds.has(engine.scalesAs))
    .map((engine) => engine.scalesAs));
  return data.figures.filter((figure) => kinds.has(figure.engine.scalesAs) &&
    data.results[figure.result].variant.name !== "" && figure.rate !== null).map((figure) => {
    const settings = settingsOf(data.results[figure.result]);
    const others = settings.filter(([name]) => name !== setting).map((pair) => pair.join("=")).join(" ");
    const value = settings.find(([name]) => name === setting)?.[1] ?? "";
    const p99 = figure.latencies[0]?.percentiles_ns.p99 ?? null;
    return {...figure, value, number: numberOf(value), others, engine: figure.engine.scalesAs,
      colour: figure.engine.colour, p99,
      line: others === "" ? figure.engine.scalesAs : `${figure.engine.scalesAs}, ${others}`};
  });
}

function xAxis(setting, values) {
  const numbers = values.map(numberOf);
  if (numbers.some(Number.isNaN)) return {type: "point", domain: values, label: setting, of: "value"};
  const least = Math.min(...numbers);
  const isLog = least > 0 && Math.max(...numbers) / least >= 8;
  return {type: isLog ? "log" : "linear", label: setting, ticks: numbers, of: "number",
    tickFormat: (number) => values[numbers.indexOf(number)] ?? ""};
}

const columns = (setting) => [
  {title: "engine", value: (point) => point.engine},
  {title: setting, value: (point) => point.value},
  {title: "other settings", value: (point) => point.others},
  {title: "ops/s", number: (point) => point.rate, as: rate},
  {title: "from", isOptional: true, number: (point) => point.low, as: rate},
  {title: "to", isOptional: true, number: (point) => point.high, as: rate},
  {title: "p99", number: (point) => point.p99, as: latency},
  {title: "rounds", number: (point) => point.rates.length, as: grouped},
];

// `y` is "rate" or "p99".
function curves(points, [setting, values], state, y, name) {
  const shown = points.filter((point) => point[y] !== null);
  if (shown.length === 0) return null;
  const {of: x, ...axis} = xAxis(setting, values);
  // In the order typed: figures stand in the order of their engines' ranks.
  const others = [...new Set([...shown].sort((one, other) => one.result - other.result).map((point) => point.others))];
  const engines = [...new Set(shown.map((point) => point.engine))];
  const format = y === "p99" ? latency : rate;
  const isLog = y === "p99" ? !state.isLinearTime : state.isLog;
  const drawing = draw({
    width: halfWidth(),
    height: 300,
    marginRight: 24,
    x: {...axis, grid: true},
    y: {label: y === "p99" ? "p99" : "ops/s", type: isLog ? "log" : "linear", zero: !isLog, grid: true,
      ticks: 5, tickFormat: y === "p99" ? onAxis.latency : onAxis.rate},
    color: {domain: engines, range: engines.map((engine) =>
      shown.find((point) => point.engine === engine).colour), legend: true},
    marks: [
      ...others.map((other, i) => Plot.line(shown.filter((point) => point.others === other),
        {x, y, z: "line", stroke: "engine", strokeDasharray: DASHES[i % DASHES.length],
          sort: (point) => values.indexOf(point.value)})),
      y === "rate" ? Plot.ruleX(shown.filter((point) => point.low !== null),
        {x, y1: "low", y2: "high", stroke: "engine", strokeWidth: 2}) : null,
      Plot.dot(shown, {x, y, fill: "engine", symbol: "others", r: 3.5}),
      Plot.tip(shown, Plot.pointer({x, y, title: (point) =>
        `${point.line}\n${setting}=${point.value}\n${format(point[y])}${y === "p99" ? "" : " ops/s"}` +
        (y === "p99" || point.low === null ? "" : `\n${rate(point.low)} to ${rate(point.high)}`)})),
    ],
  });
  const note = others.length < 2 ? null
    : others.map((other, i) => `${DASH_NAMES[i % DASHES.length]}: ${other}`).join("; ");
  return chart(name, drawing, table(name, columns(setting), points), note);
}

export function render(data, state) {
  const settings = varied(data);
  const setting = settings.find(([name]) => name === state.setting) ?? settings[0];
  const points = pointsOf(data, state, setting[0]);
  const choice = settings.length < 2 ? null : element("label", {}, "Over the values of: ",
    element("select", {onchange: (event) => {
      state.setting = event.target.value;
      state.drawAll();
    }}, ...settings.map(([name]) =>
      element("option", {value: name, selected: name === setting[0]}, name))));
  const charts = data.workloads.flatMap((workload) => {
    const of = points.filter((point) => point.workload === workload.name);
    return [
      curves(of, setting, state, "rate", `${workload.name}: rate over ${setting[0]}`),
      curves(of, setting, state, "p99", `${workload.name}: p99 over ${setting[0]}`),
    ];
  });
  return element("div", {}, choice, element("div", {class: "grid"}, ...charts));
}
