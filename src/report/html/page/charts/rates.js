// Operations a second: for each workload a bar an engine, with the interval of its mean and the
// rounds that it is of.
import {chart, element, table} from "../elements.js";
import {chosen, isOfOne, measured, of} from "../data.js";
import {Plot, colours, draw, halfWidth, labelWidth, ticksOf} from "../plots.js";
import {grouped, onAxis, rate} from "../numbers.js";

export const title = "Operations a second";
export const about =
  "Bars are geometric means of the rounds and begin at 0; the line is the 95 % interval of that " +
  "mean, the dots are the rounds. No line: too few rounds for an interval.";

const columns = [
  {title: "engine", value: (figure) => figure.engine.label},
  {title: "ops/s", number: (figure) => figure.rate, as: rate},
  {title: "from", isOptional: true, number: (figure) => figure.low, as: rate},
  {title: "to", isOptional: true, number: (figure) => figure.high, as: rate},
  {title: "charged", number: (figure) => figure.charged, as: rate},
  {title: "rounds", number: (figure) => figure.rates.length, as: grouped},
  {title: "outcome", value: (figure) =>
    figure.outcome === "ok" ? "ok" : `${figure.outcome}: ${figure.message}`},
];

// Bars of some figures, with a name each, and whatever else `options` say of the plot.
export function barsOf(state, all, nameOf, options = {}) {
  const figures = measured(all);
  const labels = all.map(nameOf);
  const label = options.label ?? "ops/s";
  const x = {label: label + (state.isLog ? " (log)" : ""), ticks: ticksOf(4),
    ...state.isLog ? {type: "log"} : {zero: true}};
  const least = Math.min(...figures.map((figure) => figure.rate)) / 2;
  const pale = options.isPale ?? (() => false);
  return draw({
    width: options.width ?? halfWidth(),
    height: 56 + 26 * labels.length,
    marginLeft: labelWidth(labels),
    marginRight: options.isTold ? 70 : 40,
    x: {...x, grid: true, tickFormat: onAxis.rate},
    y: {domain: labels, label: null},
    color: colours(all),
    marks: [
      Plot.barX(figures, {
        x1: state.isLog ? least : 0, x2: "rate", y: nameOf, fill: (figure) => figure.engine.label,
        fillOpacity: (figure) => (pale(figure) ? 0.3 : 0.75), insetTop: 3, insetBottom: 3,
      }),
      Plot.dot(figures.flatMap((figure) => figure.rates.map((one) => ({one, label: nameOf(figure)}))),
        {x: "one", y: "label", r: 1.6, stroke: "currentColor", strokeOpacity: 0.5}),
      Plot.ruleY(figures.filter((figure) => figure.low !== null),
        {x1: "low", x2: "high", y: nameOf, stroke: "currentColor", strokeWidth: 2}),
      Plot.text(all.filter((figure) => figure.rate === null),
        {y: nameOf, frameAnchor: "left", dx: 4, text: "outcome", fill: "currentColor"}),
      options.isTold ? Plot.text(figures, {y: nameOf, frameAnchor: "right", dx: 64, textAnchor: "end",
        text: (figure) => rate(figure.rate) + figure.marks, fill: "currentColor"}) : null,
      Plot.tip(figures, Plot.pointerY({
        x: "rate", y: nameOf,
        title: (figure) => `${nameOf(figure)}\n${rate(figure.rate)} ${label}` +
          (figure.low === null ? "" : `\n${rate(figure.low)} to ${rate(figure.high)}`),
      })),
    ],
  });
}

function bars(data, state, workload) {
  const all = of(chosen(data, state), workload);
  if (all.length === 0) return null;
  const figures = measured(all);
  const label = (figure) => figure.engine.label;
  const disturbed = figures.filter((figure) => figure.disturbances.length > 0);
  return chart(workload, barsOf(state, all, label), table(`${workload}, operations a second`, columns, all),
    disturbed.length === 0 ? null
      : `Measured while the machine was busy with something else: ${disturbed.map(label).join(", ")}.`);
}

// Of one engine, the page opens with them.
export const hasAny = (data) => !isOfOne(data);

export function render(data, state) {
  const drawings = data.workloads.map((workload) => bars(data, state, workload.name));
  return element("div", {class: "grid"}, ...drawings);
}
