// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens the file of a record, and warns if that fails; see record_file.hpp.
#include <teff/observe/record_file.hpp>

#include <teff/base/assert.hpp>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace teff {

void record_file::warn_of(std::string_view name, const file_problem& problem) const noexcept {
    teff::warn("%s: the file '%.*s' cannot be written: %s; there is no %s; %s", variable_,
               static_cast<int>(name.size()), name.data(), problem.why, content_, problem.remedy);
}

// Makes a relative name absolute, since the program may change its working folder later. Returns 0 or the number of an
// error.
int record_file::keep_name(std::string_view name) noexcept {
    std::size_t length = 0;
    if (!name.starts_with('/')) {
        if (::getcwd(name_, sizeof name_) == nullptr)
            return errno;
        length = std::strlen(name_);
        name_[length++] = '/';
    }
    if (length + name.size() >= sizeof name_)
        return ENAMETOOLONG;
    name.copy(name_ + length, name.size());
    name_[length + name.size()] = '\0';
    return 0;
}

bool record_file::begin(std::string_view name) noexcept {
    const int error = keep_name(name);
    const file_problem found = error != 0 ? problem_of(error) : file_.find_problem(name_);
    if (!found)
        return true;
    warn_of(name, found);
    return false;
}

}  // namespace teff
