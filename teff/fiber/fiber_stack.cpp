// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the slabs and free stacks of each size, and calls functions on stacks; see fiber_stack.hpp. The switch of a
// call is Boost.Context's.
#include <teff/fiber/fiber_stack.hpp>

#include <teff/base/locks.hpp>
#include <teff/fiber/sanitizers.hpp>
#include <teff/fiber/stack_slab.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <pthread.h>

namespace teff {
namespace {

// A list of free stacks whose memory is not returned to the system: last in, first out, since the stack that was used
// last is likely to be in a cache. They are linked through their last bytes, which every fiber touches anyway. All
// functions: under the mutex.
class kept_stacks {
public:
    std::size_t count() const noexcept { return count_; }
    // Returns the stack that was kept last; its `lowest` is nullptr if there is none.
    fiber_stack take() noexcept {
        if (first_ == nullptr)
            return {};
        const fiber_stack taken = first_->stack;
        first_ = first_->next;
        --count_;
        return taken;
    }
    void keep(const fiber_stack& ended) noexcept {
        std::byte* const end = static_cast<std::byte*>(ended.lowest) + ended.size;
        first_ = ::new (end - sizeof(kept_stack)) kept_stack{first_, ended};
        ++count_;
    }

private:
    struct kept_stack {
        kept_stack* next;
        fiber_stack stack;
    };
    kept_stack* first_ = nullptr;
    std::size_t count_ = 0;
};

// Sizes are counted in units: 1, 2, ..., 8, then in steps of two up to 16, of four up to 32, and so on.
constexpr std::size_t unit = 16 * 1024;
constexpr std::size_t most_units = std::size_t{1} << 20;

struct size_class {
    unsigned number;
    std::size_t size;
};

constexpr size_class class_of(std::size_t size) noexcept {
    const std::size_t units = std::max<std::size_t>((size + unit - 1) / unit, 1);
    // The step is a quarter of the largest power of two below `units`.
    const auto bits = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(units - 1, 4)) - 1);
    const std::size_t step = std::size_t{1} << (bits - 2);
    const std::size_t steps = (units + step - 1) / step;
    return {static_cast<unsigned>(4 * (bits - 2) + steps - 1), steps * step * unit};
}
constexpr unsigned size_classes = class_of(most_units * unit).number + 1;
static_assert(class_of(1).number == 0 && class_of(5 * unit).number == 4 && class_of(9 * unit).size == 10 * unit);

// The slabs and free stacks of one size. All functions: under the mutex.
class stacks_of_size {
public:
    fiber_stack take_kept() noexcept { return kept_.take(); }
    bool keep(const fiber_stack& ended) noexcept {
        constexpr std::size_t most_bytes = std::size_t{64} << 20;
        if (kept_.count() >= std::clamp<std::size_t>(most_bytes / ended.size, 1, most_kept_fiber_stacks))
            return false;
        kept_.keep(ended);
        return true;
    }

    // Returns nullptr if there is none.
    stack_slab* slab_with_free_stack() noexcept { return open_.first(); }
    void add(stack_slab& made) noexcept { list_of(made).push_back(made); }
    unsigned take_from(stack_slab& slab) noexcept {
        const unsigned taken = slab.take();
        if (!slab.has_free()) {
            open_.remove(slab);
            full_.push_back(slab);
        }
        return taken;
    }
    // Returns true if all stacks of the slab are free; the slab then belongs to the caller.
    bool give_back(const fiber_stack& ended) noexcept {
        stack_slab& slab = *ended.slab;
        list_of(slab).remove(slab);
        slab.give_back(ended);
        if (slab.is_unused())
            return true;
        open_.push_front(slab);
        return false;
    }

    bool find(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept {
        const auto has = [&](stack_slab& slab) { return slab.find_stack(visit, argument); };
        return open_.find(has) != nullptr || full_.find(has) != nullptr;
    }

private:
    intrusive_list<stack_slab>& list_of(const stack_slab& slab) noexcept { return slab.has_free() ? open_ : full_; }

    kept_stacks kept_;
    // slabs with free stacks, and those without
    intrusive_list<stack_slab> open_, full_;
};

// Held across fork(), so that the child finds the lists complete.
constinit mutex stacks_mutex;
constinit stacks_of_size stacks[size_classes];

pthread_once_t stack_forks_handled = PTHREAD_ONCE_INIT;

bool find_any(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept {
    return std::any_of(std::begin(stacks), std::end(stacks),
                       [&](stacks_of_size& each) { return each.find(visit, argument); });
}

// On the only thread of the child: clears the records of all stacks, since no other thread exists here.
void begin_anew_after_fork() noexcept {
    find_any(
        [](const fiber_stack& each, void*) noexcept {
            std::memset(each.record, 0, stack_record_size);
            return false;
        },
        nullptr);
    stacks_mutex.reset_after_fork();
}

void handle_forks() noexcept {
    ::pthread_atfork([] { stacks_mutex.lock(); }, [] { stacks_mutex.unlock(); }, begin_anew_after_fork);
}

}  // namespace

fiber_stack take_fiber_stack(std::size_t size) noexcept {
    if (size > most_units * unit)
        return {};
    // Registered before any thread can hold the mutex.
    ::pthread_once(&stack_forks_handled, handle_forks);
    const size_class wanted = class_of(size);
    stacks_of_size& from = stacks[wanted.number];
    stack_slab* slab = nullptr;
    unsigned number = 0;
    {
        const scoped_lock locked(stacks_mutex);
        const fiber_stack kept = from.take_kept();
        if (kept.lowest != nullptr) {
            sanitizers::happens_after(kept.lowest);
            return kept;
        }
        slab = from.slab_with_free_stack();
        if (slab != nullptr)
            number = from.take_from(*slab);
    }
    // System calls are made without the mutex.
    if (slab == nullptr) {
        slab = stack_slab::map(wanted.size);
        if (slab == nullptr)
            return {};
        const scoped_lock locked(stacks_mutex);
        from.add(*slab);
        number = from.take_from(*slab);
    }
    const fiber_stack taken = slab->stack_at(number);
    sanitizers::happens_after(taken.lowest);
    return taken;
}

bool find_fiber_stack(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept {
    const scoped_lock locked(stacks_mutex);
    return find_any(visit, argument);
}

void give_back_fiber_stack(const fiber_stack& ended) noexcept {
    // Removes the sanitizer's marks of functions that never returned.
    sanitizers::unpoison(ended.lowest, ended.size);
    sanitizers::happens_before(ended.lowest);
    stacks_of_size& to = stacks[class_of(ended.size).number];
    {
        const scoped_lock locked(stacks_mutex);
        if (to.keep(ended))
            return;
    }
    stack_slab::clean(ended);
    stack_slab& slab = *ended.slab;
    bool is_unused = false;
    {
        const scoped_lock locked(stacks_mutex);
        is_unused = to.give_back(ended);
    }
    if (is_unused && !slab.unmap()) {
        const scoped_lock locked(stacks_mutex);
        to.add(slab);
    }
}

namespace {

namespace context = boost::context::detail;

struct stack_call {
    void (*const what)(void* argument) noexcept;
    void* const argument;
    sanitizers::called_on_stack switched;

    static void run(context::transfer_t from) noexcept {
        auto& mine = *static_cast<stack_call*>(from.data);
        mine.switched.has_begun();
        mine.what(mine.argument);
        mine.switched.about_to_return();
        context::jump_fcontext(from.fctx, nullptr);
        std::terminate();  // unreachable
    }
};

}  // namespace

void call_on_stack(const fiber_stack& stack, void (*what)(void* argument) noexcept, void* argument) noexcept {
    stack_call made{what, argument, {}};
    void* const end = static_cast<std::byte*>(stack.lowest) + stack.size;
    const context::fcontext_t begin = context::make_fcontext(end, stack.size, &stack_call::run);
    made.switched.about_to_call(stack);
    context::jump_fcontext(begin, &made);
    made.switched.has_returned();
}

}  // namespace teff
