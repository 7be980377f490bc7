// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the tasks of a micro-benchmark of kind dataflow use their objects: a variant for each usage.
#pragma once

#include <bench/dataflow/dataflow.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace bench::dataflow {

enum class usage { none, in, out, inout, commutative, reduction, large_reduction };
inline constexpr const char* usage_names[] = {"none",        "in",        "out",            "inout",
                                              "commutative", "reduction", "large_reduction"};

// The value of large_reduction: its copies are large enough to be combined in parallel.
struct large_value {
    std::array<std::uint64_t, 512> counts{};

    large_value& operator+=(const large_value& other) {
        for (std::size_t each = 0; each < counts.size(); ++each) counts[each] += other.counts[each];
        return *this;
    }
    friend large_value operator+(large_value left, const large_value& right) { return left += right; }
};

// One variant for each usage from `first` on that the family has.
std::vector<variant_description> usage_variants(runtime_family family, usage first, unsigned least_threads);

template <usage Usage> struct usage_is {
    static constexpr usage value = Usage;
};

// The type of the value that the tasks access.
template <usage Usage> struct value_of_usage {
    using type = std::uint64_t;
};
template <> struct value_of_usage<usage::large_reduction> {
    using type = large_value;
};

// The access, for usages other than `none`.
template <class Face, usage Usage, class Data> auto access_as(Data& of) {
    if constexpr (Usage == usage::in)
        return Face::in(of);
    else if constexpr (Usage == usage::out)
        return Face::out(of);
    else if constexpr (Usage == usage::inout)
        return Face::inout(of);
    else if constexpr (Usage == usage::commutative)
        return Face::commutative(of);
    else
        return Face::reduction(of);
}

// Calls f(usage_is<...>()) for the usage with that name. It must be one of usage_variants().
template <class Face, class F> auto with_usage(std::string_view name, const F& f) {
    const auto is = [&](usage each) { return name == usage_names[static_cast<std::size_t>(each)]; };
    if constexpr (Face::has_reductions) {
        if (is(usage::reduction)) return f(usage_is<usage::reduction>());
        if (is(usage::large_reduction)) return f(usage_is<usage::large_reduction>());
    }
    if (is(usage::none)) return f(usage_is<usage::none>());
    if (is(usage::in)) return f(usage_is<usage::in>());
    if (is(usage::out)) return f(usage_is<usage::out>());
    if (is(usage::inout)) return f(usage_is<usage::inout>());
    return f(usage_is<usage::commutative>());
}

}  // namespace bench::dataflow
