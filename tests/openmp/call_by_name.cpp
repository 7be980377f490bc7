// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: call_by_name FOLDER FUNCTION NODE
// Loads the OpenMP runtime in FOLDER under each of its names, which must give one library, and calls the FUNCTION of
// this version without arguments. Exits with status 2 if this cannot be done.
#include <cstdio>
#include <dlfcn.h>
#include <string>

int main(int count, char** arguments) {
    if (count != 4)
        return 2;
    void* library = nullptr;
    for (const char* name : {"libomp.so.5", "libgomp.so.1", "libiomp5.so"}) {
        const std::string path = std::string(arguments[1]) + '/' + name;
        void* const loaded = dlopen(path.c_str(), RTLD_NOW);
        if (loaded == nullptr || (library != nullptr && loaded != library)) {
            std::fprintf(stderr, "%s: %s\n", path.c_str(), loaded == nullptr ? dlerror() : "it is another library");
            return 2;
        }
        library = loaded;
    }
    void* const function = dlvsym(library, arguments[2], arguments[3]);
    if (function == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    reinterpret_cast<void (*)()>(function)();
    return 0;
}
