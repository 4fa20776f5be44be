#!/bin/bash
# Builds LevelDB as its authors ship it, a release build, from Debian's source package, and prints
# the directory that then holds include/, libleveldb.a and build.txt.
#
#   scripts/build_leveldb.sh           builds unless it is there already
#   scripts/build_leveldb.sh --where   only prints where it would be
#
# Debian's own library is compiled with assertions (12 % more instructions), so ranking LevelDB by it
# would libel it. The result is cached under a name that hashes the recipe: this file, the pin in
# packages/engines.txt and the compiler.
set -euo pipefail
cd "$(dirname "$0")/.."

read -r version checksum <<<"$(awk '$1 == "leveldb" && $2 == "debian" {print $3, $4}' \
  packages/engines.txt)"
upstream=${version%-*}
compiler=$("${CXX:-c++}" --version 2>/dev/null | head -n 1 || true)
# Upstream's own release type; its CMakeLists.txt adds -fno-exceptions (Debian lets RTTI stay on).
# Without tcmalloc and crc32c: what is found by chance must not decide what is measured, and tcmalloc
# would change malloc for the whole process.
flags=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG"
  -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF -DHAVE_TCMALLOC=OFF
  -DHAVE_CRC32C=OFF
  -DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF)
recipe=$({ cat scripts/{build_leveldb,leveldb_source}.sh; echo "$version $checksum $compiler"; } |
  sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/leveldb-$upstream-$recipe

if [[ ${1:-} == --where || -e $result/build.txt ]]; then
  echo "$result"
  exit
fi

echo "building LevelDB $upstream (about half a minute, once)" >&2
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
run cmake -G Ninja -S "$work/source" -B "$work/build" "${flags[@]}"
run cmake --build "$work/build" --target leveldb
# Without Snappy the build succeeds too, and then compresses nothing in silence.
if ! nm -C "$work/build/libleveldb.a" | grep 'U snappy::RawCompress' >/dev/null; then
  echo "LevelDB was built without Snappy: is libsnappy-dev installed?" >&2
  exit 1
fi

mkdir "$work/result"
cp -r "$work/source/include" "$work/build/libleveldb.a" "$work/source/LICENSE" "$work/result/"
{
  echo "build: release build of Debian's source package $version, -O3 -DNDEBUG, $compiler"
  echo "version: $upstream"
  echo "origin: Debian source package leveldb $version"
  echo "source_sha256: $(cd "$work/package" && sha256sum ./*.orig.tar.* | cut -d' ' -f1)"
  echo "dsc_sha256: $checksum"
  echo "patches: $(cat "$work/source/debian/patches/series" 2>/dev/null | xargs)"
  echo "flags: ${flags[*]}"
  echo "compiler: $compiler"
  echo "library_sha256: $(sha256sum "$work/result/libleveldb.a" | cut -d' ' -f1)"
} >"$work/result/build.txt"
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/build.txt ]]
echo "$result"
