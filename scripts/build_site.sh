#!/bin/bash
# Makes a site of static pages from the documentation, which needs no network and no server: also its search
# works in pages that are opened from a disk.
# MkDocs and its theme come from PyPI into a directory of their own in the cache, by exact version and
# checksum (packages/python_site.txt). A dead link is an error, and the earlier site stays.
#
#   scripts/build_site.sh DIRECTORY
#   scripts/build_site.sh --where      (only says where MkDocs is, or would be)
set -euo pipefail
site=$(realpath -m -- "${1:?which directory?}")
cd "$(dirname "$0")/.."

if [[ $1 == --where ]]; then exec scripts/python_tools.sh --where packages/python_site.txt; fi
tools=$(scripts/python_tools.sh packages/python_site.txt)

# The pages, laid out as in the tree, and the sources that they link to.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/pages"
cp mkdocs.yml "$work"
cp --parents -t "$work/pages" README.md CHANGELOG.md CONTRIBUTING.md tests/promises.md docs/*.md docs/*/*.md \
  docs/site/*.js docs/examples/*
grep -ohE '\]\((\.\./)*[^):#]+' README.md docs/*.md docs/*/*.md | sed -E 's/^\]\((\.\.\/)*//' | sort -u |
  while read -r path; do
    if [[ -f $path && $path != *.md ]]; then cp --parents -t "$work/pages" "$path"; fi
  done
NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --strict --config-file "$work/mkdocs.yml" \
  --site-dir "$work/site" 2>&1 | { grep -v '^INFO' >&2 || true; }
rm -rf "$site"
mkdir -p "$(dirname "$site")"
cp -r "$work/site" "$site"
