// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program that writes docs/options.md to its standard output; built on demand only. Its main() must not be in the
// library, which has the rest.
#include <teff/options/option_table.hpp>

#include <cstdio>

int main() { return teff::write_option_document(stdout) && std::fflush(stdout) == 0 ? 0 : 1; }
