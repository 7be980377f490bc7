# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A thin face over CMakePresets.json and scripts/: see `make help`. ARGS goes to `teff bench`.
PREFIX ?= /usr/local
ARGS ?=
TEFF = build/release/bin/teff

.PHONY: help demo peers bench build test sanitize install clean

help:
	@echo 'make demo               install what is missing, build, run the benchmarks beside the other runtimes'
	@echo 'make peers              the same with every other runtime installed (Clang, libomp, libiomp5)'
	@echo 'make bench ARGS=...     build and run `teff bench ARGS`, for example ARGS="fib --threads 1,2"'
	@echo 'make test               install what is missing, build, run every test of the release build'
	@echo 'make sanitize           the same under AddressSanitizer, UBSan and ThreadSanitizer, and a short fuzz run'
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
	scripts/run_tests.sh release release-clang

sanitize:
	scripts/ensure_packages.sh $$(scripts/packages.sh test)
	scripts/run_tests.sh asan tsan fuzz

# The second compiler's build folder adds its runners only; the library and the command are those of the first.
install: build
	cmake --install build/release --prefix $(PREFIX)
	if [ -d build/release-clang ]; then cmake --install build/release-clang --prefix $(PREFIX) --component runners; fi

clean:
	rm -rf build
