#!/bin/bash
# Fetches RocksDB's official release binary, the library inside org.rocksdb:rocksdbjni, and prints
# the directory that then holds librocksdb.so and build.txt.
#
#   scripts/fetch_rocksdb.sh [version]     default: the first one in packages/engines.txt
#
# It exports RocksDB's C interface beside the Java one, and needs nothing but libc. It is compiled
# without hardware CRC32; `make engines` builds one that has it.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:-$(awk '$1 == "rocksdbjni" {print $3; exit}' packages/engines.txt)}
checksum=$(awk -v version="$version" '$1 == "rocksdbjni" && $3 == version {print $4}' \
  packages/engines.txt)
if [[ ! $version =~ ^[0-9]+(\.[0-9]+)+$ ]]; then
  echo "RocksDB version '$version': give one like 8.10.0" >&2
  exit 2
fi
case $(uname -m) in
  x86_64) member=librocksdbjni-linux64.so ;;
  aarch64) member=librocksdbjni-linux-aarch64.so ;;
  *) echo "rocksdbjni: not unpacked for $(uname -m); use make rocksdb" >&2 && exit 1 ;;
esac
cache=$(scripts/cache_directory.sh)
result=$cache/rocksdb-$version-maven
if [[ -e $result/build.txt ]]; then
  echo "$result"
  exit
fi

echo "fetching RocksDB $version (90 MB, once)" >&2
maven=$(scripts/python_tools.sh packages/python_maven.txt)
# Beside the result, so that the rename at the end is atomic.
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
jar=$work/rocksdbjni.jar
# With the certificates of this machine, as curl and apt have them.
if ! REQUESTS_CA_BUNDLE=${REQUESTS_CA_BUNDLE:-/etc/ssl/certs/ca-certificates.crt} \
  "$maven/bin/maven-artifact" "org.rocksdb:rocksdbjni:$version" "$jar" >"$work/log" 2>&1; then
  tail -n 5 "$work/log" | sed -E 's#\(?https?://[^ ]*##g' >&2
  echo "RocksDB $version could not be fetched: is there such a release of org.rocksdb:rocksdbjni?" >&2
  exit 1
fi
sum=$(sha256sum "$jar" | cut -d' ' -f1)
if [[ -z $checksum ]]; then
  echo "RocksDB $version has no checksum in packages/engines.txt; got $sum" >&2
elif [[ $sum != "$checksum" ]]; then
  echo "RocksDB $version: the jar's checksum is $sum, packages/engines.txt says $checksum" >&2
  exit 1
fi

mkdir "$work/result"
if ! /usr/bin/python3 -m zipfile --extract "$jar" "$work/jar" ||
  ! mv "$work/jar/$member" "$work/result/librocksdb.so" ||
  ! nm -D --defined-only "$work/result/librocksdb.so" | grep ' T rocksdb_open$' >/dev/null; then
  echo "RocksDB $version: $member in the jar does not export the C interface" >&2
  exit 1
fi
chmod 755 "$work/result/librocksdb.so"
{
  echo "build: official release binary $version"
  echo "version: $version"
  echo "origin: org.rocksdb:rocksdbjni:$version, $member"
  echo "origin_sha256: $sum"
  echo "library_sha256: $(sha256sum "$work/result/librocksdb.so" | cut -d' ' -f1)"
} >"$work/result/build.txt"
# Somebody else may have finished meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/build.txt ]]
echo "$result"
