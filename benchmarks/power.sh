#!/bin/sh
# How often a comparison in slices is wrong, and how often it finds a known slowdown, while another program keeps
# one of the two processors busy. Prints one table.
#   benchmarks/power.sh [BUILD_DIRECTORY [A/A_RUNS [SLOWED_RUNS]]]
# An A/A run has three verdicts of an engine against itself. A slowed run has three of it against a copy whose get,
# put and step of a scan take 3 % longer (slowed_engine.cc). Each verdict has 24 pairs of processes of 1.25 s each, so
# 60 s of measuring, both sides together. A run takes four minutes, and all of them seven hours.
#
# The results stay in power/, and what is there is not run again: a campaign may be interrupted, and its verdicts
# are always those of the present program. Whatever else the machine does meanwhile is part of the test.
set -eu
build=$(cd "${1:-build}" && pwd)
same=${2:-67}
slowed=${3:-40}
free=${FREE:-0}  # The two processors;
busy=${BUSY:-1}  # this one is the other program's too.
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
hog=
end() {
  [ -z "$hog" ] || kill "$hog"
  rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

mkdir "$work/engines"
ln -s "$build/engines/levelfield_leveldb.so" "$work/engines/"
for percent in 0 3; do
  c++ -std=c++20 -O2 -fPIC -shared -DSLOWED_PERCENT=$percent -I"$source/include" \
    "$source/benchmarks/slowed_engine.cc" -o "$work/engines/levelfield_leveldb@slowed$percent.so"
done
cp "$work/engines/levelfield_leveldb@slowed0.so" "$work/engines/levelfield_leveldb@slowed0b.so"
LEVELFIELD_SLOWED=$build/engines/levelfield_leveldb.so
LEVELFIELD_ENGINES=$work/engines
export LEVELFIELD_SLOWED LEVELFIELD_ENGINES

taskset -c "$busy" sh -c 'while :; do :; done' &
hog=$!

measure() {  # NAME CANDIDATE SEED
  [ ! -e "power/$1" ] || return 0
  rm -rf "$work/results"
  taskset -c "$free,$busy" "$build/levelfield" run --engine="leveldb@slowed0,$2" --slices=on --repeat=24 \
    --seed="$3" --num=100000 --duration=1.25 --benchmarks=readrandom,readseq,overwrite --price=0 \
    --results="$work/results" >"$work/log" 2>&1 || cat "$work/log" >&2
  mkdir -p power
  mv "$work"/results/* "power/$1"
}

# A line for each verdict: the workload or "latencies" (p50, p99 and p99.9), and the verdict.
verdicts() {  # KIND
  for result in power/"$1"_*; do
    "$build/levelfield" compare --format=json --margin=0 "$result" | python3 -c '
import json, sys
for part in json.load(sys.stdin):
    for row in part.get("rows", []):
        texts = [cell["text"] for cell in row.get("cells", [])]
        if ", p" in row["title"]:
            print("latencies", texts[-1].split(",")[0])
            continue
        words = [text.split(",")[0] for text in texts if text.endswith("in slices")]
        if words or row["title"] in ("readrandom", "readseq", "overwrite"):
            print(row["title"], words[0] if words else "invalid")
'
  done >"power/$1.verdicts"
}

share() {  # WHAT KIND
  verdicts "$2"
  for workload in readrandom readseq overwrite latencies; do
    awk -v what="$1" -v workload="$workload" '
      $1 == workload { ++all; ++of[$2] }
      END { printf "%-24s %-12s %5d %7d %7d %11d %8d\n", what, workload, all, of["slower"], of["faster"],
              of["unresolved"] + of["equivalent"], of["invalid"] }' "power/$2.verdicts"
  done
}

i=0
while [ $i -lt "$same" ] || [ $i -lt "$slowed" ]; do
  i=$((i + 1))
  [ $i -gt "$same" ] || measure "same_$i" leveldb@slowed0b $i
  [ $i -gt "$slowed" ] || measure "slower_$i" leveldb@slowed3 $i
done
printf '%-24s %-12s %5s %7s %7s %11s %8s\n' what workload all slower faster no\ verdict invalid
share 'the same' same
share '3 % slower calls' slower
