// What the page of `choose` opens with: below its answer, which stands in the heading, the engines as bars, why
// each was chosen or not, and what would change the answer.
import {chart, element, table} from "./elements.js";
import {marksInWords, safetyOf} from "./matrix.js";
import {FIGURE_COLUMNS, SIGNS} from "./one_engine.js";
import {rate, ratio} from "./numbers.js";
import {fullWidth} from "./plots.js";
import * as rates from "./charts/rates.js";

export const isShown = (data) => data.answer !== null;

// Each of its engines with the figure that the page has of it.
function rowsOf(data) {
  return data.answer.engines.map((one) => {
    const figure = data.figures.find(({engine}) => engine.name === one.engine && !engine.is_floor);
    return figure === undefined ? null : {...figure, one};
  }).filter((row) => row !== null);
}

const columnsOf = (answer) => [
  {title: "engine", value: ({one}) => one.engine},
  {title: answer.figure, as: rate, number: ({one}) => one.rate ?? null},
  {title: "from", as: rate, isOptional: true, number: ({one}) => one.low ?? null},
  {title: "to", as: rate, isOptional: true, number: ({one}) => one.high ?? null},
  {title: "of the best", as: ratio, number: ({one}) => one.ratio ?? null},
  ...FIGURE_COLUMNS,
  {title: "why", value: ({one}) => one.why},
];

const changeColumns = [
  {title: "if it were", value: (change) => change.question},
  {title: "the answer would be", value: (change) => (change.is_tried ? change.answer : `not tried: ${change.answer}`)},
  {title: "changes it", value: (change) => (!change.is_tried ? "" : change.is_doubtful ? "not known: the machine was busy"
    : change.changes_answer ? "yes" : "no")},
];

export function firstScreen(data, state) {
  const {answer} = data;
  const rows = rowsOf(data);
  const place = element("div", {});
  const note = (words) => element("p", {class: "note"}, words);
  const isTried = answer.changes.some((change) => change.is_tried);
  const section = element("section", {id: "first-screen", "aria-labelledby": "first-screen-title"},
    element("h2", {id: "first-screen-title", class: "unseen"}, "The answer"),
    element("p", {class: "note"}, safetyOf(data, state)), place,
    element("h2", {}, "What would change the answer"),
    element("p", {class: "about"},
      "One thing changed at a time, and one round each, so that only large differences count."),
    answer.changes.length === 0 ? null : table("What would change the answer", changeColumns,
      answer.changes, {isHeaded: true}),
    !isTried ? null : note(answer.changes.some((change) => change.changes_answer)
      ? "Changes it: no engine of the answer above is among the best there."
      : answer.changes.some((change) => change.is_doubtful)
        ? "Not known: another engine was ahead in a round in which the machine was busy. Ask that alone to know."
        : "In each that was tried, an engine of the answer above is among the best."));
  const others = rows.filter(({one}) => !one.is_chosen);
  const draw = () => {
    const bars = rows.map((row) => ({...row, rate: row.one.rate ?? null, low: row.one.low ?? null,
      high: row.one.high ?? null, rates: answer.figure === "ops/s" ? row.rates : [],
      outcome: row.one.why.split(":")[0]}));
    const drawing = rates.barsOf(state, bars, ({one}) => one.engine, {width: fullWidth(), isTold: true,
      label: answer.figure, isPale: ({one}) => !one.is_chosen});
    place.replaceChildren(
      chart(`${answer.figure} of each`, drawing,
        element("div", {}, table("Why each was chosen or not", columnsOf(answer), rows), note(SIGNS)),
        "In full colour: the answer. A bar is the geometric mean of the rounds" +
        (bars.some(({low}) => low !== null) ? "; the line is its 95 % interval." : ".")),
      ...(others.length === 0 ? [] : [
        element("h2", {}, "Why the others were not chosen"),
        table("Why the others were not chosen", [columnsOf(answer)[0], columnsOf(answer).at(-1)],
          others, {isHeaded: true})]),
      ...answer.notes.map(note), ...marksInWords(data).filter((words) => !words.startsWith("!")).map(note));
  };
  return {section, draw};
}
