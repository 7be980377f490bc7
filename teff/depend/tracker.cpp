// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes trackers; the one source in which they are compiled. See tracker.hpp.
#include <teff/depend/tracker.hpp>

#include <teff/base/allocation.hpp>
#include <teff/depend/every_tracker.hpp>

#include <array>
#include <iterator>
#include <string_view>

namespace teff::depend {
namespace {

template <tracker_class T>
tracker* make() noexcept {
    return create<tracker_of<T>>();
}

struct row {
    std::string_view name;
    tracker* (*make)() noexcept;
    object_functions objects;
};
template <tracker_class... T>
struct rows_of {
    static constexpr row all[] = {{T::name, make<T>, {T::open, T::close, T::can_start, T::is_idle}}...};
};

// In the order of tracker_names. A row there without a class, or a class without a row, does not compile.
constexpr auto rows = []() consteval {
    const auto& classes = every_tracker<rows_of>::all;
    static_assert(std::size(classes) == std::size(tracker_names));
    std::array<row, std::size(tracker_names)> found{};
    for (const row& each : classes)
        found.at(tracker_row(each.name)) = each;
    for (const row& each : found) {
        if (each.make == nullptr)
            throw "a tracker has no class, or two classes have one name";
    }
    return found;
}();

}  // namespace

tracker* make_tracker(std::size_t row) noexcept { return rows[row].make(); }
const object_functions& functions_for_objects(std::size_t row) noexcept { return rows[row].objects; }

}  // namespace teff::depend
