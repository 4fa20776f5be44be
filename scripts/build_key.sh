#!/bin/bash
# Prints a name for what this tree builds on this system, by which a CI service keeps it: the system, and a hash of all
# files of the tree. What is built or measured in it is left out.
#
#   scripts/build_key.sh            levelfield-debian-12-x86_64-4f0c2a9b7d10e3a1
#   scripts/build_key.sh --system   levelfield-debian-12-x86_64-
set -euo pipefail
cd "$(dirname "$0")/.."
# An os-release need not have these.
ID=linux VERSION_ID=0
if [[ -r /etc/os-release ]]; then source /etc/os-release; fi
system=levelfield-$ID-$VERSION_ID-$(uname -m)-
if [[ ${1:-} == --system ]]; then
  echo "$system"
  exit
fi
hash=$(find . \( -name .git -o -path './build*' -o -path ./dist -o -path ./results -o -name node_modules \
  -o -name __pycache__ \) -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
echo "$system${hash:0:16}"
