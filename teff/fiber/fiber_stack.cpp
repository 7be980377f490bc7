// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maps slabs of stacks, keeps the slabs and free stacks of each size, and calls functions on stacks; see
// fiber_stack.hpp. The switch of a call is Boost.Context's.
#include <teff/fiber/fiber_stack.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/locks.hpp>
#include <teff/fiber/sanitizers.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iterator>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace teff {
namespace {

// The address space of a slab, unless a single stack needs more.
constexpr std::size_t usual_slab = std::size_t{16} << 20;
constexpr std::size_t header_size = 48 * 1024;

}  // namespace

stack_slab* stack_slab::map(std::size_t stack_size) noexcept {
    static_assert(sizeof(stack_slab) <= header_size);
    const std::size_t step = stack_guard_size + stack_size;
    // If the limit of address space is too low for this size, tries smaller slabs.
    for (std::size_t count = std::clamp<std::size_t>(usual_slab / step, 1, most_stacks); count != 0; count /= 4) {
        const std::size_t size = header_size + count * step;
        void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (mapped == MAP_FAILED)
            continue;
        // With huge pages the first use of a stack could take the memory of a hundred stacks. (Newer kernels avoid them
        // for MAP_STACK.)
        ::madvise(mapped, size, MADV_NOHUGEPAGE);
        return ::new (mapped) stack_slab(stack_size, size, static_cast<unsigned>(count));
    }
    return nullptr;
}

bool stack_slab::unmap() noexcept {
    TEFF_ASSERT(is_unused(), "a slab with a used stack is unmapped");
    const auto guards = static_cast<long>(std::count(guards_, guards_ + begun_, stack_guard::mapping));
    if (::munmap(this, mapped_) != 0)
        return false;
    give_back_guard_mappings(guards);
    return true;
}

std::byte* stack_slab::lowest_of(unsigned number) noexcept {
    return reinterpret_cast<std::byte*>(this) + header_size + number * (stack_guard_size + stack_size_) +
           stack_guard_size;
}

unsigned stack_slab::take() noexcept { return free_count_ != 0 ? free_[--free_count_] : begun_++; }

void stack_slab::give_back(const fiber_stack& stack) noexcept {
    const auto distance = static_cast<std::size_t>(static_cast<std::byte*>(stack.lowest) - lowest_of(0));
    free_[free_count_++] = static_cast<std::uint16_t>(distance / (stack_guard_size + stack_size_));
}

fiber_stack stack_slab::stack_at(unsigned number) noexcept {
    std::byte* const lowest = lowest_of(number);
    stack_guard& guard = guards_[number];
    // A stack with a canary gets a better guard if the budget of mappings allows it now.
    if (guard == stack_guard::none || guard == stack_guard::canary)
        guard = make_stack_guard(lowest);
    if (guard == stack_guard::canary)
        write_canary(lowest);
    return {lowest, stack_size_, this, guard, records_ + number};
}

bool stack_slab::find_stack(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept {
    for (unsigned number = 0; number < begun_; ++number)
        if (visit({lowest_of(number), stack_size_, this, stack_guard::none, records_ + number}, argument))
            return true;
    return false;
}

void stack_slab::clean(const fiber_stack& stack) noexcept { ::madvise(stack.lowest, stack.size, MADV_DONTNEED); }

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
