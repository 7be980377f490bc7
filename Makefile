# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A thin face over CMakePresets.json and scripts/: see `make help`. ARGS goes to `teff bench`; PRESETS are what is tested;
# N is the number of random schedules of `make model-long`.
PREFIX ?= /usr/local
ARGS ?=
PRESETS ?= release asan tsan model
N ?= 10000000
MODEL = build/model/bin/teff_model
TEFF = build/release/bin/teff

.PHONY: help demo peers bench build test model model-build model-long install clean

help:
	@echo 'make demo               install what is missing, build, run the benchmarks beside the other runtimes'
	@echo 'make peers              the same with every other runtime installed (Clang, libomp, libiomp5)'
	@echo 'make bench ARGS=...     build and run `teff bench ARGS`, for example ARGS="fib --threads 1,2"'
	@echo 'make test               install what is missing, build, run every test: the release build, then under'
	@echo '                        AddressSanitizer, UBSan and ThreadSanitizer, a short fuzz run, the model checker'
	@echo 'make test PRESETS=...   the same for some of them, for example PRESETS="release tsan"'
	@echo 'make model              explore the interleavings of every lock-free structure, and weaken every order'
	@echo 'make model-long N=...   the same with N random schedules per scenario and three preemptions (hours)'
	@echo 'make build              build the library, the command and the benchmark runners'
	@echo 'make install PREFIX=... install headers, library, command and runners (default /usr/local)'
	@echo 'make clean              remove build/'

demo: build
	$(TEFF) bench $(ARGS)

peers:
	scripts/ensure_packages.sh $$(scripts/packages.sh peers)
	scripts/ensure_libiomp5.sh
	$(MAKE) demo

bench: build
	$(TEFF) bench $(ARGS)

build:
	scripts/ensure_packages.sh $$(scripts/packages.sh build)
	scripts/build_release.sh

test:
	scripts/ensure_packages.sh $$(scripts/packages.sh test)
	scripts/run_tests.sh $(PRESETS)

model: model-build
	$(MODEL) --schedules 100000 --exhaustive 300000 --mutants 20000

model-long: model-build
	$(MODEL) --schedules $(N) --exhaustive 100000000 --preemptions 3 --mutants 100000

model-build:
	scripts/ensure_packages.sh $$(scripts/packages.sh model)
	cmake --preset model
	cmake --build --preset model

# The second compiler's build folder adds its runners only; the library and the command are those of the first.
install: build
	cmake --install build/release --prefix $(PREFIX)
	if [ -d build/release-clang ]; then cmake --install build/release-clang --prefix $(PREFIX) --component runners; fi

clean:
	rm -rf build
