// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The deque of the scheduler `demand`: a private LIFO array in front, a shared part behind it.
//
//   base ... bottom [ oldest  private items  newest ] top ... end        shared part: [ older items ]
//
// The owner pushes and pops at `top`, which it keeps in a register: per operation one load or store of the item, one
// store that announces the new top, and one compare with a mark. Two marks, `low` and `high`, are the bounds of the
// private part and also carry requests: a thief that asks for work overwrites (arms) them with values that make the
// compare of every push and every pop fail. So noticing a request costs the fast path nothing. The slow path resets
// the marks.
//                   owner's operations  ask   steal, visible   force    safe together?
//   owner's              -              yes       yes           yes     one owner at a time; slow ones hold the gate
//   ask                                 yes       yes           yes
//   steal, visible                                yes           yes
//   force                                                       yes     force: expose_by_force(), hidden_estimate()
// A request is not lost. The owner resets the marks (M1), executes a seq_cst fence, and reads whether any worker is
// idle (H1). The thief announces that it is idle (H2), executes a seq_cst fence, and writes the marks (M2). If H1 does
// not see H2, the owner's fence comes first in the single total order. Then M2 is later than M1 in the marks'
// modification order, and the owner's next push or pop takes the slow path.
//
// Force. An owner inside a long function answers no request. Then a thief exposes the private items itself:
//   1. under the gate, it arms the marks;   2. heavy fence;   3. under the gate, it reads the announced top and
//   publishes the items below it, if the owner has not reset the marks since step 1.
// The owner's slow operations hold the gate, too. Each of its fast operations announces first and compares with
// a mark afterwards, with a light fence in between (base/asymmetric_fence.hpp). The heavy fence of step 2 is a point in
// the owner's program. An announcement before that point is seen in step 3. After an announcement behind that point
// the compare fails, since the mark is armed, and the operation waits for the gate. So in step 3:
//   a pop that went through had announced that its item is gone, and the thief leaves that item alone
//   a pop that is under way has not used its item, announces the old top again, and looks again under the gate
//   a push that is announced has written its item; any other push takes the slow path later and exposes the item
// So the thief may take all items below the announced top, and nothing stays hidden.
// Rejected: a separate request flag beside the bounds (a second compare in push and pop); a Chase-Lev deque (a fence in
// pop); one announcement per task, at its pop (what a task pushed before it began to compute would stay hidden).
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/asymmetric_fence.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/request_mark.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/queue/shared_part.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>

namespace teff {

template <class T>
class split_deque {
public:
    split_deque() noexcept = default;
    split_deque(const split_deque&) = delete;
    split_deque& operator=(const split_deque&) = delete;
    ~split_deque() {
        if (base_ != nullptr)
            deallocate_array(base_, capacity());
    }

    // Owner. Allocates the first array; returns false if there is no memory. The marks start armed, so that the first
    // operation takes the slow path and checks for idle workers.
    [[nodiscard]] bool open() noexcept {
        if (base_ == nullptr && !allocate_array(initial_capacity))
            return false;
        const slow_operation alone(*this, base_);
        set_bottom(base_);
        ++answers_;
        arm();
        return true;
    }
    // Owner, holding the gate.
    T* bottom() const noexcept {
        // relaxed: ordered by the gate.
        return bottom_.load(std::memory_order_relaxed);
    }

    // Owner, fast path. `top` is one past the newest private item.
    // Claims the newest item, which is at the new top. False: nothing has changed, and the slow path is due.
    [[gnu::always_inline]] bool try_claim(T*& top) noexcept {
        --top;
        // The light side of the heavy fence in expose_by_force(), see the head of this file.
        if (!announce_is_below(top_, top, low_)) [[likely]]
            return true;
        // Hides from the compiler that this restores the old top: every claim would keep that value in a register.
        asm("" : "+r"(top));
        ++top;
        // Announces the old top again, since the item is still there.
        // release: a thief that reads it sees the items below; partner: the acquire in expose_by_force().
        top_.store(top, std::memory_order_release);
        return false;
    }
    // Call after an item was put at top[-1], which is always possible. False: the slow path is due.
    [[gnu::always_inline]] bool push_is_private(T* top) noexcept {
        // As above.
        return !announce_is_above(top_, top, high_);
    }

    // A slow operation of the owner: from here to the end of the scope no thief uses force. `top` is the owner's
    // cursor, which the end of the scope announces.
    class slow_operation {
    public:
        slow_operation(split_deque& deque, T* const& top) noexcept : deque_(deque), top_(top) { deque_.enter_gate(); }
        ~slow_operation() {
            deque_.announce(top_);
            deque_.leave_gate();
        }
        slow_operation(const slow_operation&) = delete;
        slow_operation& operator=(const slow_operation&) = delete;

    private:
        split_deque& deque_;
        T* const& top_;
    };

    // Owner, in a slow operation, down to drop_all().
    std::size_t private_size(const T* top) const noexcept { return static_cast<std::size_t>(top - bottom()); }

    // Makes sure that one more item can be put at the top: if the array is full, moves the items down or into a larger
    // array. Returns the new top, or nullptr if there is no memory; the items are untouched then. If a move throws, the
    // private items are destroyed and the new top is bottom().
    T* make_room(T* top) {
        if (top < base_ + capacity())
            return top;
        return private_size(top) <= capacity() / 2 ? compact(top) : grow(top);
    }

    // Moves up to `count` of the oldest private items to the shared part. Returns false if it moved none: there are no
    // private items, the shared part has no room now, or count is 0.
    bool expose(T* top, std::size_t count) {
        count = smaller(smaller(count, private_size(top)), std::size_t{shared_.room()});
        if (count == 0)
            return false;
        T* const first = bottom();
        set_bottom(first + count);  // before publish(): if a move throws, the items are destroyed
        shared_.publish(first, static_cast<unsigned>(count));
        return true;
    }

    // Call when there are no private items: the private part starts again at the array's begin. Returns the new top.
    T* restart() noexcept {
        set_bottom(base_);
        return base_;
    }

    // After restart(): takes back up to `at_most` of the newest shared items. Returns the new top.
    T* take_back(unsigned at_most) {
        // While the items move, hidden_estimate() must not read 0, so this announces the highest possible top. The end
        // of the slow operation announces the true one.
        announce(base_ + at_most);
        return base_ + shared_.take_newest(base_, at_most);
    }

    unsigned shared_size() const noexcept { return shared_.size(); }

    // Resets the marks to the bounds of the private part, which may hold `limit` items (M1). The caller must check for
    // idle workers afterwards (H1). The last slot stays free, since a push looks at the mark after it has put its item.
    void disarm(std::size_t limit) noexcept {
        ++answers_;
        const std::size_t used = static_cast<std::size_t>(bottom() - base_);
        const std::size_t end = limit < capacity() - used ? used + limit : capacity() - 1;
        // relaxed: ordered by the fence below.
        low_.store(reinterpret_cast<std::uintptr_t>(bottom()), std::memory_order_relaxed);
        // relaxed: as above.
        high_.store(reinterpret_cast<std::uintptr_t>(base_ + end), std::memory_order_relaxed);
        // seq_cst: orders M1 before H1 (the argument at the top of the file); partner: the fence in ask().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }

    // Call after an expose() or take_back() that followed disarm(): sets the low mark to the new bottom, but keeps a
    // request.
    void bottom_moved() noexcept {
        std::uintptr_t seen = low_.load(std::memory_order_relaxed);  // relaxed: the swap validates it
        if (seen != armed_low)
            // relaxed: only the owner uses the bound; if a thief has armed it since, the swap fails and the request
            // stays.
            low_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(bottom()), std::memory_order_relaxed,
                                         std::memory_order_relaxed);
    }

    // Owner: makes its next push (arm_push) or pop (arm_pop) take the slow path.
    void arm_push() noexcept {
        // relaxed: only the owner has to see it.
        high_.store(armed_high, std::memory_order_relaxed);
    }
    void arm_pop() noexcept {
        // relaxed: as above.
        low_.store(armed_low, std::memory_order_relaxed);
    }

    // Makes the owner's next push and pop take the slow path. Only the owner calls this directly; other threads call
    // ask().
    void arm() noexcept {
        // relaxed: the fence in ask() orders it; the owner's own call needs no order.
        low_.store(armed_low, std::memory_order_relaxed);
        // relaxed: as above.
        high_.store(armed_high, std::memory_order_relaxed);
    }
    // Any thread that has announced that it is idle: asks the owner for work.
    void ask() noexcept {
        // seq_cst: orders H2 before M2 (the argument at the top of the file); partner: the fence in disarm().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // relaxed: if a mark is already armed after the fence, the owner has yet to reset it, and its check for idle
        // workers after the reset will see us.
        if (low_.load(std::memory_order_relaxed) != armed_low || high_.load(std::memory_order_relaxed) != armed_high)
            arm();
        // relaxed: a third mark, by the same argument. It may belong to a former owner, which then checks once in vain.
        request_mark* const flag = request_flag_.load(std::memory_order_relaxed);
        // relaxed: see above.
        if (flag != nullptr && flag->load(std::memory_order_relaxed) != armed_low)
            // relaxed: see above.
            flag->store(armed_low, std::memory_order_relaxed);
    }
    // For an owner that has items elsewhere, too: registers another mark, which ask() sets to all ones; nullptr removes
    // it. The owner must reset this mark and then execute a seq_cst fence before it checks for idle workers.
    // relaxed: the owner sees an earlier request in the other two marks.
    void set_request_flag(request_mark* flag) noexcept {
        request_flag_.store(flag, std::memory_order_relaxed);
    }

    // Any thread: how many items thieves could take now.
    unsigned visible() const noexcept { return shared_.size(); }

    // Any thread: how many private items there seem to be. May be too large, and too small while the owner is in an
    // operation. It is 0 for an owner with private items only if this owner looks for idle workers before it leaves its
    // operation: a worker that reads 0 everywhere goes to sleep.
    std::size_t hidden_estimate() const noexcept {
        // relaxed, both: a hint.
        const T* const end = top_.load(std::memory_order_relaxed);
        // relaxed: as above.
        const T* const begin = bottom_.load(std::memory_order_relaxed);
        // Compared as numbers, since the two pointers may belong to different arrays.
        const bool is_any = reinterpret_cast<std::uintptr_t>(begin) < reinterpret_cast<std::uintptr_t>(end);
        return is_any ? static_cast<std::size_t>(end - begin) : 0;
    }
    // Any thread, for an owner that does not answer: exposes its private items, as many as there is room for. Returns
    // false if it exposed none: there are none, the owner or another thief came first, or the kernel does not allow it.
    bool expose_by_force() {
        std::uint32_t seen = 0;
        {
            const gate_attempt alone(*this);
            if (!alone.entered)
                return false;
            arm();
            seen = answers_;
        }
        // The announcements before this point are seen below; later operations of the owner find the marks armed.
        // Partners: the light fences of the fast path.
        if (!heavy_fence())
            return false;
        const gate_attempt alone(*this);
        if (!alone.entered || answers_ != seen)
            return false;
        // acquire: sees the items below; partner: announce_is_above(), after a push. (The gate orders announce().)
        T* const top = top_.load(std::memory_order_acquire);
        return top > bottom() && expose(top, private_size(top));
    }

    // Thief: takes items into its own deque `to`, in a slow operation of `to`, after to.restart().
    typename shared_part<T>::taken steal_into(split_deque& to, unsigned shares) {
        return shared_.take_oldest(to.base_, shares);
    }

    // Owner: destroys private and shared items. Returns the new top.
    T* drop_all(T* top) noexcept {
        end_lives(bottom(), top);
        set_bottom(base_);
        shared_.drop_all();
        return base_;
    }

    // In the child of a fork(), on its only thread: a thief that held the gate does not exist there.
    // relaxed: there is no other thread.
    void reset_after_fork() noexcept { gate_.store(0, std::memory_order_relaxed); }

    void check_invariants(const T* top) const noexcept {
        shared_.check_invariants();
        TEFF_CHECK(base_ <= bottom() && bottom() <= top && top <= base_ + capacity(), "split_deque",
                   "the private part left its array", "report this");
    }

private:
    static constexpr std::size_t initial_capacity = 2 * shared_part<T>::capacity;
    static constexpr std::uintptr_t armed_low = std::numeric_limits<std::uintptr_t>::max();
    static constexpr std::uintptr_t armed_high = 0;

    static constexpr std::size_t bytes(std::size_t items) noexcept { return items * sizeof(T); }
    std::size_t capacity() const noexcept { return capacity_; }

    // relaxed: the gate orders it for expose_by_force(), and the swap in take_newest() for hidden_estimate().
    void announce(T* top) noexcept { top_.store(top, std::memory_order_relaxed); }
    void set_bottom(T* bottom) noexcept {
        // relaxed: ordered by the gate; other threads read it as a hint.
        bottom_.store(bottom, std::memory_order_relaxed);
    }

    // The gate is free (0) or closed (1).
    bool try_enter_gate() noexcept {
        // acquire: sees what the last holder did; partner: the release in leave_gate().
        return gate_.exchange(1, std::memory_order_acquire) == 0;
    }
    // Waits at most while a thief publishes.
    void enter_gate() noexcept {
        for (backoff wait; !try_enter_gate();)
            wait.pause();
    }
    // release: the next holder sees what we did; partner: the acquire in try_enter_gate().
    void leave_gate() noexcept { gate_.store(0, std::memory_order_release); }
    struct gate_attempt {
        explicit gate_attempt(split_deque& guarded) noexcept : deque(guarded), entered(guarded.try_enter_gate()) {}
        ~gate_attempt() {
            if (entered)
                deque.leave_gate();
        }
        split_deque& deque;
        const bool entered;
    };

    // An array has one more slot below base_, which is not used: a claim that fails has announced it as the new top.
    bool allocate_array(std::size_t items) noexcept {
        void* memory = allocate(bytes(items + 1), alignof(T));
        if (memory == nullptr)
            return false;
        base_ = static_cast<T*>(memory) + 1;
        capacity_ = items;
        return true;
    }
    static void deallocate_array(T* base, std::size_t items) noexcept {
        deallocate(base - 1, bytes(items + 1), alignof(T));
    }

    T* compact(T* top) {
        const std::size_t count = private_size(top);
        T* const from = bottom();
        set_bottom(base_);
        relocate(from, count, base_);
        return base_ + count;
    }

    T* grow(T* top) {
        const std::size_t count = private_size(top);
        T* const old_base = base_;
        T* const old_bottom = bottom();
        const std::size_t old_capacity = capacity_;
        if (!allocate_array(2 * old_capacity))
            return nullptr;
        set_bottom(base_);
        try {
            relocate(old_bottom, count, base_);
        } catch (...) {
            deallocate_array(old_base, old_capacity);
            throw;
        }
        // As in take_back(), hidden_estimate() must not read 0: the old top may lie below the new bottom, and the
        // caller looks for idle workers before it announces the new top.
        announce(base_ + count);
        deallocate_array(old_base, old_capacity);
        return base_ + count;
    }

    // thieves write to ask for work, the owner writes to answer; the owner reads them at every operation
    alignas(false_sharing_range) request_mark low_{armed_low};
    request_mark high_{armed_high};
    atomic<request_mark*> request_flag_{nullptr};
    // owner writes at every operation; thieves read it when the owner does not answer
    alignas(false_sharing_range) atomic<T*> top_{nullptr};
    // the holder of the gate writes: the owner, or a thief that uses force
    atomic<T*> bottom_{nullptr};
    T* base_ = nullptr;
    std::size_t capacity_ = 0;
    std::uint32_t answers_ = 0;  // how often the owner has reset the marks (wraps)
    atomic<unsigned> gate_{0};
    shared_part<T> shared_;
};

}  // namespace teff
