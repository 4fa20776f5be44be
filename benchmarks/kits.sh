#!/bin/sh
# What an operation costs through the table of an engine in C++, in Rust and in Go, all of them the null engine: the
# price of each kit. Two threads show what Go's costs when they call at once.
#   benchmarks/kits.sh [BUILD_DIRECTORY]
# Engines that are not built (`make engines-rust engines-go`) are left out.
set -eu
build=${1:-build}
engines=null
for name in null_rust null_go; do
  if [ -e "$build/more_engines/levelfield_$name.so" ]; then engines=$engines,$name; fi
done
for threads in 1 2; do
  "$build/levelfield" run --name=kits --engine="$engines" --num=1m --duration=0.5 --repeat=3 --price=0 \
    --threads=$threads --benchmarks=readrandom,overwrite,fillbatch,seekrandom,readseq
done
