# The commands that people type. Each sets up what it needs: `make bench` and `make test` work on a fresh
# Debian 12 or 13 (root, or sudo).
#
#   make bench       what a measurement needs, no more, and the main measurement: all engines, intervals, verdicts
#                    (FULL=1: more keys, and stores that are larger than memory)
#   make test        the rest of the packages, the tests, and all of them run
#   make build       the same without running them
#   make caches      what `make bench` needs, and RocksDB's caches for cache_bench
#   make deps        packages and engines only
#   make deb         Debian packages of the program and its engines, in build/packages
#   make wheel       Python wheels of the same, in dist: pip install dist/levelfield*.whl
#   make release     a source archive, a tree for other systems, the Debian packages, checksums and notes
#   make engines     what takes long to build, preferred from then on: WiredTiger 10 (3 minutes of CPU time) and
#                    RocksDB with hardware CRC32 (37); `make rocksdb` and `make wiredtiger` build one of them
#   make engines-cpp engines-rust engines-go    further engines, each a plug-in beside the others: libmdbx and tidesdb
#                    (cargo fetches them); redb and fjall (cargo); bbolt, pebble and badger (Go). `make
#                    engines-servers`: PostgreSQL (libpq-dev). `make conformance-more` tests them
#   make engine-variant ENGINE=leveldb CXX=clang++ CXXFLAGS=-O3    an engine once more, by another compiler or flags:
#                    --engine=leveldb --against=leveldb@clang++-O3 compares the two (C libraries: CC= and CFLAGS=)
#   make rocksdb-versions VERSIONS="7.8.3 9.10.0"    further official RocksDB releases
#   make asan tsan   the tests under the address and undefined-behaviour, the thread sanitizer
#   make fuzz        each fuzz target for a minute (SECONDS=600: ten), with clang
#   make benchmarks  the overhead of the harness
#   make durability  kills and power cuts of every engine, and docs/generated/durability.md (needs root)
#   make faults      what each engine does with a fault, and docs/generated/faults.md
#   make durability-more faults-more    the same of those that `make engines-cpp engines-rust engines-go` builds
#   make leveldb_2011 db_bench_2016 lmdb_2012 guide_scenarios guide_tuning insert_benchmark    a published
#                    experiment, small, and its page docs/experiments/<name>.md: minutes each
#   make nightly     what takes long: every call of an engine failing in turn, an hour of work in little
#                    memory (HOUR=600: ten minutes of it), 46,000 cases of arbitrary bytes, and `make fuzz`
#   make flash       the five published tests of RocksDB on flash, small, and docs/experiments/rocksdb_flash.md
#   make site        the documentation as a site of static pages, in build/site
#   make format, make clean    (engines stay in the cache, see scripts/cache_directory.sh)
#
# JOBS=n limits how many compilers and tests run at a time.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
JOBS ?= $(shell nproc)
SECONDS ?= 60
HOUR ?= 3600
export JOBS

.PHONY: bench test build caches deps deb wheel release engines wiredtiger rocksdb rocksdb-versions asan tsan fuzz
.PHONY: benchmarks durability durability-more faults faults-more
.PHONY: nightly flash leveldb_2011 db_bench_2016 lmdb_2012 guide_scenarios guide_tuning insert_benchmark
.PHONY: site format
.PHONY: engines-cpp engines-rust engines-go engines-servers engine-variant conformance-more clean
.DEFAULT_GOAL := build

# Six rounds: verdicts need so many. Each workload runs for 0.35 s in each of them, 2.1 s
# together, on a store that is loaded first. The fills stand last: they may end before all is written.
# The run before it reads and writes three times the memory that each engine is allowed, where this machine has memory
# cgroups. `memory` would not fit into it. Three rounds show what is far apart, and rank nothing. Engines that map their
# files are set to have no read-ahead: else read_ahead_kb of the disk would be ranked. FULL=1 is four times the memory.
# With the default cache, a quarter, WiredTiger needs more when it overwrites: 128 MB with 32 MB of cache.
, := ,
BENCH_WORKLOADS := readrandom,readmissing,readhot,seekrandom,readseq,readrandomwriterandom,overwrite,open,fillseq,fillrandom,commits
BENCH_FLAGS := $(if $(FULL),--num=1m --duration=1,--num=100k --duration=0.25)
BEYOND_MEMORY := --engine=leveldb,rocksdb,sqlite3,treedb,lmdb,berkeleydb,wiredtiger \
	--leveldb.readahead=0 --lmdb.readahead=0 --treedb.map_size=0 --repeat=3 --value_size=1000 --price=0 \
	$(if $(FULL),--num=260k --memory=64M --cache_size=8M --duration=1 --benchmarks=readrandom$(,)readhot$(,)seekrandom$(,)overwrite,\
	--num=84k --memory=28M --cache_size=4M --duration=0.5 --benchmarks=benchmarks/beyond_memory.workload)
# Prints a command without what make needs around it, and runs it. 2: the machine has no memory cgroup, as it said.
show = echo '$$ $(1)' && $(1)
bench:
	@scripts/set_up.sh bench
	@$(call show,build/levelfield run --name=bench-beyond-memory $(BEYOND_MEMORY)) || [ $$? = 2 ]
	@$(call show,build/levelfield run --name=bench --repeat=9 --benchmarks=$(BENCH_WORKLOADS) $(BENCH_FLAGS))
	@command -v levelfield >/dev/null || echo 'levelfield is build/levelfield here; as a command: export PATH=$(CURDIR)/build:$$PATH'

test: build
	scripts/build_originals.sh >/dev/null
	scripts/rocksdb_scripts.sh >/dev/null
	scripts/ycsb_client.sh >/dev/null
	ctest --test-dir build --output-on-failure --no-tests=error -LE nightly -j$(JOBS)

configure = LEVELDB_ROOT=$$(scripts/build_leveldb.sh) && \
	cmake --preset $(1) -DLEVELFIELD_LEVELDB_ROOT="$$LEVELDB_ROOT" --log-level=WARNING $(compilers)
# The first of packages/debian_clang.txt that is there.
clang = $(firstword $(foreach version,16 19 18,$(if $(shell command -v clang-$(version)),$(version))))
compilers = -DCMAKE_C_COMPILER=clang-$(clang) -DCMAKE_CXX_COMPILER=clang++-$(clang)

build:
	@scripts/set_up.sh test

engines-cpp engines-rust engines-go engines-servers:
	@scripts/build_more_engines.sh $(@:engines-%=%)

# Make knows a CC and a CXX of its own; only those that somebody has named are meant.
named = $(if $(filter command% environment%,$(origin $(1))),$($(1)))
engine-variant:
	@test -n "$(ENGINE)" || { echo 'which? make engine-variant ENGINE=leveldb CXX=clang++ CXXFLAGS=-O3' >&2; exit 2; }
	@CC="$(call named,CC)" CXX="$(call named,CXX)" CFLAGS="$(CFLAGS)" CXXFLAGS="$(CXXFLAGS)" VARIANT="$(VARIANT)" \
		scripts/engine_variant.sh $(ENGINE)

# All of them at once: whether each keeps its contract, and tells its stores from those of the others.
conformance-more: engines-cpp engines-rust engines-go engines-servers
	cd "$$(scripts/rust_kit.sh)" && cargo test --locked --jobs $(JOBS) -p levelfield-engine
	cd kits/go && go vet ./... && go test ./... && cd engines && go vet ./...
	LEVELFIELD_BUILT_IN_ENGINES=build/more_engines build/levelfield verify conformance \
		--engine=all,map_rust,map_go,null_rust,null_go,postgresql

caches:
	@scripts/set_up.sh caches

deb:
	@scripts/set_up.sh packages
	cd build && cpack -G DEB

# A build of its own, in build/wheel: it has no tests, and so needs fewer packages.
wheel:
	@scripts/set_up.sh wheel
	scripts/build_wheels.sh

release:
	@scripts/set_up.sh packages
	scripts/release.sh

# The engines' libraries are not built with the thread sanitizer, so it sees their memcpy but not the
# atomics that order it. Therefore the preset checks only our own code. The deadlock detector is off: it
# ends the program at the 65th lock held at once, and Kyoto Cabinet takes more. The leak checker itself
# crashes on the thread-local data of some libraries that are loaded late, unless it ignores them
# (intercept_tls_get_addr=0).
asan tsan: deps
	scripts/install_packages.sh packages/debian_clang.txt
	scripts/build_originals.sh >/dev/null
	$(call configure,$@)
	cmake --build build-$@ --parallel $(JOBS)
	ctest --preset $@ --output-on-failure --no-tests=error -LE nightly -j$(JOBS)

deps:
	@scripts/set_up.sh deps

# RocksDB is found when it is run. WiredTiger is inside its plug-in.
engines: wiredtiger rocksdb

wiredtiger:
	scripts/install_packages.sh packages/debian.txt packages/debian_caches.txt
	scripts/build_library.sh wiredtiger
	@scripts/set_up.sh bench

rocksdb: deps
	scripts/build_rocksdb.sh

rocksdb-versions: deps
	@test -n "$(VERSIONS)" || { echo 'which? make rocksdb-versions VERSIONS="7.8.3 9.10.0"' >&2; exit 2; }
	for version in $(VERSIONS); do scripts/fetch_rocksdb.sh "$$version"; done

# What they find goes to build-asan/found. Once it is fixed, it goes into the corpus.
fuzz: deps
	scripts/install_packages.sh packages/debian_clang.txt
	$(call configure,asan)
	cmake --build --preset $@ --parallel $(JOBS)
	SECONDS_EACH=$(SECONDS) scripts/fuzz.sh

# Times of the parts and of the loop, and instructions of the loop, beside their gates.
benchmarks: build
	scripts/install_packages.sh packages/debian_benchmarks.txt
	cmake --build build --target benchmarks --parallel $(JOBS)
	build/parts_benchmark
	benchmarks/instructions.sh
	benchmarks/kits.sh

# 50 kills, and 32 power cuts by each way on each file system, for each class of each engine: a quarter of
# an hour. If a promise was broken, the page is made and says so, and this fails.
# durability-more: 30 of both, for each class of each engine that `make build` leaves out: twenty minutes.
durability: build
durability: STATES := --cuts=160
durability-more: build engines-cpp engines-rust engines-go
durability-more: STATES := --kills=30 --cuts=30
durability-more: PLUGINS := LEVELFIELD_BUILT_IN_ENGINES=build/more_engines
durability durability-more: PAGE = $(subst -,_,$@)
durability durability-more:
	mkdir -p build/$(PAGE)
	status=0; $(PLUGINS) build/levelfield verify durability --durability=all $(STATES) --results=build/$(PAGE) \
		--format=markdown >build/$(PAGE)/page.md || status=$$?; \
	test ! -s build/$(PAGE)/page.md || sed -e 's/`make durability`/`make $@`/' \
		-e '/^levelfield verify/s|^|$(PLUGINS) |; s/^ //' build/$(PAGE)/page.md >docs/generated/$(PAGE).md; \
	exit $$status

faults: build
	scripts/fault_matrix.sh

faults-more: build engines-cpp engines-rust engines-go
	scripts/fault_matrix.sh --more

nightly: build conformance-more
	LEVELFIELD_HOUR_SECONDS=$(HOUR) ctest --test-dir build --output-on-failure --no-tests=error -L nightly -j$(JOBS)
	$(MAKE) fuzz

flash: build
	scripts/rocksdb_flash.sh

# A few minutes each. SUITE_FLAGS=--repeat=1 is a first look, of one round.
leveldb_2011 db_bench_2016 lmdb_2012 guide_scenarios guide_tuning insert_benchmark: build
	build/levelfield suite $@ --preset=small --results=build/$@ --page=docs/experiments/$@.md $(SUITE_FLAGS)

# Light and dark, and without a network: build/site/index.html.
site:
	scripts/install_packages.sh packages/debian_site.txt
	scripts/build_site.sh build/site

format:
	git ls-files '*.cc' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-asan build-tsan build-fuzz dist
