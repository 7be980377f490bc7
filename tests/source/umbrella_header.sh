#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# include/teff/teff.hpp includes every other public header, in alphabetical order, but mpi.hpp and
# mpi_dataflow.hpp, which need MPI.
set -euo pipefail
diff <(cd include && find teff -maxdepth 1 -name '*.hpp' ! -name teff.hpp ! -name mpi.hpp ! -name mpi_dataflow.hpp | sed 's@.*@#include <&>@' | LC_ALL=C sort) \
    <(grep '^#include' include/teff/teff.hpp) || { echo "teff/teff.hpp has to include the public headers marked < above"; exit 1; }
