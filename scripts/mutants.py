#!/usr/bin/env python3
"""Says how many of 60 small mistakes, put into the sources one by one, the unit tests find.

    scripts/mutants.py [--count=60] [--seed=1] [--only=PATTERN] [-j JOBS]

The mistakes are drawn from all that can be made in the files of FILES: `<` for `<=`, `+` for `-`,
`&&` for `||`, a constant that is one larger, a condition turned round, a call left out, and so on.
Each is compiled into unit_tests, whose tests of the same file run first, and then all of them. What
does not compile, or makes the same program, is drawn again. Prints each mistake that no test finds
as a diff, and at the end the share that was found.

Everything happens in a copy of the tree, in build/mutants, which is kept for the next time. Headers
are left out: each would be most of a build from nothing.
"""

import argparse
import difflib
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build/mutants"

# Statistics, histograms, replay and the expected state, and stores.
FILES = ["src/stats/*.cc", "src/analysis/steady_state.cc", "src/check/*.cc",
         "src/workload/expected_state.cc", "src/store/*.cc"]

# Mistakes that change nothing that anybody could see: file, a part of the line, what it becomes, and
# why. They are drawn again.
EQUIVALENT = [
    ("replay.cc", "gaps_below_.begin() ? gaps_below_.end()", "above != gaps_below_.begin()",
     "which gaps are remembered changes how long a walk takes, not where it ends"),
    ("replay.cc", "if (above != gaps_below_.end() && above", "above == gaps_below_.end()",
     "the same; what it reads behind the last gap is for the address sanitizer"),
    ("verify.cc", "format_.Format(std::span(&index, 1)", "std::span(&index, 2)",
     "a key behind the key, which nobody looks at, is for the address sanitizer"),
    ("expected_state.cc", "  return 0;", "  return 1;",
     "Candidate is asked for less than Candidates, so it never comes so far"),
    ("steady_state.cc", "above += x * (values[i] - mean);", "(values[i] + mean)",
     "the x add up to 0, so what is added to every value has no weight"),
    ("store_space.cc", "  bytes_per_ns_ = 0;", "bytes_per_ns_ = 1;",
     "the next look sets it to 0 before it is used, as nothing has been seen"),
    ("expected_state.cc", "Shuffle(1, 0)", "Shuffle(2, 0)",
     "a layer with a history of its own has an order that nobody asks for"),
    ("store_lock.cc", "attempt = 0; attempt < 10", "attempt = 1;",
     "a try less of ten is a twentieth of a second less of patience, which nobody can tell"),
    ("expected_state.cc", "std::array<uint64_t, 1024> block;", "1025",
     "how many keys are taken at a time changes nothing about them"),
    ("directory_tree.cc", "error != ENOTEMPTY && error != EEXIST", "error == EEXIST",
     "what cannot be removed for another reason is looked into, and then fails with that reason"),
    ("change_points.cc", "greatest = -1", "greatest = -2",
     "what is compared with it is no less than 0"),
    ("store_path.cc", "if (fd >= 0 ||", "if (fd > 0 ||",
     "descriptor 0 is standard input, and the program begins by opening it if it is closed"),
    ("scaling.cc", "fit.sigma < 1)", "fit.sigma <= 1)",
     "no regression of measured rates gives exactly 1"),
]

# What is replaced by what; the spaces leave out templates, references and signs.
OPERATORS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "),
             (" != ", " == "), (" + ", " - "), (" - ", " + "), (" * ", " / "), (" && ", " || "),
             (" || ", " && "), (" += ", " -= "), ("++", "--"), ("return true;", "return false;"),
             ("return false;", "return true;"), ("std::min", "std::max"), ("std::max", "std::min")]
CONSTANT = re.compile(r"(?<![\w.\"'])\d[\d']*(?![\w.\"'])")
CONDITION = re.compile(r"^(\s*(?:\} else )?if )\((.*)\)( \{| return.*;| continue;| break;)$")
CALL = re.compile(r"^\s+[A-Za-z_][\w.>:-]*\(.*\);$")  # On a line of its own, its result unused.


def mutations(lines):
    """All (index of the line, the line as it becomes) of a file."""
    for index, line in enumerate(lines):
        code = line.split("//")[0].rstrip()
        if not code.strip() or code.lstrip().startswith(("#", "static_assert", "using ", "template")):
            continue
        words = re.sub(r'"(?:[^"\\]|\\.)*"', lambda text: "\0" * len(text.group()), code)
        for old, new in OPERATORS:
            for match in re.finditer(re.escape(old), words):
                yield index, code[:match.start()] + new + code[match.end():]
        for match in CONSTANT.finditer(words):
            number = int(match.group().replace("'", "")) + 1
            yield index, code[:match.start()] + str(number) + code[match.end():]
        condition = CONDITION.match(code)
        if condition and ";" not in condition.group(2):
            yield index, f"{condition.group(1)}(!({condition.group(2)})){condition.group(3)}"
        if CALL.match(code) and code.count("(") == code.count(")"):
            yield index, ""


def begin(words, **options):
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            start_new_session=True, **options)


def succeed(processes, seconds):
    """Whether all commands exit with 0 in time. Ends them with their groups at the first that does not."""
    last = time.monotonic() + seconds
    going = list(processes)
    while going and time.monotonic() < last and all(not process.poll() for process in going):
        going = [process for process in going if process.poll() != 0]
        time.sleep(0.02)
    for process in going:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return not going


class Tests:
    def __init__(self, jobs):
        self.jobs = jobs
        self.build_words = ["cmake", "--build", str(COPY / "build"), f"-j{jobs}", "--target",
                            "unit_tests"]
        self.program = COPY / "build/unit_tests"
        self.patience = 3600

    def build(self):
        return succeed([begin(self.build_words)], 3600)

    def pass_with(self, filter):  # A part of the tests in each of several processes.
        parts = []
        for part in range(self.jobs):
            scratch = COPY / f"scratch{part}"
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir(parents=True)
            parts.append(begin([str(self.program), "--gtest_brief=1", "--gtest_fail_fast",
                                f"--gtest_filter={filter}"], cwd=scratch,
                               env={**os.environ, "TMPDIR": str(scratch),
                                    "GTEST_TOTAL_SHARDS": str(self.jobs),
                                    "GTEST_SHARD_INDEX": str(part)}))
        return succeed(parts, self.patience)

    def fail_with(self, filter):  # Twice: a test may fail once because the machine is busy.
        return not self.pass_with(filter) and not self.pass_with(filter)

    def hash(self):
        return hashlib.sha256(self.program.read_bytes()).hexdigest()


def prepare():
    """Brings the copy to what the tree is now, and configures its build."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split("\n")
    kept = set()
    for name in filter(None, listed):
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        kept.add(target)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
            os.utime(target)
    for path in (COPY / "src").rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()
    leveldb = subprocess.run([ROOT / "scripts/build_leveldb.sh"], check=True, capture_output=True,
                             text=True).stdout.strip()
    (COPY / "build").mkdir(exist_ok=True)
    (COPY / "build/packages.stamp").touch()
    subprocess.run(["cmake", "--preset", "release", "--log-level=WARNING",
                    f"-DLEVELFIELD_LEVELDB_ROOT={leveldb}"], cwd=COPY, check=True,
                   stdout=subprocess.DEVNULL)


def suites_of(path):
    """A filter of the tests that stand beside a file."""
    test = path.with_name(path.stem + "_test.cc")
    text = test.read_text() if test.exists() else ""
    names = set(re.findall(r"^(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP\w*)\((\w+),", text, re.MULTILINE))
    return ":".join(f"{name}.*:*/{name}.*" for name in sorted(names))


def reason(name, old, new):
    return next((why for file, part, becomes, why in EQUIVALENT
                 if file == name and part in old and becomes in new), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="regular expression: only files so named")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    prepare()
    tests = Tests(arguments.jobs)
    started = time.monotonic()
    if not tests.build():
        sys.exit("mutants: the sources as they are do not build; see build/mutants")
    built = time.monotonic()
    if not tests.pass_with("*"):
        sys.exit("mutants: the unit tests fail on the sources as they are")
    tests.patience = 5 * (time.monotonic() - built) + 30
    original = tests.hash()
    print(f"built in {built - started:.0f} s, all tests in {time.monotonic() - built:.0f} s", flush=True)

    drawn = []
    for path in sorted(path for files in FILES for path in COPY.glob(files)):
        if not path.name.endswith("_test.cc") and re.search(arguments.only, path.name):
            drawn += [(path, *change) for change in mutations(path.read_text().split("\n"))]
    random.Random(arguments.seed).shuffle(drawn)
    killed, survivors, equivalent = 0, 0, 0
    for path, index, line in drawn:
        if killed + survivors == arguments.count:
            break
        text = path.read_text()
        lines = text.split("\n")
        changed = lines[:index] + [line] + lines[index + 1:]
        why = reason(path.name, lines[index], line)
        if why:
            equivalent += 1
            print(f"equivalent: {path.name}:{index + 1}: {line.strip()}: {why}", flush=True)
            continue
        path.write_text("\n".join(changed))
        try:
            if not tests.build() or tests.hash() == original:
                continue
            own = suites_of(path)
            if (own and tests.fail_with(own)) or tests.fail_with("*"):
                killed += 1
                print(f"killed: {path.name}:{index + 1}: {line.strip() or 'a call left out'}", flush=True)
                continue
            survivors += 1
            print("SURVIVED:")
            name = str(path.relative_to(COPY))
            print(*difflib.unified_diff(lines, changed, name, name, n=2, lineterm=""), sep="\n",
                  flush=True)
        finally:
            path.write_text(text)
    share = 100 * killed // max(1, killed + survivors)
    print(f"{killed} of {killed + survivors} mutants killed, {equivalent} equivalent ({share} %)")


if __name__ == "__main__":
    main()
