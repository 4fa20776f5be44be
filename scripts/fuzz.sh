#!/bin/bash
# Runs the fuzz targets of build-fuzz one after the other, SECONDS_EACH each, on the corpus of the tree
# and on what earlier runs have added to it in build-fuzz/corpus. Whatever ends one (a crash, a
# report of a sanitizer, more than 5 s or 1 GiB for an input of up to 64 KiB) is in build-fuzz/found,
# and is the exit code in the end.
#
#   scripts/fuzz.sh [target...]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${SECONDS_EACH:-60}
targets=("$@")
if ((${#targets[@]} == 0)); then
  for program in build-fuzz/fuzz_*; do targets+=("${program##*/fuzz_}"); done
fi
mkdir -p build-fuzz/found
# A fuzzer ends without the destructors that would remove its files.
trap 'rm -rf /dev/shm/levelfield_fuzz_*' EXIT
failed=()
for target in "${targets[@]}"; do
  mkdir -p "build-fuzz/corpus/$target"
  words=()
  if [[ -f tests/fuzz/$target.dict ]]; then words=("-dict=tests/fuzz/$target.dict"); fi
  echo "fuzzing $target for $seconds s" >&2
  # Under the sanitizers an input takes several times as long: 5 s are less than one without.
  "build-fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="build-fuzz/found/$target-" \
    "${words[@]}" \
    "build-fuzz/corpus/$target" "tests/fuzz/corpus/$target" \
    >"build-fuzz/$target.log" 2>&1 || failed+=("$target")
  grep -E 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)|SUMMARY|ERROR' \
    "build-fuzz/$target.log" >&2 || true
done
if ((${#failed[@]} > 0)); then
  echo "failed: ${failed[*]}; see build-fuzz/<target>.log and build-fuzz/found" >&2
  exit 1
fi
