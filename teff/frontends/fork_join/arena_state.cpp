// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arenas: the options of their team, calls and tasks from outside, and the wait for the tasks; see arena_state.hpp.
#include <teff/frontends/fork_join/arena_state.hpp>

#include <teff/base/assert.hpp>
#include <teff/frontends/fork_join/arena_task.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/task_marks.hpp>
#include <teff/frontends/fork_join/views.hpp>
#include <teff/machine/cpu_groups.hpp>
#include <teff/machine/machine_topology.hpp>
#include <teff/pool/pool.hpp>
#include <teff/strand/more_stack.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/strand/stack.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/outer_work.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace teff::forking {
namespace {

[[noreturn]] void refuse(const char* option, long value, const std::string& why) {
    throw std::invalid_argument(std::string(option) + ": '" + std::to_string(value) + "' cannot be used: " + why);
}

// "has one NUMA domain, 0", "has 3 NUMA domains, 0 to 2"
std::string counted(int count, const std::string& one, const std::string& several) {
    return count == 1 ? "has one " + one + ", 0"
                      : "has " + std::to_string(count) + " " + several + ", 0 to " + std::to_string(count - 1);
}

cpu_mask cpus_of_domain(const topology& machine, long domain) {
    if (domain < 0 || domain >= machine.numa_count())
        refuse("numa_domain", domain, "this machine " + counted(machine.numa_count(), "NUMA domain", "NUMA domains"));
    cpu_mask found;
    for (unsigned worker = 0; worker < static_cast<unsigned>(machine.cpu_count()); ++worker)
        if (machine.numa_of_worker(worker) == domain)
            found.add(machine.cpu_of_worker(worker));
    return found;
}

cpu_mask cpus_of_kind(const topology& machine, long kind) {
    // A synthetic machine has one kind.
    const core_kinds kinds = machine.is_real() ? core_kinds_of_machine() : core_kinds{};
    if (kind < 0 || kind >= kinds.count)
        refuse("core_kind", kind, "this machine " + counted(kinds.count, "kind of cores", "kinds of cores"));
    return kinds.cpus[static_cast<std::size_t>(kind)];
}

// nullopt: any CPU.
std::optional<cpu_mask> cpus_of(const arena_place& where) {
    const topology& machine = machine_topology();
    std::optional<cpu_mask> found;
    if (where.numa_domain)
        found = cpus_of_domain(machine, *where.numa_domain);
    if (where.core_kind) {
        cpu_mask kind = cpus_of_kind(machine, *where.core_kind);
        for (int cpu = 0; found && cpu < cpu_mask::capacity; ++cpu)
            if (!found->contains(cpu))
                kind.remove(cpu);
        found = kind;
    }
    if (!machine.is_real())
        return std::nullopt;
    if (found && found->count() == 0)
        refuse("core_kind", *where.core_kind, "NUMA domain " + std::to_string(*where.numa_domain) +
                                                  " has no core of this kind");
    return found;
}

// Starts the pool's workers for an arena: one less than the arena has threads, since a thread of the program takes part
// in a call; but at least one, which runs enqueued tasks while no thread of the program is in the arena.
void prepare_workers_for(unsigned threads) noexcept { prepare_workers(std::max(threads, 2U)); }

// Out of line: also called after a wait, where the code may run on another thread.
[[gnu::noinline]] task_member* own_member() noexcept { return running_thread.member; }

struct offered_call;

// The call as a task for a fiber. The function may need as much stack as a thread has.
struct carried_call : task_header {
    explicit carried_call(offered_call& carried) noexcept : task_header(&run_carried), of(carried) {}

    static void run_carried(task_header& self) noexcept;

    offered_call& of;
};

// A call that a member may run in place of the thread that waits for it. finish() gives the waiting thread the
// function's views of ordered reducers and its exception.
struct offered_call : guest_call {
    offered_call(void (*what)(void*), void* arguments) noexcept
        : guest_call(&run_here, own_member() != nullptr), function(what), argument(arguments),
          around(running_strand().around), on_fiber(*this) {}
    ~offered_call() { drop_views(views); }

    // On top of a task, the call runs on a fiber (guests.hpp).
    static void run_here(task_header& self) noexcept {
        auto& mine = static_cast<offered_call&>(self);
        task_member& member = *own_member();
        if (member.is_fiber())
            mine.on_fiber.run(mine.on_fiber);
        else if (member.depth() > 1)
            run_on_fiber(member, mine.on_fiber);
        else
            mine.call();
    }
    void call() noexcept {
        task_team& team = own_member()->team();
        {
            own_views own(around);
            try {
                if (team.is_stopping())
                    throw_stopped();
                function(argument);
            } catch (...) {
                error = std::current_exception();
            }
            views = own.take();
        }
        team.end_offer(*this);
    }
    void finish() {
        append_views(std::exchange(views, nullptr));
        if (error)
            std::rethrow_exception(std::move(error));
    }

    void (*const function)(void*);
    void* const argument;
    const enclosing around;
    carried_call on_fiber;
    view* views = nullptr;
    std::exception_ptr error;
};

void carried_call::run_carried(task_header& self) noexcept {
    offered_call& carried = static_cast<carried_call&>(self).of;
    const auto call = [&carried]() noexcept { carried.call(); };
    if (!on_more_stack(call))
        call();
}

// Calls the function as a member of this team. The thread is one already, below its membership of another team.
void run_again(task_member& self, void (*function)(void*), void* argument) {
    const scoped_return level(self);
    self.call(function, argument);
}

}  // namespace

void end_by_exception() noexcept {
    const auto say = [](const char* what) {
        warn("an exception left a function that was handed to arena::enqueue(), and nothing takes it: %s. Catch it in "
             "the function, enqueue it with a task_group, or use arena::spawn()",
             what);
    };
    try {
        throw;
    } catch (const std::exception& error) {
        say(error.what());
    } catch (...) {
        say("it is no std::exception");
    }
    std::terminate();
}

arena_state::arena_state(const options& call, const arena_place& where)
    : how_(resolve(call)), stop_(call.stop) {
    how_.priority = where.priority;
    if (const auto cpus = cpus_of(where)) {
        cpus_ = *cpus;
        how_.binds_to = &cpus_;
        if (!call.threads)
            how_.settings.slots = std::min(how_.settings.slots, static_cast<unsigned>(cpus_.count()));
    }
    // relaxed: no other thread knows the arena yet.
    life_.store(new arena_life(how_, stop_), std::memory_order_relaxed);
}

arena_state::~arena_state() {
    // relaxed: no other thread uses the arena any more.
    arena_life* const last = life_.load(std::memory_order_relaxed);
    if (last->is_of_this_process())
        delete last;
}

arena_life& arena_state::life() {
    // acquire: it is complete; partner: the release below.
    arena_life* now = life_.load(std::memory_order_acquire);
    while (!now->is_of_this_process()) [[unlikely]] {
        auto made = std::make_unique<arena_life>(how_, stop_);
        // release: the new life can be used; acquire on failure: as above. Partners: each other.
        if (life_.compare_exchange_strong(now, made.get(), std::memory_order_release, std::memory_order_acquire))
            now = made.release();
    }
    return *now;
}

void arena_state::run(void (*function)(void*), void* argument) { life().run(function, argument); }

void arena_state::wait() { life().wait(); }

void arena_life::stopper::operator()() const noexcept { team.begin_stop(); }

arena_life::arena_life(const team_options& options, const std::stop_token& stop)
    : team_((prepare_workers_for(options.settings.slots), make_task_team(options, stop, admission::visited))),
      generation_(pool::instance().generation()) {
    try {
        team_->open_to_guests();
    } catch (...) {
        delete team_;
        throw;
    }
    on_stop_.emplace(stop, stopper{*team_});
}

arena_life::~arena_life() {
    wait();
    on_stop_.reset();
    team_->close_to_guests();
    delete team_;
}

bool arena_life::is_of_this_process() const noexcept { return generation_ == pool::instance().generation(); }

void arena_life::enqueue(task_header& made) noexcept {
    pending_.count_up();
    team_->inject(made);
    if (pool::instance().worker_count() == 0) [[unlikely]]
        run_without_workers();
}

// Called when no worker could be started. Tries once more to start one. If that fails, the calling thread runs the
// tasks now, since it may never wait for the arena.
void arena_life::run_without_workers() noexcept {
    prepare_workers_for(1);
    bool is_innermost = false;
    if (pool::instance().worker_count() != 0 || member_scope::find(*team_, is_innermost) != nullptr)
        return;
    leave_for_a_while();
    // If that fails, the tasks stay queued for the next thread that enters the arena.
    run_tasks_as_guest();
}

bool arena_life::run_tasks_as_guest() {
    const unsigned slot = has_stack() ? team_->take_slot_as_guest() : work_source::no_slot;
    if (slot == work_source::no_slot)
        return false;
    try {
        team_->run_guest(slot, [](void* self) { static_cast<arena_life*>(self)->wait_for_tasks(); }, this);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

wait_reason arena_life::waits_for(const char* event) const noexcept {
    return {.kind = "arena", .event = event, .object = this, .is_for_tasks = true};
}

void arena_life::wait_for_tasks() noexcept { wait_for(pending_, waits_for("to run its tasks")); }

void arena_life::run(void (*function)(void*), void* argument) {
    bool is_innermost = false;
    task_member* const self = member_scope::find(*team_, is_innermost);
    if (self != nullptr && is_innermost)
        return function(argument);
    require_stack(teams_use);
    if (team_->is_stopping())
        throw_stopped();
    if (self != nullptr)
        return run_again(*self, function, argument);
    leave_for_a_while();
    offered_call call(function, argument);
    unsigned slot = team_->take_slot_or_offer(call);
    while (slot == work_source::no_slot) {
        // Polls before it sleeps: another thread's short call leaves the arena sooner than this thread can fall asleep.
        // A member of another team does not poll, since it has work of its own.
        if (call.is_of_member || !first_looks_.is_met_soon([&] { return call.turn.is_over(); }))
            wait_for(call.turn, waits_for("to have room for a call"));
        if (team_->is_run_by_member(call)) {
            wait_for(call.over, waits_for("to run a call"));
            return call.finish();
        }
        slot = call.slot;
    }
    team_->run_guest(slot, function, argument);
}

void arena_life::wait() {
    if (pending_.is_over())
        return;
    if (place_in_tasks_of(this) != place_in_tasks::outside)
        fatal("arena", "a task of an arena waits for all tasks of the arena, and so for itself",
              "let the code that has handed the tasks over wait for them; in a task, wait for a task_group");
    // A thread of the program enters the arena and helps, if there is room. A member of a team waits there, as for a
    // group. Otherwise the arena's members do the work.
    if (own_member() != nullptr || !run_tasks_as_guest())
        wait_for_tasks();
}

}  // namespace teff::forking
