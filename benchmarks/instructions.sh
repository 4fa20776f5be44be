#!/bin/sh
# Counts the instructions of an operation of the loop, without the engine's own, by callgrind. Two runs of
# different length are subtracted, so what is done once cancels out.
#   benchmarks/instructions.sh [BUILD_DIRECTORY]
# Exits with 1 if a gate is exceeded, or if an operation costs more where no clock is read.
set -eu
build=${1:-build}
source=$(dirname "$0")
n=20000
if [ ! -x "$build/loop_probe" ]; then
  echo "$build/loop_probe is not there: cmake --build $build --target benchmarks" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Instructions of RunThread and what it calls: all of them, less those of the engine's functions,
# whose names all have MakeEngine in them, which callgrind does not always demangle.
count() {  # WORKLOAD TIMED N FLAGS
  workload=$1
  [ ! -e "$source/$1.workload" ] || workload=$source/$1.workload
  valgrind --tool=callgrind --toggle-collect='levelfield::RunThread*' \
    --callgrind-out-file="$work/out" "$build/loop_probe" "$build/engines" "$workload" "$2" "$3" $4 \
    >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  callgrind_annotate --auto=no --threshold=100 "$work/out" >"$work/text" 2>/dev/null
  awk '/PROGRAM TOTALS/ { gsub(",", "", $1); all = $1 }
       /MakeEngine[<I]/ { gsub(",", "", $1); engine += $1 }
       END { if (all == 0 || engine == 0) exit 1; print all - engine }' "$work/text"
}


status=0
printf '%-22s %-38s %8s %6s %8s %6s\n' workload flags untimed gate timed gate
while read -r workload untimed_gate timed_gate flags; do
  printf '%-22s %-38s' "$workload" "$flags"
  for timed in 0 1; do
    gate=$untimed_gate
    [ $timed = 0 ] || gate=$timed_gate
    short=$(count "$workload" $timed $n "$flags")
    long=$(count "$workload" $timed $((3 * n)) "$flags")
    per=$(awk "BEGIN { printf \"%.1f\", ($long - $short) / (2 * $n) }")
    printf ' %8s %6s' "$per" "$gate"
    if [ $timed = 0 ]; then
      untimed=$per
    elif awk "BEGIN { exit !($untimed > $per) }"; then
      printf ' more where it is not timed'
      status=1
    fi
    if awk "BEGIN { exit !($per > $gate) }"; then
      printf ' too many'
      status=1
    fi
  done
  echo
done <<TABLE
readrandom             60 94 --num=100000000
readrandom             60 94 --num=1000000
readrandom             75 109 --num=8000000000
readrandom             55 89 --num=1000000 --key_format=hex
readrandom             60 94 --num=1000000 --key_size=20
readrandom             186 220 --num=1000000 --key_distribution=zipf
readrandom             253 287 --num=1000000 --record=$work/trace
readmissing            75 109 --num=1000000
fillrandom             136 168 --num=100000000
fillrandom             165 197 --num=8000000000
fillseq                110 144 --num=100000000
fillseq                125 159 --num=8000000000
fillbatch              94 94 --num=1000000
readseq                67 98 --num=100000000
readreverse            67 98 --num=1000000
seekrandom             115 150 --num=1000000
seekrandom             705 748 --num=1000000 --seek_nexts=10
seekrandom             5835 5878 --num=1000000 --seek_nexts=100
deleterandom           45 77 --num=1000000
updaterandom           254 295 --num=1000000
readrandomwriterandom  172 213 --num=1000000
mix_with_scans         1462 1508 --num=1000000 --seek_nexts=10
multireadrandom        82 87 --num=1000000
mixgraph               370 405 --num=1000000
ycsb-a                 510 550 --num=1000000
ycsb-b                 427 469 --num=1000000
ycsb-c                 418 460 --num=1000000
ycsb-d                 489 530 --num=1000000
ycsb-e                 6248 7219 --num=1000000
ycsb-f                 585 626 --num=1000000
randomtransaction      613 658 --num=1000000
timeseries             913 930 --num=1000000
TABLE
exit $status
