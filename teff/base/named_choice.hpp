// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of a table of names that a user may choose from.
#pragma once

namespace teff {

struct named_choice {
    const char* name;
    const char* sentence;
};

}  // namespace teff
