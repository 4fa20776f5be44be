#!/usr/bin/env python3
"""What a gate of a fleet costs, by the number of ranks: mpirun and the real levelfield-mpi, around runs that do nothing
but come to gates. Then what `levelfield merge` takes for the results of a real fleet of as many ranks.

  benchmarks/gates.py BUILD [RANKS...]

Prints a line a number of ranks: the median time of a gate, of one that compares clocks, and of the start, in ms; and the
seconds of a merge of so many results. A machine with fewer processors than ranks shows more than a cluster would: on
each of its machines there is one rank."""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

GATES = 40
RUN = f"""#!/usr/bin/env python3
import json, os, statistics, sys, time
answers, questions = (os.fdopen(int(fd), mode) for fd, mode in zip(os.environ["LEVELFIELD_FLEET_GATE"].split(","), "rw"))
def ask(run, gate, compares):
    begin = time.monotonic()
    print(json.dumps(dict(run=run, gate=gate, tells="x" * 40, failure="", left="", ranks=0, patience_seconds=60,
                          compares_clocks=compares)), file=questions, flush=True)
    answer = json.loads(answers.readline())
    assert not answer["failure"], answer
    return time.monotonic() - begin, answer
start, first = ask(0, "the start", False)
plain = [ask(1, str(i), False)[0] for i in range({GATES})]
compared = [ask(2, str(i), True)[0] for i in range({GATES})]
if first["place"]["rank"] == 0:
    print(json.dumps([statistics.median(plain), statistics.median(compared), start]), file=sys.stderr)
"""


def environment():
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")


def gates(build, ranks, folder):
    shutil.copy(f"{build}/levelfield-mpi", folder)
    with open(f"{folder}/levelfield", "w", encoding="utf-8") as file:
        file.write(RUN)
    os.chmod(f"{folder}/levelfield", 0o755)
    done = subprocess.run(["mpirun", "-q", "--oversubscribe", "-n", str(ranks), f"{folder}/levelfield-mpi", "run",
                           "--fleet=one"], env=environment(), capture_output=True, text=True, check=False)
    return next(json.loads(line) for line in done.stderr.splitlines() if line.startswith("["))


def merge_seconds(build, ranks, folder):
    """Of a fleet that fills a store and reads it."""
    server = ["bash", "-c", 'exec -a redis-server redis-check-rdb --port 0 --unixsocket s --save ""']
    with subprocess.Popen(server, cwd=folder, stdout=subprocess.DEVNULL) as server:
        time.sleep(1)
        subprocess.run(["mpirun", "-q", "--oversubscribe", "-n", str(ranks), f"{build}/levelfield-mpi", "run",
                        "--fleet=one", "--engine=redis", f"--redis.endpoint={folder}/s", "--durability=none", "--price=0",
                        "--audit=0", "--num=20000", "--results=r", "--benchmarks=fillrandom,readrandom"],
                       env=environment(), cwd=folder, capture_output=True, check=False)
        server.kill()
    parts = [f"r/{name}" for name in os.listdir(f"{folder}/r") if "-rank" in name]
    begin = time.monotonic()
    subprocess.run([f"{build}/levelfield", "merge", "--results=m", *parts], cwd=folder, capture_output=True, check=False)
    return len(parts), time.monotonic() - begin


def main():
    build = os.path.abspath(sys.argv[1])
    print("ranks  gate ms  with clocks ms  start ms  merge s")
    for ranks in map(int, sys.argv[2:] or ["2", "4", "8", "16", "32", "64"]):
        with tempfile.TemporaryDirectory() as folder:
            plain, compared, start = gates(build, ranks, folder)
        with tempfile.TemporaryDirectory() as folder:
            parts, merged = merge_seconds(build, ranks, folder)
        assert parts == ranks, f"{parts} results of {ranks} ranks"
        print(f"{ranks:5}  {plain * 1e3:7.2f}  {compared * 1e3:14.2f}  {start * 1e3:8.1f}  {merged:7.3f}", flush=True)


main()
