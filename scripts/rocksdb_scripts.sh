#!/bin/bash
# Fetches the scripts of RocksDB that run its db_bench (tools/benchmark.sh and those around it, the advisor), and
# db_bench's own source, which lists its flags: out of the crate librocksdb-sys that packages/engines.txt names by its
# checksum. Prints the directory that holds tools/ and include/rocksdb/version.h. For tests only; nothing is changed in
# them and nothing of them is built.
#
#   scripts/rocksdb_scripts.sh           fetches unless they are there already
#   scripts/rocksdb_scripts.sh --where   only prints where they would be
set -euo pipefail
cd "$(dirname "$0")/.."

read -r crate checksum <<<"$(awk '$1 == "librocksdb-sys" {print $3, $4}' packages/engines.txt)"
recipe=$({ cat scripts/rocksdb_scripts.sh; echo "$checksum"; } | sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/rocksdb-scripts-${crate#*+}-$recipe

if [[ ${1:-} == --where || -e $result/tools/benchmark.sh ]]; then
  echo "$result"
  exit
fi

scripts/install_packages.sh packages/debian_caches.txt >&2
echo "fetching RocksDB's scripts, with the source that they are in (once)" >&2
# Beside the result, so that the rename at the end is atomic.
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
source=$(scripts/rocksdb_source.sh "$work")
mkdir -p "$work/result/tools" "$work/result/include/rocksdb"
for name in {benchmark,benchmark_compare,run_flash_bench,run_blob_bench}.sh benchmark_ci.py db_bench_tool.cc advisor; do
  cp -r "$source/tools/$name" "$work/result/tools/"
done
cp "$source/include/rocksdb/version.h" "$work/result/include/rocksdb/"
cp "$source"/LICENSE.{Apache,leveldb} "$work/result/"
# Another process may have finished meanwhile. Its result is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/tools/benchmark.sh ]]
echo "$result"
