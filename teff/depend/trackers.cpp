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

// In the order of tracker_names.
constexpr std::array makers = {make<tickets>,    make<list>,           make<embedded_hypergraph>,
                               make<hypergraph>, make<embedded_graph>, make<graph>};
static_assert(makers.size() == std::size(tracker_names));

}  // namespace

tracker* make_tracker(std::size_t row) noexcept { return makers[row](); }

}  // namespace teff::depend
