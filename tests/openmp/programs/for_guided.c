// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for schedule(guided, 2) over all types, up and down, near the ends of the types, with lastprivate.
// Compilers: gcc, clang.
#define LOOP_CLAUSE schedule(guided, 2)
#include "loop_kinds.h"

int main(void) {
    check_all_types();
    return expectations_failed;
}
