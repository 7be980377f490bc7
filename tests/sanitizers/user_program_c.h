/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cases in C of the user's program (user_program.cpp). */
#ifndef TEFF_TESTS_USER_PROGRAM_C_H
#define TEFF_TESTS_USER_PROGRAM_C_H

#ifdef __cplusplus
extern "C" {
#endif

/* What two fibers write; visible, so that no compiler leaves the writes out. */
extern long user_c_last;
/* One round. note: to be called by each fiber. */
void user_c_correct(void (*note)(void));
void user_c_race(void (*note)(void));

#ifdef __cplusplus
}
#endif

#endif
