// HTML elements, made without ever parsing text: what an engine or a file says cannot become markup.

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

// A column is {title, value(row) -> text, isNumber}; a scroll box of its own on narrow screens.
export function table(caption, columns, rows) {
  const head = element("tr", {}, ...columns.map((column) =>
    element("th", {scope: "col", class: column.isNumber ? "number" : null}, column.title)));
  const body = rows.map((row) => element("tr", {}, ...columns.map((column, i) =>
    element(i === 0 ? "th" : "td",
      {scope: i === 0 ? "row" : null, class: column.isNumber ? "number" : null},
      column.value(row)))));
  return element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    element("table", {}, element("caption", {}, caption), element("thead", {}, head),
      element("tbody", {}, ...body)));
}

// A chart with the numbers that it is drawn from, for those who do not see it or want to copy them.
export function chart(title, drawing, numbers, note = null) {
  drawing.setAttribute("role", "img");
  drawing.setAttribute("aria-label", `${title}. The numbers are in the table below it.`);
  return element("figure", {}, element("figcaption", {}, title), drawing,
    note === null ? null : element("p", {class: "note"}, note),
    element("details", {}, element("summary", {}, "The numbers"), numbers));
}
