// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of a procedure (procedure.hpp) that handle the versions of its objects: they adopt, rename and free
// versions, and add the private copies of reductions to them. See version.hpp.
#include <teff/dataflow/version.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/dataflow/defer.hpp>
#include <teff/dataflow/private_copies.hpp>
#include <teff/dataflow/procedure.hpp>
#include <teff/depend/tracker.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace teff::dataflow {
namespace {

using depend::access_kind;

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

// Makes this procedure the user of the version, which another procedure may have used before, under another tracker.
void procedure::adopt(version& used) {
    // No store if nothing changes: threads that run tasks read the cache line.
    if (used.user != this) {
        if (!is_idle(used))
            throw_used_elsewhere();
        used.user = this;
    }
    if (used.tracker == tracker()) [[likely]]
        return;
    if (used.tracker != version::no_tracker)
        depend::functions_for_objects(used.tracker).close(used);
    depend::functions_for_objects(tracker()).open(used);
    used.tracker = tracker();
}

bool procedure::is_idle(version& some) noexcept {
    const bool is_unused =
        some.tracker == version::no_tracker || depend::functions_for_objects(some.tracker).is_idle(some);
    if (is_unused)
        some.order_after(depend::access_kind::inout);
    return is_unused;
}

void procedure::combine(version& idle) {
    const std::shared_ptr<private_copies> copies = std::exchange(idle.copies, nullptr);
    copies->combine_into(idle.value);
}

// Adds pending private copies to the value, now or by a task, before any access but the same reduction.
void procedure::combine_before(version& used, const request& access) {
    if (is_idle(used)) {
        combine(used);
        return;
    }
    if (access.kind == access_kind::concurrent && used.copies->reduction() == access.reduction)
        return;
    request whole{used.object, used.value, access_kind::inout};
    version* newest = &used;
    whole.newest = &newest;
    deferred_task& made = defer(deferred(), std::span<request, 1>(&whole, 1), task_function{"combine copies"},
                                [copies = used.copies](std::span<const request> given) {
                                    copies->combine_into(given.front().value);
                                });
    used.copies.reset();
    deferred().submit(made);
}

// Call after resolve() has found the newest version.
bool procedure::can_rename(const request& access) {
    const object_base& object = *access.object;
    const auto can = [&](value_action what) { return object.value_(what, nullptr, nullptr) != 0; };
    // A nested version has to be moved back.
    const bool is_nested = access.newest != &object.newest_;
    return object.may_rename_ && can(value_action::can_construct) && (!is_nested || can(value_action::can_move));
}

version* procedure::rename(const request& access, const version& busy) {
    object_base& object = *access.object;
    const bool is_nested = access.newest != &object.newest_;
    if (!can_rename(access))
        return nullptr;
    if (!is_nested && &busy != &object.first_ && is_idle(object.first_)) {
        object.first_.copies.reset();
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
    made->object = &object;
    made->value = memory + shape.offset;
    made->is_allocated = true;
    return made;
}

void procedure::drop(version& unused) noexcept {
    sanitizers::happens_before(unused.references.address());
    // acq_rel: the thread that frees the version sees that all others have left it; partner: this operation of those.
    if (unused.is_allocated && unused.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    sanitizers::happens_after(unused.references.address());
    if (unused.tracker != version::no_tracker)
        depend::functions_for_objects(std::exchange(unused.tracker, version::no_tracker)).close(unused);
    unused.copies.reset();
    if (!unused.is_allocated)
        return;
    const value_function value = unused.object->value_;
    const layout shape(value);
    value(value_action::destroy, unused.value, nullptr);
    std::destroy_at(&unused);
    deallocate(&unused, shape.size, shape.alignment);
    // relaxed: a statistic.
    renamed_bytes.fetch_sub(shape.size, std::memory_order_relaxed);
}

void procedure::prepare_copies(version& used, reduction_function reduction) {
    if (used.copies != nullptr)
        return;
    const unsigned slots = running_thread.member->team().how().settings.slots;
    used.copies = std::make_shared<private_copies>(used.object->value_, reduction, slots);
}

void procedure::commit(std::span<request> accesses) noexcept {
    for (request& each : accesses) {
        if (each.fresh == nullptr)
            continue;
        // A renaming inside a task has no effect after the task, so only that of the object itself is noted.
        if (each.newest == &each.object->newest_)
            each.object->was_renamed_ = true;
        version* const before = std::exchange(*each.newest, std::exchange(each.fresh, nullptr));
        if (before->is_allocated)
            drop(*before);
    }
    for (const request& each : accesses) {
        // An overwritten value does not depend on earlier failures.
        // relaxed: as in mark_failed().
        if (each.kind == access_kind::out && is_idle(**each.newest))
            (**each.newest).failed_in.store(0, std::memory_order_relaxed);
    }
}

object_base::object_base(value_function value, void* memory, bool may_rename)
    : value_(value), may_rename_(may_rename), made_in_(procedure::number_here()) {
    first_.object = this;
    first_.value = memory;
}

void object_base::end() noexcept {
    procedure* const own_procedure = procedure::find_running();
    if (own_procedure != nullptr)
        own_procedure->require_own_process();
    // A version that is idle may still be dropped by the task that used it last, so a renamed object waits, too.
    if (own_procedure != nullptr && (was_renamed_ || !procedure::is_idle(*newest_)))
        own_procedure->await();
    if (own_procedure != nullptr)
        own_procedure->record_wait_for(*newest_);
    TEFF_CHECK(procedure::is_idle(*newest_), "teff::object",
               "an object is destroyed while tasks of another function use it",
               "call teff::sync() in the function that has spawned them first");
    if (newest_->is_allocated)
        procedure::drop(*newest_);
    procedure::drop(first_);
}

void* object_base::newest_value() {
    procedure* const own_procedure = procedure::find_running();
    if (own_procedure != nullptr)
        own_procedure->require_own_process();
    version& newest = own_procedure == nullptr ? *newest_ : *own_procedure->newest_of(*this);
    if (own_procedure != nullptr && !procedure::is_idle(newest))
        own_procedure->await();
    if (!procedure::is_idle(newest))
        procedure::throw_used_elsewhere();
    if (own_procedure != nullptr)
        own_procedure->record_wait_for(newest);
    if (newest.copies != nullptr)
        procedure::combine(newest);
    return newest.value;
}

}  // namespace teff::dataflow
