// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of a member: it takes pairs and climbs the tree; see tree_combination.hpp.
#include <teff/team/tree_combination.hpp>

#include <algorithm>
#include <exception>

namespace teff {

tree_combination::tree_combination(unsigned count, unsigned threads, combine_function combine)
    : team(std::min(threads, combining_tree<slots<atomic<bool>>>::pairs_of(count)), 0),
      pairs_(combining_tree<slots<atomic<bool>>>::pairs_of(count)), combine_(combine), values_(count), flags_(count),
      tree_(flags_, count) {}

void tree_combination::run() {
    run_as_caller();
    rethrow_failure();
}

// relaxed: a hint.
unsigned tree_combination::taken() const noexcept {
    return std::min(next_.load(std::memory_order_relaxed), pairs_);
}
bool tree_combination::has_visible_work() const noexcept { return taken() != pairs_; }
std::size_t tree_combination::queued_estimate() const noexcept { return pairs_ - taken(); }
// Nothing is hidden.
void tree_combination::request() noexcept {}
void tree_combination::orphan() noexcept { stop_.orphan(); }
void tree_combination::cancel() noexcept { stop_.cancel(); }

bool tree_combination::take(unsigned& pair) noexcept {
    if (stop_.is_set() || !has_visible_work())
        return false;
    // relaxed: only the number matters. A worker sees the values since it joined, which the pool's mutex orders.
    pair = next_.fetch_add(1, std::memory_order_relaxed);
    return pair < pairs_;
}

void tree_combination::combine_from(unsigned pair) noexcept {
    try {
        tree_.climb(pair, [this](unsigned left, unsigned right) { combine_(values_[left], values_[right]); });
    } catch (...) {
        fail(std::current_exception());
    }
}

void tree_combination::work(unsigned slot, unsigned) noexcept {
    const bool is_worker = slot != caller_slot;
    unsigned pair = 0;
    if (!take(pair))
        return;
    // A worker that has joined counts as searching until it has found an item.
    if (is_worker) {
        idle().members().end_search();
        begin_work();
    }
    do {
        if (has_visible_work())
            idle().work_visible();
        combine_from(pair);
    } while (take(pair));
    if (is_worker) {
        run_dry();
        end_work();
    }
}

}  // namespace teff
