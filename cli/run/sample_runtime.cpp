// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A minimal OpenMP runtime for the tests of `teff run` (samples.cmake). It is linked into one sample program, as a
// static runtime would be, and built as a shared library for another.

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned, unsigned) { function(data); }
