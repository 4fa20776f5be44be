#!/bin/bash
# Installs programs from PyPI, by exact version and checksum, and prints the directory that then holds them
# in bin/: one of its own in the cache for each list. It is made once.
#
#   scripts/python_tools.sh packages/python_<name>.txt
#   scripts/python_tools.sh --where packages/python_<name>.txt   only prints where it would be
set -euo pipefail
cd "$(dirname "$0")/.."
list=${*: -1}
name=${list##*python_}
sum=$(sha256sum "$list")
result=$(scripts/cache_directory.sh)/python-${name%.txt}-${sum:0:12}
# Where it stands is written into the programs, so it is made in place, by one of those who want it.
if [[ $1 != --where && ! -e $result/done ]]; then
  mkdir -p "$result"
  exec 9<"$result"
  flock 9
fi
if [[ $1 != --where && ! -e $result/done ]]; then
  # The distribution's Python, because the checksums are for such versions, whatever else is in PATH.
  /usr/bin/python3 -m venv --clear "$result"
  "$result/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --no-compile \
    --no-cache-dir --require-hashes --requirement "$list" >&2
  # pip has done its work: 20 MB.
  rm -rf "$result"/lib/python3*/site-packages/{pip,setuptools,pkg_resources}
  touch "$result/done"
fi
echo "$result"
