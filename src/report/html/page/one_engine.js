// What the page of one engine opens with: nobody to rank it with, so its own figures in full, a line a workload.
import {isOfOne, latencyOf, ofShown} from "./data.js";
import {chart, element, table} from "./elements.js";
import {about, limitsOf} from "./limits.js";
import {marksInWords, safetyOf} from "./matrix.js";
import {latency, none, plain, rate} from "./numbers.js";
import {fullWidth} from "./plots.js";
import * as rates from "./charts/rates.js";

const MOST_NAMED = 4;

const percentile = (name) => ({title: name, as: latency, isAtMost: (figure) => latencyOf(figure)?.is_at_most,
  number: (figure) => latencyOf(figure)?.percentiles_ns[name] ?? null});

// Of each engine alike: what its operations took and cost, and what limited it.
export const FIGURE_COLUMNS = [
  percentile("p50"), percentile("p99"), percentile("p99.9"),
  {title: "CPU/op", as: latency,
    number: (figure) => (figure.cost === null || figure.cost.cpu_us === null ? null : figure.cost.cpu_us * 1e3)},
  {title: "disk/data", as: plain, number: (figure) => figure.cost?.space ?? null},
  {title: "limited by", isOneLine: true, value: (figure) => limitsOf(figure.cost) || none},
];

export const SIGNS = "p50, p99, p99.9: half, 99 % and 99.9 % of the operations took this long or less. CPU/op: " +
  "processor time of one, the engine's own threads included. disk/data: bytes on disk for each byte of keys and " +
  `values, of stores of 1 MiB or more. ${none}: not measured, or of too few operations. ${about}`;

// The interval, or of rounds that are too few for one how far they reach.
const spreadOf = (hasInterval) => (hasInterval
  ? [{title: "from", as: rate, number: (figure) => figure.low},
    {title: "to", as: rate, number: (figure) => figure.high}]
  : [["least", Math.min], ["greatest", Math.max]].map(([title, pick]) => ({title, as: rate, isOptional: true,
    number: (figure) => (figure.rates.length < 2 ? null : pick(...figure.rates))})));

const columnsOf = (data, hasInterval) => [
  {title: "workload", value: (figure) => figure.workload + figure.marks},
  {title: "ops/s", as: rate, number: (figure) => figure.rate},
  ...spreadOf(hasInterval),
  ...FIGURE_COLUMNS,
  {title: "a write", isOneLine: true, value: (figure) => (figure.level === "" ? none
    : `${data.fates_of_writes[figure.level] ?? ""} (${figure.level})`)},
  {title: "outcome", value: (figure) => (figure.outcome === "ok" ? "ok" : `${figure.outcome}: ${figure.message}`)},
];

function headlineOf(data, figures) {
  const known = figures.filter((figure) => figure.rate !== null);
  const parts = known.slice(0, MOST_NAMED).map((figure) => `${rate(figure.rate)} in ${figure.workload}`);
  const more = known.length - parts.length;
  return parts.length === 0 ? `${data.shown[0].label} has no figure.`
    : `${data.shown[0].label}, operations a second: ${parts.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

export const isShown = isOfOne;

export function firstScreen(data, state) {
  const figures = ofShown(data);
  const hasInterval = figures.some((figure) => figure.low !== null);
  const place = element("div", {});
  const note = (words) => element("p", {class: "note"}, words);
  const section = element("section", {id: "first-screen", "aria-labelledby": "first-screen-title"},
    element("h2", {id: "first-screen-title", class: "unseen"}, "Its figures"),
    element("div", {class: "summary"}, element("p", {}, headlineOf(data, figures)),
      element("p", {}, safetyOf(data, state))),
    place);
  const draw = () => {
    const drawing = rates.barsOf(state, figures, (figure) => figure.workload, {width: fullWidth(), isTold: true});
    place.replaceChildren(
      chart("Operations a second", drawing, table("Rounds", [
        {title: "workload", value: ({figure}) => figure.workload},
        {title: "round", value: ({round}) => String(round)},
        {title: "ops/s", as: rate, number: ({one}) => one},
      ], figures.flatMap((figure) => figure.rates.map((one, i) => ({figure, one, round: i + 1})))),
      "A bar is the geometric mean of the rounds, which are the dots. " + (hasInterval
        ? "The line is its 95 % interval; the table has it as from and to."
        : "No interval: it takes six rounds (--repeat=6).")),
      table("Each workload", columnsOf(data, hasInterval), figures),
      ...marksInWords(data).map(note), note(SIGNS));
  };
  return {section, draw};
}
