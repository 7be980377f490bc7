// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that a linker would take from a static OpenMP runtime, for tests of `teff run` (samples.cmake).

extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned, unsigned) { function(data); }
