# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A thin face over CMakePresets.json and scripts/: see `make help`. ARGS goes to `teff bench`; PRESETS are what is tested.
PREFIX ?= /usr/local
ARGS ?=
PRESETS ?= release release-clang asan tsan fuzz
TEFF = build/release/bin/teff

.PHONY: help demo peers bench build test install clean

help:
	@echo 'make demo               install what is missing, build, run the benchmarks beside the other runtimes'
	@echo 'make peers              the same with every other runtime installed (Clang, libomp, libiomp5)'
	@echo 'make bench ARGS=...     build and run `teff bench ARGS`, for example ARGS="fib --threads 1,2"'
	@echo 'make test               install what is missing, build, run every test: the release build, then under'
	@echo '                        AddressSanitizer, UBSan and ThreadSanitizer, then a short fuzz run'
	@echo 'make test PRESETS=...   the same for some of them, for example PRESETS="release tsan"'
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

# The second compiler's build folder adds its runners only; the library and the command are those of the first.
install: build
	cmake --install build/release --prefix $(PREFIX)
	if [ -d build/release-clang ]; then cmake --install build/release-clang --prefix $(PREFIX) --component runners; fi

clean:
	rm -rf build
