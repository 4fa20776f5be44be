#!/bin/bash
# How often intervals and verdicts of few whole rounds are right, from many rounds that are recorded first.
#   benchmarks/coverage.sh [BUILD_DIRECTORY [ROUNDS]]
# Two engines run twice each in every round, so that rounds of a thing and itself are among them. The rounds stay in
# coverage/, and more can be added: a campaign may be interrupted. Twelve rounds take three minutes.
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
  "$build/levelfield" run --engine=leveldb,leveldb,lmdb,lmdb,sqlite3 --repeat=12 --slices=off --num=100000 --duration=1 \
    --seed=$((1 + 12 * part)) --benchmarks=readrandom,overwrite,fillrandom --price=0 --audit=0 --results="$work/results" \
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
                rates[row["benchmark"], row["round"]].setdefault(row["engine"], []).append(
                    float(row["operations_per_second"]))
    for (workload, _), of in rates.items():
        names = {engine.split()[0]: engine for engine in of}
        both = {name: [rate for engine in of if engine.split()[0] == name for rate in of[engine]] for name in names}
        for one, other in (("leveldb", "leveldb"), ("lmdb", "lmdb"), ("leveldb", "lmdb"), ("leveldb", "sqlite3")):
            if one in both and other in both and len(both[other]) > (one == other):
                ratio = both[other][1 if one == other else 0] / both[one][0]
                print(f"{workload}:{other}/{one}", math.log(ratio))
PYTHON
