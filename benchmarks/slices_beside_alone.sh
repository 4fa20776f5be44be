#!/bin/bash
# Whether engines that are measured in one run have the ratios that they have alone, and their percentiles.
#   benchmarks/slices_beside_alone.sh [BUILD_DIRECTORY [BLOCKS [FLAG...]]]
# A block measures all seven engines in one run, with the flags (as `--slices=on`; none: as `make bench` does), and
# each one alone, in the order together, alone, alone, together, at 11 MB of data; each fourth block is at 110 MB.
# Alone beside alone is the control: it shows the machine.
#
# Adds the blocks to benchmarks/recorded/slices_beside_alone.csv, where those of earlier campaigns are. Then it prints,
# of all blocks with these flags, a row for each size, workload and figure: how far the engines are apart in
# (together / alone), the largest over the smallest, with the interval that holds with 95 % for all rows at once; and
# the same of the control. Exit code 0: no row is more than 3 % apart (fills and percentiles 5 %). 1: one is. 3: too
# noisy to say, or fewer than eight blocks.
#
# A block takes two minutes, or eight. An interrupted block is not recorded. The noise of this measurement is the
# processor's cache: where neighbours of a virtual machine use it, too, the reads of one engine differ by up to two
# times between two processes, and shorter measurements of more processes say more.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(cd "${1:-build}" && pwd)
blocks=${2:-24}
shift $(($# < 2 ? $# : 2))
engines=(leveldb rocksdb sqlite3 treedb lmdb berkeleydb wiredtiger)
workloads=readrandom,readmissing,readhot,seekrandom,readseq,readrandomwriterandom,overwrite,fillseq,fillrandom
recorded=benchmarks/recorded/slices_beside_alone.csv
flags=${*:-default}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p benchmarks/recorded
[[ -e $recorded ]] || echo flags,block,keys,workload,engine,how,time,rate,p50_ns,p99_ns,p99.9_ns >"$recorded"
last=$(awk -F, -v flags="$flags" '$1 == flags { most = $2 > most ? $2 : most } END { print most + 0 }' "$recorded")

measure() {  # HOW TIME ENGINES FLAG...
  local how=$1 time=$2 engines=$3
  shift 3
  rm -rf "$work/results"
  "$build/levelfield" run --engine="$engines" --repeat=1 --num="$keys" --seed="$block" --duration=0.15 --price=0 \
    --audit=0 --benchmarks=$workloads --results="$work/results" --db="$work/db" "$@" >"$work/log" 2>&1 ||
    cat "$work/log" >&2
  "$build/levelfield" report --format=csv "$work"/results/* | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["outcome"] == "ok":
        print(*sys.argv[1:4], row["benchmark"], row["engine"], *sys.argv[4:],
              round(float(row["operations_per_second"])), row["p50_ns"], row["p99_ns"], row["p99.9_ns"], sep=",")
' "$flags" "$block" "$keys" "$how" "$time" >>"$work/block"
}

all=$(IFS=, && echo "${engines[*]}")
for ((block = last + 1; block <= last + blocks; ++block)); do
  keys=$((block % 4 == 0 ? 1000000 : 100000))
  rm -f "$work/block"
  measure together 1 "$all" "$@"
  for time in 1 2; do
    for engine in "${engines[@]}"; do measure alone $time "$engine"; done
  done
  measure together 2 "$all" "$@"
  cat "$work/block" >>"$recorded"
done

python3 - "$recorded" "$flags" <<'PYTHON'
import collections, csv, itertools, math, random, statistics, sys

FIGURES = ("rate", "p50_ns", "p99_ns")  # Of p99.9, blocks have too few.
logarithms = collections.defaultdict(dict)  # ((keys, workload, figure), engine) -> {(block, how, time): logarithm}
with open(sys.argv[1], encoding="utf-8") as lines:
    for row in csv.DictReader(lines):
        if row["flags"] != sys.argv[2]:
            continue
        for figure in FIGURES:
            if row[figure]:
                of = logarithms[(int(row["keys"]), row["workload"], figure), row["engine"]]
                of[int(row["block"]), row["how"], int(row["time"])] = math.log(float(row[figure]))


def logs(key, above, below):
    """One of each block: the mean of `above` over that of `below`, where all four are there."""
    of = logarithms[key]
    blocks = sorted({block for block, _, _ in of})
    wanted = [[(block, *run) for run in (*above, *below)] for block in blocks]
    there = [[of[run] for run in runs] for runs in wanted if all(run in of for run in runs)]
    return [statistics.mean(of_both[:len(above)]) - statistics.mean(of_both[len(above):]) for of_both in there]


TOGETHER, ALONE = [("together", 1), ("together", 2)], [("alone", 1), ("alone", 2)]
PAIRS = {"together / alone": (TOGETHER, ALONE), "alone / alone": (ALONE[:1], ALONE[1:])}


def spreads(pair, draws=2000):
    """For each row: the largest over the smallest, and what is between its bounds for all rows at once. By the
    bootstrap over blocks: the largest deviation of any two engines' difference, in units of its own error."""
    rows = collections.defaultdict(dict)
    for row, engine in logarithms:
        found = logs((row, engine), *PAIRS[pair])
        if len(found) > 1:
            rows[row][engine] = found
    chance = random.Random(1)
    differences = {}
    for row, of in rows.items():
        for one, other in itertools.combinations(sorted(of), 2):
            apart = [a - b for a, b in zip(of[one], of[other])]
            error = statistics.stdev(apart) / math.sqrt(len(apart))
            differences[row, one, other] = apart, statistics.mean(apart), max(error, 1e-9)
    greatest = []
    for _ in range(draws):
        largest = 0
        for apart, mean, _ in differences.values():
            drawn = chance.choices(apart, k=len(apart))
            drawn_error = max(statistics.pstdev(drawn) / math.sqrt(len(drawn) - 1), 1e-9)
            largest = max(largest, min(abs(statistics.mean(drawn) - mean) / drawn_error, 30))
        greatest.append(largest)
    width = sorted(greatest)[int(0.95 * draws)] if greatest else 0
    result = {}
    for row in rows:
        of_row = [(abs(mean), error) for (its_row, _, _), (_, mean, error) in differences.items() if its_row == row]
        result[row] = (max(mean for mean, _ in of_row), max(max(0, mean - width * error) for mean, error in of_row),
                       max(mean + width * error for mean, error in of_row))
    return result


found = {pair: spreads(pair) for pair in PAIRS}
status = 0
print(f"{'keys':>9}  {'workload':22} {'figure':8} {'together / alone':>24}  {'alone / alone':>24}")
for row in sorted(found["together / alone"]):
    texts = []
    for pair in PAIRS:
        spread, low, high = (math.exp(value) for value in found[pair].get(row, (0, 0, 0)))
        texts.append(f"{spread:.3f} [{low:.3f}, {high:.3f}]")
    _, low, high = (math.exp(value) for value in found["together / alone"][row])
    most = 1.03 if row[2] == "rate" and not row[1].startswith("fill") else 1.05
    blocks = len({block for key in logarithms if key[0] == row for block, _, _ in logarithms[key]})
    says = "too few blocks" if blocks < 8 else "apart" if low > most else "too noisy" if high > most else ""
    status = 1 if says == "apart" else max(status, 3) if says and status != 1 else status
    print(f"{row[0]:9}  {row[1]:22} {row[2].removesuffix('_ns'):8} {texts[0]:>24}  {texts[1]:>24}  {says}")
sys.exit(status)
PYTHON
