#!/bin/bash
# Builds LevelDB as its authors ship it, a release build with Google's crc32c and Snappy, and prints the directory that
# then holds include/, libleveldb.a, libcrc32c.a and build.txt.
#
#   scripts/build_leveldb.sh           builds unless it is there already
#   scripts/build_leveldb.sh --where   only prints where it would be
#
# Debian's own library is compiled with assertions (12 % more instructions) and without crc32c, so ranking LevelDB by
# it would libel it. The result is cached under a name that hashes the recipe: this file, the pins in
# packages/engines.txt and the compiler.
#
# Debian has no crc32c. Bitcoin Core keeps Google's as a subtree, and PyPI has that as source: but for whether the
# generated header is included, its code for x86-64 is that of the release 1.1.2.
set -euo pipefail
cd "$(dirname "$0")/.."

pins=$(awk '$1 == "leveldb" || $1 == "py-bitcoinkernel"' packages/engines.txt)
read -r version checksum crc32c <<<"$(awk '$1 == "leveldb" {leveldb = $3 " " $4} $1 != "leveldb" {crc32c = $1 " " $3}
  END {print leveldb, crc32c}' <<<"$pins")"
compiler=$("${CXX:-c++}" --version 2>/dev/null | head -n 1 || true)
# Upstream's own release type; its CMakeLists.txt adds -fno-exceptions and -fno-rtti. Without tcmalloc, which would
# change malloc for the whole process: what is found by chance must not decide what is measured.
release=(-G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG"
  -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF)
flags=(-DHAVE_CRC32C=ON -DHAVE_SNAPPY=ON -DHAVE_TCMALLOC=OFF -DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF)
# Its CMakeLists.txt is older than what CMake 4 takes unasked.
crc32c_flags=(-DCRC32C_BUILD_TESTS=OFF -DCRC32C_BUILD_BENCHMARKS=OFF -DCRC32C_USE_GLOG=OFF
  -DCMAKE_POLICY_VERSION_MINIMUM=3.5)
recipe=$({ cat scripts/{build_leveldb,leveldb_source,pypi_source}.sh; echo "$pins $compiler"; } |
  sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/leveldb-$version-$recipe

if [[ ${1:-} == --where || -e $result/build.txt ]]; then
  echo "$result"
  exit
fi

echo "building LevelDB $version with crc32c (about half a minute, once)" >&2
# Beside the result, so that the rename at the end is atomic.
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
run scripts/pypi_source.sh "${crc32c% *}" "$work"
crc32c_source=$work/${crc32c% *}/depend/bitcoin/src/crc32c
run cmake "${release[@]}" "${crc32c_flags[@]}" -S "$crc32c_source" -B "$work/crc32c"
run cmake --build "$work/crc32c" --target crc32c
run cmake "${release[@]}" "${flags[@]}" "-DCMAKE_CXX_FLAGS=-I$crc32c_source/include" -S "$work/source" -B "$work/build"
run cmake --build "$work/build" --target leveldb
# What is not in it would be missed in silence: blocks uncompressed, checksums in software.
calls() {  # LIBRARY PATTERN WHAT
  if ! nm -C "$1" | grep -E "$2" >/dev/null; then
    echo "LevelDB was built without $3" >&2
    exit 1
  fi
}
calls "$work/build/libleveldb.a" ' U snappy::RawCompress' "Snappy: is libsnappy-dev installed?"
calls "$work/build/libleveldb.a" ' U crc32c::Extend' crc32c
case $(uname -m) in
  x86_64) calls "$work/crc32c/libcrc32c.a" ' T crc32c::ExtendSse42' "crc32c for SSE 4.2" ;;
  aarch64) calls "$work/crc32c/libcrc32c.a" ' T crc32c::ExtendArm64' "crc32c for ARM's instructions" ;;
esac

mkdir "$work/result"
cp -r "$work/source/include" "$crc32c_source/include" "$work/build/libleveldb.a" "$work/crc32c/libcrc32c.a" \
  "$work/source/LICENSE" "$work/result/"
cp "$crc32c_source/LICENSE" "$work/result/LICENSE.crc32c"
{
  echo "build: release build of LevelDB $version with crc32c and Snappy, -O3 -DNDEBUG, $compiler"
  echo "version: $version"
  echo "origin: leveldb_$version.orig.tar.gz, as LevelDB's authors ship it"
  echo "source_sha256: $checksum"
  echo "crc32c: Google's crc32c 1.1.2, from $crc32c of PyPI"
  echo "flags: ${release[*]} ${flags[*]}"
  echo "compiler: $compiler"
  echo "library_sha256: $(sha256sum "$work/result/libleveldb.a" | cut -d' ' -f1)"
} >"$work/result/build.txt"
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/build.txt ]]
echo "$result"
