// Draws report.html from the data that it carries. What is chosen (engines, workload, axes) is kept in
// one state; each change of it draws everything anew.
import * as circumstances from "./charts/circumstances.js";
import * as costs from "./charts/costs.js";
import * as durability from "./charts/durability.js";
import * as latencies from "./charts/latencies.js";
import * as load from "./charts/load.js";
import * as over_time from "./charts/over_time.js";
import * as rates from "./charts/rates.js";
import * as ratios from "./charts/ratios.js";
import * as scaling from "./charts/scaling.js";
import * as sweep from "./charts/sweep.js";
import * as trade_off from "./charts/trade_off.js";
import {readData} from "./data.js";
import {element} from "./elements.js";
import {saveUnpacked} from "./files.js";
import * as answer from "./answer.js";
import * as matrix from "./first_screen.js";
import {matrixOf} from "./matrix.js";
import * as oneEngine from "./one_engine.js";

const data = readData(document.getElementById("data").textContent);

// In the order of the page. Those for which nothing was measured are left out.
const SECTIONS = [
  {id: "verdicts", part: ratios},
  {id: "sweep", part: sweep},
  {id: "rates", part: rates},
  {id: "latency", part: latencies},
  {id: "over-time", part: over_time},
  {id: "cost", part: costs},
  {id: "load", part: load},
  {id: "scaling", part: scaling},
  {id: "trade-off", part: trade_off},
  {id: "durability", part: durability, isFolded: true},
  {id: "circumstances", part: circumstances, isFolded: true},
].filter(({part}) => part.hasAny?.(data) ?? true);

// In a sweep, engines and variants are chosen separately. In other results, each engine is chosen.
const MOST_BARS = 24;
const isSweep = sweep.hasAny(data);
const first = data.shown;
const variants = isSweep
  ? data.results.map((result, place) => ({name: result.variant.name || result.title, place})) : [];

const state = {
  engines: new Set(),  // By their places; of a sweep what `kinds` and `variants` come to.
  kinds: new Set(first.map((engine) => engine.scalesAs)),
  // All, unless that were too many bars: then the two ends.
  variants: new Set(variants.filter(({place}) => first.length <= MOST_BARS || place === 0 ||
    place === variants.length - 1).map(({place}) => place)),
  setting: null,
  drawAll,
  workload: (data.workloads.find((workload) =>
    data.figures.some((figure) => figure.workload === workload.name && figure.latencies.length > 0)) ??
    data.workloads[0] ?? {name: ""}).name,
  isLog: false,
  isLinearTime: false,
  ...matrix.initial(data),
};
if (!isSweep) first.forEach((engine) => state.engines.add(engine.place));

// Charts have the engines in the order in which the matrix begins.
const rank = new Map(matrixOf(data, {...state, engines: new Set(data.engines.map((engine) => engine.place))})
  .engines.map(({engine}, place) => [engine, place]));
data.figures.sort((one, other) => (rank.get(one.engine) ?? rank.size) - (rank.get(other.engine) ?? rank.size));

let opening = null;

function drawAll() {
  if (isSweep) {
    state.engines = new Set(data.engines.filter((engine) => state.kinds.has(engine.scalesAs) &&
      state.variants.has(engine.result)).map((engine) => engine.place));
  }
  opening.draw();
  for (const section of SECTIONS) {
    const place = document.querySelector(`#${section.id} .drawn`);
    place.replaceChildren(section.part.render(data, state));
  }
}

function box(set, value, ...label) {
  return element("label", {}, element("input", {type: "checkbox", value, checked: set.has(value),
    onchange: (event) => {
      if (event.target.checked) set.add(value);
      else set.delete(value);
      drawAll();
    }}), ...label);
}

function engineBoxes() {
  const named = (engine, label) => [
    element("span", {class: "swatch", style: `background:${engine.colour}`, "aria-hidden": "true"}),
    engine.is_floor ? `${label} (baseline)` : label,
  ];
  if (!isSweep) {
    return element("fieldset", {}, element("legend", {}, "Engines"),
      ...data.engines.map((engine) => box(state.engines, engine.place, ...named(engine, engine.label))));
  }
  const kinds = new Map(data.engines.map((engine) => [engine.scalesAs, engine]));
  return element("div", {},
    element("fieldset", {}, element("legend", {}, "Engines"),
      ...[...kinds].map(([kind, engine]) => box(state.kinds, kind, ...named(engine, kind)))),
    element("details", {}, element("summary", {}, "Variants in the other charts"),
      element("fieldset", {}, ...variants.map(({name, place}) => box(state.variants, place, name)))));
}

function workloadChoice() {
  return element("label", {}, "Workload shown in charts of a single workload: ",
    element("select", {id: "workload", onchange: (event) => {
      state.workload = event.target.value;
      drawAll();
    }}, ...data.workloads.map((workload) => element("option",
      {value: workload.name, selected: workload.name === state.workload}, workload.name))));
}

function toggle(name, member) {
  return element("label", {}, element("input", {type: "checkbox", onchange: (event) => {
    state[member] = event.target.checked;
    drawAll();
  }}), name);
}

// A link to what is folded unfolds it.
function unfold(id) {
  const folded = document.querySelector(`#${id} > details`);
  if (folded !== null) folded.open = true;
}

// For the files that the page carries. Its other packed elements are its own.
function fileButtons() {
  const kept = [...document.querySelectorAll('script[type="application/gzip"][data-name]')];
  return element("p", {}, ...kept.map((script) => element("button",
    {type: "button", onclick: () => saveUnpacked(script.dataset.name, script.textContent.trim())},
    `Save ${script.dataset.name}`)));
}

function sectionOf({id, part, isFolded}) {
  const heading = element("h2", {id: `${id}-title`}, part.title);
  const body = [element("p", {class: "about"}, part.about), element("div", {class: "drawn"})];
  return element("section", {id, "aria-labelledby": `${id}-title`}, ...isFolded
    ? [element("details", {}, element("summary", {}, heading), ...body)] : [heading, ...body]);
}

function page() {
  const screen = [answer, oneEngine].find((one) => one.isShown(data)) ?? matrix;
  opening = screen.firstScreen(data, state, () => opening.draw());
  const links = SECTIONS.map(({id, part}) => element("a", {href: `#${id}`, onclick: () => unfold(id)}, part.title));
  return [
    opening.section,
    element("nav", {"aria-label": "Sections"}, ...links,
      element("a", {href: "#as-text", onclick: () => unfold("as-text")}, "As text")),
    element("form", {class: "controls", "aria-label": "What is drawn", onsubmit: (event) =>
      event.preventDefault()}, data.engines.length === 1 ? null : engineBoxes(),
    element("fieldset", {}, element("legend", {}, "View"), workloadChoice(), toggle("rates on a log axis", "isLog"),
      toggle("latencies on a linear axis", "isLinearTime"))),
    ...SECTIONS.map(sectionOf),
    element("section", {id: "files"}, element("h2", {}, "The data"),
      element("p", {}, "The conditions, and the figures of each workload of each round. The result's directory has the rest: " +
        "levelfield report --format=html makes this page again from it."),
      fileButtons()),
  ];
}

document.getElementById("drawn-here").replaceChildren(...page());
drawAll();

// A page that gets wider is drawn wider, once it rests.
let waiting = null;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(drawAll, 200);
});
document.documentElement.dataset.drawn = "yes";
