// What the page hands out as files: texts that it makes, and the files that it was made from, which it carries
// compressed, as they were.

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export const saveText = (name, type, text) => save(name, new Blob([text], {type}));

export async function saveUnpacked(name, base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  save(name, await new Response(stream).blob());
}
