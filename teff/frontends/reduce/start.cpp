// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of a reduction, as far as it does not depend on the user's types: its options and workers, and a call in
// the common form with its scheduler, its slots and its sums; see start.hpp and common_form.hpp.
#include <teff/frontends/reduce/start.hpp>

#include <teff/base/assert.hpp>
#include <teff/frontends/reduce/common_team.hpp>
#include <teff/frontends/reduce/result.hpp>
#include <teff/options.hpp>
#include <teff/scheduler/schedulers.hpp>
#include <teff/strand/stack.hpp>
#include <teff/task/descriptor_pool.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace teff::reducing {

team_options prepare(const options& call) {
    require_stack(reductions_use);
    const team_options options = resolve(call);
    prepare_workers(options.settings.slots);
    return options;
}

void throw_not_compiled(std::string_view scheduler) {
    throw std::invalid_argument("scheduler '" + std::string(scheduler) +
                                "' is not in the list that this call was compiled with; name one that is, or widen "
                                "the list");
}

namespace {

// The function for a row's class of schedulers.
common_runner runner_of(const blaze&) noexcept { return run_on_blaze; }
template <xqueue_stealing Stealing>
common_runner runner_of(const on_xqueue<Stealing>&) noexcept {
    return run_on_xqueue;
}
template <class Core>
common_runner runner_of(const on_descriptors<Core>&) noexcept {
    return run_on_descriptors;
}

template <class... Rows>
void run_on_row(scheduler_list<demand, Rows...>, common_call& call, slots<common_slot>& slots,
                const team_options& options, const std::stop_token& stop) {
    team_options chosen = options;
    const auto try_row = [&]<class Row>() {
        if (options.scheduler != Row::traits().name)
            return false;
        Row::select(chosen.settings);
        runner_of(Row())(call, slots, chosen, stop);
        return true;
    };
    [[maybe_unused]] const bool found = (try_row.template operator()<Rows>() || ...);
    TEFF_CHECK(found, "reduce", "a scheduler has no common form", "report this");
}

// Memory for the sums of all slots.
class sum_memory {
public:
    sum_memory(const common_call& call, unsigned slots)
        : alignment_(std::max(call.type_of_sum.alignment, std::size_t{false_sharing_range})),
          stride_((call.type_of_sum.size + alignment_ - 1) / alignment_ * alignment_), size_(slots * stride_) {
        if (size_ == 0)
            return;
        memory_ = static_cast<std::byte*>(allocate(size_, alignment_));
        if (memory_ == nullptr)
            throw std::bad_alloc();
    }
    sum_memory(const sum_memory&) = delete;
    sum_memory& operator=(const sum_memory&) = delete;
    ~sum_memory() {
        if (memory_ != nullptr)
            deallocate(memory_, size_, alignment_);
    }

    void* of(unsigned slot) const noexcept { return memory_ == nullptr ? nullptr : memory_ + slot * stride_; }

private:
    const std::size_t alignment_;
    const std::size_t stride_;
    const std::size_t size_;
    std::byte* memory_ = nullptr;
};

}  // namespace

void* task_memory(task_pools& from, std::size_t size, std::size_t alignment) noexcept {
    task_descriptor* const made = from.take(size, alignment);
    return made == nullptr ? nullptr : made->payload(alignment);
}

void return_task_memory(void* task, std::size_t size, std::size_t alignment) noexcept {
    task_pools::finish(task_descriptor::of_payload(task, alignment), nullptr, size, alignment);
}

void common_slot::begin_sum() {
    call_->begin_sum(sum_);
    has_begun_ = true;
}

void* common_slot::memory_or_failure(std::size_t size, std::size_t alignment) noexcept {
    void* const found = task_memory(pools_, size, alignment);
    if (found == nullptr)
        team_->fail(std::make_exception_ptr(std::bad_alloc()));
    return found;
}

void run_common(common_call& what, const team_options& chosen_options, const options& call, void* total) {
    const sum_memory sums(what, chosen_options.settings.slots);
    slots<common_slot> members(chosen_options.settings.slots);
    for (unsigned i = 0; i < members.size(); ++i)
        members[i].begin(what, sums.of(i));
    run_on_row(every_scheduler{}, what, members, chosen_options, call.stop);
    const partial_sums partial{members.size(), &members, [](void* of, unsigned slot) noexcept {
                                   return (*static_cast<slots<common_slot>*>(of))[slot].sum();
                               }};
    if (what.type_of_sum.size != 0)
        add_up(total, partial, what.type_of_sum);
}

}  // namespace teff::reducing
