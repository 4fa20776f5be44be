// Numbers as a person reads them: three significant digits, units that keep them short. As
// report/number.h does it for the terminal.

export function significant(value) {
  if (value === 0) return "0";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, 2 - magnitude)));
}

function scaled(value, units, step) {
  let i = 0;
  while (i + 1 < units.length && value >= step * 0.9995) {
    value /= step;
    ++i;
  }
  return `${significant(value)}${units[i]}`;
}

// On an axis, where round numbers stand: without zeros that say nothing.
const short = (format) => (value) =>
  format(value).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");

export const none = "n/a";
const orNone = (format) => (value) => (value === null || value === undefined ? none : format(value));

export const rate = orNone((perSecond) => scaled(perSecond, ["", " k", " M", " G"], 1000));
export const latency = orNone((ns) => scaled(ns, [" ns", " µs", " ms", " s"], 1000));
export const seconds = orNone((s) => (s < 1 ? latency(s * 1e9) : `${significant(s)} s`));
export const ratio = orNone((value) => value.toFixed(value < 0.1 ? 4 : 3));
export const percent = orNone((share) => `${significant(share * 100)} %`);
export const plain = orNone(significant);
export const onAxis = {rate: short(rate), latency: short(latency), percent: short(percent),
  plain: short(plain)};
export const grouped = orNone((count) => Math.round(count).toLocaleString("en-US"));

// The units of numbers that these show; those of the others stand in the titles.
export const UNITS = new Map([[latency, "ns"], [seconds, "s"], [percent, "share"], [rate, "per second"]]);

// -log10(1 - p): 2 is p99, 3 is p99.9.
export function nines(value) {
  if (value === 0) return "min";
  const p = 100 * (1 - 10 ** -value);
  return `p${p.toFixed(Math.max(0, Math.ceil(value) - 2))}`;
}
