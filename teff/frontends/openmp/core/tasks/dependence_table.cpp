// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The hash table has open addressing, and at most half of its slots are in use; see dependence_table.hpp.
#include <teff/frontends/openmp/core/tasks/dependence_table.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/depend/names.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/frontends/openmp/core/teams/task.hpp>
#include <teff/team/team_options.hpp>

#include <cstring>

namespace teff::openmp {
namespace {

constexpr std::size_t first_capacity = 64;

tracked_address** make_slots(std::size_t capacity) noexcept {
    void* const made = allocate(capacity * sizeof(tracked_address*), alignof(tracked_address*));
    if (made == nullptr)
        end_without_memory_for_dependences();
    std::memset(made, 0, capacity * sizeof(tracked_address*));
    return static_cast<tracked_address**>(made);
}
void free_slots(tracked_address** slots, std::size_t capacity) noexcept {
    deallocate(slots, capacity * sizeof(tracked_address*), alignof(tracked_address*));
}

}  // namespace

void end_without_memory_for_dependences() noexcept {
    fatal("OpenMP", "there is no memory for the dependences of a task",
          "give the process more memory, or create fewer tasks at once");
}

// OpenMP's programs often have many chains side by side, with as many tasks as memory holds. Then tickets, the usual
// choice for two threads, searches a pool that holds the tasks of all chains.
std::size_t tracker_for_team(unsigned threads) noexcept {
    const std::size_t choice = tracker_choice();
    return choice == 0 && threads <= 2 ? tracker_row("list") : tracker_for(choice, threads);
}

dependence_table::search_task::search_task(dependence_table& table_) noexcept
    : task_header(&run_search), table(table_) {}

dependence_table::dependence_table(family& of_, const place& issuer_) noexcept
    : of(of_), issuer(issuer_), tracker_(depend::make_tracker(tracker_for_team(issuer_.size))),
      functions_(depend::functions_for_objects(tracker_for_team(issuer_.size))), slots_(make_slots(first_capacity)),
      capacity_(first_capacity) {
    if (tracker_ == nullptr)
        end_without_memory_for_dependences();
    functions_.open(all_memory);
}

dependence_table::~dependence_table() {
    clear();
    while (block* const each = blocks_) {
        blocks_ = each->older;
        destroy(each);
    }
    functions_.close(all_memory);
    free_slots(slots_, capacity_);
    delete tracker_;
}

tracked_address** dependence_table::slot_of(void* address) const noexcept {
    std::size_t at = hash(address) & (capacity_ - 1);
    while (slots_[at] != nullptr && slots_[at]->address != address)
        at = (at + 1) & (capacity_ - 1);
    return &slots_[at];
}

tracked_address* dependence_table::find(void* address) const noexcept { return *slot_of(address); }

void dependence_table::reserve(unsigned more) noexcept {
    if (2 * (std::size_t{count_} + more) <= capacity_)
        return;
    if (of.unfinished.is_over())
        clear();
    std::size_t needed = capacity_;
    while (2 * (std::size_t{count_} + more) > needed)
        needed *= 2;
    if (needed != capacity_)
        grow(needed);
}

tracked_address& dependence_table::add(void* address) noexcept {
    if (tracked_address* const there = find(address))
        return *there;
    if (blocks_ == nullptr || blocks_->used == block::size) {
        block* const made = create<block>();
        if (made == nullptr)
            end_without_memory_for_dependences();
        made->older = blocks_;
        blocks_ = made;
    }
    tracked_address& made = blocks_->objects[blocks_->used++];
    made.address = address;
    functions_.open(made);
    *slot_of(address) = &made;
    ++count_;
    return made;
}

// Called when no task uses an object. Keeps one block.
void dependence_table::clear() noexcept {
    visit_all([this](tracked_address& each) { functions_.close(each); });
    while (blocks_ != nullptr && blocks_->older != nullptr) {
        block* const each = blocks_;
        blocks_ = each->older;
        destroy(each);
    }
    if (blocks_ != nullptr)
        blocks_->used = 0;
    std::memset(slots_, 0, capacity_ * sizeof(tracked_address*));
    count_ = 0;
    uses_all_memory = false;
}

void dependence_table::grow(std::size_t capacity) noexcept {
    free_slots(slots_, capacity_);
    capacity_ = capacity;
    slots_ = make_slots(capacity_);
    visit_all([this](tracked_address& each) { *slot_of(each.address) = &each; });
}

}  // namespace teff::openmp
