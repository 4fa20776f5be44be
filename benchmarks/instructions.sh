#!/bin/sh
# Counts the instructions of an operation of the loop, without the engine's own, by callgrind. Two runs of
# different length are subtracted, so what is done once cancels out.
#   benchmarks/instructions.sh [BUILD_DIRECTORY]
# Exits with 1 if a gate is exceeded.
set -eu
build=${1:-build}
n=20000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Instructions of RunThread and what it calls: all of them, less those of the engine's functions,
# whose names all have MakeEngine in them, which callgrind does not always demangle.
count() {  # OPERATION TIMED N
  valgrind --tool=callgrind --toggle-collect='levelfield::RunThread*' \
    --callgrind-out-file="$work/out" "$build/loop_probe" "$build/engines" "$1" "$2" "$3" \
    >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  callgrind_annotate --auto=no --threshold=100 "$work/out" >"$work/text" 2>/dev/null
  awk '/PROGRAM TOTALS/ { gsub(",", "", $1); all = $1 }
       /MakeEngine[<I]/ { gsub(",", "", $1); engine += $1 }
       END { if (all == 0 || engine == 0) exit 1; print all - engine }' "$work/text"
}

status=0
printf '%-12s %-8s %14s %6s\n' loop clock instructions gate
while read -r operation timed gate; do
  short=$(count "$operation" "$timed" $n)
  long=$(count "$operation" "$timed" $((3 * n)))
  per=$(awk "BEGIN { printf \"%.1f\", ($long - $short) / (2 * $n) }")
  verdict=
  if [ "$gate" != - ] && awk "BEGIN { exit !($per > $gate) }"; then
    verdict='  too many'
    status=1
  fi
  clock=untimed
  [ "$timed" = 0 ] || clock=timed
  printf '%-12s %-8s %14s %6s%s\n' "$operation" "$clock" "$per" "$gate" "$verdict"
done <<TABLE
readrandom 0 60
readrandom 1 120
fillrandom 0 -
fillrandom 1 -
fillseq 0 -
fillseq 1 -
readseq 0 -
readseq 1 -
TABLE
exit $status
