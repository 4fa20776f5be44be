"""Runs Levelfield, and reads its results as pandas frames.

    import levelfield
    result = levelfield.run(engine="leveldb,lmdb", benchmarks=["readrandom"], num="100k")
    result = levelfield.read("results/20261128-120000-run")
    result.figures[["workload", "engine", "rate_per_second", "latency_p99_ns"]]

All numbers are those that `levelfield report` prints for programs; nothing is computed here. The unit is the last word
of a column's name. pandas is imported when a frame is asked for.
"""
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

__all__ = ["Result", "UsageError", "program", "read", "run"]


class UsageError(ValueError):
    """The program refused the command line. Its words are the message; of run(), they are on stderr."""


def program():
    """The path of the program: the one that came with this package, else the `levelfield` in PATH."""
    bundled = pathlib.Path(__file__).parent / "bin" / "levelfield"
    path = str(bundled) if bundled.exists() else shutil.which("levelfield")
    if path is None:
        raise FileNotFoundError("no program `levelfield`: install the wheel, or put the program's directory into PATH")
    return path


def run(**flags):
    """`levelfield run` with these flags. Returns the Result, whose exit_code is the program's.

    A list is joined by commas, True and False are 1 and 0. Flags of an engine have a point in their names:
    run(engine="lmdb", **{"lmdb.readahead": 0}). The progress goes to stderr, as on the command line.
    """
    if "format" in flags:
        raise UsageError("run(): --format is for the command line; the Result has all of it")
    done = _call("run", *(f"--{name}={_text(value)}" for name, value in flags.items()))
    said = re.findall(r"(?m)^results: (.*)$", done.stdout)
    if not said:
        raise RuntimeError(f"levelfield run: exit code {done.returncode}, and no result:\n{done.stdout}")
    return Result(said[-1], done.returncode, done.stdout)


def read(directory):
    """The Result in a directory that `levelfield run` has made; `latest` and `latest~1` as on the command line."""
    return Result(os.fspath(directory))


class Result:
    """What a run has measured.

    directory  where its files are
    exit_code  of `levelfield run`; None of a result that was only read
    screen     what `levelfield run` printed; empty of a result that was only read
    blocks     what `levelfield report --format=json` prints, as lists and dictionaries

    The others are pandas frames, each made when it is first asked for.
    """

    def __init__(self, directory, exit_code=None, screen=""):
        self.directory = str(directory)
        self.exit_code = exit_code
        self.screen = screen
        self.blocks = json.loads(self._report("json"))
        self._frames = {}

    def __repr__(self):
        return f"levelfield.read({self.directory!r})"

    @property
    def figures(self):
        """A row for each workload and engine: the median rate and its interval, latencies and what else was measured.

        `rate_text` has the marks, or why there is no rate.
        """
        return self._frame("figures", lambda: _by_engine(self.blocks, is_rate=True))

    @property
    def costs(self):
        """A row for each workload and engine: processor time of an operation, bytes written for each, and so on."""
        return self._frame("costs", lambda: _by_engine(self.blocks, is_rate=False))

    @property
    def verdicts(self):
        """A row for each figure of each comparison of two engines: the ratio, its interval, and the verdict."""
        return self._frame("verdicts", lambda: _verdicts(self.blocks))

    @property
    def rounds(self):
        """A row for each workload of each round (`report --format=csv`)."""
        return self._csv("csv")

    @property
    def intervals(self):
        """A row for each interval of time, --interval_seconds long (`report --format=intervals`)."""
        return self._csv("intervals")

    @property
    def remarks(self):
        """What the result says besides its figures: dictionaries with the `kind`, the `cases` and the `text`."""
        return [{**block["remark"], "text": block["text"]} for block in self.blocks if "remark" in block]

    def _report(self, form):
        done = _call("report", f"--format={form}", self.directory)
        if not done.stdout:  # Of a result with something wrong in it, the exit code is not 0 either.
            raise RuntimeError(done.stderr.strip())
        return done.stdout

    def _csv(self, form):
        # Engines may be called `null`.
        return self._frame(form, lambda: _pandas().read_csv(io.StringIO(self._report(form)), keep_default_na=False,
                                                            na_values=[""]))

    def _frame(self, name, make):
        if name not in self._frames:
            made = make()
            self._frames[name] = made if not isinstance(made, list) else _pandas().DataFrame(made)
        return self._frames[name]


def _pandas():
    try:
        import pandas
    except ImportError as error:
        raise ImportError("frames are pandas frames, and pandas is not installed: pip install pandas") from error
    return pandas


def _call(*words):
    """Runs the program; what it says on stderr is passed on, and of a mistake on the command line raised."""
    is_run = words[0] == "run"
    done = subprocess.run([program(), *words], stdout=subprocess.PIPE, stderr=None if is_run else subprocess.PIPE,
                          text=True, encoding="utf-8", errors="replace")
    if done.returncode == 2:
        raise UsageError(done.stderr.strip() if done.stderr else "levelfield run refused the flags: see stderr")
    return done


def _text(value):
    if isinstance(value, bool):
        return str(int(value))
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _name(figure):
    """`p99.9` is latency_p99_9, `p99 response` response_p99, `written/put: device` written_put_device."""
    percentile = re.fullmatch(r"(p[0-9.]+|max)( service| response)?( a batch)?", figure)
    if percentile:
        figure = f"{percentile[2] or 'latency'} {percentile[1]}{percentile[3] or ''}"
    return re.sub(r"\W+", "_", figure).strip("_").lower()


def _by_engine(blocks, is_rate):
    """The tables of blocks that have a column for each engine, as a dictionary for each workload and engine."""
    rows, variant = [], None
    known = {}  # Two tables may have figures of one workload: of its cost, the brief ones and the others.
    for block in blocks:
        variant = block.get("section", variant)
        group = []  # Of one workload: its rows, an engine each.
        for row in block.get("rows", []):
            if "figure" not in row or "verdict" in row:
                continue
            if not row["is_detail"]:
                of = (variant, row["workload"], row["figure"] == "rate")
                is_new = of not in known
                group = known.setdefault(
                    of, [{"workload": row["workload"], "engine": engine} for engine in block["columns"]])
                for one in group if variant else []:
                    one["variant"] = variant
                if is_new and (row["figure"] == "rate") == is_rate:
                    rows += group
            # The interval is beside the rate already.
            for one, cell in zip(group, row["cells"]) if row["figure"] != "interval" else []:
                one.update(_columns(row["figure"], cell))
    return rows


def _columns(figure, cell):
    """The columns of a figure of one engine: value, low and high with the unit behind them, else its text."""
    unit = cell.get("unit")
    name = "_".join(word for word in _name(figure).split("_") if word != unit)
    columns = {f"{name}_text": cell["text"]} if figure == "rate" else {}
    if unit is None and cell["text"] and figure != "rate":
        columns[name] = cell["text"]
    for part, middle in (("value", ""), ("low", "_low"), ("high", "_high")):
        if part in cell:
            columns[f"{name}{middle}_{unit}"] = cell[part]
    return columns


def _verdicts(blocks):
    rows = [row for block in blocks for row in block.get("rows", []) if "verdict" in row]
    names = {"low": "ratio_low", "high": "ratio_high"}
    hidden = ("title", "cells", "is_detail")
    return [{names.get(name, name): value for name, value in row.items() if name not in hidden} for row in rows]
