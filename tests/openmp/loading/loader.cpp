// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: loader LIBRARY TIMES
// Loads the library, calls its use_openmp() and closes it, so many times; every tenth time on a thread of its own. The
// program itself has no OpenMP. Says what failed, and by how much the process has grown if that is more than 4 MiB.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>
#include <unistd.h>

namespace {

long resident_bytes() {
    long all = 0, resident = 0;
    std::FILE* const file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr || std::fscanf(file, "%ld %ld", &all, &resident) != 2)
        std::exit(2);
    std::fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

// Whether the library could be loaded, used and closed.
bool load_use_and_close(const char* path) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    const auto use = reinterpret_cast<int (*)()>(dlsym(library, "use_openmp"));
    const int failed = use == nullptr ? -1 : use();
    if (failed != 0)
        std::fprintf(stderr, "check %d of the library failed\n", failed);
    return dlclose(library) == 0 && failed == 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3)
        return 2;
    const long times = std::atol(arguments[2]);
    long before = 0;
    for (long each = 0; each != times; ++each) {
        bool succeeded = false;
        if (each % 10 == 9)
            std::thread([&] { succeeded = load_use_and_close(arguments[1]); }).join();
        else
            succeeded = load_use_and_close(arguments[1]);
        if (!succeeded)
            return 1;
        if (each == times / 10)
            before = resident_bytes();
    }
    const long grown = resident_bytes() - before;
    if (grown > (4L << 20)) {
        std::fprintf(stderr, "the process has grown by %ld bytes\n", grown);
        return 1;
    }
    return 0;
}
