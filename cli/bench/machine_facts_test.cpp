// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of machine_facts.hpp on fixed texts, and of all facts together on this machine.
#include <cli/bench/machine_facts.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

TEST(machine_facts, the_processor_is_named_once) {
    EXPECT_EQ(processor_name("processor\t: 0\nmodel name\t: Fast CPU 3000\nprocessor\t: 1\nmodel name\t: Other\n"),
              "Fast CPU 3000");
    EXPECT_EQ(processor_name("processor : 0\n"), "");
}

TEST(machine_facts, a_program_tells_its_compiler) {
    const std::string bytes = std::string("\0\1GCC: (Debian 12) 12.2.0\0Debian clang version 19.1.7 (3)\0\2", 60);
    EXPECT_EQ(compiler_version(bytes, "gcc"), "GCC: (Debian 12) 12.2.0");
    EXPECT_EQ(compiler_version(bytes, "clang"), "clang version 19.1.7 (3)");
    EXPECT_EQ(compiler_version("nothing here", "gcc"), "");
}

TEST(machine_facts, a_library_is_found_in_the_loaders_trace) {
    const std::string trace = "\tlinux-vdso.so.1 (0x00007ffc)\n"
                              "\tlibtbb.so.12 => /usr/lib/libtbb.so.12 (0x00007f33)\n"
                              "\tlibc.so.6 => /lib/libc.so.6 (0x00007f11)\n";
    EXPECT_EQ(traced_library(trace, "libtbb.so"), "/usr/lib/libtbb.so.12");
    EXPECT_EQ(traced_library(trace, "libomp.so"), "");
}

TEST(machine_facts, the_keys_are_always_there) {
    const auto facts = machine_facts(catalogue{}, "teff bench fib");
    for (const char* key : {"cpu", "cpus", "cores", "sockets", "default_threads", "memory_bytes", "kernel", "date",
                            "command", "teff", "commit", "compilers", "peers"})
        EXPECT_TRUE(facts.contains(key)) << key;
    EXPECT_EQ(facts["command"], "teff bench fib");
    EXPECT_GE(facts["cpus"].get<int>(), 1);
}

}  // namespace
}  // namespace teff::cli
