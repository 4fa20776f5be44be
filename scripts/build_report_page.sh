#!/bin/bash
# Puts the script of report.html together from src/report/html/page and its chart library, which comes
# by the lock file there. Prints the directory that holds loader.js, program.base64, allowed.txt,
# style.css and licences.txt. With --test it prints one with tests/page and the packages of that instead. The result
# is cached as scripts/build_leveldb.sh does it.
set -euo pipefail
cd "$(dirname "$0")/.."

page=src/report/html/page
made=licences.txt
if [[ ${1:-} == --test ]]; then
  page=tests/page
  made=node_modules
fi
recipe=$({ cat scripts/build_report_page.sh
  find "$page" -name node_modules -prune -o -type f -print | LC_ALL=C sort | xargs sha256sum
} | sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/report-page-$recipe
if [[ -e $result/$made ]]; then
  echo "$result"
  exit
fi

echo "fetching what $page is built with (some seconds, once)" >&2
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
find "$page" -mindepth 1 -maxdepth 1 ! -name node_modules -exec cp -r {} "$work/source" \;
PATH=$(scripts/node.sh):$PATH
build() {
  cd "$work/source" &&
    npm ci --ignore-scripts --no-audit --no-fund --cache "$work/npm" &&
    if [[ $made == node_modules ]]; then
      mv "$work/source" "$work/result"
    else
      node build.mjs "$work/result"
    fi
}
if ! (build) >"$work/log" 2>&1; then
  tail -n 25 "$work/log" >&2
  echo "failed: the packages that $page/package-lock.json names, or what is made with them" >&2
  exit 1
fi
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/$made ]]
echo "$result"
