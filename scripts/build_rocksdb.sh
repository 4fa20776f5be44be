#!/bin/bash
# Builds RocksDB here, with hardware CRC32, and prints the directory that then holds librocksdb.so
# and build.txt. About 37 minutes of CPU time and 1 GB a job.
#
#   scripts/build_rocksdb.sh [--configure-only <directory>]
#
# The source is the one inside the crate librocksdb-sys (rocksdb_source.sh). RocksDB has no run-time
# choice of CRC32 code, so the CPU has to be named: westmere (2010) is the oldest with the
# instructions.
set -euo pipefail
cd "$(dirname "$0")/.."

read -r crate checksum <<<"$(awk '$1 == "librocksdb-sys" {print $3, $4}' packages/engines.txt)"
version=${crate#*+}
jobs=${JOBS:-$(nproc)}
case $(uname -m) in
  x86_64) portable=westmere ;;
  aarch64) portable=armv8-a+crc+crypto ;;
  *) portable=1 ;;
esac
# tcmalloc, jemalloc and liburing must not come in because they happen to be installed.
flags=(-DCMAKE_BUILD_TYPE=Release "-DPORTABLE=$portable" -DWITH_SNAPPY=ON -DWITH_LZ4=ON
  -DWITH_ZSTD=ON -DWITH_ZLIB=ON -DWITH_BZ2=OFF -DWITH_GFLAGS=OFF -DWITH_JEMALLOC=OFF
  -DWITH_LIBURING=OFF -DWITH_NUMA=OFF -DWITH_TBB=OFF -DWITH_TESTS=OFF -DWITH_TOOLS=OFF
  -DWITH_CORE_TOOLS=OFF -DWITH_BENCHMARK_TOOLS=OFF -DFAIL_ON_WARNINGS=OFF)
result=$(scripts/cache_directory.sh)/rocksdb-$version-own
if [[ -e $result/build.txt && ${1:-} != --configure-only ]]; then
  echo "$result"
  exit
fi

scripts/install_packages.sh packages/debian.txt packages/debian_caches.txt packages/debian_tests.txt >&2
if [[ ${1:-} == --configure-only ]]; then
  work=$2
  mkdir -p "$work"
else
  # Beside the result, so that the rename at the end is atomic.
  work=$(mktemp -d "$result.XXXXXX")
  trap 'rm -rf "$work"' EXIT
fi
run() {  # Quiet when all is well; the end of the log when it is not.
  if ! "$@" >>"$work/log" 2>&1; then
    tail -n 25 "$work/log" | sed -E 's#https?://[^ ]*##g' >&2
    echo "failed: $*" >&2
    exit 1
  fi
}

source=$(scripts/rocksdb_source.sh "$work")
run cmake -G Ninja -S "$source" -B "$work/build" "${flags[@]}"
if [[ ${1:-} == --configure-only ]]; then
  echo "$work/build"
  exit
fi

echo "building RocksDB $version with $jobs jobs (37 minutes of CPU time, once)" >&2
run cmake --build "$work/build" --target rocksdb-shared --parallel "$jobs"
mkdir "$work/result"
cp -L "$work/build/librocksdb.so" "$work/result/"
strip --strip-debug "$work/result/librocksdb.so"
{
  echo "build: own build, Release, PORTABLE=$portable, $("${CXX:-c++}" --version | head -n 1)"
  echo "version: $version"
  echo "origin: crate librocksdb-sys $crate"
  echo "origin_sha256: $checksum"
  echo "flags: ${flags[*]}"
  echo "library_sha256: $(sha256sum "$work/result/librocksdb.so" | cut -d' ' -f1)"
} >"$work/result/build.txt"
# Another process may have finished meanwhile. Its result is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/build.txt ]]
echo "$result"
