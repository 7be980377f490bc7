// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a deferred task of a function: a descriptor with the task, its accesses and the function.
#pragma once

#include <teff/dataflow/graph.hpp>
#include <teff/frontends/fork_join/group_task.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace teff::dataflow {

// F: called as function(given), a span of N requests that hold the values.
template <class F, std::size_t N>
class function_task final : public deferred_task {
public:
    template <class Given>
    function_task(graph& owner, task_descriptor& descriptor, Given&& f)
        : deferred_task(owner, descriptor, accesses_, N), function_(std::forward<Given>(f)) {
        call = &call_function;
        free = &free_task;
    }
    ~function_task() {}

    static void run(task_header& self) noexcept {
        auto& descriptor = static_cast<task_descriptor&>(self);
        graph::run(*std::launder(static_cast<function_task*>(descriptor.payload(alignof(function_task)))));
    }

private:
    static void call_function(deferred_task& self) noexcept {
        auto& mine = static_cast<function_task&>(self);
        std::array<request, N> given;
        std::exception_ptr error;
        try {
            if (mine.home.begin(mine, given)) {
                body_scope body(mine.home.home(), given);
                mine.function_(std::span<request, N>(given));
                body.end();
            }
        } catch (...) {
            error = std::current_exception();
        }
        // The function is destroyed before the tasks that wait for this one begin: what it holds may use objects of the
        // spawning function.
        std::destroy_at(&mine.function_);
        mine.home.end(mine, given, std::move(error));
    }
    static void free_task(deferred_task& self) noexcept {
        task_descriptor& descriptor = self.memory;
        std::destroy_at(&static_cast<function_task&>(self));
        forking::return_descriptor(descriptor, sizeof(function_task), alignof(function_task));
    }

    depend::tracked_access accesses_[N == 0 ? 1 : N];
    union {
        F function_;
    };
};

// Makes a task of the graph, which the caller submits. Throws std::bad_alloc, or what moving the function throws; then
// nothing was changed. The calling thread is a member of a team.
template <class F, std::size_t N>
deferred_task& defer(graph& home, std::span<request, N> accesses, const task_function& function, F&& f) {
    using made_of = function_task<std::decay_t<F>, N>;
    graph::prepare(accesses);
    task_descriptor& memory = forking::take_descriptor(sizeof(made_of), alignof(made_of));
    try {
        auto* const made =
            ::new (memory.payload(alignof(made_of))) made_of(home, memory, std::forward<F>(f));
        home.register_accesses(*made, accesses, function);
        memory.run = &made_of::run;
        return *made;
    } catch (...) {
        forking::return_descriptor(memory, sizeof(made_of), alignof(made_of));
        throw;
    }
}

}  // namespace teff::dataflow
