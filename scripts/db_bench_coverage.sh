#!/bin/bash
# Tries each flag of RocksDB's own db_bench, at another value than its default and at the least and the most of its type
# (or of its meaning, where the type has room for nonsense), in both programs with one library, and counts it only if
# what it changes in the original it changes here: the options of the store (OPTIONS), what LOG tells of its caches and
# limiter, what was counted, or the lines that are printed. Numbers that depend on draws may differ by 15 %. Prints the
# share of what the original itself honours, and a line for each of the rest. The goal is 95 % of what RocksDB's C
# interface can be asked for: docs/generated/db_bench_rocksdb.md names what it cannot.
#
# A value is no test where the original has another one in force than it was given, and ours refuses it for that; where
# the original does nothing at all with it; and where this library lacks a function that came later. These are named.
#
#   scripts/db_bench_coverage.sh [--build=build] [--seconds=N] [--again] [FLAG...]      default: all flags
#
# What is known of a flag is kept in BUILD/db_bench_coverage.jsonl. --seconds ends after that time, and the next call
# goes on from there. A flag that is named, and all with --again, are tried anew.
#
# The original is Debian's (package rocksdb-tools), and ours loads the same library. Flags that today's db_bench has no
# more are left out. Those that came later are taken at their default (case RocksDbNames.take_every_flag...).
set -euo pipefail
cd "$(dirname "$0")/.."
[[ -x /usr/bin/db_bench ]] || { echo "RocksDB's db_bench is not there: apt-get install rocksdb-tools" >&2; exit 2; }
exec python3 - "$@" <<'PYTHON'
import concurrent.futures, glob, json, os, re, resource, shutil, subprocess, sys, tempfile, time

def option(name, otherwise):
    return next((a.partition("=")[2] for a in sys.argv[1:] if a.startswith(f"--{name}=")), otherwise)

build = os.path.abspath(option("build", "build"))
deadline = time.monotonic() + float(option("seconds", "1e9"))
only = [a for a in sys.argv[1:] if not a.startswith("--")]
known_path = build + "/db_bench_coverage.jsonl"
PROGRAMS = {"theirs": ["/usr/bin/db_bench"], "ours": [build + "/db_bench_rocksdb", "--engine=rocksdb@system"]}
WORK = ["--benchmarks=fillseq,readrandom,seekrandom", "--num=600", "--seed=7", "--statistics", "--progress_reports=0",
        "--cache_size=33554432"]  # Its default differs between versions.
# Where a flag counts only with another one, or in a benchmark of its own. The first that fits.
CONTEXTS = [
    ("universal_", "--compaction_style=1"),
    ("fifo_", "--compaction_style=2"),
    ("blob_cache_|use_shared_block_and_blob",
     "--enable_blob_files --use_blob_cache --use_shared_block_and_blob_cache=0"),
    ("prepopulate_blob_cache", "--enable_blob_files --use_blob_cache"),
    ("blob_db_", "--use_blob_db"),
    ("blob_|enable_blob_garbage|min_blob|use_blob_cache", "--enable_blob_files"),
    ("deletes$", "--benchmarks=fillseq,deleteseq"),
    ("merge_keys|mergereadpercent|merge_operator",
     "--benchmarks=fillseq,mergerandom,readrandommergerandom --merge_operator=put"),
    ("readwritepercent", "--benchmarks=fillseq,readrandomwriterandom"),
    ("deletepercent", "--benchmarks=randomwithverify"),
    ("overwrite_", "--benchmarks=filluniquerandom"),
    ("overwrite_window", "--benchmarks=filluniquerandom --overwrite_probability=50"),
    ("range_tombstone_|expand_range|max_num_range|writes_before",
     "--writes_per_range_tombstone=50 --max_num_range_tombstones=5"),
    ("writes_per_range", "--max_num_range_tombstones=5"),
    ("num_hot_column|column_family_dist", "--num_column_families=4"),
    ("hash_bucket|use_hash_search", "--memtablerep=prefix_hash --prefix_size=8 --allow_concurrent_memtable_write=0"),
    ("keys_per_prefix|total_order_seek|prefix_same|auto_prefix", "--prefix_size=8"),
    ("compressed_secondary_|tiered|use_tiered", "--use_compressed_secondary_cache"),
    ("secondary_path|secondary_update", "--use_secondary_db --use_existing_db"),
    ("transaction_db|optimistic_tr", "--benchmarks=randomtransaction"),
    ("transaction_", "--benchmarks=randomtransaction --optimistic_transaction_db"),
    ("mix_|keyrange_|key_dist_|value_(k|theta|sigma|ceil)|iter_|sine_mix|sine_[abcd]",
     "--benchmarks=fillseq,mixgraph --reads=300"),
    ("memtablerep", "--prefix_size=8 --allow_concurrent_memtable_write=0"),
    ("cuckoo|identity_as", "--use_cuckoo_table --mmap_read --benchmarks=fillseq"),
    ("read_cache_", "--read_cache_path=cache"),
    ("use_ribbon|whole_key|optimize_filters|partition_index_and", "--bloom_bits=10"),
    ("multiread_", "--benchmarks=fillseq,multireadrandom --batch_size=10"),
    ("key_id_range|expire_style|time_range", "--benchmarks=timeseries --num=300"),
    ("rate_limit", "--rate_limiter_bytes_per_sec=100000000"),
    ("read_with_latest", "--user_timestamp_size=8"),
    ("use_existing_keys|use_existing_db", "--benchmarks=readrandom,seekrandom"),
    ("seek_nexts_to|seek_missing", "--seek_nexts=3 --prefix_size=4"),
    ("bgwriter_num|finish_after_writes|use_tailing", "--benchmarks=fillseq,readwhilewriting,seekrandomwhilewriting"),
    ("updateoffset|duration|num_deletion", "--benchmarks=fillseq,updaterandom"),
    ("compression_(max|zstd|use|par)", "--compression_type=zstd"),
    ("index_with_first|partition_index", ""),
]
HEADER = "(Keys|Values|Entries|Prefix|RawSize|FileSize|Write rate|Read rate|Compression|Memtablerep|Perf Level):(.*)"
# They name or time what each run has of its own. What is found in a memtable or a cache depends on whether the store
# was opened again between two benchmarks, as it is here.
UNSTEADY = re.compile("db_session|db_host|_id$|(line|count|LOG) .*(micros|nanos|time|seconds|stall|seed|capacity_ratio|"
                      r"memory_allocator)|count rocksdb\.(memtable|block\.cache|l0|l1|l2andup)\.")
# Flags of a run and not of a store, which both programs are given here, or which would not end.
LEFT_OUT = {"benchmarks", "db", "help", "helpfull", "helpmatch", "helpon", "helppackage", "helpshort", "helpxml",
            "version", "flagfile", "fromenv", "tryfromenv", "undefok", "tab_completion_columns",
            "tab_completion_word", "num", "seed", "statistics", "progress_reports", "duration"}


def flags():
    """(name, type, default) of each, as gflags tells them."""
    text = subprocess.run(["/usr/bin/db_bench", "--helpfull"], capture_output=True, text=True).stdout
    text = next(part for part in text.split("Flags from ") if "db_bench_tool.cc" in part[:80])
    text = re.sub(r"\s+", " ", text)
    found = re.findall(r" -(\w+) \((.*?)\) type: (\w+) default: (.*?)(?= -\w+ \(|$)", text)
    return [(name, kind, default.strip().strip('"')) for name, _, kind, default in found if name not in LEFT_OUT]


# Of flags whose type has more values than they have meanings.
VALUES = {"wal_dir": "@/logs", "report_interval_seconds": "2 3600", "compaction_style": "1 2 3",
          "compaction_pri": "0 1 2 4", "checksum_type": "0 1 2 3",
          "index_shortening_mode": "0 1 2", "prepopulate_block_cache": "1", "prepopulate_blob_cache": "1",
          "perf_level": "2 5", "user_timestamp_size": "8", "mergereadpercent": "30 0 100", "readwritepercent":
          "30 0 100", "deletepercent": "10 0", "threads": "2 8", "batch_size": "2 600", "key_size": "8 40",
          "compression_ratio": "0.75 1", "merge_keys": "300 600", "multiread_stride": "2 50", "seek_nexts": "2 600",
          "write_buffer_size": "131072 268435456", "bloom_bits": "5 20 0", "block_size": "1024 65536", "reads":
          "300 1", "deletes": "300 1", "value_size": "50 1000", "open_files": "20 1000", "max_background_jobs": "1 8",
          "subcompactions": "1 4", "compression_parallel_threads": "2 4", "level0_file_num_compaction_trigger":
          "1 100", "block_restart_interval": "1 100", "index_block_restart_interval": "1 9",
          "blob_cache_numshardbits": "2 0 19", "cache_numshardbits": "2 0 19", "use_existing_db": "true",
          "cache_type": "hyper_clock_cache", "memtablerep": "vector prefix_hash hash_linkedlist"}


def values(name, kind, default):
    """Another one than the default, then the least and the most."""
    if name in VALUES:
        return VALUES[name].split()
    if kind == "bool":
        return ["false" if default == "true" else "true"]
    if kind == "double":
        return [str(float(default) / 2 + 0.25), "0", "1"]
    if kind == "string":
        return {"snappy": ["zstd", "none", "lz4"], "none": ["zstd"], "fixed": ["uniform", "normal"]}.get(
            default, ["another"])
    most = {"int32": 2**31 - 1, "uint32": 2**32 - 1, "int64": 2**63 - 1, "uint64": 2**64 - 1}[kind]
    return [str(int(default) * 2 if int(default) > 0 else 2), "0", str(most)]


def context_of(name):
    return next((words.split() for pattern, words in CONTEXTS if re.match(pattern, name)), [])


def limit():
    # The most of a size would fill memory or the disk.
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(program, words, directory):
    """What a run shows: its options, what it counted and printed. A text: why it failed."""
    place = f"{directory}/{program}"
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    if program == "ours":  # The name by which ours draws as the original does.
        words = [word.replace("mixgraph", "mixgraph-compat") for word in words]
    command = PROGRAMS[program] + WORK + [f"--db={place}/db"] + [word.replace("@", place) for word in words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=place,
                          errors="replace", preexec_fn=limit, start_new_session=True) as child:
        try:
            # Ours opens the store anew between two benchmarks, and reads it back: on a busy disk that takes its time.
            out, err = child.communicate(timeout=12 if program == "theirs" else 60)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            child.communicate()
            return "it does not end"
    # Ours also fails where it finds less than it wrote, as with a store that drops its entries.
    has_failed_check = program == "ours" and child.returncode == 1 and glob.glob(place + "/db/OPTIONS-*")
    has_run = child.returncode in (0, 3) or has_failed_check
    if not has_run:
        return (err.strip().splitlines() or out.strip().splitlines() or ["no word"])[-1]
    shown = {}
    store = place + "/db"
    for path in sorted(glob.glob(store + "/OPTIONS-*"))[-1:]:
        for line in open(path):
            name, equals, value = line.strip().partition("=")
            if equals and not name.startswith("#"):
                shown["option " + name] = value.replace(place, "")
    for line in open(store + "/LOG", errors="replace") if os.path.exists(store + "/LOG") else ():
        # Names occur twice, for caches of blocks and of blobs.
        if found := re.search(r"(?:Options\.|^\s+)([a-z_.\[\]0-9]+)\s*: (.*)", line):
            name = "LOG " + found[1] + (" again" if "LOG " + found[1] in shown else "")
            shown.setdefault(name, re.sub("^0x[0-9a-f]+", "an object", found[2].strip().replace(place, "")))
    for name in [name for path in (place, store, store + "/db") if os.path.isdir(path) for name in os.listdir(path)]:
        if not re.search(r"\d{6}|^db$|^results$|^LEVELFIELD$|^LOG.old", name):
            shown["file " + name] = "is there"
    for line in out.splitlines():
        if found := re.match(r"(rocksdb\.[a-z.-]+) (?:P50 .*)?COUNT : (\d+)", line):
            # Ours says what each benchmark counted, theirs what all did.
            shown["count " + found[1]] = str(int(shown.get("count " + found[1], 0)) + int(found[2]))
        elif found := re.search(r"^(\w+) +: .*\((\d+) of (\d+) found", line):
            shown["line " + found[1] + " found"] = found[2]
        elif found := re.match(HEADER, line):
            shown["line " + found[1]] = " ".join(found[2].split())
        elif found := re.match(r"(\w+)(?:-compat)? +: .* (\d+) operations", line):
            shown["line " + found[1]] = found[2]
    return {name: value for name, value in shown.items() if not UNSTEADY.search(name)}


def agree(name, one, other):
    if one == other:
        return True
    if not name.startswith(("count ", "line ")) or one is None or other is None or not (one + other).isdigit():
        return False
    return abs(int(one) - int(other)) <= max(3, 0.15 * max(int(one), int(other)))


def changes(base, other):
    return {name: other.get(name) for name in {*base, *other} if not agree(name, base.get(name), other.get(name))}


bases = {}


def base_of(context, directory):
    """What both programs show without the flag, and what differs between two runs of one."""
    key = tuple(context)
    if key not in bases:
        base = {program: run(program, context, directory) for program in PROGRAMS}
        again = {program: run(program, context, directory) for program in PROGRAMS}
        noise = {name for program in PROGRAMS if isinstance(base[program], dict) and isinstance(again[program], dict)
                 for name in changes(base[program], again[program])}
        bases[key] = base, noise
    return bases[key]


LATER = "the library's C interface has it later"


def verdict_of(flag, context, directory):
    """Nothing: it shows nothing that can be compared. Empty: the same here. Else what is wrong."""
    base, noise = base_of(context, directory)
    if not isinstance(base["theirs"], dict):
        return None
    theirs = run("theirs", context + [flag], directory)
    if not isinstance(theirs, dict):
        return None
    wanted = {key: to for key, to in changes(base["theirs"], theirs).items() if key not in noise}
    if not wanted:
        return None
    ours = run("ours", context + [flag], directory)
    # Only what both tell is compared, and first of all the options.
    kinds = {key.split()[0] for key in wanted}
    most_telling = next(kind for kind in ("option", "LOG", "line", "count", "file") if kind in kinds)
    value = flag.partition("=")[2]
    if not isinstance(ours, dict):
        if "which came later" in ours or "came with RocksDB" in ours:
            return LATER
        is_in_force = most_telling not in ("option", "LOG") or value in wanted.values() or not value.isdigit()
        does_nothing = value == "0" and any(key.startswith("line") and to == "1" for key, to in wanted.items())
        return None if " was asked for, and " in ours or not is_in_force or does_nothing else f"refused: {ours}"
    missing = {key: to for key, to in wanted.items()
               if key.startswith(most_telling) and not agree(key, ours.get(key), to)}
    return ", ".join(f"{key} is {to} there and {ours.get(key)} here" for key, to in sorted(missing.items())[:3])


def try_flag(name, kind, default):
    with tempfile.TemporaryDirectory(prefix="coverage.") as directory:
        verdicts = {f"--{name}={value}": verdict_of(f"--{name}={value}", context_of(name), directory)
                    for value in values(name, kind, default)}
    return {"flag": name, "verdicts": {flag: verdict for flag, verdict in verdicts.items() if verdict is not None}}


known = {}
if os.path.exists(known_path) and "--again" not in sys.argv:
    known = {one["flag"]: one for one in map(json.loads, open(known_path))}
of_today = set(re.findall(r"(?m)^(\w+)=", open("tests/cases/rocksdb_db_bench_defaults.txt").read()))
asked = [flag for flag in flags() if (flag[0] in only if only else flag[0] in of_today)]
waiting = [flag for flag in asked if only or flag[0] not in known]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    tried = pool.map(lambda flag: try_flag(*flag) if time.monotonic() < deadline else None, waiting)
    known.update({one["flag"]: one for one in tried if one is not None})
with open(known_path + ".new", "w") as file:
    file.writelines(json.dumps(one) + "\n" for one in known.values())
os.rename(known_path + ".new", known_path)
shown = [known[name] for name, *_ in asked if name in known]
later = [one["flag"] for one in shown if LATER in one["verdicts"].values()]
honoured = [one for one in shown if one["verdicts"] and one["flag"] not in later]
same = [one for one in honoured if not any(one["verdicts"].values())]
for one in honoured:
    for flag, verdict in one["verdicts"].items():
        if verdict:
            print(f"{flag}: {verdict}"[:300])
print("the library in C has them later:", *later)
print(f"{len(same)} of {len(honoured)} flags that change anything that can be seen in the original change the same "
      f"here: {100 * len(same) / max(len(honoured), 1):.1f} %")
no_interface = set(re.findall(r"`(\w+)=", "".join(re.findall(r"(?m)^\| (`.*) \| RocksDB's C interface .*$",
                                                              open("docs/generated/db_bench_rocksdb.md").read()))))
within_reach = [one for one in honoured if one in same or one["flag"] not in no_interface]
print(f"{len(same)} of {len(within_reach)} of those that RocksDB's C interface can be asked for: "
      f"{100 * len(same) / max(len(within_reach), 1):.1f} % (goal 95)")
if len(shown) < len(asked):
    sys.exit(f"{len(shown)} of {len(asked)} flags were tried: call it again")
sys.exit(0 if honoured and len(same) >= 0.95 * len(within_reach) else 1)
PYTHON
