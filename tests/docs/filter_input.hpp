// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the file is.
//
//   code();
#pragma once

// Text.
int f(int a);  // a result
int g();

namespace a {
}  // namespace a

enum class letter {
    a,  // the first
    b   // the last
};

/* ---- A section ---- */

/* Text in C. */
int h(void); /* a result */
#define NUMBER 1 /* a macro */
#define SAME(x) \
    (x)
enum sign {
    PLUS, /* the first */
    MINUS /* the last */
};
