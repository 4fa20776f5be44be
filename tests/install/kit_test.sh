#!/bin/bash
# Installs the component of the program, and builds the example of docs/adding_an_engine.md from that alone: by the
# flags of pkg-config, and by the CMake package. The installed program then tests it, by the whole of conformance, and
# a fault that only that finds.
#
#   kit_test.sh BUILD
set -euo pipefail
build=$1
fail() { echo "$*" >&2; exit 1; }
root=$(mktemp -d "${TMPDIR:-/var/tmp}/levelfield_kit.XXXXXX")
trap 'rm -rf "$root"' EXIT
cmake --install "$build" --prefix "$root/usr" --component levelfield >"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
unset LEVELFIELD_ENGINES LEVELFIELD_BUILT_IN_ENGINES
levelfield=$root/usr/bin/levelfield
example=$root/usr/share/doc/levelfield/docs/examples/journal.cc
mkdir "$root/work"
cd "$root/work"

export PKG_CONFIG_PATH=$root/usr/lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs levelfield)"
c++ -std=c++20 -O0 -fPIC -fvisibility=hidden "$example" "${flags[@]}" -o journal.so
exported=$(nm -D --defined-only journal.so | awk '{print $3}')
[[ $exported == levelfield_engine ]] || fail "it exports $exported"
"$levelfield" verify conformance --engine=./journal.so >out || { cat out; fail "the example fails"; }
grep -q 'claims hold' out || fail "the claims were not tested"

cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
find_package(levelfield REQUIRED)
levelfield_engine(journal SOURCE ${EXAMPLE})
CMAKE
cmake -S . -B by_cmake -DCMAKE_PREFIX_PATH="$root/usr" -DEXAMPLE="$example" -DCMAKE_CXX_FLAGS=-O0 >log 2>&1 &&
  cmake --build by_cmake >>log 2>&1 || { cat log; exit 1; }
"$levelfield" engines --engines=by_cmake journal >out || fail "that of the CMake package does not load"

if "$levelfield" verify conformance --engine="$build/tests/conformance/broken_engines/levelfield_blunt.so" >out; then
  fail "a fault was not found"
fi
grep -q AgainstTheModel out || fail "the shortest sequence is not shown"
