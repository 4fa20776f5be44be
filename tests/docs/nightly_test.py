#!/usr/bin/env python3
"""scripts/nightly.sh, of a store that is measured on eleven nights and whose puts take 20 us longer from the eighth on.

  tests/docs/nightly_test.py BUILD DIRECTORY
"""

import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from guarded_store import SOURCE, build_command, fail, git, make_store

BUILD, WORK = (os.path.realpath(path) for path in sys.argv[1:3])
STORE = os.path.join(WORK, "store")
NIGHTS = os.path.join(WORK, "all nights")
# Three rounds of so few operations tell too little on a busy machine: an interval of CPU/op could hold even 5 times.
FLAGS = ["--num=2000", "--repeat=6", "--benchmarks=fillrandom", "--price=0", "--audit=0"]
# It works for so long, and does not wait.
BUSY = """    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
    while (std::chrono::steady_clock::now() < end) {}
"""


def check(condition, what, *texts):
    if not condition:
        fail(what, *texts)


def build(engine, text):
    with open(os.path.join(STORE, "store.cc"), "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(build_command(f"levelfield_{engine}.so"), shell=True, cwd=STORE, check=True)


def night(engines="./levelfield_mystore.so", flags=FLAGS, directory=NIGHTS):
    environment = dict(os.environ, LEVELFIELD=os.path.join(BUILD, "levelfield"))
    return subprocess.run([os.path.join(SOURCE, "scripts/nightly.sh"), directory, engines, *flags], cwd=STORE,
                          env=environment, capture_output=True, text=True, check=False)


def read(*names):
    with open(os.path.join(NIGHTS, *names), encoding="utf-8") as file:
        return file.read()


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    make_store(STORE, "mystore")
    with open(os.path.join(STORE, "store.cc"), encoding="utf-8") as file:
        fast = file.read()
    slow, places = re.subn(r"(Put\(.*\{\n)", lambda match: match[1] + BUSY, "#include <chrono>\n" + fast, count=1)
    check(places == 1, "journal.cc has no Put() any more")
    days = {}  # The name of each night's result.
    for number in range(1, 12):
        if number in (1, 8):
            build("mystore", fast if number == 1 else slow)
        git(STORE, "commit", "--all", "--allow-empty", "--quiet", f"--message=the change of day {number}")
        done = night()
        new = set(os.listdir(os.path.join(NIGHTS, "results"))) - set(days.values())
        check(len(new) == 1, f"night {number} left {len(new)} results", done.stdout, done.stderr)
        days[number] = new.pop()
        said = (done.stdout, done.stderr)
        texts = [read("steps", name) for name in os.listdir(os.path.join(NIGHTS, "steps"))]
        found = [text for text in texts if "fillrandom: " in text]
        # What did not change may have a step by chance, though not of so few nights.
        if number < 9:
            check(done.returncode == 0 and not texts, f"night {number} ended with {done.returncode}", *said)
        told = re.findall(r"^fillrandom, mystore: slower since (\S+): (.+\.txt), (.+/index\.html)$", done.stderr, re.M)
        if number < 10:
            check(not found and not told, f"a step is found on night {number}", *texts)
            continue
        # Each night from then on, and last.
        check(len(told) == 1 and ": slower since " in done.stderr.splitlines()[-1], "it does not say why", *said)
        check(os.path.basename(told[0][0]) == days[8], "it is slower since another night", *said)
        for path in told[0][1:]:
            check(os.path.getsize(path) > 0, f"{path} is named and empty")
        check(done.returncode == 1 and len(found) == 1, f"night {number} ended with {done.returncode}", *said)
        flat = " ".join(found[0].split())
        for words in ("the change of day 8", "mystore: same version, another build", "by the yardstick: slower",
                      "it does more work", "moved: CPU/op"):
            check(words in flat, f"the step does not say: {words}", found[0])
        check("the change of day 7" not in flat, "it names a commit that was measured before", found[0])
        is_told = found[0] in done.stdout
        check(is_told == (number == 10), f"on night {number} the step is{'' if is_told else ' not'} told", done.stdout)
    page = read("index.html")
    check(re.search(r'<li class="worse">fillrandom, mystore: -\d+\.\d %</li>', page), "the page has no step", page)
    check("it does more work" in " ".join(page.split()), "the page has no reason", page)
    links = set(re.findall(r'href="([^"]+)"', page))  # Of the table, and of the dots in the charts.
    check(len(links) == 11, f"{len(links)} links to results")
    for link in links:
        check(os.path.exists(os.path.join(NIGHTS, link)), f"the page links to nothing: {link}")
    check(os.listdir(os.path.join(NIGHTS, "yardstick")) == ["levelfield_mystore@first.so"], "another yardstick")

    # A release's library, and a yardstick of one's own; and what is mistaken. What stores nothing is on the page, too.
    other = os.path.join(WORK, "other")
    for engines, flags, yardstick in (("leveldb", [], "leveldb@first"), ("memory", ["--yardstick="], "")):
        done = night(engines, ["--num=300", "--benchmarks=readrandom", *flags], other)
        check(done.returncode == 0, f"{engines} ended with {done.returncode}", done.stdout, done.stderr)
        has_yardstick = f"--yardstick={yardstick}" in done.stdout
        check(has_yardstick == bool(yardstick), f"{engines}, {yardstick}: {has_yardstick}", done.stdout)
    check(len(glob.glob(other + "/results/*")) == 2 and len(os.listdir(other + "/yardstick")) == 1, "other files")
    with open(other + "/index.html", encoding="utf-8") as file:
        check("readrandom, memory" in file.read(), "the page does not have memory")
    done = night("nosuch", FLAGS, os.path.join(WORK, "mistaken"))
    check(done.returncode == 2 and "nosuch" in done.stderr and len(done.stderr.splitlines()) == 1,
          f"nosuch ended with {done.returncode}", done.stderr)


main()
