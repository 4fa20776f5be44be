// HTML elements, made without ever parsing text: what an engine or a file says cannot become markup.
import {UNITS} from "./numbers.js";
import {saveText} from "./files.js";
import {svgOf} from "./svg.js";

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const button = (label, onclick) => element("button", {type: "button", class: "save", onclick}, label);
const fileName = (title) => title.replace(/[^\w.-]+/g, "_");

// A column has a title and value(row), a text, or else number(row), which `as` shows and which is null where
// there is none; isAtMost(row): it is a bound. One that isOptional is left out where no row has a number; one that
// isOneLine is not broken.
const isNumber = (column) => column.number !== undefined;
const bound = (column, row) => (column.isAtMost?.(row) ? "\u2264 " : "");
const textOf = (column, row) => (isNumber(column) ? bound(column, row) + column.as(column.number(row)) : column.value(row));

// The same as a file for spreadsheets: numbers in full, their units in the first line. A cell that would be taken
// for a formula gets a quote before it.
function csvOf(columns, rows) {
  const quoted = (cell) => {
    const text = /^[=+@-]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell;
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const unit = (column) => (UNITS.has(column.as) ? `${column.title} (${UNITS.get(column.as)})` : column.title);
  const cell = (column, row) =>
    isNumber(column) ? bound(column, row).replace("\u2264 ", "<=") + (column.number(row) ?? "") : column.value(row);
  return [columns.map(unit), ...rows.map((row) => columns.map((column) => cell(column, row)))]
    .map((cells) => `${cells.map((one) => quoted(String(one))).join(",")}\n`).join("");
}

export const csvButton = (caption, columns, rows) =>
  button("Save as CSV", () => saveText(`${fileName(caption)}.csv`, "text/csv", csvOf(columns, rows)));

const classOf = (column) => (isNumber(column) ? "number" : column.isOneLine ? "one-line" : null);

// In a scroll box of its own, for narrow screens. `isHeaded`: a heading above it says what it is.
export function table(caption, all, rows, {isHeaded = false} = {}) {
  const isKnown = (column, row) => (column.number(row) ?? null) !== null;
  const columns = all.filter((column) => !column.isOptional || rows.some((row) => isKnown(column, row)));
  const head = element("tr", {}, ...columns.map((column) =>
    element("th", {scope: "col", class: classOf(column)}, column.title)));
  const body = rows.map((row) => element("tr", {}, ...columns.map((column, i) =>
    element(i === 0 ? "th" : "td",
      {scope: i === 0 ? "row" : null, class: classOf(column)}, textOf(column, row)))));
  return element("div", {}, element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    element("table", {}, element("caption", {class: isHeaded ? "unseen" : null}, caption),
      element("thead", {}, head), element("tbody", {}, ...body))),
  csvButton(caption, columns, rows));
}

// A chart with the numbers that it is drawn from, for those who do not see it or want to copy them.
export function chart(title, drawing, numbers, note = null) {
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `${title}. The numbers are in the table below it.`);
  return element("figure", {}, element("figcaption", {}, title), drawing,
    note === null ? null : element("p", {class: "note"}, note),
    element("details", {}, element("summary", {}, "The numbers, and the chart as a file"), numbers,
      button("Save the chart as SVG", () => saveText(`${fileName(title)}.svg`, "image/svg+xml", svgOf(title, drawing)))));
}
