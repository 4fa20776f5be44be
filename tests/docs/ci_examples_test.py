#!/usr/bin/env python3
"""The examples for other CI services than GitHub, docs/examples/gitlab-ci.yml and docs/examples/guard.sh, run as they
stand on a store in Git. Of GitLab's job these are the lines of `script`; its packages are there. And the rules of the
guide, docs/guard_in_ci.md, that build the plug-in. guard.sh runs with Levelfield as a submodule, and with an installed one.

  tests/docs/ci_examples_test.py BUILD DIRECTORY
"""

import os
import re
import shutil
import subprocess
import sys

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from guarded_store import SOURCE, fail, keep_build, make_store

BUILD, WORK = (os.path.realpath(path) for path in sys.argv[1:3])
EXAMPLES = os.path.join(SOURCE, "docs/examples")
FLAGS = "--num=300 --benchmarks=fillrandom --price=0 --audit=0"
STORE = os.path.join(WORK, "store")


INSTALLED = os.path.join(WORK, "usr")
PATH = f"{INSTALLED}/bin:{os.environ['PATH']}"


def run(command, code, says, **environment):
    """In the store. What it ends with, and what stands in its verdicts."""
    environment = {**os.environ, "FLAGS": FLAGS, **environment}
    for name in ("LEVELFIELD", "LEVELFIELD_BUILT_IN_ENGINES", "LEVELFIELD_ENGINES"):
        environment.pop(name, None)
    done = subprocess.run(command, cwd=STORE, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != code or says not in done.stdout:
        fail(f"{command} ended with {done.returncode}, not {code}, or did not say: {says}", done.stdout, done.stderr)
    return done


def check_artifacts(paths):
    for path in paths:
        if not os.path.getsize(os.path.join(STORE, path)):
            fail(f"{path} is empty")
    # What the log names is there for whoever reads it in the store's directory, or among the artifacts.
    with open(os.path.join(STORE, "verdicts/run.log"), encoding="utf-8") as file:
        named = re.findall(r"^(?:results|report): (.+)$", file.read(), re.M)
    if len(named) != 2 or not all(os.path.exists(os.path.join(STORE, path)) for path in named):
        fail(f"the log names what is not there: {named}")
    if len(paths) > 1 and not all(path.startswith(tuple(paths)) for path in named):
        fail(f"the log names what is no artifact: {named}")


def check_rules_of_guide():
    """The rules for the plug-in that docs/guard_in_ci.md gives, each in a store: with an installed Levelfield, and with
    one in levelfield/."""
    with open(os.path.join(SOURCE, "docs/guard_in_ci.md"), encoding="utf-8") as file:
        installed, submodule = re.findall(r"^```make\n(.*?)^```$", file.read(), re.M | re.S)
    for name, rule in (("installed", installed), ("submodule", submodule)):
        store = os.path.join(WORK, name)
        os.makedirs(store)
        if rule == submodule:
            os.symlink(SOURCE, os.path.join(store, "levelfield"))
        shutil.copy(os.path.join(STORE, "store.cc"), os.path.join(store, "mystore_plugin.cc"))
        with open(os.path.join(store, "Makefile"), "w", encoding="utf-8") as file:
            file.write(rule)
        for command in (["make"], [os.path.join(BUILD, "levelfield"), "engines", "./levelfield_mystore.so"]):
            done = subprocess.run(command, cwd=store, env={**os.environ, "PATH": PATH}, capture_output=True, text=True,
                                  check=False)
            if done.returncode != 0:
                fail(f"{name}: {command} ended with {done.returncode}", done.stdout, done.stderr)
        if not done.stdout.startswith("mystore "):
            fail(f"{name}: the guide's plug-in is not mystore", done.stdout)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    first, second, third = make_store(STORE, "mystore")
    guard = os.path.join(EXAMPLES, "guard.sh")
    done = run([guard, first, second], 2, "")
    if "is not in PATH, and there is no submodule" not in done.stderr:
        fail("it does not say that Levelfield is not there", done.stderr)
    subprocess.run(["cmake", "--install", BUILD, "--prefix", INSTALLED, "--component", "levelfield"], check=True,
                   stdout=subprocess.DEVNULL)
    check_rules_of_guide()
    run([guard, first, second], 1, "slower in fillrandom", PATH=PATH)
    check_artifacts(["verdicts/report.html"])
    run(["make"], 0, "")
    run(["levelfield-nightly", os.path.join(WORK, "nights"), "./levelfield_mystore.so", *FLAGS.split()], 0,
        "--yardstick=", PATH=PATH)
    keep_build(BUILD, os.path.join(STORE, "levelfield"))
    with open(os.path.join(EXAMPLES, "gitlab-ci.yml"), encoding="utf-8") as file:
        job = yaml.safe_load(file)["levelfield"]
    for path in job["cache"]["paths"]:
        if not os.path.exists(os.path.join(STORE, path)) and path != "levelfield/build/cache/":
            fail(f"{path} is kept, and is not there")
    # As GitLab's runner joins them.
    script = "set -eo pipefail\n" + "\n".join(job["script"])
    run(["bash", "-c", script], 1, "slower in fillrandom", CI_PROJECT_DIR=STORE,
        CI_MERGE_REQUEST_DIFF_BASE_SHA=first, CI_COMMIT_SHA=second)
    check_artifacts(job["artifacts"]["paths"])
    run([guard, second, third], 0, "faster in fillrandom")
    check_artifacts(["verdicts/report.html"])
    run([guard, third, second], 0, "there is nothing to compare")
    for words, missing in (([second, "nowhere"], "nowhere"), ([], "origin/main")):
        done = run([guard, *words], 2, "")
        if f"{missing} is not here: git fetch, or guard.sh BRANCH" not in done.stderr:
            fail("it does not say which commit is not there", done.stderr)


main()
