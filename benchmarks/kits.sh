#!/bin/sh
# What an operation costs through the table of an engine in C++, in Rust and in Go, all of them the null engine: the
# price of each kit, and of its bridge to the other language in nanoseconds. Two threads show what Go's costs when they
# call at once.
#   benchmarks/kits.sh [BUILD_DIRECTORY]
# Engines that are not built (`make engines-rust engines-go`) are left out.
set -eu
build=${1:-build}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
engines=null
for name in null_rust null_go; do
  if [ -e "$build/more_engines/levelfield_$name.so" ]; then engines=$engines,$name; fi
done
for threads in 1 2; do
  "$build/levelfield" run --name=kits --engine="$engines" --num=1m --duration=0.5 --repeat=3 --price=0 \
    --threads=$threads --benchmarks=readrandom,overwrite,fillbatch,seekrandom,readseq --results="$results/$threads"
done

# Of three rounds the cheapest: what else the machine does only adds to it.
for threads in 1 2; do "$build/levelfield" report --format=csv "$results/$threads"/*; done | awk -F, '
  $1 == "result" { for (i = 1; i <= NF; ++i) at[$i] = i; next }
  {
    key = $at["benchmark"] SUBSEP $at["engine"] SUBSEP $at["threads"]
    ns = $at["cpu_us_per_operation"] * 1000
    if (!(key in least) || ns < least[key]) least[key] = ns
    if (!seen[$at["benchmark"]]++) benchmark[++benchmarks] = $at["benchmark"]
  }
  END {
    print "Nanoseconds of processor time that an operation takes through a kit beside those in C++"
    printf "%-12s %10s %10s %10s %10s\n", "", "Rust", "Go", "Rust", "Go"
    printf "%-12s %21s %21s\n", "", "1 thread", "2 threads"
    for (i = 1; i <= benchmarks; ++i) {
      printf "%-12s", benchmark[i]
      for (threads = 1; threads <= 2; ++threads) {
        base = least[benchmark[i], "null", threads]
        printf " %10s %10s", beside("null_rust"), beside("null_go")
      }
      print ""
    }
  }
  function beside(name) {
    return (benchmark[i], name, threads) in least ? sprintf("%+.0f", least[benchmark[i], name, threads] - base) : "-"
  }'
