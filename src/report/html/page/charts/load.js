// Load against latency: where the line turns up, the engine is at its end.
import {chart, element, table} from "../elements.js";
import {chosen, of} from "../data.js";
import {Plot, colours, draw} from "../plots.js";
import {latency, onAxis, rate} from "../numbers.js";

export const title = "Load and latency";
export const about =
  "Each point is an open loop at that rate. Solid: p99 of response times, dashed: of service times. " +
  "Crosses: rates that the engine did not keep, whose latencies say only that, and rates at which the load " +
  "generator was late, whose response times are at most what is shown.";

export const hasAny = (data) => data.figures.some((figure) => figure.load_steps.length > 0);

export function render(data, state) {
  const figures = of(chosen(data, state), state.workload).filter((figure) => figure.load_steps.length > 0);
  if (figures.length === 0) {
    return element("p", {}, "No rates were tried: --rate=sweep or --slo does it.");
  }
  const steps = figures.flatMap((figure) => figure.load_steps
    .map((step) => ({...step, engine: figure.engine.label}))
    .sort((one, other) => one.rate - other.rate));
  const timed = steps.filter((step) => step.response_ns.p99 !== null);
  const kept = timed.filter((step) => step.verdict === "ok");
  const drawing = draw({
    height: 340,
    x: {label: "operations a second that were asked for", tickFormat: onAxis.rate, grid: true, ticks: 6,
      type: state.isLog ? "log" : "linear"},
    y: {type: state.isLinearTime ? "linear" : "log", label: "p99", tickFormat: onAxis.latency, grid: true,
      ticks: 5},
    color: {...colours(figures), legend: true},
    marks: [
      Plot.line(kept, {x: "rate", y: (step) => step.response_ns.p99, stroke: "engine", marker: true}),
      Plot.line(kept, {x: "rate", y: (step) => step.service_ns.p99, stroke: "engine",
        strokeDasharray: "5 4"}),
      Plot.dot(timed.filter((step) => step.verdict !== "ok"), {x: "rate",
        y: (step) => step.response_ns.p99, stroke: "engine", symbol: "times"}),
      Plot.tip(timed, Plot.pointer({x: "rate", y: (step) => step.response_ns.p99, title: (step) =>
        `${step.engine}\n${rate(step.rate)}/s: p99 ${latency(step.response_ns.p99)}, ${step.verdict}`})),
    ],
  });
  return chart(`${state.workload}: load against latency`, drawing, table("Rates that were tried", [
    {title: "engine", value: (step) => step.engine},
    {title: "asked for", number: (step) => step.rate, as: rate},
    {title: "achieved", number: (step) => step.achieved, as: rate},
    {title: "verdict", value: (step) => step.verdict},
    {title: "service p99", number: (step) => step.service_ns.p99, as: latency},
    {title: "response p99", number: (step) => step.response_ns.p99, as: latency,
      isAtMost: (step) => step.verdict === "late generator"},
  ], steps));
}
