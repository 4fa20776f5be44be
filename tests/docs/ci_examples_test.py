#!/usr/bin/env python3
"""The examples for other CI services than GitHub, docs/examples/gitlab-ci.yml and docs/examples/guard.sh, run as they
stand on a store in Git. Of GitLab's job these are the lines of `script`; its packages are there.

  tests/docs/ci_examples_test.py BUILD DIRECTORY
"""

import os
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


def run(command, code, says, **environment):
    """In the store. What it ends with, and what stands in its verdicts."""
    shutil.rmtree(os.path.join(STORE, "verdicts"), ignore_errors=True)
    environment = {**os.environ, "FLAGS": FLAGS, **environment}
    environment.pop("LEVELFIELD", None)
    done = subprocess.run(command, cwd=STORE, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != code or says not in done.stdout:
        fail(f"{command} ended with {done.returncode}, not {code}, or did not say: {says}", done.stdout, done.stderr)
    return done


def check_artifacts(paths):
    for path in paths:
        if not os.path.getsize(os.path.join(STORE, path)):
            fail(f"{path} is empty")


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    first, second, third = make_store(STORE, "mystore")
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
    guard = os.path.join(EXAMPLES, "guard.sh")
    run([guard, second, third], 0, "faster in fillrandom")
    check_artifacts(["verdicts/report.html"])
    done = run([guard, second, "nowhere"], 128, "")
    if "nowhere" not in done.stderr:
        fail("it does not say which commit is not there", done.stderr)


main()
