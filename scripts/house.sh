#!/bin/bash
# Prints the size and cost of the sources, beside the goals and the figures from before the rooms (commit
# 76e1634, by this script).
#
#   scripts/house.sh [--compile] [--instructions] [--coverage] [--mutants] [--all]
#
# The sizes come at once. These take longer and are measured on request:
#   --compile       CPU-seconds of a build of HEAD from nothing, without ccache (20 minutes)
#   --instructions  of an operation in the loop, by benchmarks/instructions.sh on build/ (2 minutes)
#   --coverage      of lines and branches of src by all tests, by gcovr (1 hour)
#   --mutants       of 60 mutants, those that unit tests kill, by scripts/mutants.py (1 hour)
# JOBS=n limits how many compilers and tests run at a time. COMMIT=c has --compile and --coverage measure
# that commit instead of HEAD.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}

# The commits that show what an addition costs: what is added, how many files before, goal, commit.
additions="
operation 23 2 be2e167
flag       8 2 00e949e
format    12 2 5be8b14
engine     1 1 eee5c77
"

asked=" ${*/--all/--compile --instructions --coverage --mutants} "
for word in $asked; do
  case $word in
    --compile | --instructions | --coverage | --mutants) ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
  esac
done
asks() { [[ $asked == *" --$1 "* ]]; }

row() { printf '%-64s %10s %10s %12s\n' "$@"; }
lines() { xargs --no-run-if-empty cat | wc -l; }
cpp() { git ls-files -- "$@" | grep -E '\.(cc|h|c|inc)$'; }
is_test='(_test\.cc|_for_test\.(cc|h))$'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row '' before now goal
row 'product C++ lines (src, engines, include, caches)' 74925 \
  "$(cpp src engines include caches | grep -vE "$is_test" | lines)" -
row 'test C++ lines (src/**/*_test.cc, tests)' 48522 \
  "$({ cpp src engines include caches | grep -E "$is_test"; cpp tests; } | lines)" -
row '  and lines of text cases (tests/cases)' 0 "$(git ls-files -- tests/cases | grep -vE '\.(cc|h)$' | lines)" -

# lizard comes from PyPI into a directory of its own in the cache, by exact version and checksum.
scripts/install_packages.sh packages/debian_house.txt
tools=$(scripts/python_tools.sh packages/python_house.txt)
"$tools/bin/lizard" --csv src engines include caches 2>/dev/null |
  /usr/bin/python3 -c '
import csv, sys
worst = max((int(row[1]), row[7], row[6]) for row in csv.reader(sys.stdin) if "_test." not in row[6])
print(*worst)' >"$work/complexity"
read -r complexity function file <"$work/complexity"
row "largest cyclomatic complexity: $function" 76 "$complexity" '<= 20'
echo "    in $file"

# A unit is a .h and .cc of one name. Folders that are lists may have any number of them.
cpp src | grep -vE "$is_test|/(operations|engines|workloads|dialects)/" | sed -E 's/\.[a-z]+$//' |
  sort -u | sed -E 's|/[^/]*$||' | sort | uniq -c | sort -rn >"$work/rooms"
read -r units room < <(head -n 1 "$work/rooms")
row "units in the largest room: $room" 124 "$units" '<= 25'

while read -r what before goal commit; do
  [[ -z $what ]] && continue
  now='no commit'
  if [[ $commit != - ]]; then
    now=$(git diff-tree --no-commit-id --name-only -r "$commit" |
      grep -E '^(src|engines|include|caches|workloads)/.*\.(cc|h|inc|workload)$' | grep -cvE "$is_test" || true)
  fi
  row "source files that a new $what touches" "$before" "$now" "<= $goal"
done <<<"$additions"

# What decides by words or in several places. (Before: commit 9ca89fa2.)
sources() { git grep "$@" -- 'src/*.cc' 'src/*.h' | grep -vE '_test\.|_for_test' || true; }
row 'files that make a phase void' 8 \
  "$(sources -lE '(phase|result|closed)\.outcome = Outcome::kInvalid|End\(Outcome::kInvalid' | wc -l)" 1
row 'files outside operations/ that compare an operation with its name' 8 \
  "$(sources -lE '(operation(->name|\.name)? [!=]= "|Is\((stats|first), "|mix\.find\(")' |
    grep -vc ^src/operations/)" '<= 1'
# Functions of analysis that judge something of a result. Lookups and names are no judgements.
judges=$(cpp 'src/analysis/*.h' 'src/analysis/**/*.h' | xargs sed -nE \
  's/^[A-Za-z].*\b([A-Z][A-Za-z]+)\(const (Result|RunResult|PhaseResult|Series)&.*/\1/p' |
  grep -vxE 'PhaseAt|PlacesIn|StatisticsOf|NamedAt|RunName|EngineNamesOf|VariantOf' | sort -u | paste -sd'|')
row 'judgements on the way of a result to the screen' 74 \
  "$(cat src/verbs/report.cc src/report/{first_screen,screen_sentences,result_report,rate_table,cost_table,heading}.cc \
    src/report/{variants_table,model}.cc | grep -oE "\\b($judges)\(" | wc -l)" '<= 25'

# seconds FILE COMMAND...: how long processors worked for a command.
seconds() {
  local log=$1
  shift
  local TIMEFORMAT='%U %S'
  { time "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }; } 2>"$work/time"
  awk '{ printf "%.0f", $1 + $2 }' "$work/time"
}
# A copy of the commit in $work/source, so that nothing in the tree is touched, configured with flags.
configure() {
  rm -rf "$work/source"
  mkdir -p "$work/source/build"
  git archive "${COMMIT:-HEAD}" | tar -x -C "$work/source"
  touch "$work/source/build/packages.stamp"
  local leveldb
  leveldb=$("$work/source/scripts/build_leveldb.sh")
  (cd "$work/source" && env -u CMAKE_CXX_COMPILER_LAUNCHER -u CMAKE_C_COMPILER_LAUNCHER \
    cmake --preset release -DLEVELFIELD_LEVELDB_ROOT="$leveldb" --log-level=WARNING "$@" >/dev/null)
}
build() { cmake --build "$work/source/build" -j"$jobs" "$@"; }

if asks compile; then
  configure
  row 'CPU-seconds of compiling the program and its plug-ins' '945 [1]' "$(seconds "$work/log" \
    build --target levelfield engines/all caches/all)" '<= 300'
  row 'CPU-seconds of compiling the tests' '1437 [1]' "$(seconds "$work/log" build)" '<= 600'
  touch "$work/source/src/base/status.h"
  row 'CPU-seconds after a change of base/status.h, the program alone' '760 [1]' \
    "$(seconds "$work/log" build --target levelfield)" '<= 200'
  echo '    [1] measured when the sources stood in one room, on an idle machine'
fi
if asks instructions; then
  echo 'instructions of an operation (before: 59.3/93.3, 137.2/170.2, 110.5/143.5, 67.0/98.0; none higher)'
  benchmarks/instructions.sh build | sed 's/^/    /'
fi
if asks coverage; then
  scripts/install_packages.sh packages/debian_house.txt
  flags='-O0 -DNDEBUG --coverage -fprofile-update=atomic'
  configure -DCMAKE_BUILD_TYPE=Coverage -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_C_FLAGS="$flags"
  build >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
  "$work/source/scripts/build_originals.sh" >/dev/null  # Tests exchange stores with them.
  ctest --test-dir "$work/source/build" -LE nightly -j"$jobs" >"$work/log" 2>&1 ||
    sed -n '/tests passed/,$p' "$work/log"
  (cd "$work/source" && gcovr --root . --filter src/ --exclude '.*_test\.cc' --exclude-throw-branches \
    --gcov-ignore-parse-errors --print-summary --json-summary "$work/summary" build >/dev/null 2>&1)
  read -r line branch < <(/usr/bin/python3 -c 'import json, sys
figures = json.load(open(sys.argv[1]))
print(figures["line_percent"], figures["branch_percent"])' "$work/summary")
  row 'coverage of lines, %' 93.3 "$line" 'not lower'
  row 'coverage of branches, %' 48.4 "$branch" 'not lower'
fi
if asks mutants; then
  scripts/mutants.py -j"$jobs" | tee "$work/mutants" >&2
  row 'mutants killed by unit tests, %' '8 of 9' "$(sed -nE 's/.*\(([0-9]+) %\)$/\1/p' "$work/mutants")" '>= 90'
fi
