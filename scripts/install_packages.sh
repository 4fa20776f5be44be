#!/bin/bash
# Installs the missing Debian packages of the given lists. Says nothing if none is missing.
#
#   scripts/install_packages.sh packages/debian.txt...
set -euo pipefail

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "this is not a Debian system; install what $* name by other means, then: touch" \
    "build/packages.stamp" >&2
  exit 1
fi

missing=()
while read -r package word command; do
  [[ -z $package || $package == \#* ]] && continue
  [[ ${word:-} == unless ]] && command -v "$command" >/dev/null && continue
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done < <(sed 's/[[:space:]]*#.*//' "$@")

if ((${#missing[@]} == 0)); then exit; fi
as_root=()
if (($(id -u) != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "missing packages; as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "installing ${missing[*]}" >&2
"${as_root[@]}" apt-get -q update
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q install --yes \
  --no-install-recommends "${missing[@]}"
