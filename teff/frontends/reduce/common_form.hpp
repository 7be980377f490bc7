// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common form of a reduction: the task loop and the schedulers are compiled in the library, and the loop calls the
// body through a virtual function.
//
// A call that names no list of schedulers (schedulers.hpp) is compiled for `demand` alone; with all other schedulers it
// runs in this form. A task costs two indirect calls more than in a call that is compiled for its scheduler: one to the
// body, and one for each enq. The sum of a member lies in memory.
//
//   in the caller's code         in the library
//   common_call_of: the body,    common_team.hpp: the team with its task loop, for each class of schedulers and each
//     the sums                     type of item (common_item.hpp)
//   common_pool: enq             common_member: the member that runs the body
//
// The two sides know each other as abstract classes, whose virtual functions are all defined by the other side.
#pragma once

#include <teff/frontends/reduce/common_item.hpp>
#include <teff/frontends/reduce/result.hpp>

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace teff {

struct options;
struct team_options;

namespace reducing {

// A member of the team, as the caller's code sees it.
class common_member {
public:
    // Enqueues an item, which is moved from. Its type is the one that the call has named.
    virtual void enq(void* item) = 0;
    // Memory for a task; nullptr: there is none, and the reduction was cancelled for that. It throws instead where the
    // first tasks are enqueued.
    virtual void* memory(std::size_t size, std::size_t alignment) = 0;

protected:
    ~common_member() = default;
};

// A call, as the library sees it: without the user's types.
class common_call {
public:
    const item_kind kind;
    const sum_type type_of_sum;

    // Enqueues the first tasks.
    virtual void add_first(common_member& to) = 0;
    // Makes a neutral sum in raw memory.
    virtual void begin_sum(void* sum) = 0;
    // Calls the body on the task of an item (common_item.hpp) and adds its result. sum: nullptr if there is none.
    virtual void run(common_member& by, void* item, void* sum) = 0;
    virtual void end_sum(void* sum) noexcept = 0;

protected:
    common_call(item_kind items, sum_type sums) noexcept : kind(items), type_of_sum(sums) {}
    ~common_call() = default;
};

// The pool that a body gets.
template <class Task>
class common_pool {
public:
    using task_type = Task;

    // Only the runtime makes pools.
    explicit common_pool(common_member& member) noexcept : member_(&member) {}

    // As task_pool::enq().
    void enq(Task&& task) { add(std::move(task)); }
    void enq(const Task& task)
        requires std::copy_constructible<Task>
    {
        add(task);
    }

private:
    template <class Given>
    void add(Given&& task) {
        item_of<Task>::pass(*member_, std::forward<Given>(task), [this](auto& item) { member_->enq(&item); });
    }

    common_member* member_;
};

// R: the type of the sum.
template <class R, class Fun, class Task, class AddFirst>
class common_call_of final : public common_call {
    static constexpr bool has_sum = !std::is_same_v<R, nothing>;

public:
    common_call_of(Fun& fun, AddFirst& add_first) noexcept
        : common_call(item_of<Task>::kind, sum_type::of<R>()), fun_(fun), add_first_(add_first) {}

    void add_first(common_member& to) override {
        add_first_([&to](Task task) {
            item_of<Task>::pass(to, std::move(task), [&to](auto& item) { to.enq(&item); });
        });
    }
    void begin_sum(void* sum) override { ::new (sum) R{}; }
    void run(common_member& by, void* item, void* sum) override {
        common_pool<Task> pool(by);
        Task& task = item_of<Task>::task_in(item);
        if constexpr (has_sum)
            accumulate(*static_cast<R*>(sum), fun_, pool, std::move(task));
        else
            call(fun_, pool, std::move(task));
    }
    void end_sum(void* sum) noexcept override { static_cast<R*>(sum)->~R(); }

private:
    Fun& fun_;
    AddFirst& add_first_;
};

// Runs the call on the scheduler that `chosen_options` names, which is any but `demand`, and adds its sum to `total`.
// Throws the first exception of a task, or std::bad_alloc.
void run_common(common_call& what, const team_options& chosen_options, const options& call, void* total);

}  // namespace reducing
}  // namespace teff
