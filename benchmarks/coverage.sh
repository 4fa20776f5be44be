#!/bin/bash
# How often intervals and verdicts of few rounds are right, from many rounds that are recorded first.
#   benchmarks/coverage.sh [BUILD_DIRECTORY [ROUNDS [slices]]]
# In whole rounds, of four engines; a thing and itself are two successive rounds of one engine. With `slices`, of
# LevelDB and a copy of it, as two builds of one engine are compared, while another program keeps one of the two
# processors busy; a thing and itself are the two in one round.
#
# The rounds stay in coverage/, and more can be added: a campaign may be interrupted. Twelve rounds take four minutes.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
rounds=${2:-36}
how=${3:-whole}
work=$(mktemp -d)
hog=
end() {
  [[ -z $hog ]] || kill "$hog"
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM
recorded=coverage/$how
mkdir -p "$recorded"

case $how in
  whole) flags=(--engine=leveldb,rocksdb,lmdb,sqlite3 --slices=off --duration=1) ;;
  slices)
    flags=(--engine=leveldb@one,leveldb@other --slices=on --duration=1.25)
    mkdir "$work/engines"
    for name in leveldb leveldb@one leveldb@other; do
      cp "$build/engines/levelfield_leveldb.so" "$work/engines/levelfield_$name.so"
    done
    export LEVELFIELD_ENGINES=$work/engines
    taskset -c 1 sh -c 'while :; do :; done' &
    hog=$!
    ;;
  *) echo "benchmarks/coverage.sh BUILD_DIRECTORY ROUNDS [slices], not '$how'" >&2; exit 2 ;;
esac
begun=$(find "$recorded" -name '*.csv' | wc -l)
for ((part = begun; part * 12 < rounds; ++part)); do
  rm -rf "$work/results"
  "$build/levelfield" run "${flags[@]}" --repeat=12 --num=100000 --seed=$((1 + 12 * part)) --price=0 --audit=0 \
    --benchmarks=readrandom,overwrite,fillrandom --results="$work/results" >"$work/log" 2>&1 || cat "$work/log" >&2
  "$build/levelfield" report --format=csv "$work"/results/* >"$work/csv"
  mv "$work/csv" "$recorded/$part.csv"
done

uptime
python3 - "$recorded" <<'PYTHON' | "$build/coverage_probe"
import collections, csv, glob, math, sys

PAIRS = (("leveldb", "lmdb"), ("leveldb", "rocksdb"), ("leveldb", "sqlite3"))
for path in sorted(glob.glob(sys.argv[1] + "/*.csv")):
    rates = collections.defaultdict(dict)
    with open(path, encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["outcome"] == "ok":
                rates[row["benchmark"], int(row["round"])][row["engine"]] = float(row["operations_per_second"])
    for (workload, number), of in rates.items():
        for one, other in PAIRS:
            if one in of and other in of:
                print(f"{workload}:{other}/{one}", math.log(of[other] / of[one]))
        next_of = rates.get((workload, number + 1), {}) if number % 2 else {}
        same = [(engine, of[engine], next_of[engine]) for engine in sorted(of.keys() & next_of.keys())]
        if "leveldb@one" in of and "leveldb@other" in of:
            same = [("leveldb", of["leveldb@one"], of["leveldb@other"])]
        for engine, first, second in same:
            ratio = math.log(second / first)
            print(f"{workload}:{engine}/itself", ratio, f"{workload}:{engine}/itself", -ratio)  # Either is the first.
PYTHON
