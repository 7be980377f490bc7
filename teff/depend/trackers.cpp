// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The trackers, each compiled once.
#include <teff/depend/trackers.hpp>

#include <teff/base/allocation.hpp>
#include <teff/depend/embedded_graph.hpp>
#include <teff/depend/embedded_hypergraph.hpp>
#include <teff/depend/graph.hpp>
#include <teff/depend/hypergraph.hpp>
#include <teff/depend/list.hpp>
#include <teff/depend/tickets.hpp>

#include <array>
#include <iterator>

namespace teff::depend {
namespace {

template <tracker_class T>
tracker* make() noexcept {
    return create<tracker_of<T>>();
}

struct row {
    tracker* (*make)() noexcept;
    object_functions objects;
};
template <tracker_class T>
constexpr row row_of() {
    return {make<T>, {T::open, T::close, T::can_start, T::is_idle}};
}

// In the order of tracker_names.
constexpr std::array rows = {row_of<tickets>(),    row_of<list>(),           row_of<embedded_hypergraph>(),
                             row_of<hypergraph>(), row_of<embedded_graph>(), row_of<graph>()};
static_assert(rows.size() == std::size(tracker_names));

}  // namespace

tracker* make_tracker(std::size_t row) noexcept { return rows[row].make(); }
const object_functions& functions_for_objects(std::size_t row) noexcept { return rows[row].objects; }

}  // namespace teff::depend
