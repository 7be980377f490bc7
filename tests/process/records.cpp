// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a trace and a task graph, for more_rights_test.cpp. Prints whether it has more rights than its user.
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>

#include <cstdio>

#include <sys/auxv.h>

// LeakSanitizer asks this. It cannot look into a process that has more rights than its user.
extern "C" int __lsan_is_turned_off() { return 1; }

int main() {
    teff::execute({.threads = 1}, [] {
        teff::object<int> value;
        teff::spawn([](int& of) { of = 1; }, teff::out(value));
        teff::sync();
    });
    std::puts(::getauxval(AT_SECURE) != 0 ? "more rights" : "usual rights");
}
