// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no serial wake (wake.cpp names no variant): nobody else could come.
#include <bench/wake/wake.hpp>

namespace bench {

outcome run_wake(const parameters&) { throw usage_error("wake: a serial loop wakes nobody"); }

}  // namespace bench
