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
    [[ -e $result/$header ]] && compgen -G "$result/licences/${package%-dev}*-dev" >/dev/null && continue
    if ! command -v apt-get >/dev/null; then
      echo "the header $header is missing, which the package $package of Debian has: install it by other means" >&2
      exit 1
    fi
    # libboost-dev depends on libboost1.83-dev, or another.
    holder=$(apt-cache depends "$package" | sed -n "s/^ *Depends: \(${package%-dev}[0-9].*-dev\)$/\1/p")
    holder=${holder:-$package}
    (cd "$work" && apt-get -q -o APT::Sandbox::User=root download "$holder" >&2)
    read -ra patterns <<<"$parts"
    dpkg-deb --fsys-tarfile "$work/$holder"_*.deb |
      tar -x -C "$work" --wildcards --no-wildcards-match-slash "${patterns[@]/#/./usr/include/}" \
        "./usr/share/doc/$holder/copyright"
    mkdir -p "$result/licences"
    cp "$work/usr/share/doc/$holder/copyright" "$result/licences/$holder"
    [[ -e $result/$header ]] || cp -r "$work/usr/include/${header%%/*}" "$result/"
  done <"$list"
fi
echo "$result"
