// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second function of a fork, in the fork's frame: the job, the function, and space for its result or exception. The
// space is used only if another thread runs the function.
#pragma once

#include <teff/base/fits.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace teff::forking {

// The type of a function's result in the tuple: a value; std::monostate for void.
template <class F>
struct value {
    using result = fits::result_of<F&>;
    using type = std::conditional_t<std::is_void_v<result>, std::monostate, std::decay_t<result>>;
};
template <class F>
using value_of = typename value<F>::type;

template <class F>
[[gnu::always_inline]] inline value_of<F> call(F& function) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
        std::invoke(function);
        return {};
    } else {
        return std::invoke(function);
    }
}

// F: a reference type if the caller keeps the function; otherwise the type of the function, which is moved into the
// child.
template <class F>
class child : public job {
public:
    explicit child(F&& given) : job(&run_elsewhere), function_(std::forward<F>(given)) {}
    ~child() {}

    std::remove_reference_t<F>& function() noexcept { return function_; }

    // Call after take_back() has returned false. Returns what the function returned or throws what it threw; throws
    // stopped if the function was not called.
    value_of<F> take_outcome() {
        require_run(*this);
        const end_of_outcome end{*this};
        if (views != nullptr)
            append_views(views);
        if (outcome_.error)
            std::rethrow_exception(std::move(outcome_.error));
        return std::move(*outcome_.value);
    }
    void drop_outcome() noexcept {
        const end_of_outcome end{*this};
        drop_views(views);
    }

private:
    struct outcome {
        std::optional<value_of<F>> value;
        std::exception_ptr error;
    };
    struct end_of_outcome {
        child& of;
        ~end_of_outcome() { of.outcome_.~outcome(); }
    };

    static void run_elsewhere(task_header& self) noexcept {
        auto& mine = static_cast<child&>(self);
        const taken_job taken(mine);
        if (taken.is_to_run())
            mine.run_for_parent();
    }
    void run_for_parent() noexcept {
        ::new (static_cast<void*>(&outcome_)) outcome;
        own_views own(around);
        try {
            outcome_.value.emplace(call(function_));
        } catch (...) {
            outcome_.error = std::current_exception();
        }
        views = own.take();
    }

    F function_;
    union {
        outcome outcome_;
    };
};

}  // namespace teff::forking
