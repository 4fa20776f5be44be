#!/bin/bash
# Fetches RocksDB's source, the one inside the crate librocksdb-sys that packages/engines.txt names
# by its checksum, into <work>/crate, and prints the directory that then holds it. Cargo fetches
# and checks it; no Rust is compiled.
#
#   scripts/rocksdb_source.sh <work>
set -euo pipefail
cd "$(dirname "$0")/.."
work=$1

read -r crate checksum <<<"$(awk '$1 == "librocksdb-sys" {print $3, $4}' packages/engines.txt)"
mkdir -p "$work/crate/src"
touch "$work/crate/src/lib.rs"
cat >"$work/crate/Cargo.toml" <<CARGO
[package]
name = "rocksdb-source"
version = "0.0.0"
edition = "2021"
[dependencies]
librocksdb-sys = { version = "=${crate%+*}", default-features = false }
[workspace]
CARGO
if ! (cd "$work/crate" && cargo vendor --quiet --versioned-dirs vendor) >"$work/cargo.log" 2>&1; then
  tail -n 25 "$work/cargo.log" | sed -E 's#https?://[^ ]*##g' >&2
  echo "the crate librocksdb-sys $crate could not be fetched" >&2
  exit 1
fi
source=$work/crate/vendor/librocksdb-sys-$crate
if ! grep -q "\"package\":\"$checksum\"" "$source/.cargo-checksum.json"; then
  echo "librocksdb-sys $crate is not the crate that packages/engines.txt names by its checksum" >&2
  exit 1
fi
echo "$source/rocksdb"
