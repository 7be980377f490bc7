// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chain has no serial version (chain.cpp lists no variant for it): each version measures a plain loop itself.
#include <bench/chain/chain.hpp>

namespace bench {

outcome run_chain(const parameters&) { throw usage_error("chain: a serial loop has no tasks"); }

}  // namespace bench
