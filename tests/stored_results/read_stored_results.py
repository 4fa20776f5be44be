#!/usr/bin/env python3
"""Whether this Levelfield reads what released ones have stored, as docs/reference/result_format.md promises.

  read_stored_results.py PROGRAM [VERSION_DIRECTORY...]
  read_stored_results.py --store PROGRAM VERSION_DIRECTORY   a release does this once, and never again

A version's directory has `result`, which that version's program made, and what it said of it then: `figures.csv`
(`report --format=csv`) and `verdicts.json` (`compare --format=json`). Later programs may say more. What is there has
to stay: each cell of the CSV by the name of its column, and each verdict with its ratio.
"""
import csv
import io
import json
import pathlib
import subprocess
import sys

RUN = ("run --engine=leveldb,lmdb,null --num=2000 --duration=0.03 --repeat=6 --name=stored --benchmarks=fillrandom,"
       "readrandom,readmissing,seekrandom,readseq,readwhilewriting,updaterandom,ycsb-e,fillsync,deleterandom,compact"
       ).split()


def said(program, *words):
    """What it printed. A verdict may be that something is slower."""
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or done.returncode == 1 and words[0] != "compare":
        sys.exit(f"{words}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def figures(program, result):
    return said(program, "report", "--format=csv", result)


def verdicts(program, result):
    """By workload, engine and figure."""
    blocks = json.loads(said(program, "compare", "--format=json", "-v", result))
    rows = [row for block in blocks for row in block.get("rows", []) if "verdict" in row]
    return {f"{row['workload']} {row['candidate']} {row['figure']}": [row["verdict"], row.get("ratio")] for row in rows}


def store(program, version):
    version.mkdir(parents=True)
    subprocess.run([program, *RUN, f"--results={version}/runs"], check=True, stdout=subprocess.DEVNULL)
    (made,) = (version / "runs").iterdir()
    made.rename(version / "result")
    (version / "runs").rmdir()
    (version / "result" / "report.html").unlink()
    (version / "figures.csv").write_text(figures(program, version / "result"), encoding="utf-8")
    (version / "verdicts.json").write_text(json.dumps(verdicts(program, version / "result"), indent=1) + "\n",
                                           encoding="utf-8")


def differences(program, version):
    result = version / "result"
    for words in (["report"], ["report", "-v"], ["report", "--format=markdown"], ["report", "--format=json"],
                  ["diagnose"]):
        if not said(program, *words, result).strip():
            yield f"{words}: printed nothing"
    then = list(csv.DictReader(io.StringIO((version / "figures.csv").read_text(encoding="utf-8"))))
    now = list(csv.DictReader(io.StringIO(figures(program, result))))
    if len(now) != len(then):
        yield f"the CSV has {len(now)} rows, and had {len(then)}"
    for number, (old, new) in enumerate(zip(then, now), 2):
        for column, cell in old.items():
            if new.get(column) != cell:
                yield f"figures.csv:{number}: {column} was {cell!r} and is {new.get(column)!r}"
    now = verdicts(program, result)
    for row, old in json.loads((version / "verdicts.json").read_text(encoding="utf-8")).items():
        if now.get(row) != old:
            yield f"verdicts.json: {row} was {old} and is {now.get(row)}"


def main():
    if sys.argv[1:2] == ["--store"]:
        return store(sys.argv[2], pathlib.Path(sys.argv[3]))
    program = sys.argv[1]
    versions = [pathlib.Path(word) for word in sys.argv[2:]]
    versions = versions or sorted(path.parent for path in pathlib.Path(__file__).parent.glob("*/result"))
    if not versions:
        sys.exit("no result is stored here")
    found = [f"{version.name}: {text}" for version in versions for text in differences(program, version)]
    print("\n".join(found) or f"{len(versions)} read as they were")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
