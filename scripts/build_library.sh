#!/bin/bash
# Builds an engine's library as its maintainers ship it, from the package that packages/engines.txt pins, and prints the
# directory that then holds its header, lib<name>.a, its licence and build.txt. LMDB's also holds its line 0.9, in 0.9/.
#
#   scripts/build_library.sh NAME           builds sqlite3, lmdb, wiredtiger, libmdbx or tidesdb unless it is there already
#   scripts/build_library.sh --where NAME   only prints where it would be
#
# SQLite, LMDB and libmdbx take seconds, TidesDB twenty and WiredTiger three minutes of CPU time. cargo fetches
# the last three. The result is cached under a name that hashes the recipe: the commands and flags, the pin and the
# compiler. JOBS=n limits how many compilers run.
set -euo pipefail
cd "$(dirname "$0")/.."
library=${*: -1}

# SQLite's configure takes -O2, and "for most purposes, SQLite can be built just fine using the default compilation
# options" (https://www.sqlite.org/compile.html). HAVE_* are the functions that it finds on Linux: without them SQLite
# would sync with fsync and read with two calls (https://www.sqlite.org/src/file/autosetup/sqlite-config.tcl). What is
# added are modules of tables, which gets and puts do not meet: of the property dbstat, and of files that other programs
# have made. better-sqlite3's own options are not taken. Its sqlite3.c is SQLite's, with one rule more in the parser.
# LMDB's Makefile takes -O2 and leaves its assertions on (https://github.com/LMDB/lmdb, libraries/liblmdb/Makefile).
# The Python package's own patches are not applied.
# libmdbx's GNUmakefile takes -O2 and -DNDEBUG; that a transaction may pass from thread to thread is what its bindings
# for Rust and the plug-in want (MDBX_TXN_CHECKOWNER).
# TidesDB's CMakeLists.txt takes all three compressors, and its bindings for Rust build a release. It leaves the process
# its allocator.
# WiredTiger's configure takes -O3 and hardware CRC32, and leaves the process its allocator.
case $library in
  sqlite3)
    package=better-sqlite3 title=SQLite assertion=__assert_fail
    flags=(-O2 -DNDEBUG -fPIC -DHAVE_{FDATASYNC,GMTIME_R,INTTYPES_H,ISNAN,LOCALTIME_R,MALLOC_H,MALLOC_USABLE_SIZE}=1
      -DHAVE_{NANOSLEEP,PREAD,PREAD64,PWRITE,PWRITE64,STDINT_H,STRCHRNUL,USLEEP,UTIME}=1
      -DSQLITE_ENABLE_{DBSTAT_VTAB,FTS4,FTS5,RTREE})
    ;;
  lmdb) package=lmdb title=LMDB assertion="Assertion '" flags=(-pthread -O2 -fPIC) ;;
  libmdbx)
    package=mdbx-sys title=libmdbx assertion='MDBX_DEBUG=1'
    flags=(-O2 -DNDEBUG -DMDBX_TXN_CHECKOWNER=0 '-DMDBX_BUILD_FLAGS="-O2 -DNDEBUG"' -fPIC -fvisibility=hidden)
    ;;
  tidesdb)
    package=tidesdb title=TidesDB assertion=__assert_fail
    flags=(-DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DTIDESDB_BUILD_TESTS=OFF)
    ;;
  wiredtiger)
    package=wiredtiger-sys title=WiredTiger assertion=__wt_assert
    flags=(CFLAGS=-O3 --with-builtins=snappy,zlib --with-pic --disable-shared)
    ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
pin=$(awk -v name="$package" '$1 == name {print $2, $3, $4}' packages/engines.txt)
read -r registry package_version checksum <<<"$pin"
compiler=$("${CC:-cc}" --version 2>/dev/null | head -n 1 || true)

run() {  # Quiet when all is well; the end of the log when it is not.
  if ! "$@" >>"$work/log" 2>&1; then
    tail -n 25 "$work/log" >&2
    echo "failed: $*" >&2
    exit 1
  fi
}

# describe <directory> <version>: writes build.txt of the library that is there.
describe() {
  local archive=$1/lib$library.a assertions=off
  ! grep -qa "$assertion" "$archive" || assertions=on
  {
    echo "build: $title of the $registry package $package $package_version, ${flags[*]}, $compiler"
    echo "version: $2"
    echo "assertions: $assertions"
    echo "origin: $registry package $package $package_version"
    echo "origin_sha256: $checksum"
    echo "flags: ${flags[*]}"
    echo "compiler: $compiler"
    echo "library_sha256: $(sha256sum "$archive" | cut -d' ' -f1)"
  } >"$1/build.txt"
}

# compile <directory> <part>...: makes lib<name>.a of the parts there.
compile() {
  local to=$1 objects part
  shift
  objects=$(mktemp -d "$work/objects.XXXXXX")
  for part in "$@"; do
    run "${CC:-cc}" "${flags[@]}" "-ffile-prefix-map=$source/=" -c "$source/$part" -o "$objects/$(basename "$part").o"
  done
  run ar rcs "$to/lib$library.a" "$objects"/*.o
}

build_sqlite3() {
  local header=$source/deps/sqlite3/sqlite3.h
  compile "$work/result" deps/sqlite3/sqlite3.c
  cp "$header" "$work/result/"
  # Public domain: the head of the header stands in the place of a licence.
  sed -n '2,/^\*\*\*/ { /^\*\*\*/d; s/^\*\* \{0,1\}//p }' "$header" >"$work/result/LICENSE"
  describe "$work/result" "$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' "$header")"
}

build_lmdb() {
  local tree to
  for tree in lib1 lib; do
    to=$work/result
    if [[ $tree == lib ]]; then to+=/0.9; fi
    mkdir -p "$to"
    compile "$to" "$tree"/{mdb,midl}.c
    cp "$source/$tree/lmdb.h" "$to/"
    describe "$to" "$(sed -nE 's/^#define MDB_VERSION_(MAJOR|MINOR|PATCH)\t//p' "$to/lmdb.h" | paste -sd.)"
  done
  { sed -n '/@author/,/^ \*\// { /^ \*\//d; s/^ \*\t\{0,1\}//p }' "$source/lib1/lmdb.h" && echo &&
    cat "$source/LICENSE"; } >"$work/result/LICENSE"
}

build_libmdbx() {
  local tree=$source/libmdbx
  compile "$work/result" libmdbx/mdbx.c
  cp "$tree"/{mdbx.h,LICENSE} "$work/result/"
  describe "$work/result" \
    "$(sed -nE 's/.*MDBX_VERSION_(MAJOR|MINOR) ([0-9]+).*/\2/p' "$tree/mdbx.h" | head -n 2 | paste -sd.)"
}

# The names of files that it logs are those in its tree.
build_tidesdb() {
  local tree=$source/tidesdb
  run cmake -S "$tree" -B "$work/tidesdb" "${flags[@]}" "-DCMAKE_C_FLAGS=-fvisibility=hidden -ffile-prefix-map=$tree/="
  run cmake --build "$work/tidesdb" --target tidesdb --parallel "${JOBS:-$(nproc)}"
  cp "$work/tidesdb/libtidesdb.a" "$tree/LICENSE" "$work/result/"
  # xxHash is in it. Its headers are where it installs them: Berkeley DB has a db.h, too.
  { echo && echo "TidesDB contains xxHash:" && echo && sed -n '2,/\*\//{ /\*\//d; s/^ \*[ ]\{0,1\}//p }' \
    "$tree/external/xxhash.c"; } >>"$work/result/LICENSE"
  mkdir "$work/result/tidesdb"
  cp "$tree/include/db.h" "$work/tidesdb/tidesdb_version.h" "$work/result/tidesdb/"
  describe "$work/result" "$(sed -nE 's/^[[:space:]]*VERSION ([0-9.]+)$/\1/p' "$tree/CMakeLists.txt" | head -n 1)"
}

build_wiredtiger() {
  local tree
  tree=$(echo "$source"/vendor/wiredtiger-*)
  # A package has its files all of one moment, so make would make those of configure again.
  local as_made=(ACLOCAL=: AUTOMAKE=: AUTOCONF=: AUTOHEADER=:)
  configure_and_make() {
    cd "$tree" && ./configure "${flags[@]}" &&
      make -C ext/compressors/snappy "${as_made[@]}" && make -C ext/compressors/zlib "${as_made[@]}" &&
      make -j"${JOBS:-$(nproc)}" libwiredtiger.la "${as_made[@]}"
  }
  run configure_and_make
  cp "$tree/.libs/libwiredtiger.a" "$tree"/{wiredtiger.h,LICENSE} "$work/result/"
  describe "$work/result" "$(sed -nE 's/^WIREDTIGER_VERSION_(MAJOR|MINOR|PATCH)=//p' "$tree/RELEASE_INFO" | paste -sd.)"
}

recipe=$({ declare -f describe compile "build_$library"; echo "$title $pin ${flags[*]} $compiler"; } |
  sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/$library-$recipe
if [[ $1 == --where || -e $result/build.txt ]]; then
  echo "$result"
  exit
fi

echo "building $title (once)" >&2
# Beside the result, so that the rename at the end is atomic.
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
source=$(scripts/fetch_source.sh "$package" "$work")
mkdir "$work/result"
"build_$library"
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/build.txt ]]
echo "$result"
