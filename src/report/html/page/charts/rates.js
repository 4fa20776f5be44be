// Operations a second: for each workload a bar an engine, with the interval of its mean and the
// rounds that it is of.
import {chart, element, table} from "../elements.js";
import {chosen, measured, of} from "../data.js";
import {Plot, colours, draw, halfWidth, labelWidth} from "../plots.js";
import {grouped, onAxis, rate} from "../numbers.js";

export const title = "Operations a second";
export const about =
  "Bars are geometric means of the rounds and begin at 0; the line is the interval that holds the mean " +
  "with 95 %, the dots are the rounds. No line: too few rounds for an interval.";

const columns = [
  {title: "engine", value: (figure) => figure.engine.label},
  {title: "ops/s", number: (figure) => figure.rate, as: rate},
  {title: "from", number: (figure) => figure.low, as: rate},
  {title: "to", number: (figure) => figure.high, as: rate},
  {title: "charged", number: (figure) => figure.charged, as: rate},
  {title: "rounds", number: (figure) => figure.rates.length, as: grouped},
  {title: "outcome", value: (figure) =>
    figure.outcome === "ok" ? "ok" : `${figure.outcome}: ${figure.message}`},
];

function bars(data, state, workload) {
  const all = of(chosen(data, state), workload);
  if (all.length === 0) return null;
  const figures = measured(all);
  const label = (figure) => figure.engine.label;
  const labels = all.map(label);
  const x = state.isLog
    ? {type: "log", label: "ops/s (log)", ticks: 4}
    : {label: "ops/s", zero: true, ticks: 4};
  const least = Math.min(...figures.map((figure) => figure.rate)) / 2;
  const drawing = draw({
    width: halfWidth(),
    height: 56 + 26 * labels.length,
    marginLeft: labelWidth(labels),
    marginRight: 40,
    x: {...x, grid: true, tickFormat: onAxis.rate},
    y: {domain: labels, label: null},
    color: colours(all),
    marks: [
      Plot.barX(figures, {
        x1: state.isLog ? least : 0, x2: "rate", y: label, fill: label, fillOpacity: 0.75, insetTop: 3, insetBottom: 3,
      }),
      Plot.dot(figures.flatMap((figure) => figure.rates.map((one) => ({one, label: label(figure)}))),
        {x: "one", y: "label", r: 1.6, stroke: "currentColor", strokeOpacity: 0.5}),
      Plot.ruleY(figures.filter((figure) => figure.low !== null),
        {x1: "low", x2: "high", y: label, stroke: "currentColor", strokeWidth: 2}),
      Plot.text(all.filter((figure) => figure.rate === null),
        {y: label, frameAnchor: "left", dx: 4, text: "outcome", fill: "currentColor"}),
      Plot.tip(figures, Plot.pointerY({
        x: "rate", y: label,
        title: (figure) => `${label(figure)}\n${rate(figure.rate)} ops/s` +
          (figure.low === null ? "" : `\n${rate(figure.low)} to ${rate(figure.high)}`),
      })),
    ],
  });
  const disturbed = figures.filter((figure) => figure.disturbances.length > 0);
  return chart(workload, drawing, table(`${workload}, operations a second`, columns, all),
    disturbed.length === 0 ? null
      : `Measured while the machine was busy with something else: ${disturbed.map(label).join(", ")}.`);
}

export function render(data, state) {
  const drawings = data.workloads.map((workload) => bars(data, state, workload.name));
  return element("div", {class: "grid"}, ...drawings);
}
