#!/bin/bash
# Takes the headers that packages/debian_headers.txt names out of their Debian packages, without installing
# these, and prints the directory that then holds them (as -I wants it). A package that is installed is left
# out, so that the compiler finds its own headers. apt fetches and checks the packages. Their licences go into
# licences/, by the package's name.
#
#   scripts/fetch_headers.sh           fetches unless they are there already
#   scripts/fetch_headers.sh --where   only prints where they would be
set -euo pipefail
cd "$(dirname "$0")/.."
list=packages/debian_headers.txt
cache=$(scripts/cache_directory.sh)
sum=$(sha256sum "$list")
result=$cache/headers-${sum:0:12}
mkdir -p "$result"
if [[ ${1:-} != --where ]]; then
  work=$(mktemp -d "$result.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # As root, apt downloads as the user _apt, who cannot look into a home.
  while read -r package header parts; do
    [[ -z $package || $package == \#* || -e /usr/include/$header ]] && continue
    [[ -e $result/$header && -e $result/licences/$package ]] && continue
    (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$package" >&2)
    read -ra patterns <<<"$parts"
    dpkg-deb --fsys-tarfile "$work/$package"_*.deb |
      tar -x -C "$work" --wildcards --no-wildcards-match-slash "${patterns[@]/#/./usr/include/}" \
        "./usr/share/doc/$package/copyright"
    mkdir -p "$result/licences"
    cp "$work/usr/share/doc/$package/copyright" "$result/licences/$package"
    [[ -e $result/$header ]] || cp -r "$work/usr/include/${header%%/*}" "$result/"
  done <"$list"
fi
echo "$result"
