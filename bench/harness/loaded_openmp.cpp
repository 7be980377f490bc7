// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See loaded_openmp.hpp. dlsym() on an object also searches what that object needs, so dladdr() says where the function
// that it found really is.
#include <bench/harness/loaded_openmp.hpp>

#include <algorithm>
#include <cstdlib>

#include <dlfcn.h>
#include <link.h>

namespace bench {
namespace {

constexpr const char* asked = "omp_get_max_threads";

void add_file_of(const void* function, std::vector<std::string>& files) {
    Dl_info found{};
    if (function == nullptr || ::dladdr(function, &found) == 0 || found.dli_fname == nullptr) return;
    char* const real = ::realpath(found.dli_fname, nullptr);
    const std::string file = real != nullptr ? real : found.dli_fname;
    std::free(real);
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
}

int add_object(dl_phdr_info* object, std::size_t, void* names) {
    if (object->dlpi_name != nullptr && object->dlpi_name[0] != '\0')
        static_cast<std::vector<std::string>*>(names)->emplace_back(object->dlpi_name);
    return 0;
}

}  // namespace

std::vector<std::string> loaded_openmp() {
    std::vector<std::string> files;
    add_file_of(::dlsym(RTLD_DEFAULT, asked), files);
    // The objects are asked after the walk over them, during which the loader may hold its lock.
    std::vector<std::string> names;
    ::dl_iterate_phdr(add_object, &names);
    for (const std::string& name : names) {
        void* const object = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (object == nullptr) continue;
        add_file_of(::dlsym(object, asked), files);
        ::dlclose(object);
    }
    return files;
}

}  // namespace bench
