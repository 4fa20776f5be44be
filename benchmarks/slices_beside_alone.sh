#!/bin/bash
# Whether engines that are measured in one run have the ratios that they have alone, and their percentiles.
#   benchmarks/slices_beside_alone.sh [BUILD_DIRECTORY [BLOCKS [FLAG...]]]
# A block measures all seven engines in one run, with the flags (as `--slices=on`; none: as `make bench` does), and
# each one alone, in the order together, alone, alone, together, at 11 MB of data; each third block is at 110 MB.
# Alone beside alone is the control: it shows the machine.
#
# Prints a row for each size and workload: how far the engines are apart in (together / alone), the largest over the
# smallest, with the interval that holds with 95 % for all rows at once; and the same of the control. Exit code 0: no
# row is more than 3 % apart (fills 5 %). 1: one is. 3: too noisy to say.
#
# The results stay in slices_beside_alone/FLAGS/, so a campaign may be interrupted. A block takes three minutes, or ten.
# The noise of this measurement is the processor's cache: where neighbours of a virtual machine use it, too, the reads
# of one engine differ by up to two times between two processes, and shorter measurements of more processes say more.
set -euo pipefail
build=$(cd "${1:-build}" && pwd)
blocks=${2:-24}
shift $(($# < 2 ? $# : 2))
engines=(leveldb rocksdb sqlite3 treedb lmdb berkeleydb wiredtiger)
workloads=readrandom,readmissing,readhot,seekrandom,readseq,readrandomwriterandom,overwrite,fillseq,fillrandom
results=slices_beside_alone/${*:-default}
mkdir -p "$results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

measure() {  # NAME ENGINES KEYS SEED FLAG...
  local name=$1 engines=$2 keys=$3 seed=$4
  shift 4
  [[ ! -e $results/$name.csv ]] || return 0
  rm -rf "$work/results"
  "$build/levelfield" run --engine="$engines" --repeat=1 --num="$keys" --seed="$seed" --duration=0.3 --price=0 \
    --audit=0 \
    --benchmarks=$workloads --results="$work/results" --db="$work/db" "$@" >"$work/log" 2>&1 || cat "$work/log" >&2
  "$build/levelfield" report --format=csv "$work"/results/* >"$work/csv"
  mv "$work/csv" "$results/$name.csv"
}

all=$(IFS=, && echo "${engines[*]}")
for ((block = 1; block <= blocks; ++block)); do
  keys=$((block % 3 == 0 ? 1000000 : 100000))
  measure "$block.$keys.together.1" "$all" $keys $block "$@"
  for time in 1 2; do
    for engine in "${engines[@]}"; do measure "$block.$keys.alone.$time.$engine" "$engine" $keys $block; done
  done
  measure "$block.$keys.together.2" "$all" $keys $block "$@"
done

exec python3 - "$results" <<'PYTHON'
import collections, csv, glob, itertools, math, random, statistics, sys

rates = collections.defaultdict(dict)  # (keys, workload, engine) -> {(block, how, time): rate}
for path in sorted(glob.glob(f"{sys.argv[1]}/*.csv")):
    block, keys, how, time = path.split("/")[-1].split(".")[:4]
    with open(path, encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["outcome"] == "ok":
                key = int(keys), row["benchmark"], row["engine"]
                rates[key][int(block), how, int(time)] = math.log(float(row["operations_per_second"]))


def logs(key, above, below):
    """One of each block: the mean of `above` over that of `below`, where all four are there."""
    of = rates[key]
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
    for keys, workload, engine in rates:
        found = logs((keys, workload, engine), *PAIRS[pair])
        if len(found) > 1:
            rows[keys, workload][engine] = found
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
print(f"{'keys':>9}  {'workload':22} {'together / alone':>24}  {'alone / alone':>24}")
for row in sorted(found["together / alone"]):
    texts = []
    for pair in PAIRS:
        spread, low, high = (math.exp(value) for value in found[pair].get(row, (0, 0, 0)))
        texts.append(f"{spread:.3f} [{low:.3f}, {high:.3f}]")
    _, low, high = (math.exp(value) for value in found["together / alone"][row])
    most = 1.05 if row[1].startswith("fill") else 1.03
    says = "apart" if low > most else "too noisy" if high > most else ""
    status = 1 if says == "apart" else max(status, 3) if says and status != 1 else status
    print(f"{row[0]:9}  {row[1]:22} {texts[0]:>24}  {texts[1]:>24}  {says}")
sys.exit(status)
PYTHON
