#!/bin/bash
# Compares two commits of a store: builds both, runs them in turns, and writes the verdicts as Markdown for a
# pull request.
#
#   levelfield-compare-commits REPOSITORY BASE HEAD BUILD OUTPUT ENGINE DIRECTORY [FLAGS OF levelfield run...]
#
# In a clone, scripts/compare_commits.sh.
#
#   REPOSITORY  a Git repository with both commits, such as a clone
#   BUILD       a shell command that builds one commit, in the root of its files: 'make -j4'
#   OUTPUT      what it builds: a library that ENGINE takes (librocksdb.so), or a plug-in of your own
#               (levelfield_<engine>.so, see docs/adding_an_engine.md)
#   ENGINE      rocksdb, or the name of the plug-in
#   DIRECTORY   is made: comment.md, report.html, the log of the run, and results/
#
# LEVELFIELD is the program; if it is not set, the one installed beside this script, or build/levelfield in a clone.
# Ends with 0, also where no verdict is possible (too few rounds, or wrong answers of the earlier commit); with 1 if the
# later commit is slower, failed or is wrong; with 2 or 3 if nothing could be compared.
set -euo pipefail
help() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; }
if [[ ${1:-} == --help ]]; then help && exit; fi
if (($# < 7)); then help >&2 && exit 2; fi
repository=$(realpath "$1") base=$2 head=$3 build=$4 output=$5 engine=$6 directory=$7
shift 7
here=$(dirname "$(realpath "$0")")
program=$(realpath "${LEVELFIELD:-$here/$([[ -x $here/levelfield ]] || echo ../build/)levelfield}")
[[ -x $program ]] || { echo "$program is not there: build it, or set LEVELFIELD=/path/to/levelfield" >&2; exit 2; }
if [[ -e $directory ]]; then
  echo "$directory is there already; name another directory" >&2
  exit 2
fi
# It stands in the names of files and in --engine, which takes several between commas.
if [[ ! $engine =~ ^[A-Za-z0-9_][A-Za-z0-9_+.-]*$ ]]; then
  printf 'the engine %q: give rocksdb, or the name of a plug-in in letters, digits, _, +, . and -\n' "$engine" >&2
  exit 2
fi
if [[ $output == *[,$'\n']* ]]; then
  printf 'the output %q: give a path without commas and line breaks\n' "$output" >&2
  exit 2
fi
mkdir -p "$directory"

work=$(mktemp -d)
remove() {
  for which in base head; do
    git -C "$repository" worktree remove --force "$work/$which" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap remove EXIT
ask_for_base() {
  if [[ $1 == base ]]; then
    echo "Is $output newer than that? Both commits must build it: bring it, and what it is built with, onto the" \
      "main branch first" >&2
  fi
}
declare -A commits
for which in base head; do
  if ! commits[$which]=$(git -C "$repository" rev-parse --verify --quiet --end-of-options "${!which}^{commit}"); then
    printf '%s has no commit %q; a shallow clone has only the last ones\n' "$repository" "${!which}" >&2
    exit 2
  fi
done
if [[ ${commits[base]} == "${commits[head]}" ]]; then
  echo "$base and $head are one commit, ${commits[head]}: there is nothing to compare" >&2
  exit 2
fi
for which in base head; do
  commit=${commits[$which]}
  git -C "$repository" worktree add --quiet --detach "$work/$which" "$commit"
  if [[ -f $work/$which/.gitmodules ]] &&
    ! git -C "$work/$which" submodule update --init --recursive --quiet >"$directory/build_$which.log" 2>&1; then
    tail -n 20 "$directory/build_$which.log" >&2
    echo "$which, $commit: its submodules cannot be had" >&2
    exit 2
  fi
  echo "building $which, $commit" >&2
  if ! (cd "$work/$which" && bash -c "$build") >>"$directory/build_$which.log" 2>&1; then
    tail -n 20 "$directory/build_$which.log" >&2
    echo "$which, $commit, does not build: $build" >&2
    ask_for_base "$which"
    exit 2
  fi
  if [[ ! -f $work/$which/$output ]]; then
    echo "$which, $commit: the build made no $output" >&2
    ask_for_base "$which"
    exit 2
  fi
done

# A plug-in per commit, and one for the name alone; or one plug-in and two libraries.
if [[ $(basename "$output") == levelfield_*.so ]]; then
  mkdir "$work/engines"
  cp "$work/head/$output" "$work/engines/levelfield_$engine.so"
  for which in base head; do cp "$work/$which/$output" "$work/engines/levelfield_$engine@$which.so"; done
  export LEVELFIELD_BUILT_IN_ENGINES=$work/engines
  engines=("--engine=$engine@head" "--against=$engine@base")
else
  engines=("--engine=$engine:$work/head/$output" "--against=$engine:$work/base/$output")
fi
ran=0
"$program" run --name=commits "${engines[@]}" "$@" "--results=$directory/results" >"$directory/run.log" 2>&1 || ran=$?
result=$(find "$directory/results" -mindepth 1 -maxdepth 1 -name '*-commits' 2>/dev/null || true)
compared=$((ran == 3 ? 3 : 2))
if [[ -n $result ]]; then
  compared=0
  cp "$result/report.html" "$directory"
  "$program" compare "$result" "--baseline=${engines[1]#--against=}" --format=markdown \
    >"$work/table.md" 2>>"$directory/run.log" || compared=$?
fi
if [[ ! -s $work/table.md ]]; then
  tail -n 20 "$directory/run.log" >&2
  exit "$compared"
fi
# 3 says that there is nothing to compare. Where the later commit failed or was wrong, that is why; where only the
# earlier one did, the later one may be what mends it.
status=$compared
if ((compared == 3 && ran == 1)); then
  status=0
  if grep '"type":"run"' "$result/results.jsonl" | grep -F "\"engine\":\"${engines[0]#--engine=}\"" |
    grep -Evq '"outcome":"(ok|unsupported)"'; then
    status=1
  else
    echo "no verdict: the base, ${commits[base]}, failed or was wrong, and the later commit is not" >&2
  fi
fi
{
  echo "Levelfield: ${commits[head]:0:12} against ${commits[base]:0:12}"
  echo
  sed "s|$work/||g" "$work/table.md"
} >"$directory/comment.md"
cat "$directory/comment.md"
exit "$status"
