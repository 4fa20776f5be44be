#!/bin/bash
# Our reported rate over each original's, on the same library and with the same keys, values and draws
# (--compat=exact): below 0.98 the harness would cost what the original does not. Both take turns, and the ratio
# is the median of ROUNDS pairs, each of a fresh process on a new store. Exits with 1 if a ratio is below 0.98.
#
# The ports of one thread have rows that are bound to one processor, with our worker beside them, and rows that are free.
# SQLite's fill has 2.2 % that the port has not: in a process with several threads, each pwrite takes a reference to the
# file, and is a cancellation point.
#
#   [IOARENA=PROGRAM] benchmarks/beside_originals.sh [BUILD_DIRECTORY [ROUNDS]]
#
# LMDB has rows if IOARENA names a built ioarena, which is in no package registry. Its keys come in an order of its
# own, and each key once. So do ours without --compat=exact.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
rounds=${2:-15}
originals=$("$(dirname "$0")/../scripts/build_originals.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# "benchmark operations/s" of each line that db_bench and its ports print.
rates() {  # PROGRAM FLAGS...
  rm -rf store
  mkdir store
  "$@" --db="$work/store" 2>/dev/null | tr '\r' '\n' |
    awk '{ for (i = 2; i <= NF; ++i) if ($i ~ /^micros\/op/) { name = $0; sub(/ *:.*/, "", name); sub(/.* /, "", name); print name, 1e6 / $(i - 1) } }'
}

# The same of ioarena, which reads the clock for each operation, as we do by default. By our names.
ioarena_rates() {  # FLAGS...
  rm -rf store
  taskset --cpu-list 0 "$IOARENA" "$@" -p "$work/store" 2>/dev/null | awk '
    /^>>>/ { name = $2; sub(/\(.*/, "", name) }
    /^total:/ { seconds = $2; sub(/u?m?s$/, "", seconds)
      if ($2 ~ /ms$/) seconds /= 1000
      ours["set"] = "fillrandom"; ours["get"] = "readrandom"; ours["iter"] = "readseq"
      print ours[name], $3 / seconds }'
}

# A row for each benchmark. `original` and `ours` print the rates of both.
beside() {  # NAME
  local i order
  for ((i = 0; i < rounds; ++i)); do
    order="original ours"
    ((i % 2)) && order="ours original"
    for which in $order; do
      "$which" >"$which"
    done
    join <(sort original) <(sort ours) | awk '{ print $1, $3 / $2 }'
  done >ratios
  for benchmark in $(cut -d' ' -f1 ratios | sort -u); do
    awk -v b="$benchmark" '$1 == b { print $2 }' ratios | sort -n |
      awk -v name="$1" -v benchmark="$benchmark" '{ r[NR] = $1 }
        END { m = r[int((NR + 1) / 2)]; printf "%-12s %-12s %6.3f %6.3f %6.3f%s\n", name, benchmark, m, r[int((NR + 3) / 4)],
                r[int((3 * NR + 1) / 4)], m < 0.98 ? "  below 0.98" : "" }'
  done | tee -a table
}

exactly() {  # NAME PROGRAM NUM [PROCESSOR]
  local program=$2 num=$3 bound=${4:+taskset --cpu-list $4} cpus=${4:+--cpus=$4}
  original() { rates $bound "$originals/$program" --num="$num" --benchmarks="$benchmarks"; }
  ours() { rates "$build/$program" --compat=exact $cpus --num="$num" --benchmarks="$benchmarks"; }
  beside "$1"
}

printf '%-12s %-12s %6s %6s %6s\n' engine benchmark ours/original lower\ quartile upper
benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq
exactly leveldb db_bench 200000
if command -v db_bench >/dev/null; then
  # Without exact draws: each key once. The library is Debian's for both.
  flags="--compression_type=none --num=200000 --benchmarks=fillseq,overwrite,readrandom"
  original() { rates "$(command -v db_bench)" $flags; }
  ours() { rates "$build/db_bench_rocksdb" --engine=rocksdb@system $flags; }
  beside rocksdb
fi
exactly sqlite3 db_bench_sqlite3 200000 0
exactly sqlite3-free db_bench_sqlite3 200000
exactly treedb db_bench_tree_db 500000 0
exactly treedb-free db_bench_tree_db 500000
if [[ -n ${IOARENA:-} ]]; then
  original() { ioarena_rates -D lmdb -B set,get,iterate -m nosync -n 200000 -k 16 -v 100; }
  ours() { rates "$build/db_bench_mdb" --cpus=0 --readahead=0 --num=200000 --benchmarks=fillrandom,readrandom,readseq; }
  beside lmdb
fi
! grep -q 'below 0.98' table
