// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack of decisions, and the table of states.
#include <model/depth_first.hpp>

#include <model/execution.hpp>

namespace model {
namespace {

// The most states that are remembered. Beyond that the table is cleared, which costs repetition but no coverage.
constexpr std::size_t most_states = 4'000'000;

}  // namespace

bool depth_first::begin() {
    if (executions_ != 0) {
        while (!path_.empty() && path_.back().chosen + 1 == path_.back().count)
            path_.pop_back();
        if (path_.empty()) {
            complete_ = true;
            return false;
        }
        ++path_.back().chosen;
    }
    depth_ = 0;
    preemptions_ = 0;
    return executions_ < bounds_.executions;
}

depth_first::node depth_first::options_of(const thread_choice& choice) const noexcept {
    node made{};
    const auto add = [&made](unsigned thread) { made.options[made.count++] = static_cast<std::uint8_t>(thread); };
    const bool stays = choice.current_ready && !choice.yields;
    const std::uint32_t others = choice.ready & ~(1U << choice.current);
    if (stays)
        add(choice.current);
    else if (choice.yields)
        add(next_in_round(choice.current, others));
    made.free = made.count;
    if (choice.current_ready && preemptions_ >= bounds_.preemptions)
        return made;
    for (unsigned i = 1, next = choice.current; i <= max_threads; ++i) {
        next = (choice.current + i) % max_threads;
        if ((others >> next & 1U) != 0 && (made.count == 0 || made.options[0] != next))
            add(next);
    }
    if (!choice.current_ready)
        made.free = made.count;
    return made;
}

bool depth_first::was_explored(const thread_choice& choice) {
    if (!bounds_.reduce || bounds_.weak)
        return false;
    const std::uint64_t turn = choice.current | (choice.current_ready ? 16U : 0U) | (choice.yields ? 32U : 0U);
    if (explored_.size() > most_states)
        explored_.clear();
    const auto [known, fresh] = explored_.emplace(mix(choice.fingerprint, turn), preemptions_);
    if (fresh)
        return false;
    if (known->second <= preemptions_)
        return true;
    known->second = preemptions_;
    return false;
}

unsigned depth_first::choose_thread(const thread_choice& choice) {
    if (depth_ == path_.size()) {
        if (was_explored(choice))
            return prune;
        path_.push_back(options_of(choice));
    }
    const node& branch = path_[depth_++];
    if (branch.chosen >= branch.free)
        ++preemptions_;
    return branch.options[branch.chosen];
}

unsigned depth_first::choose_value(unsigned options) {
    if (depth_ == path_.size()) {
        node made{};
        made.count = made.free = static_cast<std::uint8_t>(options);
        path_.push_back(made);
    }
    return path_[depth_++].chosen;
}

}  // namespace model
