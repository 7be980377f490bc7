// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers, starts and ends tasks with dependences; see dependences.hpp.
#include <teff/frontends/openmp/core/tasks/dependences.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/depend/exclusion.hpp>
#include <teff/frontends/openmp/core/tasks/dependence_table.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/team/deferral.hpp>

#include <algorithm>
#include <functional>
#include <new>

namespace teff::openmp {

using depend::access_kind;

struct tracked_part : depend::tracked_task, depend::exclusion_waiter {
    tracked_part(dependence_table& table, deferred_task* task, depend::tracked_access* first, unsigned count) noexcept
        : tracked_task(first, count), home(table), owner(task) {}

    dependence_table& home;
    deferred_task* const owner;  // nullptr: the thread that has made it waits for it
    count_latch not_ready;       // if a thread waits: counts down when the part is ready
    depend::exclusion* last_locked = nullptr;
    bool has_locks = false;      // some access is mutexinoutset
};

namespace {

tracked_address& object_of(const depend::tracked_access& access) noexcept {
    return *static_cast<tracked_address*>(access.object);
}

dependence_table& table_of(const place& caller) noexcept {
    family& children = family_of(*caller.current);
    if (children.dependences == nullptr) {
        children.dependences = create<dependence_table>(children, caller);
        if (children.dependences == nullptr)
            end_without_memory_for_dependences();
    }
    return *children.dependences;
}

constexpr std::size_t size_for(unsigned accesses) noexcept {
    return sizeof(tracked_part) + accesses * sizeof(depend::tracked_access);
}

void free_part(const place& caller, tracked_part& ended) noexcept {
    dependence_table& table = ended.home;
    const std::size_t size = size_for(ended.access_count);
    task_descriptor& memory = task_descriptor::of_payload(&ended, alignof(tracked_part));
    ended.~tracked_part();
    task_pools::finish(memory, &caller == &table.issuer ? &table.memory : nullptr, size, alignof(tracked_part));
}

// Tell ThreadSanitizer the order that the tracker gives the tasks (base/sanitizers.hpp). Readers release at another
// address than other tasks, since readers do not wait for each other. (To the sanitizer, the tasks of one inoutset
// appear ordered.)
void tell_end(const tracked_address& object, access_kind kind) noexcept {
    sanitizers::happens_before(kind == access_kind::in ? static_cast<const void*>(&object.lock) : &object.address);
}
void tell_begin(const tracked_address& object, access_kind kind) noexcept {
    sanitizers::happens_after(&object.address);
    if (kind != access_kind::in)
        sanitizers::happens_after(&object.lock);
}
void tell_begin(const tracked_part& part) noexcept {
    if (!sanitizers::tells_orders())
        return;
    sanitizers::happens_after(&part);
    for (unsigned i = 0; i != part.access_count; ++i)
        tell_begin(object_of(part.accesses[i]), part.accesses[i].kind);
}

void set_access(tracked_part& part, unsigned at, tracked_address& object, access_kind kind) noexcept {
    depend::tracked_access& access = *::new (static_cast<void*>(&part.accesses[at])) depend::tracked_access;
    access.object = &object;
    access.task = &part;
    access.kind = kind;
}

// owner: nullptr for a thread that waits itself.
tracked_part& make_part(dependence_table& table, deferred_task* owner, const dependence_list& clauses) noexcept {
    table.reserve(clauses.count);
    for (const dependence& each : clauses.all())
        table.add(each.address);
    const bool names_each = clauses.has_all_memory && !table.uses_all_memory;
    const bool uses_all = clauses.has_all_memory || table.uses_all_memory;
    table.uses_all_memory = uses_all;
    const unsigned named = names_each ? table.size() : clauses.has_all_memory ? 0 : clauses.count;
    const unsigned count = named + (uses_all ? 1 : 0);

    task_descriptor* const memory = table.memory.take(size_for(count), alignof(tracked_part));
    if (memory == nullptr)
        end_without_memory_for_dependences();
    auto* const payload = static_cast<std::byte*>(memory->payload(alignof(tracked_part)));
    auto& made = *::new (static_cast<void*>(payload)) tracked_part(
        table, owner, reinterpret_cast<depend::tracked_access*>(payload + sizeof(tracked_part)), count);
    unsigned at = 0;
    if (names_each) {
        table.visit_all([&](tracked_address& object) { set_access(made, at++, object, access_kind::inout); });
    } else if (!clauses.has_all_memory) {
        for (const dependence& each : clauses.all()) {
            access_kind kind = each.kind;
            // A tracker takes `out` for an access to an idle object. A thread that waits takes no locks.
            if (kind == access_kind::out || (owner == nullptr && kind != access_kind::in))
                kind = access_kind::inout;
            made.has_locks |= kind == access_kind::commutative;
            set_access(made, at++, *table.find(each.address), kind);
        }
    }
    if (uses_all)
        set_access(made, at++, table.all_memory, clauses.has_all_memory ? access_kind::inout : access_kind::in);
    return made;
}

void keep_family(family& kept) noexcept {
    // relaxed: the calling thread is a user already.
    kept.users.fetch_add(1, std::memory_order_relaxed);
}

// Handles the ready parts that a tracker has found: wakes waiting threads, and adds tasks to `ready`.
void add_ready(depend::ready_list& found, depend::ready_list& ready) noexcept {
    while (depend::tracked_task* const next = found.pop()) {
        auto& part = static_cast<tracked_part&>(*next);
        if (part.owner != nullptr)
            ready.push(part);
        else
            // The part may be destroyed after this.
            part.not_ready.count_down();
    }
}

// Starts a search if the tracker may have missed ready tasks. A member without a task of its own searches; in a team of
// one, the caller.
void search_if_due(place& caller, dependence_table& table, depend::ready_list& ready) noexcept {
    depend::tracker& tracker = table.tracker();
    if (!tracker.may_have_missed())
        return;
    task_member* const self = running_thread.member;
    if (self == nullptr || caller.size == 1) {
        while (ready.empty() && tracker.may_have_missed()) {
            depend::ready_list found;
            tracker.search(found);
            add_ready(found, ready);
        }
    } else if (table.search.request.make()) {
        keep_family(table.of);
        self->team().inject(table.search);
    }
}

void pass_on(tracked_address& used, depend::ready_list& ready) noexcept {
    if (depend::exclusion_waiter* const next = used.lock.unlock()) {
        auto& part = static_cast<tracked_part&>(*next);
        if (lock_objects(part))
            ready.push(part);
    }
}

}  // namespace

family::~family() {
    if (dependences != nullptr)
        destroy(dependences);
}

// Sorts the items by address; most tasks have one or two.
void merge(dependence_list& clauses) noexcept {
    if (clauses.count < 2)
        return;
    const auto is_before = [](const dependence& one, const dependence& other) {
        return std::less<>()(one.address, other.address);
    };
    std::sort(clauses.items, clauses.items + clauses.count, is_before);
    unsigned last = 0;
    for (unsigned each = 1; each != clauses.count; ++each) {
        dependence& kept = clauses.items[last];
        const dependence& next = clauses.items[each];
        if (next.address != kept.address)
            clauses.items[++last] = next;
        else if (next.kind != kept.kind)
            kept.kind = depend::access_kind::inout;
    }
    clauses.count = last + 1;
}

bool held_locks::start_now(const dependence_list& clauses) noexcept {
    const family* const children = here_.current->children;
    // No child is unfinished, or no deferred child has dependences.
    if (children == nullptr || children->dependences == nullptr || children->unfinished.is_over())
        return true;
    dependence_table& table = *children->dependences;
    if (clauses.has_all_memory ||
        (table.uses_all_memory && !table.can_start(table.all_memory, access_kind::in)))
        return false;
    for (const dependence& each : clauses.all()) {
        tracked_address* const object = table.find(each.address);
        if (object == nullptr)
            continue;
        const access_kind kind = each.kind == access_kind::out ? access_kind::inout : each.kind;
        if (!table.can_start(*object, kind) ||
            (kind == access_kind::commutative && (count_ == most || !object->lock.try_lock()))) {
            unlock();
            return false;
        }
        tell_begin(*object, kind);
        if (kind == access_kind::commutative)
            locked_[count_++] = object;
    }
    return true;
}

held_locks::~held_locks() {
    if (count_ != 0) [[unlikely]]
        unlock();
}

void held_locks::unlock() noexcept {
    depend::ready_list ready;
    while (count_ != 0) {
        tell_end(*locked_[--count_], access_kind::commutative);
        pass_on(*locked_[count_], ready);
    }
    make_ready(here_, ready);
}

void defer(place& caller, deferred_task& made, const dependence_list& clauses) noexcept {
    dependence_table& table = table_of(caller);
    tracked_part& part = make_part(table, &made, clauses);
    made.dependences = &part;
    sanitizers::happens_before(&part);
    count_child(caller, made);
    switch (table.tracker().issue(part)) {
    case depend::issue_result::waits:
        break;
    case depend::issue_result::ready:
        make_ready(caller, made);
        break;
    case depend::issue_result::no_memory:
        end_without_memory_for_dependences();
    }
}

void wait_for_dependences(place& caller, const dependence_list& clauses) noexcept {
    {
        held_locks locks(caller);
        // If the clauses need locks, which this scope would release, the thread waits by the tracker instead.
        if (locks.start_now(clauses) && locks.is_empty())
            return;
    }
    dependence_table& table = table_of(caller);
    tracked_part& part = make_part(table, nullptr, clauses);
    part.not_ready.count_up();
    switch (table.tracker().issue(part)) {
    case depend::issue_result::waits:
        wait_for(caller, part.not_ready, nullptr);
        break;
    case depend::issue_result::ready:
        break;
    case depend::issue_result::no_memory:
        end_without_memory_for_dependences();
    }
    tell_begin(part);
    // No sibling is made before the caller continues, so no task need wait for this part.
    depend::ready_list ready;
    release(caller, part, ready);
    make_ready(caller, ready);
}

bool lock_objects(tracked_part& part) noexcept {
    const auto lock_of = [](const auto& access) -> auto& { return object_of(access).lock; };
    if (part.has_locks && !depend::lock_rest(part, part, part.last_locked, lock_of))
        return false;
    tell_begin(part);
    return true;
}

void release(place& caller, tracked_part& ended, depend::ready_list& ready) noexcept {
    for (unsigned i = 0; sanitizers::tells_orders() && i != ended.access_count; ++i)
        tell_end(object_of(ended.accesses[i]), ended.accesses[i].kind);
    if (ended.has_locks) {
        for (unsigned i = 0; i != ended.access_count; ++i) {
            if (ended.accesses[i].kind == access_kind::commutative)
                pass_on(object_of(ended.accesses[i]), ready);
        }
    }
    dependence_table& table = ended.home;
    depend::ready_list found;
    table.tracker().release(ended, found);
    const bool may_have_missed = found.empty();
    add_ready(found, ready);
    if (may_have_missed)
        search_if_due(caller, table, ready);
    free_part(caller, ended);
}

deferred_task& task_of(depend::tracked_task& ready) noexcept { return *static_cast<tracked_part&>(ready).owner; }

void run_search(task_header& self) noexcept {
    dependence_table& table = static_cast<dependence_table::search_task&>(self).table;
    place& caller = this_place();
    table.search.request.begin();
    depend::ready_list found, ready;
    table.tracker().search(found);
    add_ready(found, ready);
    search_if_due(caller, table, ready);
    hand_out(caller, ready);
    leave(table.of);
}

}  // namespace teff::openmp
