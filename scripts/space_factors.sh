#!/bin/bash
# Measures how much disk space each engine takes for a byte of keys and values: the most that was allocated
# during fillrandom, and during an overwrite after it, over the bytes of the keys and values in the store.
# Keys have 16 bytes, values 100, 1,000 and 4,000 bytes that do not compress. One thread. The greatest of
# the six is the engine's fact "space_factor", which the check for space before a run uses. Takes some
# minutes and prints a table.
#
#   scripts/space_factors.sh [build directory] [megabytes of keys and values, 40]
#   ENGINES=redb,fjall scripts/space_factors.sh    of others than those of engines/
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
megabytes=${2:-40}
results=$(mktemp -d "${TMPDIR:-/tmp}/levelfield_space.XXXXXX")
trap 'rm -rf "$results"' EXIT
# Those of engines/ but the baselines.
engines=${ENGINES:-$(grep --files-without-match LF_FLOOR engines/*.cc | xargs -n 1 basename --suffix=.cc | paste -sd,)}
for value in 100 1000 4000; do
  "$build/levelfield" run --engine="$engines" \
    --benchmarks=fillrandom,overwrite --num=$((megabytes * 1000000 / (16 + value))) \
    --value_size=$value --compression_ratio=1 --price=0 --audit=0 --name="$value" \
    --results="$results" >/dev/null
done
python3 - "$results"/* <<'PYTHON'
import json, sys
factors = {}
for directory in sys.argv[1:]:
    settings = json.load(open(directory + "/manifest.json"))["settings"]
    value = int(settings["value_size"])
    for line in map(json.loads, open(directory + "/results.jsonl")):
        if line["type"] != "phase" or line["outcome"] != "ok" or line["implicit"]: continue
        logical = int(settings["num"]) * (16 + value)
        factors.setdefault(line["engine"], {})[line["workload"], value] = \
            line["peak_disk_bytes"] / logical
columns = [(w, v) for w in ("fillrandom", "overwrite") for v in (100, 1000, 4000)]
print("| engine | " + " | ".join(f"{w}, {v} B" for w, v in columns) + " | most |")
print("| --- |" + " --- |" * (len(columns) + 1))
for engine, of in factors.items():
    cells = [f"{of[c]:.2f}" if c in of else "-" for c in columns]
    print(f"| {engine} | " + " | ".join(cells) + f" | {max(of.values()):.2f} |")
PYTHON
