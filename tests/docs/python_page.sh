#!/bin/bash
# Runs every Python example of docs/reference/python.md, as it stands there, on a result that is made now. Skips, with
# the reason, where the packages of the examples are not here and cannot be installed.
#
#   tests/docs/python_page.sh LEVELFIELD DIRECTORY
set -euo pipefail
program=$1
work=$2
source=$(realpath "$(dirname "$0")/../..")
if ! tools=$("$source/scripts/python_tools.sh" packages/python_readers.txt 2>"$work.log"); then
  echo "skipped: pandas and DuckDB are not here, and pip could not install them:"
  tail -n 3 "$work.log"
  exit 77
fi
rm -rf "$work"
mkdir "$work"
cd "$work"
"$program" run --name=readers --num=2000 --repeat=2 --engine=leveldb,memory \
  --benchmarks=fillrandom,readrandom,readwhilewriting >run.log
result=$(echo results/*-readers)
"$program" report "$result" --format=csv >rounds.csv
# The examples name a result that a reader has; here it is this one.
awk '$0 == "```python" {on = 1; next} /^```$/ {on = 0} on {print}' "$source/docs/reference/python.md" |
  sed "s|results/2026-11-22-bench|$result|" >examples.py
PATH=$(dirname "$program"):$PATH PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 \
  "$tools/bin/python" examples.py >said
cat said
# Each of the five examples has a rate of each engine in each workload.
for word in fillrandom readrandom readwhilewriting; do
  [[ $(grep -c "\b$word\b" said) -ge 5 ]] || { echo "an example has no $word"; exit 1; }
done
[[ $(wc -l <examples.py) -ge 10 ]]
