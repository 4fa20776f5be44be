"""For tests of what guards a store in CI: a store in Git whose second commit sleeps in each put and whose third does
not, and Levelfield beside it as a CI service keeps its build."""

import os
import re
import shutil
import subprocess

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
SLEEP = "    std::this_thread::sleep_for(std::chrono::milliseconds(1));\n"


def fail(why, *texts):
    for text in texts:
        print(text)
    raise SystemExit(f"FAILED: {why}")


def git(store, *words):
    return subprocess.run(["git", "-C", store, "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
                          check=True, capture_output=True, text=True).stdout.strip()


def build_command(output):
    """Of the commit in the present directory."""
    compiler = os.environ.get("CXX", "c++")
    return f"{compiler} -std=c++20 -shared -fPIC -I{SOURCE}/include -I{SOURCE}/engines store.cc -o '{output}'"


def make_store(store, engine):
    """The commits: as it is, slower, and as it was."""
    with open(os.path.join(SOURCE, "docs/examples/journal.cc"), encoding="utf-8") as file:
        fast = file.read().replace('"journal"', f'"{engine}"')
    slow, places = re.subn(r"(Put\(.*\{\n)", lambda match: match[1] + SLEEP, fast, count=1)
    if places != 1:
        fail("journal.cc has no Put() any more")
    slow = "#include <chrono>\n#include <thread>\n" + slow
    os.makedirs(store)
    git(store, "init", "--quiet")
    commits = []
    for text in (fast, slow, fast + "// As it was.\n"):
        with open(os.path.join(store, "store.cc"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(os.path.join(store, "Makefile"), "w", encoding="utf-8") as file:
            file.write(f"all:\n\t{build_command(f'levelfield_{engine}.so')}\n")
        with open(os.path.join(store, ".gitignore"), "w", encoding="utf-8") as file:
            file.write("levelfield/\nverdicts/\n*.so\n")
        git(store, "add", "--all")
        git(store, "commit", "--quiet", "--message=change")
        commits.append(git(store, "rev-parse", "HEAD"))
    return commits


def keep_build(build, tree):
    """Levelfield's tree with of its build only what the action and the example of GitLab keep."""
    os.makedirs(os.path.join(tree, "build"))
    for name in ("scripts", "packages"):
        shutil.copytree(os.path.join(SOURCE, name), os.path.join(tree, name))
    shutil.copy(os.path.join(build, "levelfield"), os.path.join(tree, "build"))
    shutil.copytree(os.path.join(build, "engines"), os.path.join(tree, "build/engines"), symlinks=True)
    # The packages are there, or else it would not have been built.
    open(os.path.join(tree, "build/packages.stamp"), "w", encoding="utf-8").close()
    key = subprocess.run([os.path.join(tree, "scripts/build_key.sh")], check=True, capture_output=True, text=True)
    with open(os.path.join(tree, "build/built_from"), "w", encoding="utf-8") as file:
        file.write(key.stdout)
