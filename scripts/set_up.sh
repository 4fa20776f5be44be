#!/bin/bash
# Sets up what a command of the Makefile needs: packages, engines, and the program in build/.
#
#   scripts/set_up.sh bench     what a measurement needs: no test, nor what tests need
#   scripts/set_up.sh caches    the same, and RocksDB's caches for cache_bench
#   scripts/set_up.sh packages  the same, and what Debian packages and a release are made with
#   scripts/set_up.sh test      everything
#   scripts/set_up.sh deps      the packages and engines of `test`, and nothing built
#   scripts/set_up.sh wheel     those of `bench`, and nothing built
#
# It shows one changing line with the time left (in a log: a line for each step that takes long), and writes
# everything else to build/setup.log, whose end it shows if a step fails. JOBS=n limits how many compilers run.
set -euo pipefail
cd "$(dirname "$0")/.."
goal=${1:?bench, caches, packages, test, deps or wheel?}
jobs=${JOBS:-$(nproc)}
log=build/setup.log
mkdir -p build
: >"$log"

# What is still to be done, in seconds on two processors.
case $goal in
  bench) lists=(packages/debian.txt) left=(60 50 10 180) ;;
  caches) lists=(packages/debian{,_caches}.txt) left=(70 95 10 190) ;;
  packages) lists=(packages/debian{,_caches,_packages}.txt) left=(80 95 10 200) ;;
  test) lists=(packages/debian{,_caches,_packages,_originals,_tests}.txt) left=(120 105 20 510) ;;
  deps) lists=(packages/debian{,_caches,_packages,_originals,_tests}.txt) left=(120 105) ;;
  wheel) lists=(packages/debian.txt) left=(60 50) ;;
  *) echo "scripts/set_up.sh bench, caches, packages, test, deps or wheel, not '$goal'" >&2; exit 2 ;;
esac
child=
trap '[[ -z $child ]] || kill "$child" 2>/dev/null || true; exit 130' INT TERM

# From the seconds that a step has taken, and how much of it the log says is done ([done/all], by Ninja).
time_left() {
  local expected=${left[0]} rest=0 i fraction
  for ((i = 1; i < ${#left[@]}; i++)); do rest=$((rest + left[i])); done
  fraction=$(tail -c 4000 "$log" | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -n 1 | tr -d '[]' || true)
  if [[ -n $fraction && ${fraction%/*} -gt 20 ]]; then
    expected=$((SECONDS * ${fraction#*/} / ${fraction%/*}))
  fi
  expected=$((expected > SECONDS ? expected - SECONDS + rest : rest + 1))
  printf 'about %d:%02d left\n' $((expected / 60)) $((expected % 60))
}

# step WHAT COMMAND...: runs it with its output in the log.
step() {
  local what=$1 said=
  shift
  echo "== $what: $*" >>"$log"
  SECONDS=0
  "$@" >>"$log" 2>&1 </dev/null &
  child=$!
  while kill -0 "$child" 2>/dev/null; do
    sleep 0.5
    if [[ -t 2 ]]; then
      printf '\r\e[Ksetting up: %s, %s' "$what" "$(time_left)" >&2
    elif [[ -z $said && $SECONDS -ge 3 ]]; then
      echo "setting up: $what, $(time_left)" >&2
      said=yes
    fi
  done
  [[ ! -t 2 ]] || printf '\r\e[K' >&2
  if ! wait "$child"; then
    tail -n 40 "$log" >&2
    echo "failed: $what; everything is in $log" >&2
    exit 1
  fi
  child=
  left=("${left[@]:1}")
}

engines() {
  local pids=() pid
  scripts/build_library.sh sqlite3 & pids+=($!)
  scripts/build_library.sh lmdb & pids+=($!)
  scripts/build_leveldb.sh & pids+=($!)
  scripts/fetch_rocksdb.sh & pids+=($!)
  scripts/fetch_headers.sh & pids+=($!)
  scripts/build_report_page.sh & pids+=($!)
  for pid in "${pids[@]}"; do wait "$pid" || return 1; done
  if [[ $goal != bench && $goal != wheel ]]; then JOBS=$jobs scripts/build_rocksdb_caches.sh; fi
}

# CMake is told where LevelDB is, so that a new recipe is picked up at once. A tree that once had tests keeps
# them: without their rules Ninja would delete what is built of them.
configure() {
  local tests=()
  if [[ $goal == test ]]; then tests=(-DLEVELFIELD_TESTS=ON); fi
  if [[ $goal != test && ! -e build/CMakeCache.txt ]]; then tests=(-DLEVELFIELD_TESTS=OFF); fi
  cmake --preset release "-DLEVELFIELD_LEVELDB_ROOT=$(scripts/build_leveldb.sh)" --log-level=WARNING "${tests[@]}"
}

build() {
  local target=levelfield
  if [[ $goal == test || $goal == packages ]]; then target=all; fi
  cmake --build build --parallel "$jobs" --target "$target"
}

# A CI service keeps what a bench needs, and the tree that it was built from (action.yml): there is nothing to build.
is_kept() {
  [[ $goal == bench && -x build/levelfield && ! -e build/CMakeCache.txt && -e build/built_from ]] &&
    [[ $(<build/built_from) == "$(scripts/build_key.sh)" ]]
}

missing=$(scripts/install_packages.sh --missing "${lists[@]}")
# Asks for the password before the line begins to change.
if [[ -n $missing && $(id -u) != 0 ]] && command -v sudo >/dev/null; then sudo -v; fi
step packages scripts/install_packages.sh "${lists[@]}"
if is_kept; then exit; fi
step engines engines
[[ $goal == deps || $goal == wheel ]] && exit
step configuring configure
step compiling build
scripts/build_key.sh >build/built_from
