#!/bin/bash
# Fetches the client of YCSB, and what it needs, from Maven's repository by the checksums of packages/maven_tests.txt, and
# prints the directory of its jars. For tests only, which compare its lines with ours.
#
#   scripts/ycsb_client.sh           fetches unless they are there already
#   scripts/ycsb_client.sh --where   only prints where they would be
set -euo pipefail
cd "$(dirname "$0")/.."

sum=$(sha256sum packages/maven_tests.txt)
result=$(scripts/cache_directory.sh)/ycsb-client-${sum:0:12}
if [[ ${1:-} == --where || -e $result/done ]]; then
  echo "$result"
  exit
fi

echo "fetching YCSB's client (2 MB, once)" >&2
maven=$(scripts/python_tools.sh packages/python_maven.txt)
# Beside the result, so that the rename at the end is atomic.
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/result"
while read -r coordinates checksum; do
  jar=$work/result/${coordinates//:/-}.jar
  # With the certificates of this machine, as curl and apt have them.
  if ! REQUESTS_CA_BUNDLE=${REQUESTS_CA_BUNDLE:-/etc/ssl/certs/ca-certificates.crt} \
    "$maven/bin/maven-artifact" "$coordinates" "$jar" >"$work/log" 2>&1; then
    tail -n 5 "$work/log" | sed -E 's#\(?https?://[^ ]*##g' >&2
    echo "$coordinates could not be fetched" >&2
    exit 1
  fi
  sum=$(sha256sum "$jar" | cut -d' ' -f1)
  if [[ $sum != "$checksum" ]]; then
    echo "$coordinates: the jar's checksum is $sum, packages/maven_tests.txt says $checksum" >&2
    exit 1
  fi
done < <(grep -v '^#' packages/maven_tests.txt)
touch "$work/result/done"
# Another process may have finished meanwhile. Its result is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/done ]]
echo "$result"
