/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * What the headers of Qthreads' interface have in common: declarations for C in a program in C++, and the keyword
 * `restrict`, which Qthreads' headers define for C++, and which programs of Qthreads use there.
 */
#ifndef TEFF_QTHREAD_COMMON_H
#define TEFF_QTHREAD_COMMON_H

#ifdef __cplusplus
#define Q_STARTCXX extern "C" {
#define Q_ENDCXX }
#define TEFF_RESTRICT __restrict__
#ifndef restrict
#define restrict __restrict__  /* in C++, which has no such keyword */
#endif
#else
#define Q_STARTCXX             /* begins declarations for C, also in a program in C++ */
#define Q_ENDCXX               /* ends them */
#define TEFF_RESTRICT restrict /* C's keyword, or what C++ has instead */
#endif

#define QTHREAD_TRAP() __builtin_trap() /* ends the program */

#endif
