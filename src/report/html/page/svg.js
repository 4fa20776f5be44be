// A chart as a file of its own: what other programs draw as the page does, without its style sheet. The legend of
// Plot is HTML, so it is drawn anew, above the chart, below the title.
const SVG = "http://www.w3.org/2000/svg";
const LINE = 20;  // Pixels.

function make(tag, attributes, text = null) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== null) made.textContent = text;
  return made;
}

// The colours and names of a legend, as many on a line as fit.
function legendOf(drawing, width, top) {
  const marks = [];
  let [x, y] = [0, top];
  for (const swatch of drawing.querySelectorAll("[class*=swatch] > svg")) {
    const name = swatch.parentElement.textContent.trim();
    const space = 34 + 7 * name.length;
    if (x > 0 && x + space > width) [x, y] = [0, y + LINE];
    marks.push(make("rect", {x, y: y + 3, width: 13, height: 13, fill: swatch.getAttribute("fill")}),
      make("text", {x: x + 18, y: y + 14, fill: "currentColor"}, name));
    x += space;
  }
  return {marks, height: marks.length === 0 ? 0 : y + LINE - top};
}

export function svgOf(title, drawing) {
  const plots = drawing.matches("svg") ? [drawing] : [...drawing.children].filter((child) => child.matches("svg"));
  const plot = plots.at(-1).cloneNode(true);
  for (const tip of plot.querySelectorAll('[data-mark="tip"]')) tip.remove();
  const [width, height] = ["width", "height"].map((side) => Number(plot.getAttribute(side)));
  const legend = legendOf(drawing, width, LINE + 8);
  const top = LINE + 8 + legend.height;
  const style = getComputedStyle(document.body);
  const paper = style.backgroundColor;
  const whole = make("svg", {xmlns: SVG, width, height: height + top, viewBox: `0 0 ${width} ${height + top}`,
    "font-family": "system-ui, sans-serif", "font-size": 12,
    style: `--plot-background:${paper};background:${paper};color:${style.color}`});
  plot.setAttribute("y", top);
  plot.setAttribute("overflow", "visible");
  whole.append(make("title", {}, title), make("rect", {width: "100%", height: "100%", fill: paper}),
    make("text", {x: 0, y: LINE - 5, "font-size": 14, "font-weight": 600, fill: "currentColor"}, title),
    ...legend.marks, plot);
  return new XMLSerializer().serializeToString(whole);
}
