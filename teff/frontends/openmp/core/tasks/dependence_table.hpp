// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dependences among the deferred children of one task: a table from addresses to the objects of a tracker
// (teff/depend; option TEFF_TRACKER), and the tracker. The first deferred child with a depend clause makes it, and it
// lives as long as the family (teams/task.hpp).
//
//   hash table:  address -> tracked_address     objects lie in blocks, since a tracker needs them at fixed places
//   all_memory   the object of omp_all_memory. The first task that names it accesses every object in the table as well;
//                from then on each task with dependences accesses this object, too.
//
// When the table is full and no child is unfinished, it is emptied, since all objects are idle then. So the memory of a
// program that uses ever new addresses is bounded if it waits for its tasks now and then.
//
//                                  find, add, ...    release, search    safe together?
//   find, add, can_start, issue          -                 yes          the thread that runs the parent task
//   release, search                                        yes          any member of the team
#pragma once

#include <teff/depend/exclusion.hpp>
#include <teff/depend/tracked.hpp>
#include <teff/depend/tracker.hpp>
#include <teff/task/descriptor_pool.hpp>
#include <teff/task/task_header.hpp>

#include <cstddef>

namespace teff::openmp {

struct deferred_task;
struct family;
struct place;

[[noreturn]] void end_without_memory_for_dependences() noexcept;

struct tracked_address : depend::tracked_object {
    void* address = nullptr;
    depend::exclusion lock;  // of mutexinoutset
};

// The row in tracker_names for a team of that many threads. Any thread.
std::size_t tracker_for_team(unsigned threads) noexcept;

class dependence_table {
public:
    // Ends the program with a message if there is no memory.
    dependence_table(family& parent, const place& issuer) noexcept;
    ~dependence_table();
    dependence_table(const dependence_table&) = delete;
    dependence_table& operator=(const dependence_table&) = delete;

    // nullptr: no task with this address has been deferred.
    tracked_address* find(void* address) const noexcept;
    // Makes room for more addresses; the objects of earlier calls of add() may end. Ends the program with a message if
    // there is no memory, as add() does.
    void reserve(unsigned more) noexcept;
    tracked_address& add(void* address) noexcept;

    bool can_start(tracked_address& object, depend::access_kind kind) const noexcept {
        return functions_.can_start(object, kind);
    }
    unsigned size() const noexcept { return count_; }
    template <class Visit>
    void visit_all(Visit&& visit) noexcept {
        for (block* each = blocks_; each != nullptr; each = each->older) {
            for (unsigned i = 0; i != each->used; ++i)
                visit(each->objects[i]);
        }
    }

    depend::tracker& tracker() noexcept { return *tracker_; }

    // constant
    family& of;
    const place& issuer;  // of the thread that runs the parent task
    // the issuer
    tracked_address all_memory;
    bool uses_all_memory = false;
    // Memory for the tracked parts of tasks (dependences.cpp). Other threads give it back without a lock; with the
    // general allocator they would wait for the issuer's locks.
    task_pools memory;

    // A task that searches the tracker for ready tasks. It is queued at most once at a time.
    struct search_task : task_header {
        explicit search_task(dependence_table& table) noexcept;
        dependence_table& table;
        depend::search_request request;
    } search{*this};

private:
    struct block {
        static constexpr unsigned size = 32;
        block* older = nullptr;
        unsigned used = 0;
        tracked_address objects[size];
    };

    static std::size_t hash(const void* address) noexcept {
        // The constant is 2^64 divided by the golden ratio.
        return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(address) * 0x9e37'79b9'7f4a'7c15U) >> 32);
    }
    tracked_address** slot_of(void* address) const noexcept;
    void clear() noexcept;
    void grow(std::size_t capacity) noexcept;

    depend::tracker* tracker_;
    const depend::object_functions& functions_;
    tracked_address** slots_ = nullptr;  // `capacity_` of them, a power of two
    std::size_t capacity_ = 0;
    unsigned count_ = 0;
    block* blocks_ = nullptr;
};

}  // namespace teff::openmp
