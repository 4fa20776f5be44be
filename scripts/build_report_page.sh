#!/bin/bash
# Puts the script of report.html together from src/report/html/page and its chart library, which comes
# by the lock file there. Prints the directory that holds script.js, script.sha256, style.css and
# licences.txt. The result is cached as scripts/build_leveldb.sh does it.
set -euo pipefail
cd "$(dirname "$0")/.."

page=src/report/html/page
recipe=$({ cat scripts/build_report_page.sh
  find "$page" -name node_modules -prune -o -type f -print | LC_ALL=C sort | xargs sha256sum
} | sha256sum | cut -c1-12)
result=$(scripts/cache_directory.sh)/report-page-$recipe
if [[ -e $result/licences.txt ]]; then
  echo "$result"
  exit
fi

echo "building the script of report.html (some seconds, once)" >&2
work=$(mktemp -d "$result.XXXXXX")
trap 'rm -rf "$work"' EXIT
find "$page" -mindepth 1 -maxdepth 1 ! -name node_modules -exec cp -r {} "$work" \;
if ! (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --cache "$work/npm" &&
      node build.mjs "$work/result") >"$work/log" 2>&1; then
  tail -n 25 "$work/log" >&2
  echo "failed: the packages that $page/package-lock.json names, and node build.mjs" >&2
  exit 1
fi
# Somebody else may have finished the same recipe meanwhile; theirs is as good.
mv -T "$work/result" "$result" 2>/dev/null || [[ -e $result/licences.txt ]]
echo "$result"
