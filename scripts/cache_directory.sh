#!/bin/bash
# Prints the directory where engines built or fetched for Levelfield are kept, and makes it.
#
# It lies outside the tree, so that `make clean` and a second clone do not pay for it again:
# $LEVELFIELD_CACHE, else $XDG_CACHE_HOME/levelfield, else ~/.cache/levelfield. Where there is no
# home that can be written (a CI job, a system user), a private directory under /var/tmp.
#
# The scripts and CMake all ask here; the engines get the answer compiled in, and read
# $LEVELFIELD_CACHE before it.
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

# /var/tmp is everybody's: a directory that somebody else put there is not ours to trust.
shared=/var/tmp/levelfield-$(id -u)
mkdir -m 700 "$shared" 2>/dev/null || true
if [[ -d $shared && ! -L $shared && -O $shared ]]; then
  echo "$shared"
else
  echo "no directory for the cache: set LEVELFIELD_CACHE to one that can be written" >&2
  exit 1
fi
