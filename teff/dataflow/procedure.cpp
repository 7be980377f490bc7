// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See procedure.hpp.
#include <teff/dataflow/procedure.hpp>

#include <teff/base/allocation.hpp>
#include <teff/dataflow/defer.hpp>
#include <teff/dataflow/graph.hpp>
#include <teff/dataflow/private_copies.hpp>
#include <teff/depend/tickets.hpp>
#include <teff/fork_join.hpp>
#include <teff/frontends/fork_join/sharing.hpp>
#include <teff/runtime/running_thread.hpp>
#include <teff/runtime/task_team.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace teff::dataflow {
namespace {

using depend::access_kind;

team_options options_here() {
    const task_member* const self = running_thread.member;
    return self != nullptr ? self->team().how() : resolve(options{});
}

// Bytes of renamed versions in the process.
constinit atomic<std::size_t> renamed_bytes{0};

struct layout {
    explicit layout(value_function value) noexcept
        : alignment(std::max(alignof(version), value(value_action::alignment, nullptr, nullptr))),
          offset((sizeof(version) + alignment - 1) / alignment * alignment),
          size(offset + value(value_action::size, nullptr, nullptr)) {}
    std::size_t alignment, offset, size;
};

}  // namespace

// An object that the task was given, as its children use it.
struct procedure::nested_object {
    explicit nested_object(object_base& object, void* value, nested_object* before) noexcept : next(before) {
        first.of = &object;
        first.value = value;
    }
    version first;
    version* newest = &first;
    nested_object* next;
};

struct procedure::address_table {
    std::unordered_map<void*, std::pair<version, version*>> versions;
};

procedure::procedure() noexcept : spawned_tasks{&end_outermost}, tracker_(options_here().tracker) {}

void procedure::free_all() noexcept {
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
    // Freed with the thread, where nothing else ends it.
    struct rest {
        bool is_there = false;
        ~rest() {
            strand& own = running_strand();
            if (own.spawned != nullptr && own.spawned->end == &end_outermost)
                own.spawned->end(*own.spawned);
        }
    };
    static thread_local rest of_thread;
    of_thread.is_there = true;
    void* const memory = allocate(sizeof(procedure), alignof(procedure));
    if (memory == nullptr)
        throw std::bad_alloc();
    procedure* const made = ::new (memory) procedure();
    running_strand().spawned = made;
    return *made;
}

void procedure::end_outermost(spawned_tasks& self) noexcept {
    auto& mine = static_cast<procedure&>(self);
    strand& here = running_strand();
    if (here.spawned == &self)
        here.spawned = nullptr;
    mine.await();
    destroy(&mine);
}

const request* procedure::find_given(const object_base& object) const noexcept {
    const auto found = std::find_if(given_.begin(), given_.end(),
                                    [&](const request& each) { return each.object == &object; });
    return found == given_.end() ? nullptr : &*found;
}

// A child of a task may not have more access than the task, whose own siblings would not wait for it.
void procedure::expect_access(const object_base& object, access_kind kind, reduction_function reduction) const {
    if (parent_ == nullptr || object.made_in_ == this)
        return;
    const request* const mine = find_given(object);
    if (mine == nullptr) {
        bool is_outside = object.made_in_ == nullptr;
        for (const procedure* above = parent_; above != nullptr && !is_outside; above = above->parent_)
            is_outside = above == object.made_in_;
        if (is_outside)
            throw std::logic_error("teff::spawn: a task spawns a task with an object that it was not given itself; "
                                   "pass the object to the outer task, too");
        return;
    }
    const bool is_allowed = mine->kind == access_kind::in           ? kind == access_kind::in
                            : mine->kind == access_kind::concurrent ? kind == mine->kind && reduction == mine->reduction
                                                                    : true;
    if (!is_allowed)
        throw std::logic_error(mine->kind == access_kind::in
                                   ? "teff::spawn: a task that was given an object as `in` spawns a task that writes "
                                     "it; give it to the outer task as `inout`"
                                   : "teff::spawn: a task that was given an object as `reduction` spawns a task that "
                                     "uses it in another way; use the same reduction");
}

version*& procedure::newest_of(object_base& object) {
    const request* const mine = parent_ == nullptr ? nullptr : find_given(object);
    if (mine == nullptr)
        return object.newest_;
    for (nested_object* each = nested_; each != nullptr; each = each->next) {
        if (each->first.of == &object)
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

// Objects are used under one tracker after the other, if at all.
void procedure::adopt(version& used) noexcept {
    if (used.tracker == tracker_) [[likely]]
        return;
    if (used.tracker != version::no_tracker)
        depend::functions_for_objects(used.tracker).close(used);
    depend::functions_for_objects(tracker_).open(used);
    used.tracker = tracker_;
}

bool procedure::is_idle(version& some) noexcept {
    return some.tracker == version::no_tracker || depend::functions_for_objects(some.tracker).is_idle(some);
}

void procedure::combine(version& idle) {
    const std::unique_ptr<private_copies, void (*)(private_copies*)> copies(std::exchange(idle.copies, nullptr),
                                                                           [](private_copies* used) { destroy(used); });
    copies->combine_into(idle.value);
}

// Makes the newest version hold the value, for an access that reads it.
void procedure::combine_before(version& used, const request& access) {
    if (access.kind == access_kind::concurrent && used.copies->reduction() == access.reduction)
        return;
    if (is_idle(used)) {
        combine(used);
        return;
    }
    request whole{used.of, used.value, access_kind::inout};
    version* newest = &used;
    whole.newest = &newest;
    deferred_task& made = defer(deferred(), std::span<request, 1>(&whole, 1),
                                [copies = used.copies](std::span<const request> given) {
                                    copies->combine_into(given.front().value);
                                    destroy(copies);
                                });
    used.copies = nullptr;
    deferred().submit(made);
}

version* procedure::rename(const request& access, const version& busy) {
    object_base& object = *access.object;
    const auto can = [&](value_action what) { return object.value_(what, nullptr, nullptr) != 0; };
    // A nested version has to be moved back.
    const bool is_nested = access.newest != &object.newest_;
    if (!object.may_rename_ || !can(value_action::can_construct) || (is_nested && !can(value_action::can_move)))
        return nullptr;
    if (!is_nested && &busy != &object.first_ && is_idle(object.first_)) {
        destroy(std::exchange(object.first_.copies, nullptr));
        return &object.first_;
    }
    const layout shape(object.value_);
    // relaxed, all: a statistic.
    if (renamed_bytes.fetch_add(shape.size, std::memory_order_relaxed) + shape.size > options_here().rename_memory) {
        renamed_bytes.fetch_sub(shape.size, std::memory_order_relaxed);
        return nullptr;
    }
    std::byte* const memory = static_cast<std::byte*>(allocate(shape.size, shape.alignment));
    if (memory == nullptr) {
        renamed_bytes.fetch_sub(shape.size, std::memory_order_relaxed);
        return nullptr;
    }
    try {
        object.value_(value_action::construct, memory + shape.offset, nullptr);
    } catch (...) {
        deallocate(memory, shape.size, shape.alignment);
        renamed_bytes.fetch_sub(shape.size, std::memory_order_relaxed);
        throw;
    }
    auto* const made = ::new (memory) version();
    made->of = &object;
    made->value = memory + shape.offset;
    made->is_allocated = true;
    return made;
}

void procedure::drop(version& unused) noexcept {
    // acq_rel: the thread that frees the version sees that all others have left it; partner: this operation of those.
    if (unused.is_allocated && unused.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (unused.tracker != version::no_tracker)
        depend::functions_for_objects(std::exchange(unused.tracker, version::no_tracker)).close(unused);
    destroy(std::exchange(unused.copies, nullptr));
    if (!unused.is_allocated)
        return;
    const value_function value = unused.of->value_;
    const layout shape(value);
    value(value_action::destroy, unused.value, nullptr);
    std::destroy_at(&unused);
    deallocate(&unused, shape.size, shape.alignment);
    // relaxed: a statistic.
    renamed_bytes.fetch_sub(shape.size, std::memory_order_relaxed);
}

bool procedure::starts_plainly(std::span<request> accesses) noexcept {
    for (std::size_t i = 0; i != accesses.size(); ++i) {
        request& each = accesses[i];
        if (each.object == nullptr || (parent_ != nullptr && each.object->made_in_ != this))
            return false;
        for (std::size_t before = 0; before != i; ++before) {
            if (accesses[before].object == each.object)
                return false;
        }
        version& used = *each.object->newest_;
        // relaxed: the tracker has ordered the tasks.
        if (used.tracker != tracker_ || used.copies != nullptr ||
            used.failed_in.load(std::memory_order_relaxed) == epoch_)
            return false;
        // Only readers may run beside others here.
        const access_kind kind = each.kind == access_kind::in ? each.kind : access_kind::inout;
        // The default tracker without a call.
        if (!(tracker_ == 0 ? depend::tickets::can_start(used, kind)
                            : depend::functions_for_objects(tracker_).can_start(used, kind)))
            return false;
        each.newest = &each.object->newest_;
        each.value = used.value;
    }
    return true;
}

void procedure::resolve(std::span<request> accesses) {
    for (std::size_t i = 0; i != accesses.size(); ++i) {
        request& each = accesses[i];
        if (each.object != nullptr)
            expect_access(*each.object, each.kind, each.reduction);
        each.newest = each.object != nullptr ? &newest_of(*each.object) : &version_at(each.value);
        for (std::size_t before = 0; before != i; ++before) {
            if (accesses[before].newest == each.newest)
                throw std::invalid_argument("teff::spawn: two arguments of a task are the same object; pass it once, "
                                            "with an access that allows all that the task does");
        }
    }
    try {
        for (request& each : accesses) {
            version& newest = **each.newest;
            adopt(newest);
            each.value = newest.value;
            if (each.kind == access_kind::out && each.object != nullptr && !is_idle(newest))
                each.fresh = rename(each, newest);
            if (each.fresh != nullptr) {
                adopt(*each.fresh);
                each.value = each.fresh->value;
            } else if (newest.copies != nullptr) {
                combine_before(newest, each);
            }
        }
    } catch (...) {
        forget(accesses);
        throw;
    }
}

void procedure::forget(std::span<request> accesses) noexcept {
    for (request& each : accesses) {
        if (each.fresh != nullptr && each.fresh->is_allocated)
            drop(*each.fresh);
        each.fresh = nullptr;
    }
}

bool procedure::can_start(std::span<const request> accesses) noexcept {
    return std::all_of(accesses.begin(), accesses.end(), [&](const request& each) {
        if (each.fresh != nullptr)
            return true;
        // Without a fresh version `out` waits for all earlier tasks.
        const access_kind kind = each.kind == access_kind::out ? access_kind::inout : each.kind;
        return depend::functions_for_objects(tracker_).can_start(**each.newest, kind);
    });
}

bool procedure::begin(std::span<request> accesses, bool is_plain) {
    bool starts = can_start(accesses);
    if (starts && !is_plain)
        starts = running_thread.member == nullptr || !deferred().wants_task();
    // Without a team (a thread that exits, or the child of a fork) this thread runs everything.
    if (!starts && running_thread.member == nullptr) {
        await();
        starts = true;
    }
    return starts && begin_at_once(accesses);
}

bool procedure::begin_at_once(std::span<request> accesses) {
    bool is_alone = true;
    try {
        for (request& each : accesses) {
            version& used = **each.newest;
            if (each.kind == access_kind::commutative && !is_idle(used)) {
                each.is_locked = used.lock.try_lock();
                is_alone = each.is_locked;
            } else if (each.kind == access_kind::concurrent && !is_idle(used)) {
                // Other tasks of the same reduction run, so there are copies.
                each.value = used.copies->take(running_thread.member->slot());
                each.has_copy = true;
            }
            if (!is_alone)
                break;
        }
    } catch (...) {
        end_at_once(accesses);
        throw;
    }
    if (!is_alone) {
        end_at_once(accesses);
        return false;
    }
    commit(accesses);
    return true;
}

void procedure::end_at_once(std::span<request> accesses) noexcept {
    for (request& each : accesses) {
        version& used = **each.newest;
        if (std::exchange(each.has_copy, false)) {
            try {
                used.copies->put(running_thread.member->slot(), each.value);
            } catch (...) {
                fail(std::current_exception());
            }
            each.value = used.value;
        }
        if (std::exchange(each.is_locked, false))
            graph_->unlock(used);
    }
}

bool procedure::skips_failed(std::span<const request> accesses) noexcept {
    const bool skips = std::any_of(accesses.begin(), accesses.end(), [&](const request& each) {
        // relaxed: the tracker has ordered the tasks.
        return each.kind != access_kind::out && (**each.newest).failed_in.load(std::memory_order_relaxed) == epoch_;
    });
    if (skips)
        mark_failed(accesses);
    return skips;
}

void procedure::fail_at_once(std::span<const request> accesses, std::exception_ptr error) noexcept {
    mark_failed(accesses);
    fail(std::move(error));
}

void procedure::mark_failed(std::span<const request> accesses) noexcept {
    for (const request& each : accesses) {
        if (each.kind != access_kind::in)
            // relaxed: as above.
            (**each.newest).failed_in.store(epoch_, std::memory_order_relaxed);
    }
}

graph& procedure::deferred() {
    if (graph_ == nullptr && (graph_ = create<graph>(*this)) == nullptr)
        throw std::bad_alloc();
    return *graph_;
}

void procedure::prepare_copies(version& used, reduction_function reduction) {
    if (used.copies != nullptr)
        return;
    const unsigned slots = running_thread.member->team().how().settings.slots;
    used.copies = create<private_copies>(used.of->value_, reduction, slots);
    if (used.copies == nullptr)
        throw std::bad_alloc();
}

void procedure::commit(std::span<request> accesses) noexcept {
    for (request& each : accesses) {
        if (each.fresh == nullptr)
            continue;
        version* const before = std::exchange(*each.newest, std::exchange(each.fresh, nullptr));
        if (before->is_allocated)
            drop(*before);
    }
    for (const request& each : accesses) {
        // A value that is overwritten does not depend on what failed before.
        // relaxed: as in mark_failed().
        if (each.kind == access_kind::out && is_idle(**each.newest))
            (**each.newest).failed_in.store(0, std::memory_order_relaxed);
    }
}

void procedure::fail(std::exception_ptr error) noexcept {
    if (error_ == nullptr)
        error_ = std::move(error);
}

void procedure::await() noexcept {
    if (graph_ != nullptr)
        graph_->await();
}

void procedure::sync_all() {
    await();
    try {
        settle();
        if (graph_ != nullptr)
            graph_->finish();
    } catch (...) {
        fail(std::current_exception());
    }
    ++epoch_;
    if (addresses_ != nullptr) {
        for (auto& [key, versions] : addresses_->versions)
            drop(versions.first);
        addresses_->versions.clear();
    }
    if (error_ != nullptr)
        std::rethrow_exception(std::exchange(error_, nullptr));
}

// The values of nested versions go back to where the task and its siblings find them.
void procedure::settle() {
    for (nested_object* each = nested_; each != nullptr; each = each->next) {
        if (each->newest->copies != nullptr)
            combine(*each->newest);
        if (each->newest == &each->first)
            continue;
        version& renamed = *std::exchange(each->newest, &each->first);
        // What a reduction has left to an overwritten value is void.
        destroy(std::exchange(each->first.copies, nullptr));
        try {
            each->first.of->value_(value_action::move, each->first.value, renamed.value);
        } catch (...) {
            fail(std::current_exception());
        }
        drop(renamed);
    }
}

object_base::object_base(value_function value, void* memory, bool may_rename)
    : value_(value), may_rename_(may_rename), made_in_(procedure::find_running()) {
    first_.of = this;
    first_.value = memory;
}

void object_base::await() noexcept {
    procedure* const here = procedure::find_running();
    if (here != nullptr && !here->is_idle(*newest_))
        here->await();
}

void object_base::end() noexcept {
    await();
    if (newest_->is_allocated)
        procedure::drop(*newest_);
    procedure::drop(first_);
}

void* object_base::newest_value() {
    procedure* const here = procedure::find_running();
    version& newest = here == nullptr ? *newest_ : *here->newest_of(*this);
    if (here != nullptr && !here->is_idle(newest))
        here->await();
    if (newest.copies != nullptr)
        procedure::combine(newest);
    return newest.value;
}

}  // namespace teff::dataflow
