#!/bin/bash
# Guards a store by any CI service, or by hand: compares a commit with the one at which its branch began, and ends
# with 1 if something became slower.
#
#   guard.sh [BRANCH [COMMIT]]    of origin/main, and the present commit, if they are not named
#
# Levelfield is installed (by pip or as a package), or a submodule in levelfield/. Of a submodule, set_up.sh, as root or
# with sudo, installs the packages that Levelfield is built with, and builds it. The first time that takes some minutes.
# Ends with 2 or 3 if nothing could be compared.
#
# To adapt: the command that builds your store, the plug-in that it makes, and the engine's name.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
branch=${1:-origin/main} commit=${2:-HEAD}
for name in "$branch" "$commit"; do
  if ! git rev-parse --verify --quiet --end-of-options "$name^{commit}" >/dev/null; then
    echo "$name is not here: git fetch, or guard.sh BRANCH [COMMIT]" >&2
    exit 2
  fi
done
if ! base=$(git merge-base "$branch" "$commit"); then
  echo "$branch and $commit have no commit in common here; in a shallow clone: git fetch --unshallow" >&2
  exit 2
fi
if [[ $base == "$(git rev-parse --verify --end-of-options "$commit^{commit}")" ]]; then
  echo "$commit is on $branch already: there is nothing to compare"
  exit 0
fi
read -ra flags <<<"${FLAGS:---num=100k --duration=2 --benchmarks=fillrandom,readrandom}"

compare=levelfield-compare-commits
if [[ -e levelfield/scripts/set_up.sh ]]; then
  levelfield/scripts/set_up.sh bench
  compare=levelfield/scripts/compare_commits.sh
elif ! command -v "$compare" >/dev/null; then
  echo "$compare is not in PATH, and there is no submodule levelfield/:" \
    "install Levelfield, or activate its environment" >&2
  exit 2
fi
rm -rf verdicts
status=0
"$compare" . "$base" "$commit" 'make -j4' levelfield_mystore.so mystore verdicts "${flags[@]}" ||
  status=$?
case $status in
  0) echo "nothing was found slower: verdicts/report.html" ;;
  1) echo "something is slower, or wrong: verdicts/report.html" >&2 ;;
  *) echo "nothing could be compared; what was said above is why" >&2 ;;
esac
exit "$status"
