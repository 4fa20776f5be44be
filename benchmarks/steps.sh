#!/bin/sh
# In how many real histories a step is found: each has 30 results, and from the 16th on a get, a put and a step of a
# scan take 8 % longer (slowed_engine.cc). Prints each change that `history` found, and changes nothing.
#   benchmarks/steps.sh [BUILD_DIRECTORY [HISTORIES [SECONDS]]]
# A history has three workloads, which are three series. SECONDS are those of a workload in each of three rounds.
set -eu
build=$(cd "${1:-build}" && pwd)
histories=${2:-4}
seconds=${3:-0.3}
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

mkdir "$work/engines"
for percent in 0 8; do
  c++ -std=c++20 -O2 -fPIC -shared -DSLOWED_PERCENT=$percent -I"$source/include" \
    "$source/benchmarks/slowed_engine.cc" -o "$work/slowed$percent.so"
done
cp "$build/engines/levelfield_leveldb.so" "$work/engines/"  # The name alone.
cp "$work/slowed0.so" "$work/engines/levelfield_leveldb@fixed.so"
LEVELFIELD_SLOWED=$build/engines/levelfield_leveldb.so
LEVELFIELD_ENGINES=$work/engines
export LEVELFIELD_SLOWED LEVELFIELD_ENGINES

series() {  # HISTORY
  result=0
  while [ $result -lt 30 ]; do
    result=$((result + 1))
    cp "$work/slowed$((result > 15 ? 8 : 0)).so" "$work/engines/levelfield_leveldb@now.so"
    "$build/levelfield" run --engine=leveldb@now --yardstick=leveldb@fixed --num=50000 --duration="$seconds" \
      --benchmarks=readrandom,seekrandom,overwrite --price=0 --results="$work/$1" >"$work/out" 2>"$work/log" ||
      tail -n 5 "$work/log" >&2
  done
  "$build/levelfield" history "$work/$1" >"$work/history" || true
  awk -v history="$1" '
    /^[a-z]+, leveldb / { workload = substr($1, 1, length($1) - 1); results = 0 }
    /^20[0-9][0-9]-/ { ++results }
    /% from here on/ { print history, workload, results, $1 }' "$work/history"
  rm -r "${work:?}/$1"
}

i=0
while [ $i -lt "$histories" ]; do
  i=$((i + 1))
  series $i
done >"$work/changes"
echo 'history  workload     results before  change'
awk -v all=$((3 * histories)) '
  { printf "%-7s  %-11s  %14d  %s %%\n", $1, $2, $3, $4 }
  $3 >= 13 && $3 <= 17 && $4 < 0 { ++found; next }
  { ++others }
  END { printf "the step within two results of where it is: %d of %d; other changes: %d\n", found, all, others }
' "$work/changes"
