#!/bin/bash
# Prints the directory where engines built or fetched for Levelfield are kept, and makes it.
#
# It is outside the tree, so `make clean` and a second clone need not build it again: $LEVELFIELD_CACHE,
# else $XDG_CACHE_HOME/levelfield, else ~/.cache/levelfield. Without a writable home (a CI job, a system
# user) it is a private directory under /var/tmp.
#
# The scripts and CMake all ask here. The engines have the answer compiled in, and prefer
# $LEVELFIELD_CACHE.
set -euo pipefail

usable() {
  [[ $1 == /* ]] && mkdir -p "$1" 2>/dev/null && [[ -w $1 ]] && echo "$1"
}

if [[ -n ${LEVELFIELD_CACHE:-} ]]; then
  usable "$LEVELFIELD_CACHE" && exit
  echo "LEVELFIELD_CACHE=$LEVELFIELD_CACHE: give the absolute path of a directory that can be" \
    "written" >&2
  exit 1
fi
[[ -n ${XDG_CACHE_HOME:-} ]] && usable "$XDG_CACHE_HOME/levelfield" && exit
home=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
[[ -n $home && $home != / ]] && usable "$home/.cache/levelfield" && exit

# Anybody can write to /var/tmp, so a directory that somebody else put there is not trusted.
shared=/var/tmp/levelfield-$(id -u)
mkdir -m 700 "$shared" 2>/dev/null || true
if [[ -d $shared && ! -L $shared && -O $shared ]]; then
  echo "$shared"
else
  echo "no directory for the cache: set LEVELFIELD_CACHE to one that can be written" >&2
  exit 1
fi
