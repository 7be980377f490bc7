// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tracker `tickets` (Vandierendonck et al., section 4.4 and Fig. 5): no edges between tasks. An object has four
// queues as in a butcher's shop, each of which is two counters: tickets that were issued, and tasks that have ended.
//
//   R in    W out, inout    C commutative    P concurrent (the paper: reductions)
//
// A task takes a ticket of its own queue and stores how many tickets the other queues have issued; an inout task also
// stores the number of its own queue. It is ready when as many tasks of those queues have ended. (More cannot have
// ended before it does: later tasks of those queues wait for this task.) Tasks of one queue in different generations
// are ordered by a generation of another queue between them.
//
//         the issuer writes: issued, depth, youngest, notes (below)     threads that end tasks write: ended
//
// A task has no links to the tasks that wait for it. Waiting tasks are in a pool; a thread that releases a task takes
// from it tasks that are one deeper, until one of them is not ready. It does not see whether other waiting tasks have
// become ready, too. So the tracker notes that some may have been missed, and search() looks at all waiting tasks, a
// few per call.
//
// Most releases make no task ready: of many readers only the last one does. So a queue's counter of ended tasks shares
// its word with a note of the numbers that waiting tasks await there, and a release that does not bring the counter to
// a noted number leaves the pool alone:
//
//   one number       the number itself
//   several          31 marks, each for the numbers with one remainder modulo 31
//
// Why no task is forgotten: the last of the increments that make a task ready brings a counter to the number that the
// task awaits there. Counter and note are one word. If the increment comes before the note, the issuer, which reads the
// counter again later, sees it. If it comes after the note, it finds the note. Then, in the total order of seq_cst
// operations, issue() counts the task in the pool and reads the counter; the release increments the counter and reads
// the pool's size. So either the issuer sees that the task is ready, or the release sees a pool that is not empty. Then
// it locks the pool, in which the task has its place, and takes the task or sets missed_. A search resets missed_
// before it locks the pool and looks.
//
// Differs from the paper: the front end decides which thread searches, and when; in the paper idle processors search
// whenever they need a task. The notes are an addition, too.
#pragma once

#include <teff/depend/tracker.hpp>
#include <teff/depend/waiting_pool.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace teff::depend {

class tickets {
    static constexpr unsigned queue_count = 4;
    static constexpr unsigned queue_of(access_kind kind) noexcept {
        switch (kind) {
        case access_kind::in:
            return 0;
        case access_kind::out:
        case access_kind::inout:
            return 1;
        case access_kind::commutative:
            return 2;
        case access_kind::concurrent:
            break;
        }
        return 3;
    }
    // Whether a task with this access waits for the tasks of a queue.
    static constexpr bool waits_for(access_kind kind, unsigned queue) noexcept {
        return kind != access_kind::out && (kind == access_kind::inout || queue != queue_of(kind));
    }

public:
    static constexpr std::string_view name = "tickets";

    struct object_state {
        // only the issuer accesses these
        std::array<unsigned, queue_count> issued{};
        unsigned depth = 0;  // of the youngest generation; 0: there was none
        access_kind youngest{};
        // Threads that release tasks write the upper halves: how many tasks have ended. The issuer writes the lower
        // halves: the note of the numbers that tasks await.
        std::array<atomic<std::uint64_t>, queue_count> ended{};
    };
    // Constant once issued: the tickets whose tasks must have ended.
    struct access_state {
        std::array<unsigned, queue_count> awaited;
    };
    using task_state = waiting_pool::hook;

    static void open(tracked_object& object) noexcept { object.state.make<object_state>(); }
    static void close(tracked_object& object) noexcept { object.state.destroy<object_state>(); }

    static bool can_start(tracked_object& object, access_kind kind) noexcept {
        auto& state = object.state.as<object_state>();
        return have_ended(state, state.issued, kind);
    }
    static bool is_idle(tracked_object& object) noexcept { return can_start(object, access_kind::inout); }

    issue_result issue(tracked_task& task) noexcept {
        unsigned depth = 0;
        for (unsigned i = 0; i < task.access_count; ++i)
            depth = std::max(depth, depth_of(task.accesses[i]));
        task.state.make<task_state>().depth = depth;
        for (; task.issued != task.access_count; ++task.issued)
            take_tickets(task.accesses[task.issued], depth);
        if (is_ready(task))
            return issue_result::ready;
        for (unsigned i = 0; i != task.access_count; ++i)
            note_awaited(task.accesses[i]);
        return waiting_.add(task, is_ready) ? issue_result::waits : issue_result::ready;
    }

    void release(tracked_task& task, ready_list& ready) noexcept {
        const unsigned depth = task.state.as<task_state>().depth;
        bool may_be_awaited = false;
        for (unsigned i = 0; i < task.issued; ++i) {
            const tracked_access& access = task.accesses[i];
            // seq_cst: see above; also publishes what the task did; partner: the load in have_ended(). The last of
            // these increments may be followed at once by the end of the objects.
            const std::uint64_t before = access.object->state.as<object_state>().ended[queue_of(access.kind)].fetch_add(
                one_ended, std::memory_order_seq_cst);
            may_be_awaited |= is_noted(before, ended_in(before) + 1);
        }
        if (!may_be_awaited || waiting_.empty())
            return;
        waiting_.take_at(depth + 1, is_ready, [&](tracked_task& found) { ready.push(found); });
        // relaxed: the pool's mutex makes a search that resets the flag see the tickets that we have returned. We have
        // held it before we set the flag, and the search locks it after it has reset the flag. (Had the search held it
        // first, the flag would be reset before it is set.)
        if (!waiting_.empty())
            missed_.store(true, std::memory_order_relaxed);
    }

    bool may_have_missed() const noexcept {
        // relaxed: a hint; the search orders what it reads.
        return missed_.load(std::memory_order_relaxed) || waiting_.has_open_round();
    }
    void search(ready_list& ready) noexcept {
        // relaxed, both: see release(). A thread that searches after the one that has set the flag sees it.
        const bool begins = missed_.load(std::memory_order_relaxed);
        if (begins)
            missed_.store(false, std::memory_order_relaxed);
        waiting_.take_some(begins, tasks_per_search, is_ready, [&](tracked_task& found) { ready.push(found); });
    }

private:
    static constexpr unsigned tasks_per_search = 256;

    static bool have_ended(const object_state& object, const std::array<unsigned, queue_count>& awaited,
                           access_kind kind) noexcept {
        for (unsigned queue = 0; queue < queue_count; ++queue) {
            // seq_cst: see above; also sees what the ended tasks did; partner: the increment in release().
            if (waits_for(kind, queue) &&
                ended_in(object.ended[queue].load(std::memory_order_seq_cst)) != awaited[queue])
                return false;
        }
        return true;
    }
    static bool is_ready(const tracked_task& task) noexcept {
        for (unsigned i = 0; i < task.access_count; ++i) {
            const tracked_access& access = task.accesses[i];
            if (!have_ended(access.object->state.as<object_state>(), access.state.as<access_state>().awaited,
                            access.kind))
                return false;
        }
        return true;
    }

    static unsigned depth_of(tracked_access& access) noexcept {
        const auto& object = access.object->state.as<object_state>();
        return object.depth + (object.depth != 0 && joins(object.youngest, access.kind) ? 0 : 1);
    }
    static void take_tickets(tracked_access& access, unsigned depth) noexcept {
        auto& object = access.object->state.as<object_state>();
        access.state.make<access_state>().awaited = object.issued;
        ++object.issued[queue_of(access.kind)];
        object.depth = std::max(object.depth, depth);
        object.youngest = access.kind;
    }

    static void note_awaited(tracked_access& access) noexcept {
        auto& object = access.object->state.as<object_state>();
        const std::array<unsigned, queue_count>& awaited = access.state.as<access_state>().awaited;
        for (unsigned queue = 0; queue < queue_count; ++queue) {
            if (waits_for(access.kind, queue))
                note_awaited(object.ended[queue], awaited[queue]);
        }
    }
    // Numbers are noted in ascending order, since they are numbers of issued tickets.
    static void note_awaited(atomic<std::uint64_t>& word, unsigned awaited) noexcept {
        // relaxed: the compare-and-swap checks the value.
        std::uint64_t seen = word.load(std::memory_order_relaxed);
        for (;;) {
            if (ended_in(seen) == awaited)
                return;
            const std::uint64_t next = (seen & ~std::uint64_t{all_of_note}) | note_with(seen, awaited);
            // relaxed, both: an increment finds the note in the word itself, and the size of the pool orders the rest.
            // A swap continues the release sequence of the increments before it.
            if (next == seen ||
                word.compare_exchange_weak(seen, next, std::memory_order_relaxed, std::memory_order_relaxed))
                return;
        }
    }
    // The note in `word`, without the numbers that have been reached, and with `awaited` added.
    static std::uint32_t note_with(std::uint64_t word, unsigned awaited) noexcept {
        const auto note = static_cast<std::uint32_t>(word);
        std::uint32_t marks = 0;
        if ((note & has_marks) == 0) {
            const std::uint32_t left = (note - ended_in(word)) & number_bits;
            if (left != 0 && left <= number_bits / 2 && note != (awaited & number_bits))
                marks = mark_of(ended_in(word) + left);
        } else if (awaited - ended_in(word) <= mark_count) {
            for (unsigned number = ended_in(word) + 1; number != awaited; ++number)
                marks |= note & mark_of(number);
        } else {
            marks = note;
        }
        return marks == 0 ? awaited & number_bits : has_marks | marks | mark_of(awaited);
    }
    static bool is_noted(std::uint64_t word, unsigned number) noexcept {
        const auto note = static_cast<std::uint32_t>(word);
        return (note & has_marks) == 0 ? note == (number & number_bits) : (note & mark_of(number)) != 0;
    }

    static constexpr std::uint64_t one_ended = std::uint64_t{1} << 32;
    static constexpr std::uint32_t all_of_note = ~std::uint32_t{0};
    static constexpr std::uint32_t has_marks = std::uint32_t{1} << 31;
    static constexpr std::uint32_t number_bits = has_marks - 1;
    static constexpr unsigned mark_count = 31;
    static constexpr unsigned ended_in(std::uint64_t word) noexcept { return static_cast<unsigned>(word >> 32); }
    static constexpr std::uint32_t mark_of(unsigned number) noexcept {
        return std::uint32_t{1} << (number % mark_count);
    }

    waiting_pool waiting_;
    atomic<bool> missed_{false};  // whether tasks may be ready that no release has found
};
static_assert(tracker_class<tickets>);

}  // namespace teff::depend
