// What all charts share: width, colours of engines, and the way a chart of Observable Plot is made.
import * as Plot from "@observablehq/plot";

export {Plot};

// The width of a chart over the whole page, and of one beside another.
export const fullWidth = () => Math.max(320, Math.min(960, document.body.clientWidth - 48));
// So many of them have room on an axis, and on a telephone fewer.
export const ticksOf = (most) => (fullWidth() < 500 ? 2 : most);
export const halfWidth = () => (fullWidth() > 760 ? (fullWidth() - 32) / 2 : fullWidth());

// A group in a drawing may not have a label of its own (the whole drawing has one), so the names that Plot
// gives to its marks stand in `data-mark`. A pointer draws its tip anew.
function withoutLabels(drawing) {
  for (const group of drawing.querySelectorAll("g[aria-label]")) {
    group.dataset.mark = group.getAttribute("aria-label");
    group.removeAttribute("aria-label");
  }
  for (const group of drawing.querySelectorAll("g[aria-description]")) group.removeAttribute("aria-description");
}

export function draw(options) {
  const drawing = Plot.plot({
    width: fullWidth(),
    marginLeft: 64,
    marginBottom: 42,
    style: {background: "transparent", color: "currentColor", fontSize: "12px"},
    ...options,
  });
  withoutLabels(drawing);
  drawing.addEventListener("input", () => withoutLabels(drawing));
  return drawing;
}

// The scale of some figures' engines. An engine keeps its colour and shape, whichever others are drawn.
const scale = (figures, member) => {
  const engines = [...new Set(figures.map((figure) => figure.engine))];
  return {
    domain: engines.map((engine) => engine.label),
    range: engines.map((engine) => engine[member]),
  };
};
export const colours = (figures) => scale(figures, "colour");
export const shapes = (figures) => scale(figures, "shape");

// The longest of the labels at the left of a chart, in pixels of its small type.
export const labelWidth = (labels) =>
  Math.min(220, 16 + 7 * Math.max(4, ...labels.map((label) => label.length)));
