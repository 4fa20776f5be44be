#!/bin/bash
# From an installation alone, without a network: `levelfield new engine` writes an engine in the language, which builds,
# passes conformance, and runs beside a built-in one. 77: the language's compiler is not here.
#
#   skeleton_test.sh BUILD c|c++|rust|go
set -euo pipefail
build=$1 language=$2
fail() { echo "$*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 77; }
at_least() { [[ $(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }
most_lines=120
case $language in
  c) most_lines=270 ;;
  rust)
    cargo=$(cargo --version 2>/dev/null | awk '{print $2}' || true)
    [[ -n $cargo ]] && at_least "$cargo" 1.85 || skip "cargo 1.85 or newer is not here"
    export CARGO_NET_OFFLINE=true
    ;;
  go)
    most_lines=200
    go=$(go env GOVERSION 2>/dev/null | sed 's/^go//' || true)
    [[ -n $go ]] && at_least "$go" 1.24 || skip "Go 1.24 or newer is not here"
    export GOPROXY=off GOFLAGS= GOTOOLCHAIN=local
    ;;
esac
root=$(mktemp -d "${TMPDIR:-/var/tmp}/levelfield_skeleton.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
cmake --install "$build" --prefix "$root/usr" --component levelfield >"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
unset LEVELFIELD_ENGINES LEVELFIELD_BUILT_IN_ENGINES
levelfield=$root/usr/bin/levelfield
mkdir -p -m 755 "$root/work"
cd "$root/work"

"$levelfield" new engine mine --language="$language" >said || { cat said; fail "nothing was written"; }
if grep -rn "map_$language\|map_cpp\|@[A-Z]*@\|$build" mine; then fail "what had to be replaced is there"; fi
source=$(find mine \( -name '*.c' -o -name '*.cc' -o -name '*.rs' -o -name '*.go' \))
[[ $(wc -l <"$source") -le $most_lines ]] || fail "$source has $(wc -l <"$source") lines, more than $most_lines"
make -C mine >log 2>&1 || { cat log; fail "it does not build"; }
if grep -in warning log; then fail "its compiler warns"; fi
exported=$(nm -D --defined-only mine/levelfield_mine.so | awk '$3 ~ /^levelfield/ {print $3}')
[[ $exported == levelfield_engine ]] || fail "it exports $exported"
make -C mine test >out 2>&1 || { cat out; fail "it does not pass"; }
grep -q 'claims hold' out || { cat out; fail "the claims were not tested"; }
"$levelfield" run --engine=mine/levelfield_mine.so,memory --num=1000 --price=0 --benchmarks=fillrandom,readrandom \
  --results=results >out || { cat out; fail "it does not run"; }
