#!/bin/bash
# Makes what a release consists of, in build/release: the source of HEAD, the program with its engines for other
# Linux systems, the Debian packages, the notes (the version's chapter of CHANGELOG.md), and checksums of all.
# Needs a build (`make release` makes one) of a tree without changes. Fails where the program is above 12 MB.
#
# A release, on a quiet machine:
#   1. `.ci/run`, `make asan tsan`, `make nightly`, and `scripts/bare_machine.sh --release=RELEASE bench` on
#      bookworm and trixie pass.
#   2. `version` in CMakeLists.txt is the new one; its chapter of CHANGELOG.md has the date. Commit.
#   3. `make release`.
#   4. Install the packages in a new Debian of the release that built them and run `levelfield run --engine=all`.
#   5. Tag the commit v<version>, sign SHA256SUMS, and publish build/release with notes.md as its text.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -n $(git status --porcelain) ]]; then
  echo "a release is made of a commit, and this tree has changes: commit or stash them" >&2
  exit 1
fi
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' build/CMakeCache.txt)
name=levelfield-$version
release=build/release
rm -rf "$release" build/packages
mkdir -p "$release"

git archive --prefix="$name/" --output="$release/$name-source.tar.gz" HEAD
binary=$name-linux-$(uname -m)
cmake --install build --prefix "$PWD/$release/$binary" >/dev/null
size=$(stat --format=%s "$release/$binary/bin/levelfield")
tar -C "$release" --owner=0 --group=0 --sort=name -czf "$release/$binary.tar.gz" "$binary"
rm -rf "${release:?}/$binary"
(cd build && cpack -G DEB >packages.log 2>&1) || { tail -n 20 build/packages.log >&2; exit 1; }
mv build/packages/*.deb "$release/"
awk -v version="$version" '/^## / {is_it = index($0, "## " version) == 1} is_it' CHANGELOG.md >"$release/notes.md"
[[ -s $release/notes.md ]] || { echo "CHANGELOG.md has no chapter $version" >&2; exit 1; }
(cd "$release" && sha256sum ./* >SHA256SUMS)

ls -l "$release"
echo "the program is $((size / 1000)) kB, stripped"
((size <= 12000000)) || { echo "more than 12 MB" >&2; exit 1; }
