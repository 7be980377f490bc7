// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what sysfs says of the kinds of cores and of caches.
#include <teff/machine/cpu_groups.hpp>

#include <teff/machine/text.hpp>
#include <teff/machine/text_file.hpp>

#include <algorithm>
#include <optional>

namespace teff {
namespace {

// Calls visit(cpu) for each CPU of a list such as "0-7,16".
template <class Visit>
void for_each_cpu(std::string_view list, Visit&& visit) noexcept {
    while (!list.empty()) {
        std::string_view last = trim(take_until(list, ','));
        const auto begin = parse_number(take_until(last, '-'));
        if (!begin)
            continue;
        const long end = std::min<long>(parse_number(last).value_or(*begin), cpu_mask::capacity - 1);
        for (long cpu = std::max(*begin, 0L); cpu <= end; ++cpu)
            visit(static_cast<int>(cpu));
    }
}

// The capacities in rising order, with the CPUs of each.
class kinds_by_capacity {
public:
    void add(int cpu, long capacity) noexcept {
        int place = 0;
        while (place < count_ && capacities_[index(place)] < capacity)
            ++place;
        if (place == count_ || capacities_[index(place)] != capacity) {
            if (count_ == core_kinds::most) {
                // One with its neighbour.
                result_.cpus[index(std::min(place, count_ - 1))].add(cpu);
                return;
            }
            for (int above = count_++; above > place; --above) {
                capacities_[index(above)] = capacities_[index(above - 1)];
                result_.cpus[index(above)] = result_.cpus[index(above - 1)];
            }
            capacities_[index(place)] = capacity;
            result_.cpus[index(place)] = {};
        }
        result_.cpus[index(place)].add(cpu);
    }
    int count() const noexcept { return count_; }
    // described: the CPUs that were added.
    core_kinds finish(const cpu_mask& usable) noexcept {
        result_.count = std::max(count_, 1);
        for (int cpu = 0; cpu < cpu_mask::capacity; ++cpu)
            if (usable.contains(cpu) && !is_described(cpu))
                result_.cpus[0].add(cpu);
        return result_;
    }

private:
    static constexpr std::size_t index(int place) noexcept { return static_cast<std::size_t>(place); }
    bool is_described(int cpu) const noexcept {
        return std::any_of(result_.cpus.begin(), result_.cpus.begin() + count_,
                           [cpu](const cpu_mask& each) { return each.contains(cpu); });
    }

    core_kinds result_;
    std::array<long, core_kinds::most> capacities_{};
    int count_ = 0;
};

}  // namespace

core_kinds read_core_kinds(const char* devices, const cpu_mask& usable) noexcept {
    kinds_by_capacity kinds;
    path_buffer path;
    for (int cpu = 0; cpu < cpu_mask::capacity; ++cpu) {
        if (!usable.contains(cpu))
            continue;
        path.clear();
        path.append(devices).append("/system/cpu/cpu").append(cpu).append("/cpu_capacity");
        if (const auto capacity = path.valid() ? read_leading_number(path.c_str()) : std::nullopt)
            kinds.add(cpu, *capacity);
    }
    if (kinds.count() != 0)
        return kinds.finish(usable);
    constexpr std::string_view lists[] = {"/cpu_atom/cpus", "/cpu_core/cpus"};
    for (long kind = 0; kind < 2; ++kind) {
        path.clear();
        path.append(devices).append(lists[kind]);
        std::array<char, 1024> line;
        const std::string_view list = path.valid() ? read_first_line(path.c_str(), line) : std::string_view{};
        for_each_cpu(list, [&](int cpu) {
            if (usable.contains(cpu))
                kinds.add(cpu, kind);
        });
    }
    return kinds.finish(usable);
}

core_kinds core_kinds_of_machine() noexcept {
    return read_core_kinds("/sys/devices", cpu_mask::of_calling_thread());
}

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
