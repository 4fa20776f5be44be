#!/bin/bash
# Installs a build into a new directory and runs it there as a user who sees neither the build nor the cache of
# the one who built it: all engines, RocksDB by the library that came with the installation.
#
#   install_test.sh BUILD
set -euo pipefail
build=$1
fail() { echo "$*" >&2; exit 1; }
root=$(mktemp -d "${TMPDIR:-/var/tmp}/levelfield_install.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
cmake --install "$build" --prefix "$root/usr" >"$root/log" 2>&1 || { cat "$root/log"; exit 1; }

home=$(getent passwd "$(id -u)" | cut -d: -f6)
cache=$(cd "$(dirname "$0")/../.." && scripts/cache_directory.sh)
for file in "$root"/usr/bin/levelfield "$root"/usr/lib/levelfield/{,caches/}*.so; do
  for path in "$build" "$cache" "$home/"; do
    if strings --all "$file" | grep -F "$path" | grep -vF /usr/; then fail "$file names $path, which is of its builder"; fi
  done
done

# As large as a release may be; a sanitizer's build is none.
most=$(sed -n 's/^((size <= \([0-9]*\))).*/\1/p' "$(dirname "$0")/../../scripts/release.sh")
size=$(stat --format=%s "$root/usr/bin/levelfield")
if grep -q '^LEVELFIELD_SANITIZE:[A-Z]*=$' "$build/CMakeCache.txt" && ((size > most)); then
  fail "the program has $size bytes, more than $most"
fi

# Pages lead to pages that are there. What is of the source tree alone is not installed.
python3 - "$root/usr/share/doc/levelfield" <<'PYTHON' || fail "a page leads nowhere"
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
of_the_tree = ("action.yml", "CONTRIBUTING.md", "engines", "include", "kits", "tests")
pages = [*root.glob("docs/**/*.md"), root / "README.md"]
links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
assert len(pages) > 20 and len(links) > 100
dead = [(page, link) for page, link in links if not (page.parent / link).exists() and
        (page.parent / link).resolve().relative_to(root).parts[0] not in of_the_tree]
print(*dead, sep="\n", end="")
sys.exit(bool(dead))
PYTHON

as_other=()
if (($(id -u) == 0)); then as_other=(setpriv --reuid 65534 --regid 65534 --clear-groups); fi
mkdir -m 777 "$root/work"
cd "$root/work"
"${as_other[@]}" env -i PATH=/usr/bin:/bin HOME=/nonexistent "$root/usr/bin/levelfield" run --engine=all --num=100 --price=0 \
  --audit=0 --benchmarks=fillrandom,readrandom --results=results >out 2>err || { cat out err; fail "it does not run"; }
library=$(sed -n 's/.*"library_path":"\([^"]*librocksdb[^"]*\)".*/\1/p' results/*/results.jsonl | head -n 1)
[[ $library == "$root"/usr/lib/levelfield/rocksdb/* ]] || fail "RocksDB is '$library'"
