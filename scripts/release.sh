#!/bin/bash
# Makes what a release consists of, in build/release: the source of HEAD, the program with its engines for other
# Linux systems, the Debian packages, the Python wheels, the notes (the version's chapter of CHANGELOG.md), and
# checksums of all. Needs a build (`make release` makes one) of a tree without changes. Fails where the program is
# above 12 MB.
#
# A release, on a quiet machine:
#   1. `.ci/run`, `make asan tsan`, `make nightly`, and `scripts/bare_machine.sh --release=RELEASE bench` on
#      bookworm and trixie pass.
#   2. `version` in CMakeLists.txt is the new one; its chapter of CHANGELOG.md has the date. Commit.
#   3. `scripts/bare_machine.sh release`: makes it in a new Debian, tries each file there, has the installed program
#      store a result for the tests of later versions (tests/stored_results), and brings both here. Commit the result.
#   4. Tag the commit that it was made of v<version>, sign SHA256SUMS, and publish build/release with notes.md.
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
scripts/build_wheels.sh
cp dist/levelfield*.whl "$release/"
awk -v version="$version" '/^## / {is_it = index($0, "## " version) == 1} is_it' CHANGELOG.md >"$release/notes.md"
[[ -s $release/notes.md ]] || { echo "CHANGELOG.md has no chapter $version" >&2; exit 1; }
(cd "$release" && sha256sum ./* >SHA256SUMS)

ls -l "$release"
echo "the program is $((size / 1000)) kB, stripped"
((size <= 12000000)) || { echo "more than 12 MB" >&2; exit 1; }
