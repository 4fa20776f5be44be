// How the rate grows with threads, with the law that goes through the points.
import {chart, element, table} from "../elements.js";
import {Plot, draw, labelWidth} from "../plots.js";
import {grouped, none, onAxis, plain, rate} from "../numbers.js";

export const title = "Scaling over threads";
export const about =
  "Points are measured; the line is the universal scalability law through five or more of them, the " +
  "dashed one what as many threads would do that never met. Sigma is the share of the work that only one " +
  "thread can do at a time, kappa what threads lose by waiting for each other.";

const range = (low, value, high) => `${plain(value)} (${plain(low)} to ${plain(high)})`;

export const hasAny = (data) => data.scaling.length > 0;

export function render(data, state) {
  const engines = data.engines.filter((engine) => state.engines.has(engine.place));
  const shown = data.scaling.filter((one) => one.workload === state.workload).flatMap((one) => {
    const engine = engines.find((other) => other.scalesAs === one.engine);
    return engine === undefined ? [] : [{...one, engine}];
  });
  if (shown.length === 0) {
    return element("p", {},
      `${state.workload} ran with one number of threads. Results of several, shown in one page, are ` +
      "drawn here.");
  }
  const label = (one) =>
    one.variant === "" ? one.engine.scalesAs : `${one.engine.scalesAs} ${one.variant}`;
  const points = shown.flatMap((one) => one.points.map(([x, y]) => ({x, y, engine: label(one)})));
  const curves = shown.flatMap((one) =>
    (one.fit.curve ?? []).map(([x, y]) => ({x, y, engine: label(one)})));
  const most = Math.max(...points.map((point) => point.x));
  const top = Math.max(...points.map((point) => point.y));
  // As far as it stays within the chart.
  const ideals = shown.filter((one) => one.fit.lambda !== undefined).flatMap((one) => {
    const end = Math.min(most, 1.2 * top / one.fit.lambda);
    return [[1, one.fit.lambda], [end, end * one.fit.lambda]]
      .map(([x, y]) => ({x, y, engine: label(one)}));
  });
  const drawing = draw({
    height: 360,
    marginRight: labelWidth(shown.map(label)),
    x: {label: "threads", grid: true, ticks: Math.min(8, most), tickFormat: onAxis.plain},
    y: {label: "ops/s", zero: true, grid: true, tickFormat: onAxis.rate, ticks: 5},
    color: {domain: shown.map(label), range: shown.map((one) => one.engine.colour), legend: true},
    symbol: {domain: shown.map(label), range: shown.map((one) => one.engine.shape)},
    marks: [
      Plot.line(ideals, {x: "x", y: "y", stroke: "engine", strokeDasharray: "3 4", strokeOpacity: 0.6}),
      Plot.line(curves, {x: "x", y: "y", stroke: "engine"}),
      Plot.dot(points, {x: "x", y: "y", fill: "engine", symbol: "engine", r: 4}),
      Plot.tip(points, Plot.pointer({x: "x", y: "y",
        title: (point) => `${point.engine}\n${point.x} threads: ${rate(point.y)} ops/s`})),
    ],
  });
  return chart(`${state.workload}: rate over threads`, drawing, table("Scaling", [
    {title: "engine", value: label},
    {title: "measured", value: (one) => one.points.map(([n, x]) => `${n}: ${rate(x)}`).join(", ")},
    {title: "sigma", value: ({fit}) =>
      fit.reason ?? range(fit.sigma_low, fit.sigma, fit.sigma_high)},
    {title: "kappa", value: ({fit}) =>
      fit.reason === undefined ? range(fit.kappa_low, fit.kappa, fit.kappa_high) : none},
    {title: "rises up to, threads", number: ({fit}) => fit.peak_threads || null, as: grouped},
  ], shown));
}
