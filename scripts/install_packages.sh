#!/bin/bash
# Installs the missing Debian packages of the given lists. Says nothing if none is missing, nor if
# build/packages.stamp is there, by which people of other systems say that they have them by other means.
#
#   scripts/install_packages.sh [--missing] packages/debian.txt...
#
# With --missing it only prints which those are.
set -euo pipefail
only_print=
if [[ $1 == --missing ]]; then
  only_print=yes
  shift
fi
if [[ -e build/packages.stamp ]]; then exit; fi
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "this is not a Debian system; install what $* name by other means, then: touch" \
    "build/packages.stamp" >&2
  exit 1
fi

wanted=()
while read -r package word command; do
  [[ -z $package ]] && continue
  [[ ${word:-} == unless ]] && command -v "$command" >/dev/null && continue
  wanted+=("$package")
done < <(sed 's/[[:space:]]*#.*//' "$@")
installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
  grep -qx "installed $package" <<<"$installed" || missing+=("$package")
done

if ((${#missing[@]} == 0)); then exit; fi
if [[ -n $only_print ]]; then
  echo "${missing[*]}"
  exit
fi
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
