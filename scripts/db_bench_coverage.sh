#!/bin/bash
# Tries each flag of RocksDB's own db_bench, at another value than its default and at the least and the most of its type,
# in both programs with one library, and counts it only if what it changes in the original it changes here: the options of
# the store (OPTIONS), what LOG tells of its caches and limiter, what was counted, or the lines that are printed. Prints
# the share of what the original itself honours, and a line for each of the rest.
#
#   scripts/db_bench_coverage.sh [--build=build] [FLAG...]      default: all flags; some ten minutes
#
# The original is Debian's (package rocksdb-tools), and ours loads the same library. Flags that came later have a line of
# their own: whether ours takes their default value, as the case RocksDbNames.take_every_flag... shows.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -x /usr/bin/db_bench ]] || { echo "RocksDB's db_bench is not there: apt-get install rocksdb-tools" >&2; exit 2; }
exec python3 - "$@" <<'PYTHON'
import glob, os, re, shutil, subprocess, sys, tempfile

build = next((a[8:] for a in sys.argv[1:] if a.startswith("--build=")), "build")
only = [a for a in sys.argv[1:] if not a.startswith("--")]
PROGRAMS = {"theirs": ["/usr/bin/db_bench"], "ours": [os.path.abspath(build) + "/db_bench_rocksdb", "--engine=rocksdb@system"]}
WORK = ["--benchmarks=fillseq,readrandom,seekrandom", "--num=600", "--seed=7", "--statistics", "--progress_reports=0"]
# They name or time what each run has of its own.
UNSTEADY = re.compile("micros|nanos|time|seconds|stall|db_session|db_host|seed|_id$|capacity_ratio|memory_allocator")
# Flags of a run and not of a store, which both programs are given here, or which would not end.
LEFT_OUT = {"benchmarks", "db", "help", "helpfull", "helpmatch", "helpon", "helppackage", "helpshort", "helpxml", "version",
            "flagfile", "fromenv", "tryfromenv", "undefok", "tab_completion_columns", "tab_completion_word", "num", "seed",
            "statistics", "progress_reports", "wal_dir", "duration"}


def flags():
    """(name, type, default) of each, as gflags tells them."""
    text = subprocess.run(["/usr/bin/db_bench", "--helpfull"], capture_output=True, text=True).stdout
    text = next(part for part in text.split("Flags from ") if "db_bench_tool.cc" in part[:80])
    text = re.sub(r"\s+", " ", text)
    found = re.findall(r" -(\w+) \((.*?)\) type: (\w+) default: (.*?)(?= -\w+ \(|$)", text)
    return [(name, kind, default.strip().strip('"')) for name, _, kind, default in found if name not in LEFT_OUT]


def values(kind, default):
    """Another one than the default, then the least and the most."""
    if kind == "bool":
        return ["false" if default == "true" else "true"]
    if kind == "double":
        return [str(float(default) / 2 + 0.25), "0", "1"]
    if kind == "string":
        return {"snappy": ["zstd", "none", "lz4"], "none": ["zstd"], "skip_list": ["vector"], "fixed": ["uniform", "normal"],
                "lru_cache": ["clock_cache"]}.get(default, ["another"])
    most = {"int32": 2**31 - 1, "uint32": 2**32 - 1, "int64": 2**63 - 1, "uint64": 2**64 - 1}[kind]
    return [str(int(default) * 2 if int(default) > 0 else 2), "0", str(most)]


def run(program, flag, directory):
    """What a run shows: its exit code, its options, what it counted and printed."""
    place = f"{directory}/{program}"
    shutil.rmtree(place, ignore_errors=True)
    command = PROGRAMS[program] + WORK + [f"--db={place}"] + ([flag] if flag else [])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=directory, errors="replace")
    except subprocess.TimeoutExpired:
        return None
    if done.returncode not in (0, 3):
        return (done.stderr.strip().splitlines() or done.stdout.strip().splitlines() or ["no word"])[-1]
    shown = {}
    for path in sorted(glob.glob(place + "/OPTIONS-*"))[-1:]:
        for line in open(path):
            name, equals, value = line.strip().partition("=")
            if equals and not name.startswith("#"):
                shown["option " + name] = value
    for line in open(place + "/LOG", errors="replace") if os.path.exists(place + "/LOG") else ():
        found = re.search(r"(?:Options\.|^\s+)([a-z_.\[\]0-9]+)\s*: (.*)", line)
        if found and not re.search("0x", found[2]):
            shown["LOG " + found[1]] = found[2].strip()
    for line in done.stdout.splitlines():
        if found := re.match(r"(rocksdb\.[a-z.-]+) (?:P50 .*)?COUNT : (\d+)", line):
            shown["count " + found[1]] = found[2]
        elif found := re.match("(Keys|Values|Entries|Prefix|RawSize|FileSize|Write rate|Read rate|Compression|Memtablerep|Perf Level):(.*)", line):
            shown["line " + found[1]] = " ".join(found[2].split())
        elif found := re.match(r"(\w+) +: .* (\d+) operations", line):
            shown["line " + found[1]] = found[2]
    return {name: value for name, value in shown.items() if not UNSTEADY.search(name)}


def changes(base, other):
    return {name: other.get(name) for name in {*base, *other} if base.get(name) != other.get(name)}


with tempfile.TemporaryDirectory() as directory:
    base = {program: run(program, "", directory) for program in PROGRAMS}
    again = {program: run(program, "", directory) for program in PROGRAMS}
    noise = {name for program in PROGRAMS for name in changes(base[program], again[program])}
    honoured = same = 0
    rest = []
    for name, kind, default in flags():
        if only and name not in only:
            continue
        verdicts = []
        for value in values(kind, default):
            flag = f"--{name}={value}"
            theirs = run("theirs", flag, directory)
            if not isinstance(theirs, dict):
                continue  # The original does not take it.
            wanted = {key: to for key, to in changes(base["theirs"], theirs).items() if key not in noise}
            if not wanted:
                continue  # It shows nothing that can be compared.
            ours = run("ours", flag, directory)
            if isinstance(ours, str) and " was asked for, and " in ours:
                continue  # The original takes it and has another value in force, which is said here.
            if not isinstance(ours, dict):
                verdicts.append(f"{flag}: refused: {ours}")
                continue
            # Only what both tell is compared, and first of all the options.
            kinds = {key.split()[0] for key in wanted}
            most_telling = "option" if "option" in kinds else "LOG" if "LOG" in kinds else "line" if "line" in kinds else "count"
            missing = {key: to for key, to in wanted.items() if key.startswith(most_telling) and ours.get(key) != to}
            verdicts.append(f"{flag}: " + ", ".join(f"{key} is {to} there and {ours.get(key)} here"
                                                   for key, to in sorted(missing.items())[:3]) if missing else "")
        if verdicts:
            honoured += 1
            same += not any(verdicts)
            rest += [verdict for verdict in verdicts if verdict]
    for line in rest:
        print(line[:300])
    print(f"{same} of {honoured} flags that change anything that can be seen in the original change the same here: "
          f"{100 * same / max(honoured, 1):.1f} %")
    sys.exit(0 if honoured and same >= 0.95 * honoured else 1)
PYTHON
