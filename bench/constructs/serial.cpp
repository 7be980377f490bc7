// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// There is no version for this family (constructs.cpp names no variant): the constructs are OpenMP's.
#include <bench/constructs/constructs.hpp>

namespace bench {

outcome run_constructs(const parameters&) { throw usage_error("constructs: only OpenMP has them"); }

}  // namespace bench
