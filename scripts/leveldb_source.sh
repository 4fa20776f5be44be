#!/bin/bash
# Unpacks Debian's source package of LevelDB, the one that packages/engines.txt names by its
# checksum, into <work>/source; the package itself stays in <work>/package.
#
#   scripts/leveldb_source.sh <work>
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1

read -r version checksum <<<"$(awk '$1 == "leveldb" && $2 == "debian" {print $3, $4}' \
  packages/engines.txt)"
scripts/debian_source.sh leveldb "$version" "$work/package"
dsc=$work/package/leveldb_$version.dsc
if ! echo "$checksum  $dsc" | sha256sum --check --status; then
  echo "LevelDB: ${dsc##*/} is not the file that packages/engines.txt names by its checksum" >&2
  exit 1
fi
dpkg-source -x "$dsc" "$work/source"  # Checks the tarballs against the .dsc.
