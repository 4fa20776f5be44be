#!/bin/bash
# How often a comparison in slices is wrong, and how often it finds a known slowdown, while another program keeps
# one of the two processors busy. Prints one table.
#   benchmarks/power.sh [BUILD_DIRECTORY [A/A_RUNS [SLOWED_RUNS]]]
# An A/A run has three verdicts of an engine against itself. A slowed run has three of it against a copy whose get,
# put and step of a scan take 3 % longer (slowed_engine.cc). Each verdict has 24 pairs of processes of 1.25 s each, so
# 60 s of measuring, both sides together. A run takes four minutes, and all of them seven hours.
#
# Adds the verdicts to benchmarks/recorded/power.csv, and runs only what is missing there: a campaign may be
# interrupted. Whatever else the machine does meanwhile is part of the test; its load stands beside each verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(cd "${1:-build}" && pwd)
same=${2:-67}
slowed=${3:-40}
free=${FREE:-0}  # The two processors;
busy=${BUSY:-1}  # this one is the other program's too.
recorded=benchmarks/recorded/power.csv
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
  c++ -std=c++20 -O2 -fPIC -shared -DSLOWED_PERCENT=$percent -Iinclude \
    benchmarks/slowed_engine.cc -o "$work/engines/levelfield_leveldb@slowed$percent.so"
done
cp "$work/engines/levelfield_leveldb@slowed0.so" "$work/engines/levelfield_leveldb@slowed0b.so"
LEVELFIELD_SLOWED=$build/engines/levelfield_leveldb.so
LEVELFIELD_ENGINES=$work/engines
export LEVELFIELD_SLOWED LEVELFIELD_ENGINES

taskset -c "$busy" sh -c 'while :; do :; done' &
hog=$!

mkdir -p benchmarks/recorded
[[ -e $recorded ]] || echo kind,seed,figure,verdict,seconds,load >"$recorded"

measure() {  # KIND SEED CANDIDATE
  local begun=$SECONDS
  ! grep -q "^$1,$2," "$recorded" || return 0
  rm -rf "$work/results"
  taskset -c "$free,$busy" "$build/levelfield" run --engine="leveldb@slowed0,$3" --slices=on --repeat=24 \
    --seed="$2" --num=100000 --duration=1.25 --benchmarks=readrandom,readseq,overwrite --price=0 \
    --results="$work/results" >"$work/log" 2>&1 || cat "$work/log" >&2
  # It ends with 1 where something is slower, and with 3 where something is invalid.
  { "$build/levelfield" compare --format=json --margin=0 "$work"/results/* || true; } | python3 -c '
import json, sys
for part in json.load(sys.stdin):
    for row in part.get("rows", []):
        texts = [cell["text"] for cell in row.get("cells", [])]
        if ", p" in row["title"]:
            print(*sys.argv[1:3], "latencies", texts[-1].split(",")[0], *sys.argv[3:], sep=",")
            continue
        words = [text.split(",")[0] for text in texts if text.endswith("in slices")]
        if words or row["title"] in ("readrandom", "readseq", "overwrite"):
            print(*sys.argv[1:3], row["title"], words[0] if words else "invalid", *sys.argv[3:], sep=",")
' "$1" "$2" $((SECONDS - begun)) "$(cut -d' ' -f1 /proc/loadavg)" >"$work/verdicts"
  cat "$work/verdicts" >>"$recorded"
}

i=0
while [ $i -lt "$same" ] || [ $i -lt "$slowed" ]; do
  i=$((i + 1))
  [ $i -gt "$same" ] || measure same $i leveldb@slowed0b
  [ $i -gt "$slowed" ] || measure slower $i leveldb@slowed3
done
python3 - "$recorded" <<'PYTHON'
import collections, csv, statistics, sys

verdicts, seconds, loads = collections.defaultdict(collections.Counter), {}, {}
with open(sys.argv[1], encoding="utf-8") as lines:
    for row in csv.DictReader(lines):
        verdicts[row["kind"], row["figure"]][row["verdict"]] += 1
        seconds[row["kind"], row["seed"]] = int(row["seconds"])
        loads[row["kind"], row["seed"]] = float(row["load"])
print(f"{'what':24} {'figure':12} {'all':>5} {'slower':>7} {'faster':>7} {'no verdict':>11} {'invalid':>8}")
for (kind, figure), of in sorted(verdicts.items()):
    what = {"same": "the same", "slower": "3 % slower calls"}[kind]
    print(f"{what:24} {figure:12} {of.total():5} {of['slower']:7} {of['faster']:7} "
          f"{of['unresolved'] + of['equivalent']:11} {of['invalid']:8}")
if seconds:
    print(f"{len(seconds)} runs of {statistics.median(seconds.values()):.0f} s each, {sum(seconds.values()) / 3600:.1f} h "
          f"in all; load 1 min: {min(loads.values())} to {max(loads.values())}")
PYTHON
