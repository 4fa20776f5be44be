// What survives what, as claimed and as seen: one class to a table, and the syncs that were counted.
import {element, table} from "../elements.js";
import {chosen} from "../data.js";
import {grouped, none} from "../numbers.js";

export const title = "Durability and checks";
export const about =
  "What an acknowledged write survives by the engine's own claim, and what was seen of it: durable flushes " +
  "for each commit, commits that were acknowledged without one, pages still dirty then; the sync calls " +
  "that were counted while the workload ran, and how its answers were checked. Figures of two levels are " +
  "not to be compared.";

export function render(data, state) {
  const figures = chosen(data, state).filter((figure) => figure.level !== "" && !figure.engine.is_floor);
  if (figures.length === 0) return element("p", {}, "No store was opened.");
  return table("Durability", [
    {title: "engine", value: (figure) => figure.engine.label},
    {title: "workload", value: (figure) => figure.workload},
    {title: "asked for", value: (figure) => figure.durability},
    {title: "claimed", value: (figure) => figure.level},
    {title: "observed", value: (figure) => figure.observed || none},
    {title: "sync calls", number: (figure) => figure.cost?.sync_calls ?? null, as: grouped},
    {title: "evidence", value: (figure) => figure.durability_words || none},
    {title: "answers", value: (figure) =>
      figure.outcome === "ok" ? (figure.is_checked ? figure.checked : "not checked") : `${figure.outcome}: ${figure.message}`},
  ], figures);
}
