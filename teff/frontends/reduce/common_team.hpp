// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's side of the common form (common_form.hpp): the team of a reduction whose body is behind a virtual
// function. The class is the one that is compiled into calls (reduction_team.hpp), with items as tasks. Its body is a
// common_slot: one for each member, which has the member's sum and its memory for tasks.
//
//   start.cpp                  chooses the scheduler, makes the slots, adds up
//   common_on_schedulers.cpp   the team, compiled for each class of schedulers and all kinds of items
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/reduce/common_form.hpp>
#include <teff/frontends/reduce/reduction_team.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/task/descriptor_pool.hpp>
#include <teff/team/cancel_on_stop.hpp>
#include <teff/team/team_options.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <stop_token>
#include <utility>

namespace teff::reducing {

// Memory for a task, or nullptr.
void* task_memory(task_pools& from, std::size_t size, std::size_t alignment) noexcept;

class [[gnu::visibility("hidden")]] alignas(false_sharing_range) common_slot {
public:
    common_slot() noexcept = default;
    common_slot(const common_slot&) = delete;
    common_slot& operator=(const common_slot&) = delete;
    ~common_slot() {
        if (has_begun_ && sum_ != nullptr)
            call_->end_sum(sum_);
    }

    // sum: raw memory; nullptr: the call has no sum.
    void begin(common_call& call, void* sum) noexcept {
        call_ = &call;
        sum_ = sum;
        has_begun_ = sum == nullptr;
    }
    void set_team(team& joined) noexcept { team_ = &joined; }

    // The sum of the tasks that ran in this slot, or nullptr.
    void* sum() noexcept { return has_begun_ ? sum_ : nullptr; }
    task_pools& pools() noexcept { return pools_; }

    // The body, as the task loop calls it.
    template <class Pool, class Item>
    [[gnu::always_inline]] void operator()(Pool& pool, Item&& item) {
        member_with<Pool> self(*this, pool);
        if (!has_begun_) [[unlikely]]
            begin_sum();
        call_->run(self, item.task(), sum_);
    }

private:
    template <class Pool>
    class member_with final : public common_member {
    public:
        member_with(common_slot& slot, Pool& pool) noexcept : slot_(slot), pool_(pool) {}

        void enq(void* item) override {
            using item_type = typename Pool::task_type;
            pool_.enq(std::move(*static_cast<item_type*>(item)));
        }
        void* memory(std::size_t size, std::size_t alignment) override {
            return slot_.memory_or_failure(size, alignment);
        }

    private:
        common_slot& slot_;
        Pool& pool_;
    };

    void begin_sum();
    void* memory_or_failure(std::size_t size, std::size_t alignment) noexcept;

    common_call* call_ = nullptr;
    void* sum_ = nullptr;
    bool has_begun_ = false;  // its sum, or there is none
    team* team_ = nullptr;
    task_pools pools_;
};

template <>
inline constexpr bool is_body_of_slot<common_slot> = true;

// One reduction on a scheduler for items.
template <class Scheduler, class Item>
class common_run {
public:
    common_run(slots<common_slot>& slots, const team_options& options, const std::stop_token& stop)
        : slots_(slots), team_(options.settings, options.spin_us, slots[0]), stopper_(stop, team_) {
        for (unsigned i = 0; i < slots.size(); ++i)
            slots[i].set_team(team_);
    }

    // Throws the first exception of a task, or std::bad_alloc.
    void run(common_call& call) {
        nothing none;
        team_.run(none, [&](auto&& enq) {
            first_member to(slots_[0], enq);
            call.add_first(to);
        });
    }

private:
    using reduction = reduction_team<Scheduler, common_slot, Item, nothing>;
    template <class Enq>
    class first_member final : public common_member {
    public:
        first_member(common_slot& slot, Enq& enq) noexcept : slot_(slot), enq_(enq) {}

        void enq(void* item) override { enq_(std::move(*static_cast<Item*>(item))); }
        void* memory(std::size_t size, std::size_t alignment) override {
            void* const found = task_memory(slot_.pools(), size, alignment);
            if (found == nullptr)
                throw std::bad_alloc();
            return found;
        }

    private:
        common_slot& slot_;
        Enq& enq_;
    };

    slots<common_slot>& slots_;
    reduction team_;
    const cancel_on_stop stopper_;
};

// Compiled once for each class of schedulers. Scheduler<Item> is the class for items of that type.
template <template <class> class Scheduler>
void run_items_on(common_call& call, slots<common_slot>& slots, const team_options& options,
                  const std::stop_token& stop) {
    const auto run = [&]<class Item>() { common_run<Scheduler<Item>, Item>(slots, options, stop).run(call); };
    switch (call.kind) {
    case item_kind::bytes_8: return run.template operator()<plain_item<8>>();
    case item_kind::bytes_16: return run.template operator()<plain_item<16>>();
    case item_kind::bytes_32: return run.template operator()<plain_item<32>>();
    case item_kind::bytes_64: return run.template operator()<plain_item<64>>();
    case item_kind::owned: return run.template operator()<owned_item>();
    }
}

// run_items_on() for each class of schedulers.
using common_runner = void (&)(common_call&, slots<common_slot>&, const team_options&, const std::stop_token&);
void run_on_blaze(common_call& call, slots<common_slot>& slots, const team_options& options,
                  const std::stop_token& stop);
void run_on_xqueue(common_call& call, slots<common_slot>& slots, const team_options& options,
                   const std::stop_token& stop);
void run_on_descriptors(common_call& call, slots<common_slot>& slots, const team_options& options,
                        const std::stop_token& stop);

}  // namespace teff::reducing
