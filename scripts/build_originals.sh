#!/bin/bash
# Builds the programs that Levelfield succeeds, from the same source as LevelDB itself:
# db_bench and its ports db_bench_sqlite3 and db_bench_tree_db. Prints the directory that holds them.
# For tests only (stores are exchanged with them); nothing that is measured depends on it.
#
#   scripts/build_originals.sh           builds unless they are there already
#   scripts/build_originals.sh --where   only prints where they would be
#
# The result is cached as scripts/build_leveldb.sh does it, whose library is linked.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(awk '$1 == "leveldb" && $2 == "debian" {print $3}' packages/engines.txt)
leveldb=$(scripts/build_leveldb.sh --where)
recipe=$({ cat scripts/build_originals.sh; basename "$leveldb"; } | sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/originals-$version-$recipe

if [[ ${1:-} == --where || -e $result/db_bench_tree_db ]]; then
  echo "$result"
  exit
fi

scripts/install_packages.sh packages/debian.txt packages/debian_originals.txt >&2
scripts/build_leveldb.sh >/dev/null
echo "building LevelDB's own db_bench and its ports (half a minute, once)" >&2
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
run() {  # Quiet when all is well; the end of the log when it is not.
  if ! "$@" >>"$work/log" 2>&1; then
    tail -n 25 "$work/log" >&2
    echo "failed: $*" >&2
    exit 1
  fi
}

run scripts/leveldb_source.sh "$work"
mkdir "$work/result"
# Without type information, as its library is built.
flags=(-std=c++17 -O2 -DNDEBUG -fno-rtti -DLEVELDB_PLATFORM_POSIX=1 -DHAVE_SNAPPY=1 -DHAVE_CRC32C=1
  -DHAVE_O_CLOEXEC=1 -I"$work/source" -I"$leveldb/include")
parts=("$work"/source/util/{histogram,testutil}.cc)
build() {  # PROGRAM LIBRARIES...
  run "${CXX:-c++}" "${flags[@]}" "$work/source/benchmarks/$1.cc" "${parts[@]}" \
    "$leveldb"/lib{leveldb,crc32c}.a -lsnappy "${@:2}" -lgtest -lgmock -lpthread -o "$work/result/$1"
}
build db_bench
build db_bench_sqlite3 -lsqlite3
build db_bench_tree_db -lkyotocabinet
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/db_bench_tree_db ]]
echo "$result"
