#!/bin/bash
# Runs the fault matrix (tests/cases/faults.case) and makes the page of it: what came of each fault with each
# engine. Some minutes; the disks of the matrix need root.
#
#   scripts/fault_matrix.sh [build directory] [page]
#   scripts/fault_matrix.sh --more [...]     of the engines in more_engines of the build directory, not of the others
#   RECORD=<file> scripts/fault_matrix.sh    makes the page of what such a run has recorded there
#   LEVELFIELD_NIGHTLY=1 scripts/fault_matrix.sh    every call failing in turn, many flipped bytes
set -euo pipefail
cd "$(dirname "$0")/.."
name=faults more=
if [[ ${1:-} == --more ]]; then
  # Servers have no files that the faults could come to.
  more=$(grep -oE '\{"[a-z]+", "engines-(cpp|rust|go)"' src/engine/more_engines.h | cut -d'"' -f2 | paste -sd,)
  name=faults_more
  shift
fi
build=${1:-build}
page=${2:-docs/generated/$name.md}
record=${RECORD:-}
if [[ -z $record ]]; then
  record=$(mktemp)
  trap 'rm -f "$record"' EXIT
  export LEVELFIELD_FAULT_RECORD=$record
  if [[ $more ]]; then
    tests/cases/run.py --build="$build" --engines="$more" --label=faults faults.case >&2 || failed=1
  else
    ctest --test-dir "$build" -L '^faults$' --output-on-failure --no-tests=error >&2 || failed=1
  fi
fi
versions=$(LEVELFIELD_ENGINES=${more:+$build/more_engines} "$build/levelfield" engines |
  sed -n 's/^  \([a-z0-9]*\) \([0-9][^ ]*\) .*/\1\t\2/p')

awk -F '\t' -v versions="$versions" -v target="make ${name/_/-}" -v kernel="$(uname -sr | cut -d- -f1)" '
  BEGIN {
    lines = split(versions, line, "\n")
    for (i = 1; i <= lines; ++i) { split(line[i], part, "\t"); version[part[1]] = part[2] }
    # In the order of the page, each with what was done.
    add("sync_fails", "the first sync of a `synced` workload fails with EIO")
    add("write_fails", "one write fails with EIO")
    add("write_short", "one write is done by half")
    add("no_space_left", "every write fails with ENOSPC from the third on")
    add("resize_fails", "every ftruncate and fallocate fails with ENOSPC")
    add("read_fails", "one read of a store that is there fails with EIO")
    add("no_descriptor", "no file can be opened: EMFILE")
    add("few_descriptors", "`ulimit -n 20` around the program")
    add("malloc_fails", "one malloc of 512 bytes or more gives nothing")
    add("out_of_memory", "the process takes more than `--memory` allows")
    add("stopped_process", "the process is stopped (SIGSTOP) and does not go on")
    add("clock_steps", "the clock jumps a day to and fro at each look")
    add("disk_full", "120 MB on an ext4 of 64 MiB, `--space_guard=off`")
    add("full_disk_reopened", "a store is opened and read on a disk with no block free")
    add("room_again", "the same store, once there is room again")
    add("space_guard", "120 MB on an ext4 of 64 MiB, `--space_guard=stop`")
    add("read_only", "the file system of the store is read-only")
    add("locked", "another process of Levelfield uses the store")
    add("held_elsewhere", "another program has the store open by the library of the engine")
    add("held_engine", "the same, and a third opens it by that library alone")
    add("flipped_byte", "one bit is turned in a file of the closed store, each kind in turn")
    add("flipped_log", "one bit is turned in the log that a killed run has left")
    add("truncated", "a file of the closed store is cut to its half, each kind in turn")
  }
  function add(name, text) { fault[++faults] = name; what[name] = text }
  {
    if (!is_there[$2]++) engine[++engines] = $2  # In the order of the cases.
    ++seen[$1, $2, $3]
    if (!(($1, $2) in words) || index(" " words[$1, $2] " ", " " $3 " ") == 0)
      words[$1, $2] = words[$1, $2] (words[$1, $2] == "" ? "" : " ") $3
    ++all[$1, $2]
    is_out += $3 == "OUT"
    if ($3 != "OK" && $3 != "NONE" && !(($1, $2) in says)) { says[$1, $2] = $5; as[$1, $2] = $3 }
  }
  function cell(f, e,   list, count, i, text) {
    if (!((f, e) in words)) return f == "flipped_log" ? "no log" : "not tried"
    count = split(words[f, e], list, " ")
    for (i = 1; i <= count; ++i)
      text = text (i > 1 ? ", " : "") list[i] (all[f, e] > 1 ? " " seen[f, e, list[i]] : "")
    return text
  }
  END {
    print "# What becomes of a fault\n"
    print "For whoever asks what an engine does when the machine fails. Made by `" target "`, which runs"
    print "`tests/cases/faults.case`. Levelfield itself neither crashed nor hung in any cell, and its exit code was 0 only"
    print "for " (is_out ? "`OK`, `NONE` and `OUT`" : "`OK` and `NONE`") ". Otherwise it said what had failed, on which file, and in which workload. Workloads that had"
    print "ended before the fault kept their results.\n"
    printf "On %s, with", kernel
    for (i = 1; i <= engines; ++i)
      printf "%s %s %s", (i > 1 ? "," : ""), engine[i], version[engine[i]]
    print ".\n"
    print "| word | meaning |\n| --- | --- |"
    print "| OK | every answer was right, and every entry there |"
    print "| NONE | the engine makes no such call, so nothing came of it |"
    print "| ERR | the engine reported it: the workload has failed, its number is void |"
    print "| DET | the engine reported that the file is damaged |"
    print "| SELF | the engine reported nothing and answered wrongly; the check of values and counts found it |"
    print "| SIG | the process of the engine died of a signal |"
    print "| OOM | it was killed for want of memory, and the report says so |"
    print "| DOG | the watchdog (`--stall`) ended it |"
    print "| STOP | the workload was stopped before the disk was full, and the store is whole |"
    print "| NO | refused before any engine opened the store |"
    print "| OPEN | the engine let a second process in; its reason is below |"
    if (is_out) {
      print "| OUT | not tried: a library before the C library makes calls fail, and Go makes its system calls without it |"
    }
    print ""
    printf "| fault |"
    for (i = 1; i <= engines; ++i) printf " %s |", engine[i]
    printf "\n| --- |"
    for (i = 1; i <= engines; ++i) printf " --- |"
    print ""
    for (f = 1; f <= faults; ++f) {
      printf "| %s |", what[fault[f]]
      for (i = 1; i <= engines; ++i) printf " %s |", cell(fault[f], engine[i])
      print ""
    }
    print "\nNumbers behind a word count the tries of a cell that has several.\n"
    print "What the engine says of `OPEN`:\n"
    for (f = 1; f <= faults; ++f) {
      for (i = 1; i <= engines; ++i) {
        at = fault[f] SUBSEP engine[i]
        if (as[at] == "OPEN") print "- " engine[i] ": " says[at]
      }
    }
  }
' <(sed -E 's#/results/[0-9]+-[0-9]+-run/#results/#g; s#/scratch/mount_[A-Za-z0-9]+/#/mnt/#g' "$record") | sed -e '$ { /^$/ d }' >"$page.new"
mv "$page.new" "$page"
exit "${failed:-0}"
