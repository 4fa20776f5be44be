// The files that the page was made from, which it carries compressed: handed out again as they were.
import {element} from "./elements.js";

async function inflated(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).blob();
}

async function save(name, base64) {
  const link = element("a", {href: URL.createObjectURL(await inflated(base64)), download: name});
  link.click();
  URL.revokeObjectURL(link.href);
}

// Buttons for `<script type="application/gzip" data-name="...">` elements. Others are the page's own.
export function fileButtons() {
  const kept = [...document.querySelectorAll('script[type="application/gzip"][data-name]')];
  return element("p", {}, ...kept.map((script) => element("button",
    {type: "button", onclick: () => save(script.dataset.name, script.textContent.trim())},
    `Save ${script.dataset.name}`)));
}
