#!/bin/bash
# How often intervals and verdicts of few whole rounds are right, from many rounds that are recorded first.
#   benchmarks/coverage.sh [BUILD_DIRECTORY [ROUNDS]]
# A thing and itself are two successive rounds of one engine. The rounds stay in coverage/, and more can be added: a
# campaign may be interrupted. Twelve rounds take four minutes.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
rounds=${2:-36}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p coverage

begun=$(find coverage -name '*.csv' | wc -l)
for ((part = begun; part * 12 < rounds; ++part)); do
  rm -rf "$work/results"
  "$build/levelfield" run --engine=leveldb,rocksdb,lmdb,sqlite3 --repeat=12 --slices=off --num=100000 --duration=1 \
    --seed=$((1 + 12 * part)) --benchmarks=readrandom,overwrite,fillrandom --price=0 --audit=0 \
    --results="$work/results" \
    >"$work/log" 2>&1 || cat "$work/log" >&2
  "$build/levelfield" report --format=csv "$work"/results/* >"$work/csv"
  mv "$work/csv" "coverage/$part.csv"
done

uptime
python3 - <<'PYTHON' | "$build/coverage_probe"
import collections, csv, glob, math

for path in sorted(glob.glob("coverage/*.csv")):
    rates = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["outcome"] == "ok":
                rates[row["benchmark"], int(row["round"])][row["engine"]] = float(row["operations_per_second"])
    for (workload, number), of in rates.items():
        for one, other in (("leveldb", "lmdb"), ("leveldb", "rocksdb"), ("leveldb", "sqlite3")):
            if one in of and other in of:
                print(f"{workload}:{other}/{one}", math.log(of[other] / of[one]))
        next_of = rates.get((workload, number + 1), {}) if number % 2 else {}
        for engine in sorted(of.keys() & next_of.keys()):
            ratio = math.log(next_of[engine] / of[engine])
            print(f"{workload}:{engine}/itself", ratio, f"{workload}:{engine}/itself", -ratio)  # Either is the first.
PYTHON
