#!/bin/bash
# Builds the Python wheels, in dist/: `levelfield` (pyproject.toml), and the engines under the GPL, each a wheel of its
# own (python/engines). auditwheel puts the shared libraries that they need into them, and names the oldest C library
# that they run on: build on the oldest Debian that is to be served. The build stays in build/wheel; JOBS=n limits how
# many compilers run. `make wheel` sets up what is needed before.
#
#   scripts/build_wheels.sh
set -euo pipefail
cd "$(dirname "$0")/.."
log=build/wheel.log
made=build/wheel/made
mkdir -p build
: >"$log"
logged() { "$@" >>"$log" 2>&1 || { tail -n 40 "$log" >&2; echo "failed: $*; everything is in $log" >&2; exit 1; }; }

tools=$(scripts/python_tools.sh packages/python_wheel.txt)
export PATH=$tools/bin:$PATH CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-$(nproc)}
# Those of the engines' libraries, not those that Python was built with.
export CC=${CC:-cc} CXX=${CXX:-c++}
rm -rf "$made" dist/levelfield*.whl
mkdir -p "$made" dist
for project in . python/engines/*/; do
  logged "$tools/bin/python" -m build --wheel --no-isolation --outdir "$made" "$project"
done
logged auditwheel repair --wheel-dir dist "$made"/*.whl
scripts/check_wheels.py dist/levelfield*.whl
ls -l dist/levelfield*.whl
