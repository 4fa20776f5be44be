#!/bin/bash
# Our reported rate over each original's, on the same library and with the same keys, values and draws
# (--compat=exact): below 0.98 the harness would cost what the original does not. Both take turns, and the ratio
# is the median of ROUNDS pairs, each of a fresh process on a new store. Exits with 1 if a ratio is below 0.98.
#
# Scans of SQLite and TreeDB are: 0.92 and 0.91 when this was written. We look at each byte that a scan returns and
# the ports at none. The ports have one thread, so glibc leaves out their locks; with an idle thread beside it TreeDB's
# port takes 0.43 instead of 0.39 us for an entry.
#
#   benchmarks/beside_originals.sh [BUILD_DIRECTORY [ROUNDS]]
#
# LMDB has no row: ioarena is in no package registry.
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

beside() {  # NAME ORIGINAL OURS FLAGS...
  local name=$1 original=$2 ours=$3 i order
  shift 3
  for ((i = 0; i < rounds; ++i)); do
    order="original ours"
    ((i % 2)) && order="ours original"
    for which in $order; do
      rates ${!which} "$@" >"$which"
    done
    join <(sort original) <(sort ours) | awk '{ print $1, $3 / $2 }'
  done >ratios
  for benchmark in $(cut -d' ' -f1 ratios | sort -u); do
    awk -v b="$benchmark" '$1 == b { print $2 }' ratios | sort -n |
      awk -v name="$name" -v benchmark="$benchmark" '{ r[NR] = $1 }
        END { m = r[int((NR + 1) / 2)]; printf "%-10s %-12s %6.3f %6.3f %6.3f%s\n", name, benchmark, m, r[int((NR + 3) / 4)],
                r[int((3 * NR + 1) / 4)], m < 0.98 ? "  below 0.98" : "" }'
  done | tee -a table
}

printf '%-10s %-12s %6s %6s %6s\n' engine benchmark ours/original lower\ quartile upper
beside leveldb "$originals/db_bench" "$build/db_bench --compat=exact" --num=200000 \
  --benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq
beside sqlite3 "$originals/db_bench_sqlite3" "$build/db_bench_sqlite3 --compat=exact" --num=50000 \
  --benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq
beside treedb "$originals/db_bench_tree_db" "$build/db_bench_tree_db --compat=exact" --num=100000 \
  --benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq
if command -v db_bench >/dev/null; then
  # Without exact draws: each key once. The library is Debian's for both.
  beside rocksdb "$(command -v db_bench) --compression_type=none" \
    "$build/db_bench_rocksdb --engine=rocksdb@system --compression_type=none" --num=100000 \
    --benchmarks=fillseq,overwrite,readrandom
fi
! grep -q 'below 0.98' table
