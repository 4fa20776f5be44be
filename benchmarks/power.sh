#!/bin/sh
# How often a comparison in slices is wrong, and how often it finds what is there: on two processors, one of
# which somebody else keeps busy. Prints one table, and changes nothing.
#   benchmarks/power.sh [BUILD_DIRECTORY [A/A_RUNS [TRIES [SECONDS]]]]
# An A/A run has three verdicts of an engine against itself, a try three of it against a copy whose get, put and
# step of a scan take 3 % longer (slowed_engine.cc). SECONDS are those that each engine measures a workload
# in each of the six rounds: 60 s a workload are 5.
set -eu
build=$(cd "${1:-build}" && pwd)
same=${2:-67}
tries=${3:-40}
seconds=${4:-5}
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

taskset -c 1 sh -c 'while :; do :; done' &
hog=$!

# One line for each verdict: the workload and the verdict.
verdicts() {  # BASELINE CANDIDATE SEED
  taskset -c 0,1 "$build/levelfield" run --engine="$1,$2" --slices=on --repeat=6 --seed="$3" --margin=0 \
    --num=200000 --duration="$seconds" --benchmarks=readrandom,seekrandom,overwrite --price=0 \
    --results="$work/results" 2>"$work/log" >"$work/out" || true
  rm -rf "$work/results"
  awk '/ in slices$/ { for (i = 1; i <= NF; ++i) if ($i ~ /^(slower|faster|unresolved|equivalent),$/) print $1, $i }
       / invalid: / { print $1, "invalid," }' "$work/out"
}

share() {  # WHAT FILE
  for workload in readrandom seekrandom overwrite; do
    awk -v what="$1" -v workload="$workload" '
      $1 == workload { ++all; ++of[$2] }
      END { printf "%-24s %-12s %5d %7d %7d %11d %8d\n", what, workload, all, of["slower,"], of["faster,"],
              of["unresolved,"] + of["equivalent,"], of["invalid,"] }' "$2"
  done
}

: >"$work/same"
: >"$work/slower"
i=0
while [ $i -lt "$same" ]; do
  i=$((i + 1))
  verdicts leveldb@slowed0 leveldb@slowed0b $i >>"$work/same"
done
i=0
while [ $i -lt "$tries" ]; do
  i=$((i + 1))
  verdicts leveldb@slowed0 leveldb@slowed3 $i >>"$work/slower"
done
printf '%-24s %-12s %5s %7s %7s %11s %8s\n' what workload all slower faster no\ verdict invalid
share 'the same' "$work/same"
share '3 % slower calls' "$work/slower"
