#!/bin/bash
# Runs the five tests of RocksDB's "Performance Benchmarks" on flash (2018) with their own commands and
# makes the page from them. They have an eight-thousandth of the keys, or NUM_KEYS, and a limit of memory.
# The limit, MEMORY, is a quarter of the data. Theirs, 244 GB of 3.36 TB, was a fourteenth. Takes a few
# minutes, and needs root or a delegated cgroup.
#
#   scripts/rocksdb_flash.sh [directory for stores and results] [page]
#   NUM_KEYS=4000000 MEMORY=256M scripts/rocksdb_flash.sh
set -euo pipefail
cd "$(dirname "$0")/.."
directory=${1:-build/flash}
page=${2:-docs/experiments/rocksdb_flash.md}
keys=${NUM_KEYS:-1000000}
memory=${MEMORY:-96M}

export DB_DIR=$directory/db WAL_DIR=$directory/db OUTPUT_DIR=$directory/results JOB_ID=flash
# The cache is in proportion to the data: half a percent of it, as 16 GiB were of 3.36 TB. Memtables and
# level 1 are not, because they would have kilobytes. 4 and 16 MiB are 1 and 4 % of 420 MB. Theirs, 128 MiB
# and 1 GiB, were 0.004 and 0.03 %.
export CACHE_SIZE=$((keys * 420 / 200)) WRITE_BUFFER_SIZE_MB=4 TARGET_FILE_SIZE_BASE_MB=4
export MAX_BYTES_FOR_LEVEL_BASE_MB=16 MAX_BACKGROUND_JOBS=4 STATS_INTERVAL_SECONDS=0
COMPRESSION_TYPE=${COMPRESSION_TYPE:-snappy}  # As the script of that version.
export COMPRESSION_TYPE

before=$(ls -d "$OUTPUT_DIR"/*/ 2>/dev/null | sort || true)
run() { build/benchmark.sh "$@" --memory="$memory"; }
NUM_KEYS=$keys run bulkload
NUM_KEYS=$keys run fillseq_disable_wal
NUM_KEYS=$((keys / 4)) NUM_THREADS=1 DB_BENCH_NO_SYNC=1 run overwrite
NUM_KEYS=$((keys / 8)) NUM_THREADS=1 run readrandom
NUM_KEYS=$((keys / 80)) NUM_THREADS=32 run readwhilewriting --reads=$((keys / 80 * 32))
mapfile -t results < <(comm -13 <(echo "$before") <(ls -d "$OUTPUT_DIR"/*/ | sort))
build/levelfield docs rocksdb_flash "${results[@]}" >"$page.new"
mv "$page.new" "$page"
echo "made $page; report: $OUTPUT_DIR/report.tsv"
