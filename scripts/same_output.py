#!/usr/bin/env python3
"""Says whether two builds print and write the same.

    scripts/same_output.py OLD_BUILD NEW_BUILD [--only=PATTERN] [-j JOBS]

Runs each line of tests/same_output/command_lines.txt in a shell with each of the two builds, in a
fresh directory each time. The directory holds the files of tests/same_output/files and tests/golden,
and the build's programs are found first in PATH. Exit codes, both streams and all files written
are compared. Differences are printed as a diff below their command line, and make the exit code 1.

Below `[exact]` in the list only paths, dates and hashes are masked. Below `[timed]` so is all that
depends on time: rates, durations, latencies, and what the machine did meanwhile. Below `[racing]`
so are all numbers but settings. Names of members and all words are compared everywhere.
"""

import argparse
import concurrent.futures
import difflib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIST = SOURCE / "tests/same_output/command_lines.txt"
FIXTURES = [SOURCE / "tests/same_output/files", SOURCE / "tests/golden"]
SECONDS = 300  # That a command line may take.

# Which of the bytes differ though nothing has changed: by the build, the day, and the address.
ALWAYS = [(re.compile(pattern), mask) for pattern, mask in [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?", "<time>"),
    (r"\b\d{8}-\d{6}(-\w+)(-\d+)?\b", r"<time>\1"),  # And a second result of one second.
    (r"\b[0-9a-f]{64}\b", "<hash>"),
    (r"\(sha256 [0-9a-f]{16}\)", "(sha256 <hash>)"),
    (r'"git":"[0-9a-f]+"', '"git":"<hash>"'),
    (r"\(\d+ bytes, sha256", "(<size> bytes, sha256"),
    (r"\bprocess \d+\b", "process <pid>"),
    (r"of the \S+ \wiB free \S+ \wiB stay", "of the # GiB free # GiB stay"),
]]

# And what depends on time: a number with a fraction, with a unit, or alone in a cell of a table.
NUMBER = r"(?<![\w.])-?(?:\d[\d,]*\.\d+(?:e[-+]?\d+)?|\d[\d,]*)"
UNIT = r"(?:ns|us|ms|s|min|h|k|M|G|T|%|[KMGT]iB|kB|MB|GB|B|ops/s|[kMG]B/s|[KMG]iB/s|micros/op|GHz|ppm)"
TIME = [(re.compile(pattern, re.MULTILINE), mask) for pattern, mask in [
    (r"^\[ *\d+, *\d+ \) .*\n", ""),  # A line of a histogram in db_bench's format.
    (r"^  (charged|settled in|first tenth|stalls) .*\n", ""),  # What took long enough to be told.
    (r"^(charged: ops/s over that time|~ disturbed:|.*The machine was not for this alone:).*\n", ""),
    (r"~(?=\d)", ""),
    (NUMBER + r" ?" + UNIT + r"(?![\w])", "#"),
    (r"(?<![\w.])-?\d[\d,]*\.\d+(?:e[-+]?\d+)?", "#"),
    (r"(?<=  )-?\d[\d,]*(?=  |$| suspect)", "#"),
    (r"(ops/sec = )\d+|\(-?\d+, -?\d+\)(?= ops/sec)|\d+ \(± \d+\)(?= ops/sec)|\d+(?= ops/sec)", r"\1#"),
    (r" \(less than what two runs differ by\)", ""),
    (r"-{3,}", "---"),
    (r" {2,}", " "),
]]

# Members of results: those of which all numbers depend on time or the machine, and single ones.
TIMED_MEMBERS = {
    "resources", "conditions", "ceilings", "ticks", "buckets", "environment", "machine", "medium",
    "clock", "sum", "min", "max", "end_ms", "begin_ms", "started", "disk_bytes", "peak_disk_bytes",
    "dirtied_bytes", "free_bytes", "build", "commit", "fingerprint",
}
OTHER_EACH_TIME = {"crc32", "library_sha256", "harness_git", "id", "pid"}
SOMETIMES_THERE = {"stolen_share", "others_share", "space", "kinds"}  # If it took long enough.
JSON = (".json", ".jsonl", "/LEVELFIELD")  # How names of files in JSON end.
EXACT, TIMED, RACING = SECTIONS = ["[exact]", "[timed]", "[racing]"]


def mask_text(text, section):
    for pattern, mask in ALWAYS + (TIME if section != EXACT else []):
        text = pattern.sub(mask, text)
    if section == RACING:
        # What there may be too few operations for, or too little time.
        text = re.sub(r"^( *p[\d.]+ |price of the harness).*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"(?:,#?){2,}", ",#", re.sub(r"\b[0-9a-f]{16}\b|" + NUMBER, "#", text))
        text = re.sub(r"^(.*\n)\1+", r"\1", text, flags=re.MULTILINE)
    return text


def unwrap(text):
    """Joins what was wrapped at 120 columns, where masked numbers move the breaks."""
    lines = []
    previous = ""  # The line that a break may have ended, as it was printed.
    for line in text.split("\n"):
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if lines and word and word[0] != "-" and len(previous) <= 120 < len(previous) + 1 + len(word):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
        previous = line
    return "\n".join(lines)


def mask_member(value):
    """A value of a result's JSON in which every number is masked, and each list of numbers."""
    if isinstance(value, dict):
        return {name: mask_member(member) for name, member in value.items()
                if name not in SOMETIMES_THERE}
    if isinstance(value, list):
        items = [mask_member(item) for item in value]
        return "#" if all(item == "#" for item in items) else items
    if isinstance(value, bool) or value is None:
        return value
    return "#" if not isinstance(value, str) else re.sub(r"\d+", "#", mask_text(value, RACING))


def mask_json(value, section, name=""):
    if name == "settings":
        section = EXACT
    if name in OTHER_EACH_TIME or (section != EXACT and name in TIMED_MEMBERS):
        return "#" if isinstance(value, str) else mask_member(value)
    if isinstance(value, dict):
        return {key: mask_json(member, section, key) for key, member in value.items()
                if section == EXACT or key not in SOMETIMES_THERE}
    if isinstance(value, list):
        return [mask_json(item, section, name) for item in value]
    if isinstance(value, str):
        return mask_text(value, section)
    masked = {EXACT: (), TIMED: (float,), RACING: (int, float)}[section]
    return "#" if type(value) in masked else value


def mask_html(text):
    """The words of a page: drawings and packed files are left out, and all numbers are masked."""
    text = re.sub(r"<svg.*?</svg>", "<svg/>", text, flags=re.DOTALL)
    text = re.sub(r'("disturbances":\[|"percentiles_ns":{)[^]}]*', r"\1", text)
    text = re.sub(r'(<script type="application/gzip"[^>]*>)[^<]*', r"\1", text)
    text = re.sub(r"\bnull\b|-?\d[\d.,]*(?:e[-+]?\d+)?(?: ?" + UNIT + r"(?!\w))?", "#", text)
    return re.sub(r"#(?:[\s,\[\]]*#)+", "#", text).replace("[[#]]", "[]").replace(',"', ',\n"')


def mask_file(name, text, section):
    if name.endswith(JSON) and text.strip():
        documents = text.splitlines() if name.endswith(".jsonl") else [text]
        try:
            masked = [mask_json(json.loads(document), section) for document in documents]
        except ValueError:
            return mask_text(text, section)
        lines = [json.dumps(document, indent=1) for document in masked]
        return "\n".join(line for i, line in enumerate(lines) if i == 0 or line != lines[i - 1])
    text = mask_text(text, section)
    return mask_html(text) if section != EXACT and name.endswith((".html", ".csv", ".tsv")) else text


def files_of(directory):
    return {str(path.relative_to(directory)): path.read_bytes()
            for path in sorted(directory.rglob("*")) if path.is_file() and not path.is_symlink()}


def outcome(build, command, section):
    """All that a command line prints and writes with a build, masked, as lines."""
    with tempfile.TemporaryDirectory(prefix="same_output.") as scratch:
        directory = pathlib.Path(scratch, "here")
        for fixtures in FIXTURES:
            shutil.copytree(fixtures, directory, dirs_exist_ok=True)
        before = files_of(directory)
        environment = {"PATH": f"{build}:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8",
                       "HOME": scratch, "TMPDIR": scratch, "TEST_TMPDIR": scratch}
        process = subprocess.Popen(["sh", "-c", command], cwd=directory, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            err += b"\nsame_output: ended after too long a time\n"
        parts = [f"exit code {process.returncode}\n"]

        def add(title, data, mask, wraps=True):
            text = data.decode(errors="backslashreplace")
            text = unwrap(text) if wraps and section != EXACT else text
            for path, name in [(directory, "<here>"), (scratch, "<scratch>"), (build, "<build>")]:
                # Markdown may have a backslash before an underscore.
                text = re.sub(re.escape(str(path)).replace("_", r"\\?_"), name, text)
            parts.append(f"{title}:\n{mask(text)}\n")

        for title, data in [("standard output", out), ("standard error", err)]:
            add(title, data, lambda text: mask_text(text, section))
        for name, data in files_of(directory).items():
            if before.get(name) == data:
                continue
            title = f"file {mask_text(name, section)}"
            if "/db/" in name:
                parts.append(title + "\n")  # A store: the engine's own bytes.
            else:
                add(title, data, lambda text: mask_file(name, text, section),
                    wraps=not name.endswith(JSON))
        return "".join(parts).splitlines()


def snapshot(build, directory):
    """Copies a build's program, its names and its plug-ins: it may be rebuilt meanwhile, and paths
    of one length break lines in the same places."""
    if not (build / "levelfield").exists():
        sys.exit(f"same_output: no program `levelfield` in {build}")
    for path in [*build.iterdir(), *build.glob("engines/*.so"), *build.glob("caches/*.so")]:
        if path.name == "levelfield" or path.suffix == ".so" or \
                path.is_symlink() and os.readlink(path) == "levelfield":
            target = directory / path.relative_to(build)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target, follow_symlinks=False)
    return directory


def read_list(only):
    section = EXACT
    for line in LIST.read_text().splitlines():
        if line in SECTIONS:
            section = line
        elif line and not line.startswith("#") and re.search(only, line):
            yield line, section


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs=2, metavar="BUILD", type=pathlib.Path)
    parser.add_argument("--only", default="", help="regular expression: only these command lines")
    parser.add_argument("--show", action="store_true", help="print also what is compared")
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    commands = list(read_list(arguments.only))
    different = 0
    with tempfile.TemporaryDirectory(prefix="same_output.") as copies, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        builds = [snapshot(build.resolve(), pathlib.Path(copies, name))
                  for build, name in zip(arguments.builds, ("old", "new"))]
        pairs = [(command, [pool.submit(outcome, build, command, section) for build in builds])
                 for command, section in commands]
        for command, futures in pairs:
            old, new = [future.result() for future in futures]
            if arguments.show:
                print(f"$ {command}", *old, sep="\n")
            if old != new:
                different += 1
                print(f"$ {command}")
                print(*difflib.unified_diff(old, new, "old", "new", n=2, lineterm=""), sep="\n")
                print(flush=True)
    print(f"{len(commands)} command lines, {different} with a difference")
    return 1 if different or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
