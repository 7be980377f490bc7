// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commit is compiled in here alone, so that a new commit makes the build recompile only this source.
#include <cli/bench/machine_facts.hpp>

namespace teff::cli {

const char* built_commit() {
#if defined(TEFF_COMMIT)
    return TEFF_COMMIT;
#else
    return "";
#endif
}

}  // namespace teff::cli
