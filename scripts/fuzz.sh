#!/bin/bash
# Runs the fuzz targets of build-asan one after the other, SECONDS_EACH each, on the corpus of the
# tree and on what earlier runs have added to it in build-asan/corpus. An input that ends one (a crash, a
# report of a sanitizer, more than 5 s or 1 GiB for an input of up to 64 KiB) goes to build-asan/found, and
# the script then fails.
#
#   scripts/fuzz.sh [target...]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${SECONDS_EACH:-60}
targets=("$@")
if ((${#targets[@]} == 0)); then
  for corpus in tests/fuzz/corpus/*; do targets+=("${corpus##*/}"); done
fi
mkdir -p build-asan/found
# A fuzzer ends without the destructors that would remove its files.
trap 'rm -rf /dev/shm/levelfield_fuzz_*' EXIT
failed=()
for target in "${targets[@]}"; do
  mkdir -p "build-asan/corpus/$target"
  words=()
  if [[ -f tests/fuzz/$target.dict ]]; then words=("-dict=tests/fuzz/$target.dict"); fi
  echo "fuzzing $target for $seconds s" >&2
  # Under the sanitizers an input takes several times as long: 5 s are less than one without.
  "build-asan/fuzz_$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="build-asan/found/$target-" \
    "${words[@]}" \
    "build-asan/corpus/$target" "tests/fuzz/corpus/$target" \
    >"build-asan/$target.log" 2>&1 || failed+=("$target")
  grep -E 'stat::(number_of_executed_units|average_exec_per_sec|peak_rss_mb)|SUMMARY|ERROR' \
    "build-asan/$target.log" >&2 || true
done
if ((${#failed[@]} > 0)); then
  echo "failed: ${failed[*]}; see build-asan/<target>.log and build-asan/found" >&2
  exit 1
fi
