// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no serial version (hidden.cpp names no variant): one thread has nobody to hide work from.
#include <bench/hidden/hidden.hpp>

namespace bench {

outcome run_hidden(const parameters&) { throw usage_error("hidden: nothing is hidden from a single thread"); }

}  // namespace bench
