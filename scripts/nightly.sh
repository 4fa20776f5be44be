#!/bin/bash
# Measures a store as it is now and adds it to its history: once a night, by cron or a scheduled job.
#
#   levelfield-nightly DIRECTORY ENGINE[,ENGINE...] [FLAGS OF levelfield run...]
#
# In a clone, scripts/nightly.sh.
#
#   ENGINE     leveldb, rocksdb:/path/to/librocksdb.so, or your plug-in, ./levelfield_mystore.so
#   DIRECTORY  is made, and kept from night to night:
#     results/     a result for each night and engine, called by the commit of the present directory
#     yardstick/   the build of the first night, which runs beside all later ones (docs/reference/comparing.md)
#     steps/       a text for each place where a level changed: the commits between, and what `levelfield diagnose`
#                  says of the results before and behind it
#     index.html   the page: the same reasons, and a chart for each benchmark. It needs results/ only for its links
#
# Prints the texts of the steps that were not there the night before. A --yardstick among the flags is taken instead of
# the first build; an empty one (--yardstick=) leaves it out. LEVELFIELD is the program; if it is not set, the one
# installed beside this script, or build/levelfield in a clone. Ends with 0; with 1 if the last change of a benchmark
# was for the worse and is at most ten results old, which the last lines on standard error name each night, or an engine
# failed; with 2 or 3 if something could not be measured.
set -euo pipefail
help() { sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; }
if [[ ${1:-} == --help ]]; then help && exit; fi
if (($# < 2)); then help >&2 && exit 2; fi
directory=$(realpath -m "$1")
if [[ $directory == *,* ]]; then
  echo "$directory: give a directory without a comma, which stands between engines" >&2
  exit 2
fi
IFS=, read -ra engines <<<"$2"
shift 2
here=$(dirname "$(realpath "$0")")
program=$(realpath "${LEVELFIELD:-$here/$([[ -x $here/levelfield ]] || echo ../build/)levelfield}")
[[ -x $program ]] || { echo "$program is not there: build it, or set LEVELFIELD=/path/to/levelfield" >&2; exit 2; }
mkdir -p "$directory"/{results,yardstick,steps}
name=$(git describe --always --dirty --abbrev=12 --exclude='*' 2>/dev/null || echo night)
has_yardstick=
for flag in "$@"; do if [[ $flag == --yardstick* ]]; then has_yardstick=yes; fi; done

# yardstick_of ENGINE: the build of the first night, as --yardstick takes it. RocksDB's is its library; any other is the
# plug-in, with another name than the one that is measured.
yardstick_of() {
  local facts plug_in library copy
  facts=$("$program" engines "$1")
  plug_in=$(sed -n 's/^ *plug-in *//p' <<<"$facts")
  library=$(sed -n 's/^ *library *\(\/.*\)/\1/p' <<<"$facts")
  copy=$directory/yardstick/levelfield_$(basename "${plug_in#*levelfield_}" .so | cut -d@ -f1)@first.so
  if [[ $1 == rocksdb* ]]; then copy=$directory/yardstick/librocksdb.so plug_in=$library; fi
  [[ -e $copy ]] || cp "$plug_in" "$copy"
  if [[ $1 == rocksdb* ]]; then copy=rocksdb:$copy; fi
  echo "$copy"
}

status=0
for engine in "${engines[@]}"; do "$program" engines "$engine" >/dev/null || exit 2; done
for engine in "${engines[@]}"; do
  beside=()
  if [[ -z $has_yardstick ]]; then beside=("--yardstick=$(yardstick_of "$engine")"); fi
  ran=0
  "$program" run "--engine=$engine" "${beside[@]}" "--name=$name" "--results=$directory/results" "$@" || ran=$?
  status=$((ran > status ? ran : status))
done

# The page's links to results are as they are named here.
cd "$directory"
changed=0
"$program" history results --format=html >index.html.new || changed=$?
if ((changed > 1)); then exit "$((status > changed ? status : changed))"; fi
mv index.html.new index.html
repository=$OLDPWD

commit_of() {  # The name of a result: results/20260115-000000-4f0c2a9b7d10
  local result
  result=$(basename "$1")
  result=${result#*-*-}
  echo "${result%-dirty}"
}
explain() {  # BEFORE AFTER
  echo "$(basename "$1") -> $(basename "$2")"
  git -C "$repository" log --oneline --no-decorate --max-count=50 "$(commit_of "$1")..$(commit_of "$2")" 2>/dev/null ||
    true
  echo
  "$program" diagnose "$1" "$2" || true
}
# The changes, as lines of BEFORE, AFTER and nothing. Then, of each benchmark that is why `history` ends with 1, its
# last change and its name.
history=$("$program" history results --format=json || true)
changes=$(python3 -c '
import json, sys
all_changes, slower = set(), []
for block in json.load(sys.stdin):
    rows = block.get("rows", [])
    changes = [(number, row) for number, row in enumerate(rows) if "change" in row]
    all_changes.update((row["before"], row["after"], "") for _, row in changes)
    if changes:
        number, last = changes[-1]
        if last["change"] < 0 and len(rows) - 1 - number <= 10:
            slower.append((last["before"], last["after"], block["table"].split(" --")[0]))
for change in sorted(all_changes) + slower:
    print(*change, sep="\t")' <<<"$history")
while IFS=$'\t' read -r before after slower; do
  step=steps/$(basename "$before")..$(basename "$after").txt
  if [[ -n $slower ]]; then
    echo "$slower: slower since $(basename "$after"): $directory/$step, $directory/index.html" >&2
  elif [[ -n $before && ! -e $step ]]; then
    explain "$before" "$after" >"$step"
    cat "$step"
  fi
done <<<"$changes"
exit "$((status > changed ? status : changed))"
