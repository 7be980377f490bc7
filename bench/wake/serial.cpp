// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wake has no serial version (wake.cpp lists no variant for it): there is no other thread to wake.
#include <bench/wake/wake.hpp>

namespace bench {

outcome run_wake(const parameters&) { throw usage_error("wake: a serial loop wakes nobody"); }

}  // namespace bench
