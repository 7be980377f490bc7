// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// skynet by fork and join of this library: a node forks all of its children in one call.
#include <bench/harness/teff.hpp>
#include <bench/skynet/skynet.hpp>

#include <tuple>
#include <utility>

namespace bench {
namespace {

std::uint64_t task(skynet::node of);

template <std::size_t... Index> std::uint64_t children(skynet::node of, std::index_sequence<Index...>) {
    return std::apply([](auto... sum) { return (sum + ...); },
                      teff::fork_join([of] { return task(of.child(Index)); }...));
}

std::uint64_t task(skynet::node of) {
    return of.is_leaf() ? of.first : children(of, std::make_index_sequence<skynet::children>());
}

}  // namespace

outcome run_skynet(const parameters& p) {
    return skynet::measured<teff_forks>(p, [](skynet::node of) { return task(of); });
}

}  // namespace bench
