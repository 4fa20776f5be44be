#!/bin/bash
# Fetches the source distribution of a project of PyPI, the one that packages/engines.txt names by its version and
# checksum, unpacks it below <directory>, and prints where it then is. Nothing of it is run: not by pip, which would run
# its setup.py to learn its name.
#
#   scripts/pypi_source.sh <project> <directory>
set -euo pipefail
cd "$(dirname "$0")/.."
project=$1 directory=$2

read -r version checksum <<<"$(awk -v name="$project" '$1 == name && $2 == "pypi" {print $3, $4}' \
  packages/engines.txt)"
tools=$(scripts/python_tools.sh packages/python_fetch.txt)
mkdir -p "$directory/download"
# From the same mirror as pip.
if ! "$tools/bin/unearth" ${PIP_INDEX_URL:+--index-url "$PIP_INDEX_URL"} --no-binary \
  --download "$directory/download" "$project==$version" >"$directory/unearth.log" 2>&1; then
  tail -n 5 "$directory/unearth.log" | sed -E 's#https?://[^ ]*##g' >&2
  echo "the source of $project $version could not be fetched from PyPI" >&2
  exit 1
fi
archive=("$directory"/download/*.tar.gz)
sum=$(sha256sum "${archive[0]}" | cut -d' ' -f1)
if [[ $sum != "$checksum" ]]; then
  echo "$project $version: the checksum of its source is $sum, packages/engines.txt says $checksum" >&2
  exit 1
fi
mkdir "$directory/$project"
tar -xzf "${archive[0]}" -C "$directory/$project" --strip-components=1
echo "$directory/$project"
