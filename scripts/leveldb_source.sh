#!/bin/bash
# Unpacks LevelDB's source into <work>/source: the release's archive as its authors made it, which every release of
# Debian and Ubuntu that has this version serves as the same file. packages/engines.txt names it by its checksum. It
# stays in the cache, where it can be put by other means, too.
#
#   scripts/leveldb_source.sh <work>
#
# Debian's own patches are left out. They concern LevelDB's tests, the name of its shared library, a second library and
# type information for Ceph: none changes what a store does.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1

read -r version checksum <<<"$(awk '$1 == "leveldb" && $2 == "debian" {print $3, $4}' \
  packages/engines.txt)"
archive=$(scripts/cache_directory.sh)/leveldb_$version.orig.tar.gz
is_it() { echo "$checksum  $1" | sha256sum --check --status 2>/dev/null; }
if ! is_it "$archive"; then
  if ! command -v apt-get >/dev/null; then
    echo "LevelDB's source comes by apt, which this system does not have: put ${archive##*/}, of Debian's package" \
      "leveldb, into ${archive%/*} (sha256 $checksum)" >&2
    exit 1
  fi
  scripts/debian_source.sh leveldb "$work/package"
  fetched=$work/package/${archive##*/}
  if [[ ! -e $fetched ]]; then
    echo "LevelDB: packages/engines.txt asks for $version; this release has $(ls "$work/package")" >&2
    exit 1
  fi
  if ! is_it "$fetched"; then
    echo "LevelDB: ${archive##*/} is not the file that packages/engines.txt names by its checksum" >&2
    exit 1
  fi
  # Beside its place first, so that nobody finds a part of it.
  cp "$fetched" "$archive.$$"
  mv "$archive.$$" "$archive"
fi
mkdir -p "$work/source"
tar -xzf "$archive" -C "$work/source" --strip-components=1
