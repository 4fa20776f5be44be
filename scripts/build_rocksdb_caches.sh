#!/bin/bash
# Builds the block caches of RocksDB's current release, and nothing else of it, as its authors ship
# them (-O2 -DNDEBUG), and prints the directory that then holds include/, librocksdb_caches.a and
# build.txt. About a minute of CPU time, once; the whole library takes 37.
#
#   scripts/build_rocksdb_caches.sh           builds unless it is there already
#   scripts/build_rocksdb_caches.sh --where   only prints where it would be
#
# Debian's library is compiled with assertions, and what the release binaries export is a C interface
# that has caches only as parts of a database. The result is cached as build_leveldb.sh does it.
set -euo pipefail
cd "$(dirname "$0")/.."

read -r crate checksum <<<"$(awk '$1 == "librocksdb-sys" {print $3, $4}' packages/engines.txt)"
version=${crate#*+}
compiler=$("${CXX:-c++}" --version 2>/dev/null | head -n 1 || true)
# The caches, and what they call. No more: env.cc alone would bring in half of RocksDB.
parts=(cache/{cache,cache_entry_roles,cache_helpers,cache_key,cache_reservation_manager,clock_cache}.cc
  cache/{lru_cache,secondary_cache,secondary_cache_adapter,sharded_cache}.cc
  memory/{jemalloc_nodump_allocator,memory_allocator}.cc monitoring/{perf_context,perf_level}.cc
  options/{configurable,customizable,options_helper}.cc port/{mmap,port_posix}.cc
  table/unique_id.cc env/unique_id_gen.cc
  util/{cleanable,coding,hash,random,slice,status,string_util,xxhash}.cc
  utilities/object_registry.cc)
flags=(-std=c++20 -O2 -DNDEBUG -fPIC -ffunction-sections -fdata-sections -DOS_LINUX
  -DROCKSDB_PLATFORM_POSIX -DROCKSDB_LIB_IO_POSIX -DROCKSDB_PTHREAD_ADAPTIVE_MUTEX)
recipe=$({ cat scripts/{build_rocksdb_caches,rocksdb_source}.sh; echo "$crate $checksum $compiler"; } |
  sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/rocksdb-caches-$version-$recipe

if [[ ${1:-} == --where || -e $result/build.txt ]]; then
  echo "$result"
  exit
fi

echo "building the caches of RocksDB $version (about a minute of CPU time, once)" >&2
# Beside the result, so that the rename at the end is atomic.
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
source=$(scripts/rocksdb_source.sh "$work")

# The caches refer to two functions that bring in RocksDB's files, threads and options. Neither is
# called by what the plug-ins call: a seed of the hash is given, where Env tells the host's name for
# one, and ReportProblems, which logs, is not asked for. Whoever calls one all the same is told.
cat >"$work/not_reached.cc" <<'CC'
#include <cstdio>
#include <cstdlib>
#include "rocksdb/env.h"
namespace {
[[noreturn]] void End(const char* name) {
  std::fprintf(stderr, "%s was called, which this build of RocksDB's caches does not have\n", name);
  std::abort();
}
}  // namespace
namespace rocksdb {
Env* Env::Default() { End("rocksdb::Env::Default"); }
void Log(const InfoLogLevel, const std::shared_ptr<Logger>&, const char*, ...) { End("rocksdb::Log"); }
}  // namespace rocksdb
CC
mkdir "$work/objects" "$work/result"
compile() {  # <file> <object>
  # Messages name source files, and not by the path of this machine.
  "${CXX:-c++}" "${flags[@]}" "-ffile-prefix-map=$work/=" -I"$source" -I"$source/include" -c "$1" -o "$2"
}
jobs=${JOBS:-$(nproc)}
pids=()
for part in "${parts[@]/#/$source/}" "$work/not_reached.cc"; do
  object=$work/objects/$(tr / _ <<<"${part#"$work"/}").o
  compile "$part" "$object" 2>>"$work/log" &
  pids+=($!)
  if ((${#pids[@]} >= jobs)); then
    wait "${pids[0]}" || { tail -n 25 "$work/log" >&2 && exit 1; }
    pids=("${pids[@]:1}")
  fi
done
for pid in "${pids[@]}"; do wait "$pid" || { tail -n 25 "$work/log" >&2 && exit 1; }; done
if nm "$work"/objects/*.o | grep __assert_fail >/dev/null; then
  echo "RocksDB's caches were built with assertions" >&2
  exit 1
fi
ar rcs "$work/result/librocksdb_caches.a" "$work"/objects/*.o
cp -r "$source/include" "$source"/LICENSE.{Apache,leveldb} "$work/result/"
# xxHash, which RocksDB carries, has its licence at the head of its file alone.
sed -n '/xxHash - /,/\*\//p' "$source/util/xxhash.h" | sed '/\*\//,$d; s/^ \* \{0,1\}//' >"$work/result/LICENSE.xxhash"
{
  echo "build: the caches alone of RocksDB $version, a release build, -O2 -DNDEBUG, $compiler"
  echo "version: $version"
  echo "origin: crate librocksdb-sys $crate"
  echo "origin_sha256: $checksum"
  echo "flags: ${flags[*]}"
  echo "compiler: $compiler"
  echo "library_sha256: $(sha256sum "$work/result/librocksdb_caches.a" | cut -d' ' -f1)"
} >"$work/result/build.txt"
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/build.txt ]]
echo "$result"
