#!/bin/bash
# Looks once more at the tests that failed in the last `make test`: prints their output again, and runs each
# three times by itself. Succeeds if no more than three had failed and each now passes every time. Then it
# names them as unstable: a bug of the test or of the program, but not of the latest change.
set -euo pipefail
cd "$(dirname "$0")/.."
most=3
records=build/Testing/Temporary
[[ -s $records/LastTestsFailed.log ]] || { echo "no test failed: it was not built" >&2; exit 1; }

mapfile -t failed < <(cut -d: -f2- "$records/LastTestsFailed.log")
for name in "${failed[@]}"; do
  echo "---- $name, the first time:"
  awk -v name="$name" '/^[0-9]+\/[0-9]+ Testing: /{is_it = index($0, " Testing: " name)} is_it' \
    "$records/LastTest.log" | tail -n 60
done
if ((${#failed[@]} > most)); then
  echo "${#failed[@]} tests failed; beyond $most it is not chance" >&2
  exit 1
fi
ctest --test-dir build --rerun-failed --repeat until-fail:3 --output-on-failure --no-tests=error
printf 'UNSTABLE: %s failed once and passed three times by itself\n' "${failed[@]}"
