// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads cpuN/cache/indexM/level and shared_cpu_list. Caches with the highest level are not always the last in the list.
#include <teff/machine/last_level_cache.hpp>

#include <teff/machine/path_buffer.hpp>
#include <teff/machine/text_file.hpp>

namespace teff {

int last_level_cache_of(const char* root, int cpu) noexcept {
    constexpr int most_caches = 16;
    int highest = 0, found = -1;
    path_buffer path;
    for (int index = 0; index < most_caches; ++index) {
        path.clear();
        path.append(root).append("/cpu").append(cpu).append("/cache/index").append(index);
        const std::size_t length = path.view().size();
        path.append("/level");
        const auto level = path.valid() ? read_leading_number(path.c_str()) : std::nullopt;
        if (!level || *level <= highest)
            continue;
        path.shorten(length);
        path.append("/shared_cpu_list");
        const auto first = path.valid() ? read_leading_number(path.c_str()) : std::nullopt;
        if (!first)
            continue;
        highest = *level;
        found = *first;
    }
    return found;
}

}  // namespace teff
