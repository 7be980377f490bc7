# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A thin face over CMakePresets.json and scripts/: see `make help`. ARGS goes to `teff bench`; PRESETS are what
# `make test` builds and tests; REPEAT is how often `make test-long` runs each test; N is the number of random schedules
# of `make model-long`.
PREFIX ?= /usr/local
ARGS ?=
PRESETS ?= release model
REPEAT ?= 10
N ?= 10000000
MODEL = build/model/bin/teff_model
TEFF = build/release/bin/teff

.PHONY: help demo peers bench build test test-more mpi instructions simulated-times sanitize test-long model model-build model-long docs install \
    install-bench deb clean

help:
	@echo 'make demo               install what is missing, build, run the benchmarks beside the other runtimes'
	@echo 'make peers              the same with every other runtime installed (Clang, libomp, libiomp5)'
	@echo 'make bench ARGS=...     build and run `teff bench ARGS`, for example ARGS="fib --threads 1,2"'
	@echo 'make test               install what is missing, build, test: the optimised build, and the model checker'
	@echo '                        in its short form (10 minutes on 2 cores)'
	@echo 'make test PRESETS=...   the same for other presets, for example PRESETS="debug tsan"'
	@echo 'make test-more          the rest: the OpenMP programs with 1, 2 and 8 threads on four schedulers, benchmarks, the'
	@echo '                        programs in the documentation, messages of compilers, installations (15 minutes)'
	@echo 'make mpi                the library for many machines, and `teff bench --kind mpi`: install MPI, build, test with 1, 2 and 4 ranks (5 minutes)'
	@echo 'make instructions       count the instructions per task again, after a change that is meant to alter them, and'
	@echo '                        renew the table that `make test` compares with (tests/instructions)'
	@echo 'make simulated-times    simulate the times at 16 and 64 threads again, after a change that is meant to alter them,'
	@echo '                        and renew the table that `make test` compares with (tests/simulated)'
	@echo 'make sanitize           the tests under AddressSanitizer and UBSan, a fuzz run, the tests under'
	@echo '                        ThreadSanitizer but for those of processes (45 minutes on 2 cores)'
	@echo 'make test-long          before a release: the same, each test REPEAT times (10), 10^8 operations per stress'
	@echo '                        test, a million fuzz inputs; aarch64 by qemu, Debian 13, a fresh Debian 12 (hours;'
	@echo '                        recorded in tests/RESULTS.md)'
	@echo 'make model              explore the interleavings of every lock-free structure; weaken every order, and drop,'
	@echo '                        split or force every operation (an hour)'
	@echo 'make model-long N=...   the same with N random schedules per scenario and three preemptions (a day)'
	@echo 'make build              build the library, the command and the benchmark runners'
	@echo 'make install PREFIX=... build and install the library, its headers and the command (default /usr/local); no'
	@echo '                        package is installed for it, and nothing is downloaded'
	@echo 'make install-bench PREFIX=...'
	@echo '                        the same with the benchmark runners that `teff bench` starts'
	@echo 'make deb                make Debian packages of the library, the command and the OpenMP runtime in build/packages'
	@echo 'make docs               build the documentation site, with a reference of all public names, in build/site/html'
	@echo 'make clean              remove build/'

demo: build
	$(TEFF) bench $(ARGS)

peers:
	scripts/ensure_packages.sh $$(scripts/packages.sh peers)
	scripts/ensure_libiomp5.sh
	$(MAKE) build
	if command -v go >/dev/null; then cmake --build build/release --target teff-bench-go; fi
	$(TEFF) bench $(ARGS)

bench: build
	$(TEFF) bench $(ARGS)

build:
	scripts/ensure_packages.sh $$(scripts/packages.sh build)
	scripts/build_release.sh

test:
	scripts/ensure_packages.sh $$(scripts/packages.sh test)
	scripts/run_tests.sh $(PRESETS)

test-more:
	scripts/ensure_packages.sh $$(scripts/packages.sh test)
	scripts/run_tests.sh release-more

mpi:
	scripts/ensure_packages.sh $$(scripts/packages.sh mpi)
	cmake --preset release -DTEFF_BUILD_TESTS=ON -DTEFF_BUILD_BENCH=ON -DTEFF_BUILD_MPI=ON
	cmake --build --preset release --target teff_mpi_programs
	ctest --preset release -L '^mpi$$'

simulated-times:
	scripts/ensure_packages.sh $$(scripts/packages.sh test)
	cmake --preset release -DTEFF_BUILD_TESTS=ON
	cmake --build --preset release --target teff_renew_simulated

instructions:
	scripts/ensure_packages.sh $$(scripts/packages.sh test)
	cmake --preset release -DTEFF_BUILD_TESTS=ON
	cmake --build --preset release --target teff_renew_instructions

sanitize:
	scripts/ensure_packages.sh $$(scripts/packages.sh sanitize)
	scripts/run_tests.sh asan tsan

test-long:
	scripts/ensure_packages.sh $$(scripts/packages.sh long)
	REPEAT=$(REPEAT) scripts/run_tests.sh asan-long tsan-long release-long aarch64

model: model-build
	$(MODEL) --schedules 25000 --exhaustive 75000 --mutants 5000 --protocol-mutants 2500

model-long: model-build
	$(MODEL) --schedules $(N) --exhaustive 100000000 --preemptions 3 --mutants 100000 \
	    --protocol-mutants 100000

model-build:
	scripts/ensure_packages.sh $$(scripts/packages.sh model)
	cmake --preset model
	cmake --build --preset model

install:
	scripts/install.sh "$(PREFIX)"

# The runners, both compilers', beside an installation of the rest. They are built where they are measured.
install-bench: install build
	for folder in build/release build/release-clang; do \
	    if [ -d $$folder ]; then cmake --install $$folder --prefix "$(PREFIX)" --component runners || exit 1; fi; \
	done

# As a distribution has it: below /usr, with the libraries where Debian keeps them.
deb:
	cmake --preset install -B build/deb -DCMAKE_INSTALL_PREFIX=/usr
	cmake --build build/deb --parallel
	cpack -G DEB --config build/deb/CPackConfig.cmake -B build/packages
	@ls build/packages/*.deb

docs:
	scripts/build_docs.sh

clean:
	rm -rf build
