#!/usr/bin/env python3
"""The shell steps of action.yml, as they stand there, run in their order as GitHub runs them: with names of branches,
inputs and paths that would run something if they became part of a script. What GitHub's own actions do is left out.

  tests/docs/action_test.py BUILD DIRECTORY
"""

import glob
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from guarded_store import SOURCE, build_command, fail, git, keep_build, make_store

BUILD, WORK = (os.path.realpath(path) for path in sys.argv[1:3])
with open(os.path.join(SOURCE, "action.yml"), encoding="utf-8") as action_file:
    ACTION = yaml.safe_load(action_file)
STEPS = ACTION["runs"]["steps"]
COMMENTS_URL = "inputs.comment == 'true' && github.event.pull_request.comments_url || ''"
PWNED = "$(touch pwned)"


def outputs_in(path):
    """As GitHub reads them: name=value, or name<<END with lines up to END."""
    outputs = {}
    with open(path, encoding="utf-8") as file:
        lines = iter(file.read().splitlines())
    for line in lines:
        name, value = re.fullmatch(r"(\w+)(=.*|<<.*)", line).groups()
        if value.startswith("="):
            outputs[name] = value[1:]
            continue
        ended = value[2:]
        outputs[name] = ""
        for more in lines:
            if more == ended:
                break
            outputs[name] += more + "\n"
    return outputs


class Job:
    """The steps of the action in a job, each with what those before it have told."""

    def __init__(self, name, store, tree, inputs):
        self.store = store
        self.temp = os.path.join(WORK, f"temp of {name}; {PWNED.replace('/', '_')}")
        os.makedirs(self.temp)
        self.summary = os.path.join(self.temp, "summary.md")
        self.tree = tree
        self.inputs = inputs
        self.outputs = {}
        self.comments_url = ""
        self.log = ""

    def value_of(self, expression):
        if expression == COMMENTS_URL:
            return self.comments_url if self.inputs.get("comment") == "true" else ""
        kind, *names = expression.split(".")
        if kind == "inputs":
            return self.inputs[names[0]]
        if kind == "steps" and names[1] == "outputs":
            return self.outputs.get(names[0], {}).get(names[2], "")
        return fail(f"this test does not know what ${{{{ {expression} }}}} is")

    def filled(self, text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: self.value_of(match[1]), str(text))

    def run(self, step):
        script = os.path.join(self.temp, "script.sh")
        output = os.path.join(self.temp, "output")
        with open(script, "w", encoding="utf-8") as file:
            file.write(step["run"])
        open(output, "w", encoding="utf-8").close()
        environment = dict(os.environ, RUNNER_TEMP=self.temp, GITHUB_OUTPUT=output, GITHUB_STEP_SUMMARY=self.summary,
                           GITHUB_ACTION_PATH=self.tree)
        environment.pop("LEVELFIELD", None)
        environment.update((name, self.filled(value)) for name, value in step.get("env", {}).items())
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.store,
                              env=environment, capture_output=True, text=True, check=False)
        self.log += f"== {step['name']}: {done.returncode}\n{done.stdout}{done.stderr}"
        if "id" in step:
            self.outputs[step["id"]] = outputs_in(output)
        return done

    def step(self, name):
        return self.run(next(step for step in STEPS if step["name"] == name))


def check(condition, what, *texts):
    if not condition:
        fail(what, *texts)


def check_nothing_ran():
    ran = [path for path in glob.glob(WORK + "/**/*", recursive=True) if os.path.basename(path).startswith("pwned")]
    check(not ran and not os.path.exists("pwned"), f"something in a name was run: {ran}")


def check_form():
    """What no run shows: that no script has an expression in it, and which versions of others it takes."""
    for step in STEPS:
        check("${{" not in step.get("run", ""), f"{step['name']}: GitHub would write an input into the script")
        check(("run" in step) == (step.get("shell") == "bash"), f"{step['name']} has another shell")
        if "uses" in step:
            is_exact = re.fullmatch(r"actions/[a-z/-]+@v\d+\.\d+\.\d+", step["uses"])
            check(is_exact, f"{step['uses']} has no exact version")
    names = [step["name"] for step in STEPS]
    check(names.index("Keep the build") == names.index("Build Levelfield") + 1, "a failing job does not keep the build")
    check(names.index("Compare the commits") < names.index("Keep report.html") < names.index("Show the verdicts"),
          "the comment cannot name the page")


class Comments(http.server.BaseHTTPRequestHandler):
    """Where a comment is posted."""
    posted = []

    def do_POST(self):
        self.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"])
        self.send_response(201)
        self.end_headers()

    def log_message(self, *words):
        pass


def whole_job(store, tree):
    """All steps, with names that are allowed and would run something as text of a script."""
    databases = os.path.join(WORK, "it is; $(touch pwned)")
    os.makedirs(databases)
    output = "a dir/levelfield_journal.so"
    job = Job("whole", store, tree, {
        "base": "refs/heads/$(touch${IFS}pwned)", "head": ";touch${IFS}pwned;'\"`touch${IFS}pwned`",
        "build": f"mkdir -p 'a dir' && {build_command(output)}", "output": output, "engine": "journal",
        "flags": f"--num=300   # few; {PWNED}\n--benchmarks=fillrandom\n\n--price=0 \\\n  --audit=0 --db='{databases}'\n",
        "comment": "true", "token": "$(touch pwned)"})
    check(job.step("Name the build").returncode == 0, "the build has no name", job.log)
    build = job.outputs["build"]
    check(re.fullmatch(r"levelfield-[a-z]+-[\w.]+-\w+-[0-9a-f]{16}", build["key"]), f"the key is {build['key']}")
    check(build["key"].startswith(build["system"]), "another build of the same system would not be taken")
    kept = build["kept"].splitlines()
    missing = [path for path in kept if not os.path.exists(path) and os.path.basename(path) != "cache"]
    check(len(kept) == 4 and not missing, f"of what is kept is missing: {missing}")
    check(job.step("Build Levelfield").returncode == 0, "a kept build is not taken", job.log)
    check(not os.path.exists(os.path.join(tree, "build/CMakeCache.txt")), "a kept build was built again")
    compared = job.step("Compare the commits")
    check(compared.returncode == 1 and "slower in fillrandom" in compared.stdout, "it does not say slower", job.log)
    manifest = glob.glob(os.path.join(glob.escape(job.temp), "levelfield/results/*/manifest.json"))
    with open(manifest[0], encoding="utf-8") as file:
        settings = json.load(file)["settings"]
    check(settings["db"] == databases and settings["num"] == "300", "the flags do not come through", settings)
    page = job.outputs["compare"]["page"]
    check(re.search(r"/levelfield-journal-\d+\.html$", page) and os.path.getsize(page) > 100_000, f"no page: {page}")
    server = http.server.HTTPServer(("127.0.0.1", 0), Comments)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    job.comments_url = f"http://127.0.0.1:{server.server_port}/$(touch%20pwned)"
    job.outputs["page"] = {"artifact-url": "https://github.com/a/b/actions/runs/1/artifacts/2"}
    check(job.step("Show the verdicts").returncode == 0, "the verdicts are not shown", job.log)
    with open(job.summary, encoding="utf-8") as file:
        summary = file.read()
    check(Comments.posted == [summary], "the comment is not the summary", summary, Comments.posted)
    check("slower in fillrandom" in summary, "the summary has no verdict", summary)
    check("\n[report.html](https://github.com/a/b/actions/runs/1/artifacts/2): " in summary, "no link", summary)


def refusals(store, tree):
    """What cannot be right is refused by its name, and before anything is built."""
    good = {"base": "main", "head": "main", "build": "touch pwned", "output": "x.so", "engine": "journal", "flags": "",
            "comment": "false", "token": ""}
    cases = [("base", text, "has no commit") for text in
             (PWNED, "; touch pwned", "`touch pwned`", "--output=pwned", "a\nb", "'\"", "")]
    cases += [("head", "main; touch pwned", "has no commit")]
    cases += [("engine", text, "the engine") for text in
              ("journal; touch pwned", PWNED, "../journal", "journal,lmdb", "a\nb", "-x", "")]
    cases += [("output", text, "the output") for text in ("a.so,b.so", "a\nb.so")]
    cases += [("flags", "--num=5 --name='half", "a quote is opened and not closed")]
    for number, (name, text, says) in enumerate(cases):
        job = Job(f"refusal {number}", store, tree, {**good, name: text})
        done = job.step("Compare the commits")
        check(done.returncode not in (0, 3) and says in done.stderr, f"{name} {text!r} is not refused", job.log)
        shown = job.step("Show the verdicts")
        check(shown.returncode == 0 and not os.path.exists(job.summary), "there is nothing to show", job.log)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    os.makedirs(WORK)
    os.chdir(WORK)
    check_form()
    store = os.path.join(WORK, "the store; touch pwned")
    first, second, _ = make_store(store, "journal")
    git(store, "branch", "-f", "main", first)
    git(store, "branch", "$(touch${IFS}pwned)", first)
    git(store, "branch", ";touch${IFS}pwned;'\"`touch${IFS}pwned`", second)
    tree = os.path.join(WORK, f"levelfield's; {PWNED}")
    keep_build(BUILD, tree)
    refusals(store, tree)
    whole_job(store, tree)
    check_nothing_ran()
    worktrees = git(store, "worktree", "list").splitlines()
    check(len(worktrees) == 1, "work trees are left", *worktrees)


main()
