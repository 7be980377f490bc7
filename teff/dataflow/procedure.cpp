// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The begin and end of procedure instances, and their state; see procedure.hpp. procedure_spawn.cpp starts tasks.
#include <teff/dataflow/procedure.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/thread.hpp>
#include <teff/dataflow/graph.hpp>
#include <teff/dataflow/recording.hpp>
#include <teff/fork_join.hpp>
#include <teff/frontends/fork_join/sharing.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace teff::dataflow {
namespace {

// Different at each call, and never one of the special values.
std::uint64_t unique_number() noexcept {
    static constinit atomic<std::uint64_t> last{procedure::top_level};
    // relaxed: only the difference matters.
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

// An object that the task was given, as its children use it.
struct procedure::nested_object {
    explicit nested_object(object_base& object, void* value, nested_object* before) noexcept : next(before) {
        first.object = &object;
        first.value = value;
    }
    version first;
    version* newest = &first;
    nested_object* next;
};

struct procedure::address_table {
    std::unordered_map<void*, std::pair<version, version*>> versions;
};

team_options procedure::options_here() {
    const task_member* const self = running_thread.member;
    return self != nullptr ? self->team().how() : teff::resolve(options{});
}

procedure::procedure()
    : spawned_tasks{&end_outermost}, generation_(pool::instance().generation()),
      number_(is_at_top_level() ? top_level : 0), trackers_([] {
          const unsigned char chosen = options_here().tracker;
          return tracker_rows{chosen, recording::begin() ? tracker_rows::no_plain : chosen};
      }()), recorded_{} {}

bool procedure::is_at_top_level() noexcept {
    return running_thread.member == nullptr || !running_thread.member->is_inside();
}

std::uint64_t procedure::number_here() noexcept {
    procedure* const own_procedure = find_running();
    if (own_procedure == nullptr)
        return is_at_top_level() ? top_level : 0;
    if (own_procedure->number_ == 0)
        own_procedure->number_ = unique_number();
    return own_procedure->number_;
}

std::uint64_t procedure::give_epoch() noexcept {
    if (epoch_ == no_epoch)
        epoch_ = unique_number();
    return epoch_;
}

void procedure::throw_used_elsewhere() {
    throw std::logic_error("teff: tasks of another function use the object; call teff::sync() there first");
}

void procedure::end_all() noexcept {
    try {
        sync_all();
    } catch (...) {
        // The function's own exception takes precedence; or sync() was not called.
    }
    destroy(std::exchange(graph_, nullptr));
    while (nested_ != nullptr) {
        nested_object* const first = std::exchange(nested_, nested_->next);
        drop(*first->newest);
        drop(first->first);
        destroy(first);
    }
    destroy(addresses_);
}

procedure& procedure::running() {
    if (procedure* const found = find_running()) [[likely]]
        return *found;
    forking::attach();
    void* const memory =
        call_at_thread_end<end_with_thread>() ? allocate(sizeof(procedure), alignof(procedure)) : nullptr;
    if (memory == nullptr)
        throw std::bad_alloc();
    try {
        procedure* const made = ::new (memory) procedure();
        running_strand().spawned = made;
        return *made;
    } catch (...) {
        deallocate(memory, sizeof(procedure), alignof(procedure));
        throw;
    }
}

const end_of_main_thread waits_at_exit;

// Ends the thread's outermost procedure, if it still exists; not in the child of a fork(), where its tasks do not run.
void procedure::end_with_thread() noexcept {
    spawned_tasks* const left = running_strand().spawned;
    if (left != nullptr && left->end == &end_outermost &&
        static_cast<procedure*>(left)->generation_ == pool::instance().generation())
        left->end(*left);
}

void procedure::end_outermost(spawned_tasks& self) noexcept {
    auto& mine = static_cast<procedure&>(self);
    strand& own_strand = running_strand();
    if (own_strand.spawned == &self)
        own_strand.spawned = nullptr;
    const bool is_recorded = mine.is_recorded();
    record_entry entry = mine.recorded_;
    const running_function recorded{&entry, mine.number_ == top_level};
    // Its destructor waits for the tasks.
    destroy(&mine);
    if (is_recorded) [[unlikely]]
        recording::end_function(recorded);
}

const request* procedure::find_given(const object_base& object) const noexcept {
    const auto found = std::find_if(given_.begin(), given_.end(),
                                    [&](const request& each) { return each.object == &object; });
    return found == given_.end() ? nullptr : &*found;
}

version*& procedure::newest_of(object_base& object) {
    const request* const mine = parent_ == nullptr ? nullptr : find_given(object);
    if (mine == nullptr)
        return object.newest_;
    for (nested_object* each = nested_; each != nullptr; each = each->next) {
        if (each->first.object == &object)
            return each->newest;
    }
    nested_object* const made = create<nested_object>(object, mine->value, nested_);
    if (made == nullptr)
        throw std::bad_alloc();
    nested_ = made;
    return made->newest;
}

version*& procedure::version_at(void* address) {
    if (addresses_ == nullptr && (addresses_ = create<address_table>()) == nullptr)
        throw std::bad_alloc();
    const auto [found, is_new] = addresses_->versions.try_emplace(address);
    auto& [first, newest] = found->second;
    if (is_new) {
        first.value = address;
        newest = &first;
    }
    return newest;
}

graph& procedure::deferred() {
    give_epoch();
    if (graph_ == nullptr && (graph_ = create<graph>(*this)) == nullptr)
        throw std::bad_alloc();
    return *graph_;
}

running_function procedure::recorded_function() noexcept {
    if (parent_ != nullptr)
        return {};
    return {&recorded_, number_ == top_level};
}

// Lets sync() run, and be recorded, even if no task has been deferred.
void procedure::prepare_sync() noexcept {
    if (addresses_ == nullptr)
        addresses_ = create<address_table>();
}

void procedure::fail(std::exception_ptr error) noexcept {
    if (error_ == nullptr)
        error_ = std::move(error);
}

void procedure::await() noexcept {
    if (graph_ != nullptr)
        graph_->await();
}

void procedure::require_own_process() noexcept {
    if (graph_ != nullptr)
        graph_->require_own_process();
}

void procedure::sync_all() {
    await();
    if (is_recorded()) [[unlikely]]
        recording::sync(recorded_function());
    move_back_nested();
    if (graph_ != nullptr) {
        try {
            graph_->finish();
        } catch (...) {
            fail(std::current_exception());
        }
    }
    epoch_ = graph_ != nullptr ? unique_number() : no_epoch;
    if (addresses_ != nullptr) {
        for (auto& [key, versions] : addresses_->versions)
            drop(versions.first);
        addresses_->versions.clear();
    }
    if (error_ != nullptr)
        std::rethrow_exception(std::exchange(error_, nullptr));
}

// Moves the values of renamed nested versions back to the versions that the task's own siblings use.
void procedure::move_back_nested() noexcept {
    for (nested_object* each = nested_; each != nullptr; each = each->next) {
        version& newest = *each->newest;
        try {
            if (newest.copies != nullptr)
                combine(newest);
            if (&newest != &each->first)
                each->first.object->value_(value_action::move, each->first.value, newest.value);
        } catch (...) {
            fail(std::current_exception());
        }
        if (&newest == &each->first)
            continue;
        each->newest = &each->first;
        // Private copies for a value that is overwritten are discarded.
        each->first.copies.reset();
        drop(newest);
    }
}

}  // namespace teff::dataflow
