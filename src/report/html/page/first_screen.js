// The matrix (matrix.js) as a table that can be sorted, walked through with arrow keys, and weighed.
import {chart, csvButton, element, table} from "./elements.js";
import {MEASURES, MIXES, areCompared, areOfSeveralResults, areToldApart, isJudged, marksInWords, matrixOf, percent,
  safetyOf, summaryOf, textOf, wordsOf} from "./matrix.js";
import {none, percent as asShare} from "./numbers.js";
import {Plot, draw as drawPlot, fullWidth, labelWidth, ticksOf} from "./plots.js";

// Of several results, what all of them ran.
export const initial = (data) => ({measure: "rate", base: "best", sortedBy: null,
  weights: new Map(data.workloads.map(({name, family}) => {
    const isInAll = data.results.every(({workloads}) => workloads.some((one) => one.name === name));
    return [name, isInAll ? MIXES["every operation"](family) : 0];
  }))});

const MOST_WEIGHT = 10;
const MOST_SHORT = 18;  // Letters of a name that stands on one line.
const HINT = "Point at a cell, or walk with the arrow keys, for its verdict in words.";

// From 0 (a hundredth of the best, or less) to 1 (the best).
const shadeOf = (good) => Math.max(0, Math.min(1, 1 + Math.log10(good) / 2));

function colourOf(cell, state) {
  if (cell.good === null) return null;
  const isApart = !["best", "all"].includes(state.base);
  if (!isApart) return `--shade:${(shadeOf(cell.ofBest) ** 2 * 45).toFixed(1)}%`;
  const strength = Math.min(1, Math.abs(Math.log10(cell.good)));
  return `--shade:${(strength * 45).toFixed(1)}%;--hue:var(--${cell.good >= 1 ? "better" : "worse"})`;
}

function select(label, value, choices, choose) {
  return element("label", {}, label, element("select", {onchange: (event) => choose(event.target.value)},
    ...choices.map(([key, name]) => element("option", {value: key, selected: key === value}, name))));
}

// The mix at a glance: an engine a bar, its mean share of the best, and its shares in the workloads as dots.
function mixChart(data, state, {engines, rows}) {
  const ranked = engines.filter(({score}) => score !== null);
  if (ranked.length < 2) return null;
  const weighed = rows.filter((row) => row.weight > 0);
  const name = ({engine}) => engine.shortName;
  const dots = ranked.flatMap((one) => weighed.map((row) => ({name: name(one), workload: row.workload.name,
    share: row.cells.find((cell) => cell.engine === one.engine).ofBest}))).filter(({share}) => share !== null);
  const isRanked = rows.some(({cells}) => cells.some(isJudged));
  const isTied = (one) => isRanked && one !== ranked[0] && areCompared(data, ranked[0].engine, one.engine, rows) &&
    !areToldApart(data, state, ranked[0].engine, one.engine, rows);
  const labels = ranked.map(name);
  const drawing = drawPlot({
    width: fullWidth(),
    height: 40 + 18 * labels.length,
    marginLeft: labelWidth(labels),
    marginRight: 56,
    marginTop: 4,
    marginBottom: 34,
    x: {label: "share of the best", domain: [0, 1], ticks: ticksOf(5), grid: true,
      tickFormat: (share) => `${Math.round(share * 100)} %`},
    y: {domain: labels, label: null},
    color: {domain: labels, range: ranked.map(({engine}) => engine.colour)},
    marks: [
      Plot.barX(ranked, {x: "score", y: name, fill: name, fillOpacity: 0.75, insetTop: 2, insetBottom: 2}),
      Plot.dot(dots, {x: "share", y: "name", r: 2, stroke: "currentColor", strokeOpacity: 0.6}),
      Plot.text(ranked, {y: name, frameAnchor: "right", dx: 50, textAnchor: "end", fill: "currentColor",
        text: (one) => percent(one.score) + (isTied(one) ? "=" : "")}),
      Plot.tip(dots, Plot.pointer({x: "share", y: "name",
        title: (dot) => `${dot.name}, ${dot.workload}: ${percent(dot.share)} of the best`})),
    ],
  });
  const caption = `Your mix: ${MEASURES[state.measure].name}, as a share of the best`;
  return chart(caption, drawing, table(caption, [
    {title: "engine", value: name},
    {title: "your mix", number: ({score}) => score, as: asShare},
    ...weighed.map((row) => ({title: row.workload.name, as: asShare,
      number: (one) => row.cells.find((cell) => cell.engine === one.engine).ofBest})),
  ], ranked), "A bar is the average over the workloads, which are the dots. " + (isRanked
    ? "=: its rate is not told apart from the first."
    : areOfSeveralResults(engines) ? "" : "These rounds are too few to tell them apart."));
}

// Builds the section once; what it returns has `draw`, which fills it anew.
export function firstScreen(data, state, changed) {
  const summary = element("div", {class: "summary"});
  const glance = element("div", {});
  const place = element("div", {class: "scroll", tabindex: "-1"});
  const file = element("div", {});
  const words = element("p", {class: "words", role: "status"}, HINT);
  const sliders = new Map();
  let focused = [0, 0];

  const engines = data.engines.filter((engine) => !engine.is_floor);
  const choices = element("div", {class: "choices"},
    select("Figure ", state.measure, Object.entries(MEASURES).map(([key, {name}]) => [key, name]),
      (key) => {
        state.measure = key;
        changed();
      }),
    select("Base ", state.base, [["best", "the best of each row"], ["all", "none: all in full"],
      ...engines.map((engine) => [String(engine.place), engine.label])], (key) => {
      state.base = key;
      changed();
    }));

  function weigh(name, weight) {
    state.weights.set(name, weight);
    const slider = sliders.get(name);
    slider.input.value = weight;
    slider.output.textContent = String(weight);
  }
  const slider = ({name}) => {
    const weight = state.weights.get(name);
    const output = element("output", {}, String(weight));
    const input = element("input", {type: "range", min: 0, max: MOST_WEIGHT, value: weight,
      "aria-label": `Weight of ${name}`, oninput: (event) => {
        weigh(name, Number(event.target.value));
        changed();
      }});
    sliders.set(name, {input, output});
    return element("div", {class: "slider"}, element("span", {"aria-hidden": "true", title: name}, name), input, output);
  };
  const families = new Set(data.workloads.map(({family}) => family));
  const presets = Object.entries(MIXES).filter(([, weight]) => [...families].some(weight));
  const mix = element("details", {class: "mix", open: matchMedia("(min-width: 1150px)").matches},
    element("summary", {}, "Your mix"),
    element("p", {class: "note"}, "Weights of the workloads. The engines are ranked by the weighted geometric " +
      "mean of their shares of the best."),
    element("p", {class: "presets"}, ...presets.map(([name, weight]) => element("button", {type: "button",
      onclick: () => {
        for (const workload of data.workloads) weigh(workload.name, weight(workload.family));
        changed();
      }}, name))),
    element("div", {class: "sliders"}, ...data.workloads.map(slider)));

  const tell = (cell) => { words.textContent = cell === null ? HINT : wordsOf(cell, state); };

  function cellElement(cell, row, column) {
    return element("td", {class: `${cell.isBase ? "base " : ""}${cell.isBest ? "best" : ""}`,
      style: colourOf(cell, state), title: wordsOf(cell, state), "data-at": `${row},${column}`,
      tabindex: row === focused[0] && column === focused[1] ? "0" : "-1",
      "aria-label": wordsOf(cell, state),
      onmouseenter: () => tell(cell), onfocus: () => tell(cell)}, textOf(cell, state));
  }

  const sortButton = (label, isSorted, sort, title) => element("button",
    {type: "button", class: "sort", title, onclick: sort},
    element("span", {class: label.length <= MOST_SHORT ? "short" : null}, label), isSorted);

  function head(engine) {
    const sign = state.sortedBy?.engine === engine.place ? state.sortedBy.sign : 0;
    return element("th", {scope: "col", "aria-sort": sign === 0 ? null : sign > 0 ? "descending" : "ascending"},
      sortButton(engine.shortName, sign === 0 ? "" : sign > 0 ? " ↓" : " ↑", () => {
        state.sortedBy = sign < 0 ? null : {engine: engine.place, sign: sign === 0 ? 1 : -1};
        changed();
      }, `${engine.label}: sort by its shares`));
  }

  function move(event) {
    const step = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key];
    const at = event.target.dataset.at?.split(",").map(Number);
    if (step === undefined || at === undefined) return;
    const next = place.querySelector(`[data-at="${at[0] + step[0]},${at[1] + step[1]}"]`);
    event.preventDefault();
    if (next === null) return;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    focused = next.dataset.at.split(",").map(Number);
    next.focus();
  }

  function draw() {
    const matrix = matrixOf(data, state);
    summary.replaceChildren(...summaryOf(data, matrix, state).filter((line) => line !== "")
      .map((line) => element("p", {}, line)));
    safety.textContent = safetyOf(data, state);
    glance.replaceChildren(...[mixChart(data, state, matrix)].filter((drawn) => drawn !== null));
    const {name, format} = MEASURES[state.measure];
    file.replaceChildren(csvButton(name, [{title: "workload", value: (row) => row.workload.name},
      ...matrix.engines.map(({engine}) => ({title: engine.shortName, as: format,
        number: (row) => row.cells.find((cell) => cell.engine === engine).value}))], matrix.rows));
    focused = [0, 0];
    const share = ({score}) => (score === null ? none : percent(score));
    const heldFocus = place.contains(document.activeElement) ? document.activeElement.textContent : null;
    place.replaceChildren(element("table", {class: "matrix", role: "grid",
      "aria-label": `${MEASURES[state.measure].name} of each engine in each workload`,
      onkeydown: move, onmouseleave: () => tell(null)},
    element("thead", {},
      element("tr", {}, element("th", {scope: "col"}, sortButton("workload", "", () => {
        state.sortedBy = null;
        changed();
      }, "In the order in which they ran")), ...matrix.engines.map(({engine}) => head(engine))),
      element("tr", {class: "score"}, element("th", {scope: "row"}, "your mix"),
        ...matrix.engines.map((one) => element("td", {style: one.score === null ? null
          : `--shade:${(shadeOf(one.score) ** 2 * 45).toFixed(1)}%`,
        title: `${one.engine.label}: weighted geometric mean of its shares of the best`}, share(one))))),
    element("tbody", {}, ...matrix.rows.map((row, r) =>
      element("tr", {class: row.weight === 0 ? "unweighed" : null},
        element("th", {scope: "row", title: row.workload.name}, row.workload.name + row.workload.marks),
        ...row.cells.map((cell, c) => cellElement(cell, r, c)))))));
    if (heldFocus !== null) {
      [...place.querySelectorAll("button")].find((one) =>
        one.textContent.replace(/ [↑↓]$/, "") === heldFocus.replace(/ [↑↓]$/, ""))?.focus();
    }
  }

  const safety = element("p", {class: "note"});
  const marked = marksInWords(data).map((words) => element("p", {class: "note"}, words));
  const section = element("section", {id: "first-screen", "aria-labelledby": "first-screen-title"},
    element("h2", {id: "first-screen-title", class: "unseen"}, "Who leads where"),
    summary, choices, glance,
    element("div", {class: "beside"}, element("div", {}, place, words, file,
      element("p", {class: "note"}, "Each row has its base in full and the others relative to it. A rate is the " +
        "geometric mean of the rounds. =: its rate is not told apart from the base."),
      ...marked, safety), mix));
  return {section, draw};
}
