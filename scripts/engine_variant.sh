#!/bin/bash
# Builds an engine once more, its library and its plug-in, by a compiler or flags of your own, beside the one that is
# there: levelfield_<engine>@<variant>.so in build/more_engines, which the program finds.
#
#   CXX=clang++ CXXFLAGS=-O3 scripts/engine_variant.sh leveldb      prints leveldb@clang++-O3
#   CC=clang CFLAGS='-O3 -march=native' VARIANT=native scripts/engine_variant.sh lmdb
#
# leveldb, libmdbx, lmdb, sqlite3, tidesdb, wiredtiger; memory and null, which have no library. CFLAGS are for libraries in C.
# Flags stand behind those that the maintainers take, so that of two the last wins. PLUGINS=DIR puts it elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
engine=${1:?which engine?}
plugins=${PLUGINS:-$PWD/build/more_engines}
fail() { echo "engine-variant: $*" >&2; exit 2; }

in_c='' source=engines/$engine.cc libraries=() options=()
case $engine in
  leveldb) libraries=(libleveldb.a libcrc32c.a) options=(-lsnappy -pthread -fno-rtti) ;;
  memory | null) ;;
  lmdb) in_c=1 libraries=(liblmdb.a) options=(-pthread) ;;
  libmdbx) in_c=1 source=engines/more/libmdbx.cc libraries=(libmdbx.a) options=(-pthread) ;;
  sqlite3) in_c=1 libraries=(libsqlite3.a) options=(-lm -ldl -pthread) ;;
  tidesdb)
    in_c=1 source=engines/more/tidesdb.cc libraries=(libtidesdb.a) options=(-lsnappy -llz4 -lzstd -ldl -pthread)
    ;;
  wiredtiger) in_c=1 libraries=(libwiredtiger.a) options=(-lsnappy -lz -ldl -pthread) ;;
  rocksdb) fail "a RocksDB of your own needs no plug-in: levelfield run --engine=rocksdb:/path/to/librocksdb.so" ;;
  *) fail "$engine is not one of leveldb, libmdbx, lmdb, memory, null, sqlite3, tidesdb, wiredtiger" ;;
esac
if [[ $in_c && -z ${CC:-}${CFLAGS:-} && -n ${CXX:-}${CXXFLAGS:-} ]]; then
  fail "the library of $engine is written in C: say CC= and CFLAGS=, not CXX= and CXXFLAGS="
fi
if [[ $in_c ]]; then compiler=${CC:-cc} flags=${CFLAGS:-}; else compiler=${CXX:-c++} flags=${CXXFLAGS:-}; fi
command -v "$compiler" >/dev/null || fail "there is no $compiler; install it, or name another one"
variant=${VARIANT:-$(basename "$compiler")$(tr -cd 'A-Za-z0-9_.+-' <<<"$flags")}
[[ $variant =~ ^[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,63}$ ]] ||
  fail "VARIANT=$variant: a name has at most 64 letters, digits, _, -, + and inner points"

# The scripts that build libraries ask the compiler who it is, and keep what it builds under that name: so this one has
# its flags in it.
work=$(mktemp -d "${TMPDIR:-/tmp}/levelfield_variant.XXXXXX")
trap 'rm -rf "$work"' EXIT
# wrap <file> <compiler> <flags>
wrap() {
  cat >"$1" <<WRAPPER
#!/bin/bash
if [[ \${1:-} == --version ]]; then
  echo "\$('$2' --version | head -n 1), $3"
else
  exec '$2' "\$@" $3
fi
WRAPPER
  chmod +x "$1"
}
wrap "$work/cc" "${CC:-cc}" "${CFLAGS:-}"
wrap "$work/c++" "${CXX:-c++}" "${CXXFLAGS:-}"

directory=$work
export CC=$work/cc CXX=$work/c++
unset CFLAGS CXXFLAGS  # They are in the wrappers, which no script passes by.
if [[ $engine == leveldb ]]; then
  directory=$(scripts/build_leveldb.sh)
elif ((${#libraries[@]})); then
  directory=$(scripts/build_library.sh "$engine")
fi
definitions=()
if ((${#libraries[@]})); then
  build=$(sed -n 's/^build: //p' "$directory/build.txt")
  assertions=$(sed -n 's/^assertions: //p' "$directory/build.txt")
  if [[ $engine == leveldb ]]; then
    definitions=("-DLEVELFIELD_LEVELDB_BUILD=\"$build\"" -isystem "$directory/include")
  else
    definitions=(-DLEVELFIELD_LIBRARY_IS_INSIDE "-DLEVELFIELD_BUILD=\"${build//\"/\\\"}\""
      "-DLEVELFIELD_ASSERTIONS=\"$assertions\"" -isystem "$directory")
  fi
fi
mkdir -p "$plugins"
"$CXX" -std=c++20 -O2 -DNDEBUG -fPIC -shared -fvisibility=hidden -fno-semantic-interposition -Iinclude -Iengines \
  "${definitions[@]}" -Wl,-Bsymbolic -Wl,-z,defs -Wl,--version-script=engines/plugin.map "$source" \
  "${libraries[@]/#/$directory/}" "${options[@]}" -o "$work/plugin.so"
# At once: a run may have the old one open.
cp "$work/plugin.so" "$plugins/.$engine@$variant.new"
mv "$plugins/.$engine@$variant.new" "$plugins/levelfield_$engine@$variant.so"
echo "$engine@$variant"
