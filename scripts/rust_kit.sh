#!/bin/bash
# A copy of kits/rust in build/rust_kit, with a Cargo.lock: packages/rust_engines.lock has versions and checksums, and
# cargo itself says which registry they are of. Prints the directory of the crate. A `target` there is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$PWD/build/rust_kit
mkdir -p "$copy/kits/rust"
ln -sfn "$PWD/include" "$copy/include"
cp -a kits/rust/. "$copy/kits/rust/"
registry=$(cargo metadata --no-deps --format-version 1 --manifest-path "$copy/kits/rust/engines/redb/Cargo.toml" |
  grep -o '"source":"registry[^"]*"' | head -n 1 | cut -d'"' -f4)
[[ -n $registry ]] || { echo "scripts/rust_kit.sh: cargo does not say which registry it uses" >&2; exit 1; }
sed "1d; s|^checksum = .*|source = \"$registry\"\n&|" packages/rust_engines.lock >"$copy/kits/rust/Cargo.lock"
echo "$copy/kits/rust"
