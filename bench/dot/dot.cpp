// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, expected answer and memory of dot; see dot.hpp.
#include <bench/dot/dot.hpp>

#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr std::uint64_t largest_size = 10'000'000'000;

std::size_t elements(const parameters& p) { return integer_size(dot_description, p, 1, largest_size); }

// Computed differently from the measured code: a plain loop with compensated sums, which loses hardly any digit.
class compensated_sum {
public:
    void add(double value) {
        const double corrected = value - lost_;
        const double larger = sum_ + corrected;
        lost_ = (larger - sum_) - corrected;
        sum_ = larger;
    }

    double value() const { return sum_; }

private:
    double sum_ = 0;
    double lost_ = 0;
};

double expected_cosine(const dot::view& elements, std::size_t count) {
    compensated_sum uv;
    compensated_sum uu;
    compensated_sum vv;
    for (std::size_t index = 0; index < count; ++index) {
        const dot::products each = elements.at(index);
        uv.add(each.uv);
        uu.add(each.uu);
        vv.add(each.vv);
    }
    return dot::products{uv.value(), uu.value(), vv.value()}.cosine();
}

std::vector<variant_description> variants(runtime_family family) { return usual_variants(family, false); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::size_t count = elements(p);
    return count * 2 * sizeof(double) + task_memory_bytes(p, family, count, sizeof(dot::range));
}

}  // namespace

const kernel_description dot_description = {
    .name = "dot", .sizes = {.quick = "30000000", .paper = "100000000", .tiny = "1000", .check = "20000"},
    .variants = variants, .memory_bytes = memory_bytes,
};

namespace dot {

vectors::vectors(const parameters& p) : u_(elements(p)), v_(u_.size()) {
    seeded_random random(20181201);
    for (double& each : u_) each = random.unit();
    for (double& each : v_) each = random.unit();
}

// Adding n numbers in any order has an error of about sqrt(n) times the unit roundoff (the worst case, n times, does
// not occur by chance). Sixteen times that makes a false alarm practically impossible, and is far less than the
// effect of one element left out or counted twice, 1/n.
outcome vectors::checked(double seconds, const products& found) const {
    const double tolerance = 16 * std::sqrt(static_cast<double>(u_.size())) * 0x1p-53;
    return near_outcome(seconds, u_.size(), found.cosine(), expected_cosine(view(), u_.size()), tolerance);
}

}  // namespace dot
}  // namespace bench
