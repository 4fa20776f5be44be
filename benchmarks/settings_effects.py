#!/usr/bin/env python3
"""Measures what each setting does that an engine is given otherwise than its library has it: one engine in two variants
that take turns round by round, as in every other run. `levelfield docs settings` lists the settings.

  benchmarks/settings_effects.py [--build=build] [--again] [ENGINE...]

Writes benchmarks/settings_effects.tsv after each setting, and passes over what is there already, unless --again. About
a minute a setting. Where the cache of builds (LEVELFIELD_CACHE) has RocksDB's release and one of `make rocksdb`
of the same version, the two are measured as well. Afterwards:

  build/levelfield docs fairness benchmarks/settings_effects.tsv >docs/generated/fairness.md
"""
import argparse
import datetime
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
FILE = os.path.join(HERE, "settings_effects.tsv")
COLUMNS = "engine option without with terms workload ratio low high version crc32 when load".split()
# What is read is loaded first, by both variants in full.
TERMS = "--slices=off --price=0 --audit=0 --benchmarks=readrandom,overwrite".split()
# 11 MB of data; or 110 MB, for long enough that buffers are written and compacted many times.
KEYS = "--num=100000 --duration=0.5 --repeat=8"
MANY_KEYS = "--num=1000000 --duration=3 --repeat=6"
OF_BUFFERS = ("write_buffer_size", "max_bytes_for_level_base", "target_file_size_base", "max_background_jobs",
              "bytes_per_sync")
# 11 MB of data do not fit, so that nearly each read loads a block, which is when it is compared.
SMALL_CACHE = "--cache_size=1M"


def rows():
    if not os.path.exists(FILE):
        return []
    with open(FILE, encoding="utf-8") as lines:
        return [dict(zip(COLUMNS, line.rstrip("\n").split("\t"))) for line in lines if not line.startswith("#")]


def write(all_rows):
    text = "# Made by benchmarks/settings_effects.py: see there. Columns: " + ", ".join(COLUMNS) + "\n"
    text += "".join("\t".join(row[column] for column in COLUMNS) + "\n" for row in all_rows)
    with open(FILE + ".new", "w", encoding="utf-8") as new:
        new.write(text)
    os.replace(FILE + ".new", FILE)


def said(levelfield, *words):
    return subprocess.run([levelfield, *words], check=True, capture_output=True, text=True).stdout


def facts_in(result):
    """Of the engine that was measured last."""
    with open(result + "/manifest.json", encoding="utf-8") as manifest:
        engine = json.load(manifest)["engines"][-1]
    told = {fact["name"]: fact["value"] for fact in engine["facts"]}
    return {"version": told["version"], "crc32": told.get("crc32", "-")}


def measured(levelfield, words, baseline):
    """What the engine is, and workload, ratio, low and high of the second variant over the first."""
    work = tempfile.mkdtemp()
    try:
        run = subprocess.run([levelfield, "run", *words, *TERMS, "--results=" + work, "--db=" + work + "/db"],
                             capture_output=True, text=True)
        if run.returncode != 0 and "slower" not in run.stdout:
            sys.exit(f"levelfield run {' '.join(words)}: exit {run.returncode}\n{run.stdout}{run.stderr}")
        result = os.path.dirname(glob.glob(work + "/*/results.jsonl")[0])
        compare = ["compare", "--format=json", result]
        compare += [f"--baseline={baseline}"] if baseline else []
        tables = json.loads(subprocess.run([levelfield, *compare], capture_output=True, text=True).stdout)
        return facts_in(result), [(row["workload"], row["ratio"], row["low"], row["high"]) for table in tables
                                  for row in table.get("rows", []) if row.get("figure") == "rate" and "ratio" in row]
    finally:
        shutil.rmtree(work)


def libraries(levelfield):
    """Both builds of RocksDB of one version."""
    cache = os.environ.get("LEVELFIELD_CACHE") or os.path.realpath(os.path.dirname(levelfield) + "/engines/rocksdb")
    for own in sorted(glob.glob(cache + "/rocksdb-*-own/build.txt")):
        version = own.split("/")[-2].split("-")[1]
        if os.path.exists(f"{cache}/rocksdb-{version}-maven/build.txt"):
            yield "rocksdb", "library", "library", f"{version}-maven", f"{version}-own", ""


def measure(levelfield, setting):
    engine, kind, option, without, with_it, others = setting
    terms = MANY_KEYS if kind == "library" or option in OF_BUFFERS else KEYS
    if kind in ("checked", "unchecked"):
        terms += " " + SMALL_CACHE
    if kind == "library":
        words = [f"--engine={engine}@{without},{engine}@{with_it}", *terms.split()]
        baseline = f"{engine}@{without}"
    else:
        flag = option if option in ("cache_size", "compression") else f"{engine}.{option}"
        words = [f"--engine={engine}", f"--vary={flag}={without},{with_it}", *others.split(), *terms.split()]
        baseline = ""
    load = os.getloadavg()[0]
    facts, ratios = measured(levelfield, words, baseline)
    return [{"engine": engine, "option": option, "without": without, "with": with_it, "terms": terms,
             "workload": workload, "ratio": f"{ratio:.3f}", "low": f"{low:.3f}", "high": f"{high:.3f}", **facts,
             "when": datetime.date.today().isoformat(), "load": f"{load:.1f}"}
            for workload, ratio, low, high in ratios]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", default=os.path.join(HERE, "../build"))
    arguments.add_argument("--again", action="store_true", help="also what is in the file already")
    arguments.add_argument("engines", nargs="*", metavar="ENGINE")
    asked = arguments.parse_args()
    levelfield = os.path.join(os.path.realpath(asked.build), "levelfield")
    listed = [tuple(line.split("\t")) for line in said(levelfield, "docs", "settings").splitlines()]
    settings = [*listed, *libraries(levelfield)]

    def key_of(row):
        return row["engine"], row["option"], row["without"], row["with"]

    order = [(one[0], *one[2:5]) for one in settings]
    # What no table lists any more goes; what was built elsewhere stays.
    write([row for row in rows() if key_of(row) in order or row["option"] == "library"])
    for setting, its_key in zip(settings, order):
        is_there = any(key_of(row) == its_key for row in rows())
        if asked.engines and setting[0] not in asked.engines or is_there and not asked.again:
            continue
        found = measure(levelfield, setting)
        for row in found:
            print(*its_key, row["workload"], row["ratio"], f"[{row['low']}, {row['high']}]", flush=True)
        write([row for row in rows() if key_of(row) != its_key] + found)
    write(sorted(rows(), key=lambda row: order.index(key_of(row)) if key_of(row) in order else len(order)))


if __name__ == "__main__":
    main()
