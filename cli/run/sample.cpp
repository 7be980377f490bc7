// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program to be started by tests of `teff run` (samples.cmake).
#if defined(CALLS_RUNTIME)
extern "C" void GOMP_parallel(void (*)(void*), void*, unsigned, unsigned);
#endif

int main(int count, char**) {
#if defined(CALLS_RUNTIME)
    if (count > 100)
        GOMP_parallel(nullptr, nullptr, 0, 0);
#endif
    return count > 1 ? 3 : 0;
}
