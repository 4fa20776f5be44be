#!/usr/bin/env python3
"""Runs tests of the whole program that are written as text, tests/cases/*.case.

  tests/cases/run.py                         all of them, one after the other (ctest runs them side by side)
  tests/cases/run.py 'Repetition.*'          those of these names
  tests/cases/run.py repetition.case --keep  those of a file; their directories are left
  tests/cases/run.py --list                  file|name|seconds|label of each, for CMake

tests/cases/README.md says what a case may say.
Exit code: 0, 1 where a case failed, 2 where one cannot be read, 77 where all were skipped.
"""
import argparse
import ast
import fnmatch
import glob
import gzip
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace as Step

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
SECONDS = 180  # That a case may take, without a sanitizer.
SKIPPED = 77
STREAMS = {">": "out", "=": "out", "!": "out", "2>": "err", "2=": "err", "2!": "err"}
WORDS = ("$", "exits", *STREAMS, "check", "let", "python", "file", "sh", "needs", "each", "label", "time")
OF_A_RESULT = ("manifest", "lines", "runs", "run", "phases", "phases_of", "phase", "lane")


def stores():
    """The engines that keep a store and that `--engine=all` runs: those of engines/ but the baselines (LF_FLOOR) and
    those that run where they are named (LF_BY_NAME)."""
    texts = {os.path.basename(path)[:-3]: read(path) for path in sorted(glob.glob(SOURCE + "/engines/*.cc"))}
    return [name for name, text in texts.items() if "LF_FLOOR" not in text and "LF_BY_NAME" not in text]


class Broken(Exception):
    """A case that cannot be read."""


class Failed(Exception):
    """What a case expected did not come."""


# Reading cases.


def parse(path, engines=()):
    """The cases of a file, each row of an `each` a case of its own: [(name, steps)]. Those of each engine are of these
    engines, if any are given."""
    sections, steps, blank_lines = {}, [], 0
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" "))
        word, _, text = line[2:].partition(" ")
        if not line.strip():
            blank_lines += 1
            continue
        if not line.startswith(("#", "  #")):
            if indent == 0 and re.fullmatch(r"every case|[A-Z]\w*\.\w+", line) and line not in sections:
                steps = sections[line] = []
            elif indent == 2 and sections and word in WORDS:
                steps.append(Step(line=number, word=word, text=text))
            elif indent > 3 and steps:
                steps[-1].text += "\n" * (blank_lines + 1) + line[4:]
            else:
                raise Broken(f"{path}:{number}: neither the name of another case, nor a step two blanks "
                             f"below one ({' '.join(WORDS)}), nor more of a step, four blanks below: {line}")
        blank_lines = 0
    every = sections.pop("every case", [])
    cases = []
    for name, steps in sections.items():
        steps = every + steps
        for rows in itertools.product(*(table(path, step, engines) for step in steps if step.word == "each")):
            row = {column: value for part in rows for column, value in part.items()}
            cases.append((name + "".join("/" + next(iter(part.values())) for part in rows),
                          [filled(step, row) for step in steps if step.word != "each"]))
    return cases


def table(path, step, engines=()):
    """`each engine in a b c`, where <stores> are all of them, or a line of columns with a row for each case below it."""
    head, *lines = [line for line in step.text.split("\n") if line]
    if " in " in head:
        head, _, values = head.partition(" in ")
        lines = values.replace("<stores>", " ".join(stores())).split()
        if engines and head == "engine":
            lines = engines
    columns, *rows = [[cell.strip() for cell in re.split(r" \|(?: |$)", line)] for line in (head, *lines)]
    if not rows or {len(row) for row in rows} != {len(columns)} or len({row[0] for row in rows}) != len(rows):
        raise Broken(f"{path}:{step.line}: each row has {len(columns)} cells, the first of them a name of its own")
    return [dict(zip(columns, row)) for row in rows]


def filled(step, row):
    text = re.sub(r"<(\w+)>", lambda match: row.get(match[1], match[0]), step.text)
    return Step(line=step.line, word=step.word, text=text)


def pattern(text, is_whole_line):
    """What a text of a case matches."""
    result = ""
    for part in re.split(r"(\{\{.*?\}\}(?!\})|<number>| ?\.\.\. ?)", text):
        if part.strip() == "...":
            result += r"[^\n]*?"
        elif part == "<number>":
            result += r"[0-9][0-9.,]*"
        elif part.startswith("{{"):
            result += f"(?:{part[2:-2]})"
        elif is_whole_line:
            result += re.escape(part)
        else:
            result += r"\s+".join(map(re.escape, re.split(r"\s+", part)))
    return re.compile(f"^{result}$" if is_whole_line else result, re.MULTILINE)


# What checks look at.


class Record:
    """An object of JSON: `phase.roles`, `phase["a name"]`."""

    def __init__(self, members):
        self.__dict__.update(members)

    def __getattr__(self, name):
        raise AttributeError(f"no member {name} among {', '.join(self.__dict__)}")

    def __getitem__(self, name):
        return self.__dict__[name]

    def get(self, name):
        return self.__dict__.get(name)

    def __iter__(self):
        return iter(self.__dict__)

    def __eq__(self, other):
        return self.__dict__ == getattr(other, "__dict__", other)

    def __repr__(self):
        return repr(self.__dict__)


class Result:
    """A result directory."""

    def __init__(self, path):
        self.path = path
        self.manifest = json.loads(read(path + "/manifest.json"), object_hook=Record)
        self.lines = json_lines(path + "/results.jsonl")
        self.runs = [line for line in self.lines if line.type == "run"]
        self.phases = [line for line in self.lines if line.type == "phase"]
        details = path + "/details.jsonl.gz"
        of = {(line.run, line.phase): line for line in (json_lines(details) if os.path.exists(details) else ())}
        for phase in self.phases:
            add_details(phase, of.get((phase.run, phase.get("phase"))))
        for run in self.runs:
            run.phases = [phase for phase in self.phases if phase.run == run.run]
        for phase in self.phases:
            for role in phase.roles:
                role.operations = sum(lane.operations for lane in role.lanes if lane.operation != "conflict")
            phase.lane = phase.roles[0].lanes[0] if phase.roles and phase.roles[0].lanes else None

    def run(self, engine=None):
        return next(run for run in self.runs if engine in (None, run.engine))

    def phase(self, workload, engine=None):
        return next(phase for phase in self.run(engine).phases if phase.workload == workload)

    def lane(self, workload, engine=None, role=0, lane=0):
        return self.phase(workload, engine).roles[role].lanes[lane]

    def phases_of(self, *workloads):
        found = [phase for phase in self.phases if phase.workload in workloads]
        if missing := set(workloads) - {phase.workload for phase in found}:
            raise LookupError(f"no phase {', '.join(missing)}")
        return found


def add_details(part, details):
    """Gives a part of a phase's line what details.jsonl.gz has of it."""
    for name, value in vars(details).items() if isinstance(details, Record) else ():
        add_details(part.__dict__.setdefault(name, value), value)
    for element, of_it in zip(part, details) if isinstance(details, list) else ():
        add_details(element, of_it)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def json_lines(path):
    text = gzip.decompress(open(path, "rb").read()).decode() if path.endswith(".gz") else read(path)
    return [json.loads(line, object_hook=Record) for line in text.splitlines()]


def tsv_rows(path):
    """Of a table with a line of columns: row["ops_sec"]."""
    columns, *rows = [line.split("\t") for line in read(path).splitlines()]
    return [Record(dict(zip(columns, row, strict=True))) for row in rows]


def listing(path="."):
    return sorted(os.path.relpath(os.path.join(folder, name), path)
                  for folder, folders, files in os.walk(path) for name in folders + files)


def newest_result(path="."):
    found = glob.glob(path + "/**/manifest.json", recursive=True)
    if not found:
        raise Failed(f"there is no result in {path}")
    return os.path.normpath(os.path.dirname(max(found, key=os.path.getmtime)))


def percentile(histogram, share):
    """The least value of the bucket that it is in."""
    rank = max(1, round(share * histogram.count))
    for index, count in histogram.buckets:
        rank -= count
        if rank <= 0:
            shift = max(0, index // 2**histogram.sub_bucket_bits - 1)
            return (index - shift * 2**histogram.sub_bucket_bits) << shift
    raise ValueError("there is none of an empty histogram")


def split_loop(text):
    """The `for` of a check, if it has one, and its condition."""
    for colon in re.finditer(r":\s", text) if text.startswith("for ") else ():
        try:
            ast.parse(f"[0 {text[:colon.start()]}]")
        except SyntaxError:
            continue  # It is in a text.
        return text[:colon.start()], text[colon.end():]
    return "", text


def shown(node):
    """The parts of a condition whose values tell why it is false."""
    if isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp)):
        for child in ast.iter_child_nodes(node):
            yield from shown(child)
    elif isinstance(node, ast.expr) and not isinstance(node, ast.Constant):
        yield ast.unparse(node)
        if isinstance(node, ast.Call):
            for argument in node.args:
                yield from shown(argument)


def brief(value):
    return repr(value) if len(repr(value)) <= 600 else repr(value)[:600] + "..."


# Running cases.


class Case:
    """One case in a directory of its own."""

    def __init__(self, steps, build, is_sanitized, plugins=()):
        self.steps, self.patience = steps, 6 if is_sanitized else 1
        self.base = tempfile.mkdtemp(prefix="levelfield_case_")
        self.marker = f"LEVELFIELD_TEST_MARKER={self.base}"
        for name in ("work", "engines"):
            os.mkdir(f"{self.base}/{name}")
        for plugin in (*glob.glob(build + "/engines/*"), *glob.glob(build + "/tests/end_to_end/engines/*"), *plugins):
            os.symlink(plugin, f"{self.base}/engines/{os.path.basename(plugin)}")
        self.environment = dict(
            os.environ, BUILD=build, SOURCE=SOURCE, SANITIZED="yes" if is_sanitized else "",
            STORES=",".join(stores()), PATH=f"{build}:{os.environ['PATH']}", LEVELFIELD_ENGINES="",
            LEVELFIELD_BUILT_IN_ENGINES=f"{self.base}/engines",
            LEVELFIELD_TEST_MARKER=self.base)
        os.chdir(f"{self.base}/work")
        self.shell = "set -eu -o pipefail\n" + "".join(step.text + "\n" for step in steps if step.word == "sh")
        self.command, self.problems = None, []
        self.names = {"re": re, "os": os, "json": json, "exists": os.path.exists, "read": read, "listing": listing, "newest_result": newest_result,
                      "json_lines": json_lines, "tsv_rows": tsv_rows, "Record": Record, "add_details": add_details,
                      "result_at": Result, "result_in": lambda path: Result(newest_result(path)), "numbers": self.numbers, "row": self.row,
                      "percentile": percentile, "left_running": self.processes, "execute": self.execute, "is_sanitized": is_sanitized,
                      "environment": self.environment, "STORES": stores()}

    def numbers(self, expression, text=None):
        """All that the group of an expression matches in the output."""
        return [float(found.replace(",", "")) for found in re.findall(expression, text or self.names["out"])]

    def row(self, title):
        """The words of the first line of the output that begins with a word."""
        return next(line.split() for line in self.names["out"].split("\n") if line.split()[:1] == [title])

    def run(self):
        """Why it is skipped, if it is."""
        for step, following in itertools.zip_longest(self.steps, self.steps[1:]):
            if step.word == "$" and self.problems:
                break
            reason, _, test = step.text.partition(": ")
            if step.word == "needs" and self.execute(test)["code"] != 0:
                return "needs " + reason
            self.do(step)
            if step.word == "$" and not (following and following.word == "exits"):
                self.expect_exit(step, "0")
        if left := self.processes(1):
            self.problem(self.steps[-1], f"left running: {left}")
        if self.problems:
            raise Failed("\n".join(self.problems) + self.what_was_printed())
        return ""

    def do(self, step):
        if step.word == "$":
            self.command, self.at = step.text, {"out": 0, "err": 0}
            self.names.update(self.execute(step.text))
            self.names.pop("result", None)
        elif step.word == "exits":
            self.expect_exit(step, step.text)
        elif step.word in STREAMS:
            self.expect_text(step, STREAMS[step.word])
        elif step.word == "file":
            name, _, text = step.text.partition("\n")
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            with open(name, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        elif step.word in ("check", "let", "python"):
            try:
                {"check": self.check, "let": self.let, "python": lambda step: exec(step.text, self.names)}[step.word](step)
            except Exception as error:  # Whatever an expression raises.
                self.problem(step, f"{step.word} {step.text}: {type(error).__name__}: {error}")

    def execute(self, command):
        if "$RESULT" in command:
            self.environment["RESULT"] = newest_result()
        with open(self.base + "/out", "wb") as out, open(self.base + "/err", "wb") as err:
            process = subprocess.Popen(["bash", "-c", self.shell + command], stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=err, env=self.environment)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        code = process.returncode if process.returncode >= 0 else 128 - process.returncode  # As the shell has it.
        return {"code": code, "out": read(self.base + "/out"), "err": read(self.base + "/err"),
                "rss": usage.ru_maxrss * 1024}

    def expect_exit(self, step, codes):
        if str(self.names["code"]) not in codes.split():
            self.problem(step, f"expected exit code: {codes}\nit was: {self.names['code']}")

    def expect_text(self, step, stream):
        is_whole_line = step.word.endswith("=")
        wanted, text = pattern(step.text, is_whole_line), self.names[stream]
        where = {"out": "standard output", "err": "standard error"}[stream]
        if step.word.endswith("!"):
            if found := wanted.search(text):
                self.problem(step, f"not expected on {where}: {step.text}\nthere is: {found[0]}")
        elif found := wanted.search(text, self.at[stream]):
            self.at[stream] = found.end()
        else:
            kind = "a line" if is_whole_line else "a text"
            came = "it came earlier than what is expected before it" if wanted.search(text) else "there was none"
            self.problem(step, f"expected on {where}, as {kind}: {step.text}\n{came}")

    def let(self, step):
        name, _, expression = step.text.partition(" = ")
        self.load_result(expression)
        self.names[name] = eval(expression, self.names)

    def check(self, step):
        """`check condition`, or `check for a in list for b in a.list: condition`."""
        self.load_result(step.text)
        loop, condition = split_loop(step.text)
        bindings = [{}]
        if loop:
            variables = {node.id for node in ast.walk(ast.parse(f"[0 {loop}]"))
                         if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            bindings = eval(f"[dict({', '.join(f'{name}={name}' for name in variables)}) {loop}]", self.names)
        if not bindings:
            self.problem(step, f"check {step.text}\nthere is nothing to check")
        for binding in bindings:
            names = {**self.names, **binding}
            if eval(f"({condition})", names):
                continue
            parts = [*binding, *shown(ast.parse(f"({condition})", mode="eval").body)]
            values = "".join(f"\n  {part} is {brief(eval(part, names))}" for part in parts)
            self.problem(step, f"check {step.text}\nit is false:{values}")
            break

    def load_result(self, expression):
        """`result` is the newest; what is in it has names of its own."""
        words = set(re.findall(r"\w+", re.sub(r"\"[^\"]*\"|'[^']*'", "", expression)))
        if "result" not in self.names and words & {"result", *OF_A_RESULT}:
            result = self.names["result"] = Result(newest_result())
            self.names.update({name: getattr(result, name) for name in OF_A_RESULT})

    def processes(self, seconds):
        """Those that the case has started and that are still there after so many seconds."""
        deadline = time.monotonic() + seconds * self.patience
        while True:
            left = [pid for pid in os.listdir("/proc") if pid.isdigit() and self.is_ours(pid)]
            if not left or time.monotonic() > deadline:
                return left
            time.sleep(0.02)

    def is_ours(self, pid):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                return self.marker.encode() in file.read().split(b"\0")
        except OSError:
            return False

    def problem(self, step, text):
        self.problems.append(f"line {step.line}: {text}")

    def what_was_printed(self):
        if "out" not in self.names:
            return ""
        out, err = (text if len(text) < 8000 else f"{text[:4000]}\n[...]\n{text[-4000:]}"
                    for text in (self.names["out"], self.names["err"]))
        return f"\n--- command:\n{self.command}\n--- standard output:\n{out}\n--- standard error:\n{err}"

    def clean(self):
        for pid in self.processes(0):
            os.kill(int(pid), signal.SIGKILL)
        for mount in [line.split()[1] for line in read("/proc/mounts").splitlines()]:
            if mount.startswith(self.base + "/"):
                subprocess.run(["umount", "--lazy", mount], check=False)
        shutil.rmtree(self.base, ignore_errors=True)


def run_case(path, name, steps, options, seconds):
    def stop(number, _):
        raise Failed(f"took longer than {seconds} s" if number == signal.SIGALRM else "was interrupted")

    # Commands start as from a terminal, whatever started this ignores.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, stop)
    plugins = [f"{options.build}/more_engines/levelfield_{engine}.so" for engine in options.engines]
    case = Case(steps, options.build, options.is_sanitized, plugins)
    try:
        signal.alarm(seconds)
        reason = case.run()
        outcome = "skipped" if reason else "ok"
        print(f"{name}: {outcome}", reason, flush=True)
    except Failed as failure:
        outcome = "failed"
        print(f"{name}: failed, {path}, {failure}\n--- again:\n{SOURCE}/tests/cases/run.py --keep "
              f"--build={options.build} {path} {name}", flush=True)
    signal.alarm(0)
    if options.keep:
        print(f"left: {case.base}")
    else:
        case.clean()
    return outcome


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", nargs="*", help="names of cases, or files")
    arguments.add_argument("--build", default=SOURCE + "/build", type=os.path.realpath, help="the build directory")
    arguments.add_argument("--list", action="store_true", help="names them, and runs none")
    arguments.add_argument("--engines", default=[], type=lambda text: text.split(","),
                           help="engines of more_engines/, for which cases of each engine are run")
    arguments.add_argument("--label", help="runs only cases of this label")
    arguments.add_argument("--keep", action="store_true", help="leaves their directories")
    options = arguments.parse_args()
    sanitizers = options.build + "/sanitizers"
    options.is_sanitized = os.path.exists(sanitizers) and bool(read(sanitizers).strip())
    files = [os.path.abspath(name if os.path.exists(name) else f"{SOURCE}/tests/cases/{name}")
             for name in options.what if name.endswith(".case")]
    names = [name for name in options.what if not name.endswith(".case")] or ["*"]
    try:
        cases = [(path, *case) for path in files or sorted(glob.glob(SOURCE + "/tests/cases/*.case"))
                 for case in parse(path, options.engines) if any(fnmatch.fnmatchcase(case[0], name) for name in names)]
        if not cases:
            raise Broken(f"no case is called {' '.join(names)}")
    except (Broken, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    outcomes = set()
    for path, name, steps in cases:
        given = {step.word: step.text for step in steps}
        seconds = int(given.get("time", SECONDS)) * (6 if options.is_sanitized else 1)
        if options.label and options.label != given.get("label", "end_to_end"):
            continue
        if options.list:
            print(os.path.relpath(path, SOURCE), name, seconds, given.get("label", "end_to_end"), sep="|")
        else:
            outcomes.add(run_case(path, name, steps, options, seconds))
    sys.exit(1 if "failed" in outcomes else SKIPPED if outcomes == {"skipped"} else 0)


if __name__ == "__main__":
    main()
