#!/bin/bash
# Tries a command of README.md as a newcomer does: in a new Debian with nothing but make, git and a clone of
# HEAD, on two processors. Prints the megabytes of what it installed and the seconds that it took. As root; it
# needs 6 GB in $TMPDIR, and installs debootstrap. The goal of `bench`: 300 MB beyond the compiler, the first
# number within 5 minutes, everything within 9.
#
#   scripts/bare_machine.sh [--release=bookworm|trixie] [--copy PATH]... bench|test|deb|wheel|release
#   scripts/bare_machine.sh --keep ...    leaves the machine there and says where
#
# `wheel` is another newcomer, who has nothing but Python and the finished files of `make wheel` (dist/): pip installs
# them into a virtual environment, and `levelfield run` begins. The goal: the first number after 15 seconds.
#
# `release` is `make release`. Then the checksums are compared, the packages and the wheels installed there, and each
# runs all engines. The artifacts come to build/release here, and a result for later versions' tests to
# tests/stored_results/VERSION, if there is none.
#
# The default release is Debian 12 (bookworm). --copy PATH gives the new machine a copy of a file or directory
# of this one: certificates or settings of pip, npm and cargo that the network asks for. Environment variables are
# passed on, but HOME, PATH and TMPDIR.
set -euo pipefail
cd "$(dirname "$0")/.."
copies=() keep='' release=bookworm
while [[ ${1:-} == --* ]]; do
  case $1 in
    --copy) copies+=("$2"); shift ;;
    --keep) keep=yes ;;
    --release=*) release=${1#*=} ;;
    *) break ;;
  esac
  shift
done
if [[ ! ${1:-} =~ ^(bench|test|deb|wheel|release)$ || ! $release =~ ^[a-z]+$ ]]; then
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
goal=$1

# Mounts that nobody else sees, and that are gone with this process.
if [[ -z ${LEVELFIELD_BARE:-} ]]; then
  arguments=()
  for path in "${copies[@]}"; do arguments+=(--copy "$path"); done
  LEVELFIELD_BARE=yes exec unshare --mount --propagation private -- "$0" \
    ${keep:+--keep} "--release=$release" "${arguments[@]}" "$goal"
fi
unset LEVELFIELD_BARE
root=$(mktemp -d "${TMPDIR:-/tmp}/bare_machine.XXXXXX")
chmod 755 "$root"
clean() {
  if [[ -n $keep ]]; then echo "the machine is in $root" >&2; return; fi
  umount --recursive "$root"/{proc,sys,dev} 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap clean EXIT

scripts/install_packages.sh packages/debian_bare_machine.txt
echo "making a bare Debian, $release, in $root" >&2
debootstrap --variant=minbase --include=ca-certificates "$release" "$root" >"$root.log" 2>&1 ||
  { tail -n 20 "$root.log" >&2; exit 1; }
rm -f "$root.log"
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount --rbind /dev "$root/dev"
for path in "${copies[@]}"; do
  mkdir -p "$root$(dirname "$path")"
  # A link of the new machine would lead to a file of this one.
  cp --recursive --dereference --remove-destination --no-target-directory "$path" "$root$path"
done
inside() {
  env -u LEVELFIELD_CACHE -u TMPDIR -u CMAKE_CXX_COMPILER_LAUNCHER -u CMAKE_C_COMPILER_LAUNCHER HOME=/root \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    taskset --cpu-list 0,1 chroot "$root" "$@"
}
# Megabytes of the installed packages, or of those that are named.
installed() {
  inside dpkg-query --show --showformat='${Installed-Size}\n' "$@" | awk '{sum += $1} END {printf "%.0f", sum / 1024}'
}
quietly() { inside env DEBIAN_FRONTEND=noninteractive "$@" >/dev/null; }

quietly apt-get -q update
if [[ $goal == wheel ]]; then
  quietly apt-get -q install --yes --no-install-recommends python3-venv
  mkdir "$root/root/levelfield"
  cp dist/levelfield*.whl "$root/root/levelfield/"
  inside python3 -m venv /root/levelfield/venv
  command='venv/bin/pip install --quiet --no-index ./levelfield*.whl &&
    exec timeout --signal=TERM 60 venv/bin/levelfield run'
else
  quietly apt-get -q install --yes --no-install-recommends make git
  compiler=$(inside apt-get -q install --simulate --no-install-recommends g++ | awk '/^Inst/ {print $2}')
  git clone --quiet --no-hardlinks . "$root/root/levelfield"
  command="exec make $goal"
fi
before=$(installed)

inside bash -c "cd /root/levelfield && $command" &
make=$!
SECONDS=0 first='' status=0
while kill -0 $make 2>/dev/null; do
  sleep 0.5
  # The result of the command itself: tests have theirs elsewhere.
  if [[ -z $first ]] && grep -qs '"type":"phase"' "$root"/root/levelfield/results/*/results.jsonl; then
    first=$SECONDS
  fi
done
wait $make || status=$?
if [[ $goal == wheel ]]; then
  inside /root/levelfield/venv/bin/levelfield engines
  echo "a wheel on $release: first number after ${first:-more than 60} s, with installing it"
  # 124: it was stopped, as it was meant to be.
  [[ -n $first && $status =~ ^(0|124)$ ]] || exit 1
  exit
fi

# shellcheck disable=SC2086  # Words of names.
compiler=$(installed $compiler)
beside=$(du -smc --apparent-size "$root"/root/.cache/levelfield/{python,headers,leveldb,sqlite3,lmdb}-* 2>/dev/null |
  awk 'END {print $1}' || true)  # Not all are there if the command has failed.
echo
echo "make $goal on $release: exit code $status"
echo "packages: $(($(installed) - before)) MB, of which the compiler $compiler MB, the rest $(($(installed) - before - compiler)) MB"
echo "programs of PyPI, headers and libraries in the cache: $beside MB"
if [[ -n $first ]]; then echo "first number after $first s"; fi
echo "everything after $SECONDS s, on processors 0 and 1"
if [[ $goal != release || $status != 0 ]]; then exit $status; fi

# Tries what was made: nothing is taken from the clone but the files of the release.
echo "trying the release"
cp -r "$root/root/levelfield/build/release" "$root/srv/release"
quietly apt-get -q install --yes --no-install-recommends python3-venv
inside bash -c '
  set -euo pipefail
  cd /srv/release
  sha256sum --quiet --check SHA256SUMS
  DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends ./*.deb >/dev/null
  python3 -m venv /srv/venv
  /srv/venv/bin/pip install --quiet --no-index ./*.whl
  tar -C /srv -xzf levelfield-*-linux-*.tar.gz
  for program in /usr/bin/levelfield /srv/venv/bin/levelfield /srv/levelfield-*-linux-*/bin/levelfield; do
    echo "$program"
    (cd /srv && "$program" run --engine=all --num=10k --benchmarks=fillrandom,readrandom --results="/srv/results")
  done'
version=$(inside levelfield --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
stored=tests/stored_results/$version
if [[ ! -e $stored ]]; then
  inside python3 "/root/levelfield/tests/stored_results/read_stored_results.py" --store levelfield "/srv/$version"
  cp -r "$root/srv/$version" "$stored"
  echo "stored $stored: commit it"
fi
rm -rf build/release
mkdir -p build
cp -r "$root/srv/release" build/release
(cd build/release && ls -l && sha256sum --quiet --check SHA256SUMS)
