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
# the same of the control. Rows of means are of several workloads and of both sizes together: the noise of one row is
# the largest of 21 pairs of engines, and theirs is less.
#
# Exit code 1: a row is more than 3 % apart (fills and percentiles 5 %). 3: the means are too noisy to say, or there are
# fewer than eight blocks. 0: no row is apart, and the means are precise enough to say so.
#
# A block takes two minutes, or four with the larger stores. An interrupted block is not recorded. The noise of this
# measurement is the processor's cache: where neighbours of a virtual machine use it, too, the reads of one engine
# differ by up to two times between two processes, and shorter measurements of more processes say more.
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
import collections, csv, itertools, math, operator, random, statistics, sys

LEAST_BLOCKS = 3  # For bounds.
ENOUGH_BLOCKS = 8  # To say that nothing is apart.
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

MEANS = {"mean of reads": ("readrandom", "readmissing", "readhot", "seekrandom", "readseq"),
         "mean of writes": ("readrandomwriterandom", "overwrite", "fillseq", "fillrandom")}
ALL_SIZES = 0  # In place of the keys.
parts = collections.defaultdict(list)
for ((_, workload, figure), engine), of in logarithms.items():
    for name, workloads in MEANS.items():
        for run, logarithm in of.items() if workload in workloads else ():
            parts[(ALL_SIZES, name, figure), engine, run].append(logarithm)
for (row, engine, run), all_parts in parts.items():
    if len(all_parts) == len(MEANS[row[1]]):
        logarithms[row, engine][run] = statistics.mean(all_parts)


def logs(key, above, below):
    """For each block that has all four runs: the mean logarithm of `above`, less that of `below`."""
    of = logarithms[key]
    there = {}
    for block in sorted({block for block, _, _ in of}):
        runs = [[of.get((block, *run)) for run in some] for some in (above, below)]
        if None not in runs[0] + runs[1]:
            there[block] = statistics.mean(runs[0]) - statistics.mean(runs[1])
    return there


TOGETHER, ALONE = [("together", 1), ("together", 2)], [("alone", 1), ("alone", 2)]
PAIRS = {"together / alone": (TOGETHER, ALONE), "alone / alone": (ALONE[:1], ALONE[1:])}


def weights_of(figure, blocks):
    """How much a block says: one over the variance of its control, which tells how much the machine disturbed it."""
    weights = []
    for block in blocks:
        control = collections.defaultdict(list)
        for (row, _), of in logarithms.items():
            if row[2] == figure and row[0] != ALL_SIZES and (block, "alone", 1) in of and (block, "alone", 2) in of:
                control[row].append(of[block, "alone", 1] - of[block, "alone", 2])
        weights.append(1 / statistics.mean(statistics.variance(of_row) for of_row in control.values()))
    return weights


def pairs_of(of_engines, weights):
    """For each two engines, as logarithms: how far they are apart, and two errors: of what all engines' blocks differ
    by apart from their own mean and the engine's, and of the two alone, which may vary more."""
    of_block = [statistics.mean(values) for values in zip(*of_engines)]
    apart = [[value - mean for value, mean in zip(values, of_block)] for values in of_engines]
    means = [sum(map(operator.mul, weights, values)) / sum(weights) for values in apart]
    variances = [sum(weight * (value - mean) ** 2 for weight, value in zip(weights, values)) / sum(weights)
                 / (len(weights) - 1) for values, mean in zip(apart, means)]
    of_all = sum(variances) / (len(variances) - 1)
    return [(abs(means[i] - means[j]), math.sqrt(of_all), math.sqrt((variances[i] + variances[j]) / 2))
            for i, j in itertools.combinations(range(len(means)), 2)]


def reach(rows, engines, freedom, draws=4000):
    """How many standard errors apart equally fast engines are at most, in all rows at once, in 95 % of the draws."""
    chance = random.Random(1)

    def studentized_range():
        values = [chance.gauss(0, 1) for _ in range(engines)]
        return (max(values) - min(values)) / math.sqrt(chance.gammavariate(freedom / 2, 2) / freedom)

    return sorted(max(studentized_range() for _ in range(rows)) for _ in range(draws))[int(0.95 * draws)]


def spreads(pair):
    """For each row: the largest over the smallest engine, its bounds for all rows at once (Tukey's), and the number of
    blocks."""
    rows = collections.defaultdict(list)
    for row, engine in logarithms:
        rows[row].append(logs((row, engine), *PAIRS[pair]))
    found = {}
    for row, of in rows.items():
        blocks = sorted(set.intersection(*(set(values) for values in of)))
        if len(blocks) > 1:
            of_engines = [[values[block] for block in blocks] for values in of]
            found[row] = pairs_of(of_engines, weights_of(row[2], blocks)), len(blocks)
    rows_with_bounds = sum(blocks >= LEAST_BLOCKS for _, blocks in found.values())
    reaches = {blocks: [reach(rows_with_bounds, 7, engines * (blocks - 1)) for engines in (6, 2)]
               for blocks in {it[1] for it in found.values()}}
    result = {}
    for row, (pairs, blocks) in found.items():
        widths = [max(map(operator.mul, reaches[blocks], errors)) for _, *errors in pairs]
        result[row] = (max(apart for apart, *_ in pairs),
                       max(max(0, apart - width) for (apart, *_), width in zip(pairs, widths)),
                       max(apart + width for (apart, *_), width in zip(pairs, widths)), blocks)
    return result


found = {pair: spreads(pair) for pair in PAIRS}
status = 0
print(f"{'keys':>9}  {'workload':22} {'figure':8} {'together / alone':>24}  {'alone / alone':>24}")
for row in sorted(found["together / alone"]):
    texts = []
    for pair in PAIRS:
        *logarithms_of_it, blocks = found[pair].get(row, (0, 0, 0, 0))
        spread, low, high = (math.exp(value) for value in logarithms_of_it)
        texts.append(f"{spread:.3f} [{low:.3f}, {high:.3f}]" if blocks >= LEAST_BLOCKS else f"{spread:.3f}")
    *logarithms_of_it, blocks = found["together / alone"][row]
    _, low, high = (math.exp(value) for value in logarithms_of_it)
    most = 1.03 if row[2] == "rate" and not row[1].startswith("fill") else 1.05
    says = ("apart" if low > most and blocks >= LEAST_BLOCKS else "too few blocks" if blocks < ENOUGH_BLOCKS else
            "too noisy" if high > most else "")
    if says == "apart":
        status = 1
    elif says and row[1] in MEANS and status == 0:
        status = 3
    keys = row[0] if row[0] != ALL_SIZES else "all"
    print(f"{keys:>9}  {row[1]:22} {row[2].removesuffix('_ns'):8} {texts[0]:>24}  {texts[1]:>24}  {says}")
sys.exit(status)
PYTHON
