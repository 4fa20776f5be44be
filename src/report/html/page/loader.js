// Unpacks the page's data and its program, and starts that. Plain and short, for it stands in the page as it is.
(async () => {
  const unpacked = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };
  try {
    const data = document.getElementById("data");
    data.textContent = await unpacked(data.textContent.trim());
    const script = document.createElement("script");
    script.textContent = await unpacked(document.getElementById("program").textContent.trim());
    document.body.append(script);
  } catch (error) {
    document.getElementById("drawn-here").textContent =
      `This browser cannot unpack the figures (${error}). The tables below have all of them.`;
  }
})();
