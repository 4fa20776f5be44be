// What an operation cost beside its time: processor, bytes written and read, space, memory.
import {chart, element, table} from "../elements.js";
import {chosen, isOfOne, of, ofShown} from "../data.js";
import {Plot, colours, draw, halfWidth, labelWidth} from "../plots.js";
import {none, onAxis, percent, plain} from "../numbers.js";

export const title = "Cost";
export const about =
  "Medians of the rounds. Shares of time are of the time of an operation. Amplification is bytes for each byte of " +
  "keys and values: written " +
  "to the device, by pages made dirty, as the engine counts them; fetched for reads; allocated on the " +
  "file system. Less is better everywhere.";

const MEASURES = [
  {member: "cpu_us", title: "CPU µs for each operation"},
  {member: "background_share", title: "share of CPU time in the engine's own threads", isShare: true},
  {member: "computing", title: "share of time computing", isShare: true},
  {member: "in_syncs", title: "share of time in syncs", isShare: true},
  {member: "waiting", title: "share of time waiting for anything else", isShare: true},
  {member: "write_device", title: "bytes written to the device for each byte put"},
  {member: "write_dirtied", title: "bytes made dirty for each byte put"},
  {member: "write_engine", title: "bytes written as the engine counts, for each byte put"},
  {member: "read_device", title: "bytes fetched for each byte read"},
  {member: "space", title: "bytes allocated for each byte held"},
  {member: "peak_space", title: "bytes allocated at most for each byte held"},
  {member: "anonymous_bytes", title: "memory of its own (anonymous), MiB", unit: 1 << 20},
  {member: "file_bytes", title: "memory of mapped files, MiB", unit: 1 << 20},
];

export function render(data, state) {
  // An engine to a bar, or of one engine a workload.
  const ofOne = isOfOne(data);
  const figures = (ofOne ? ofShown(data) : of(chosen(data, state), state.workload))
    .filter((figure) => figure.cost !== null);
  if (figures.length === 0) {
    return element("p", {}, `Nothing is known of what ${ofOne ? "it" : state.workload} cost.`);
  }
  const label = (figure) => (ofOne ? figure.workload : figure.engine.label);
  const labels = figures.map(label);
  const told = MEASURES.filter((measure) =>
    figures.some((figure) => figure.cost[measure.member] !== null));
  const drawings = told.map((measure) => {
    const raw = (figure) => figure.cost[measure.member];
    const value = (figure) => (raw(figure) === null ? null : raw(figure) / (measure.unit ?? 1));
    const known = figures.filter((figure) => raw(figure) !== null);
    const format = measure.isShare ? percent : plain;
    const isNothing = known.every((figure) => raw(figure) === 0);  // An axis of its own would be all zero.
    const drawing = draw({
      width: halfWidth(),
      height: 34 + 20 * labels.length,
      marginLeft: labelWidth(labels),
      marginRight: 40,
      marginBottom: 26,
      x: {label: null, zero: true, grid: true, ticks: 4, domain: isNothing ? [0, 1] : undefined,
        tickFormat: measure.isShare ? onAxis.percent : onAxis.plain},
      y: {domain: labels, label: null},
      color: colours(figures),
      marks: [
        Plot.barX(known, {x: value, y: label, fill: (figure) => figure.engine.label, fillOpacity: 0.75,
          insetTop: 2, insetBottom: 2, title: (figure) => `${label(figure)}: ${format(value(figure))}`, tip: true}),
        Plot.text(figures.filter((figure) => raw(figure) === null),
          {y: label, text: () => none, frameAnchor: "left", dx: 4, fillOpacity: 0.7}),
        Plot.ruleX([0]),
      ],
    });
    return chart(measure.title, drawing, table(measure.title, [
      {title: ofOne ? "workload" : "engine", value: label},
      {title: measure.title, number: value, as: format},
    ], figures));
  });
  return element("div", {class: "grid"}, ...drawings);
}
