#!/bin/bash
# Fetches a package that packages/engines.txt names by version and checksum from its registry (PyPI, npm or cargo), by
# the registry's own client, and prints the directory in <work> that then holds what is in it. Nothing of it is run.
#
#   scripts/fetch_source.sh <name> <work>
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1 work=$(realpath "$2")

read -r registry version checksum <<<"$(awk -v name="$name" '$1 == name {print $2, $3, $4}' packages/engines.txt)"
fail() {
  tail -n 25 "$work/fetch.log" 2>/dev/null | sed -E 's#\(?https?://[^ ]*##g' >&2
  echo "$name $version could not be fetched: $*" >&2
  exit 1
}
case $registry in
  npm)
    PATH=$(scripts/node.sh):$PATH
    npm pack --ignore-scripts --cache "$work/npm" --pack-destination "$work" "$name@$version" \
      >>"$work/fetch.log" 2>&1 || fail "npm pack has failed"
    archive=$work/$name-$version.tgz
    sum=$(sha256sum "$archive" | cut -d' ' -f1)
    [[ $sum == "$checksum" ]] || fail "its checksum is $sum, packages/engines.txt says $checksum"
    mkdir "$work/source"
    tar -xf "$archive" -C "$work/source" --strip-components=1
    echo "$work/source"
    ;;
  pypi) exec scripts/pypi_source.sh "$name" "$work" ;;
  cargo)
    mkdir -p "$work/crate/src"
    touch "$work/crate/src/lib.rs"
    cat >"$work/crate/Cargo.toml" <<CARGO
[package]
name = "source"
version = "0.0.0"
edition = "2021"
[dependencies]
$name = { version = "=${version%+*}", default-features = false }
[workspace]
CARGO
    (cd "$work/crate" && cargo vendor --quiet --versioned-dirs vendor) >>"$work/fetch.log" 2>&1 ||
      fail "cargo vendor has failed"
    source=$work/crate/vendor/$name-$version
    grep -q "\"package\":\"$checksum\"" "$source/.cargo-checksum.json" ||
      fail "it is not the crate that packages/engines.txt names by its checksum"
    echo "$source"
    ;;
  *) fail "packages/engines.txt has no package of this name from PyPI, npm or cargo" ;;
esac
