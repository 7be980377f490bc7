// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dataflow on many ranks by StarPU-MPI; see dataflow_engine.hpp.
#include <teff/mpi/dataflow_engine.hpp>

#include <teff/mpi/mailbox.hpp>
#include <teff/mpi/ranks.hpp>
#include <teff/mpi/starpu_process.hpp>
#include <teff/mpi/starpu_values.hpp>

#include <starpu.h>
#include <starpu_mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace teff::mpi {
namespace {

using depend::access_kind;

std::atomic<bool>& is_running() {
    static std::atomic<bool> of_process = false;
    return of_process;
}

MPI_Comm checked_communicator(MPI_Comm comm) {
    checked_size(comm);
    int level = MPI_THREAD_SINGLE;
    check(MPI_Query_thread(&level), "MPI_Query_thread");
    if (level != MPI_THREAD_MULTIPLE)
        throw std::logic_error("teff::mpi::procedure: a thread of StarPU calls MPI beside the calling one; initialise "
                               "it by MPI_Init_thread() with MPI_THREAD_MULTIPLE");
    return comm;
}

}  // namespace

// The classes here are members of dataflow_engine::state, so they are not of the unnamed namespace.

// The process's only engine, from here to the end of its StarPU.
class only_engine {
public:
    only_engine() {
        // acquire: sees the StarPU of the engine before stopped; partner: the release below.
        if (is_running().exchange(true, std::memory_order_acquire))
            throw std::logic_error("teff::mpi::procedure: this process has one already; end it first, since StarPU "
                                   "runs once in a process");
    }
    // release: a thread that makes the next engine sees StarPU stopped.
    ~only_engine() { is_running().store(false, std::memory_order_release); }
    only_engine(const only_engine&) = delete;
    only_engine& operator=(const only_engine&) = delete;
};

class own_communicator {
public:
    explicit own_communicator(MPI_Comm comm) {
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Comm_idup(checked_communicator(comm), &own_, &request), "MPI_Comm_idup");
        mpi::complete(request);
    }
    ~own_communicator() { free(); }
    own_communicator(const own_communicator&) = delete;
    own_communicator& operator=(const own_communicator&) = delete;
    MPI_Comm get() const noexcept { return own_; }
    void free() noexcept {
        if (own_ != MPI_COMM_NULL)
            MPI_Comm_free(&own_);
    }

private:
    MPI_Comm own_ = MPI_COMM_NULL;
};

namespace {

starpu_data_access_mode mode_of(access_kind kind) {
    switch (kind) {
    case access_kind::in:
        return STARPU_R;
    case access_kind::out:
        return STARPU_W;
    case access_kind::inout:
        return STARPU_RW;
    default:
        return static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);
    }
}

// A task on the rank that runs it.
struct bound_access {
    access_kind kind;
    bool is_parcel;
};
struct bound_task {
    std::unique_ptr<dataflow_call> call;
    // Why there is no call.
    std::exception_ptr error;
    std::vector<bound_access> accesses;
};

void run_task(void** buffers, void* argument) {
    const std::unique_ptr<bound_task> task(static_cast<bound_task*>(argument));
    const std::size_t count = task->accesses.size();
    std::vector<bool*> marks(count);
    std::vector<void*> values(count);
    bool may_run = true;
    for (std::size_t i = 0; i < count; ++i) {
        const bound_access& access = task->accesses[i];
        if (access.is_parcel) {
            marks[i] = &interface_of(buffers[i]).held->has_failed;
        } else {
            void* const block = reinterpret_cast<void*>(STARPU_VARIABLE_GET_PTR(buffers[i]));
            marks[i] = &head_of(block).has_failed;
            values[i] = value_in(block);
        }
        if (access.kind != access_kind::out && *marks[i])
            may_run = false;
    }
    try {
        if (may_run) {
            if (task->error)
                std::rethrow_exception(task->error);
            for (std::size_t i = 0; i < count; ++i)
                if (task->accesses[i].is_parcel)
                    values[i] = interface_of(buffers[i]).held->made();
            task->call->run(values.data());
        }
    } catch (...) {
        failure().keep(std::current_exception());
        may_run = false;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (task->accesses[i].kind != access_kind::in)
            *marks[i] = !may_run;
}

starpu_codelet& codelet() {
    static starpu_codelet made = [] {
        starpu_codelet of;
        starpu_codelet_init(&of);
        of.cpu_funcs[0] = run_task;
        of.nbuffers = STARPU_VARIABLE_NBUFFERS;
        of.name = "teff";
        return of;
    }();
    return made;
}

// Makes the neutral element of a private copy, or adds a copy to the value.
class reduction_step : public dataflow_call {
public:
    reduction_step(const dataflow_request& of, bool does_combine) : of_(of), does_combine_(does_combine) {}
    void run(void* const* values) override {
        auto* into = static_cast<std::byte*>(values[0]);
        auto* from = does_combine_ ? static_cast<std::byte*>(values[1]) : nullptr;
        for (std::size_t i = 0; i < of_.count; ++i) {
            of_.reduction(does_combine_ ? dataflow::reduction_action::combine
                                        : dataflow::reduction_action::make_identity,
                          into, from);
            into += of_.stride;
            if (from != nullptr)
                from += of_.stride;
        }
    }

private:
    dataflow_request of_;
    bool does_combine_;
};

}  // namespace

class dataflow_item {
public:
    starpu_data_handle_t handle = nullptr;
    // Among the engine's items.
    std::size_t place = 0;
    int owner = 0;
    value_form form;
    // On the owner, one of the two.
    block_pointer block;
    std::unique_ptr<parcel> held;

    // A private copy of a reduction, on the rank that owns it.
    struct copy {
        dataflow_item* of;
        bool is_empty;
    };
    std::vector<copy> copies;
    dataflow_request pending = {};
    bool is_touched = false;
};

struct dataflow_engine::state {
    std::optional<only_engine> only{std::in_place};
    std::thread::id thread = std::this_thread::get_id();
    own_communicator own;
    std::optional<mpi::ranks> all;
    int rank, size;
    std::optional<starpu_process> starpu;
    std::vector<std::unique_ptr<dataflow_item>> items, removed;
    // This rank's objects that tasks have used since the last wait.
    std::vector<dataflow_item*> touched;
    starpu_mpi_tag_t next_tag = 1;
    // What the program has asked for, and whether it has since the last wait for all tasks.
    std::int64_t calls = 0;
    std::uint64_t checksum = 14695981039346656037U;
    bool is_quiet = true;

    explicit state(MPI_Comm comm, std::optional<long> threads) : own(comm), all(comm), rank(all->rank()), size(0) {
        check(MPI_Comm_size(own.get(), &size), "MPI_Comm_size");
        all->all_or_none([&] { starpu.emplace(size, threads); });
        all->all_or_none([&] { starpu->start_mpi(own.get()); });
    }

    void check_caller() const {
        if (std::this_thread::get_id() != thread)
            throw std::logic_error("teff::mpi::procedure: only the thread that has made it may use it; a task cannot "
                                   "spawn tasks of it, since all ranks must spawn the same tasks in the same order: "
                                   "use teff::spawn() inside of the task");
        if (!starpu || !starpu->does_run())
            throw std::logic_error("teff::mpi::procedure: it has ended");
    }

    void note(std::uint64_t what) {
        for (int byte = 0; byte < 8; ++byte) {
            checksum = (checksum ^ (what & 0xff)) * 1099511628211U;
            what >>= 8;
        }
    }

    // Every rank has asked for the same, or the program ends: its ranks would wait for ever.
    void compare_programs() {
        const std::int64_t sum = static_cast<std::int64_t>(checksum >> 1);
        const std::array<std::int64_t, 4> mine = {calls, -calls, sum, -sum};
        std::array<std::int64_t, 4> least{};
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Iallreduce(mine.data(), least.data(), 4, MPI_INT64_T, MPI_MIN, own.get(), &request),
              "MPI_Iallreduce");
        mpi::complete(request);
        if (least[0] == -least[1] && least[2] == -least[3])
            return;
        const std::string others = least[0] == -least[1]
                                       ? "as all others, but of other tasks or objects"
                                       : "others from " + std::to_string(least[0]) + " to " + std::to_string(-least[1]);
        std::fprintf(stderr,
                     "teff::mpi::procedure: the ranks run different programs: rank %d has made %lld calls, those for "
                     "reductions included, %s. All ranks must make the same objects and spawn the same tasks in the "
                     "same order, and an exception on one rank alone must not leave the program. The program ends, "
                     "since its ranks would wait for ever.\n",
                     rank, static_cast<long long>(calls), others.c_str());
        MPI_Abort(own.get(), 1);
        std::abort();
    }

    dataflow_item* add(int owner, const value_form& form, const std::function<void*(void*)>& construct) {
        constexpr std::size_t most_bytes = (std::size_t{1} << 31) - 1 - value_alignment;
        if (form.bytes > most_bytes)
            throw std::length_error("teff::mpi::object: a value of 2 GiB or more cannot be sent; make several objects "
                                    "of it");
        auto made = std::make_unique<dataflow_item>();
        items.reserve(items.size() + 1);
        removed.reserve(items.size() + removed.size() + 1);
        made->owner = owner;
        made->form = form;
        if (owner == rank) {
            if (form.act == nullptr)
                made->block.reset(::operator new(value_alignment + form.bytes, std::align_val_t(value_alignment)));
            else
                made->held = std::make_unique<parcel>(form.act);
            bool has_failed = false;
            try {
                if (form.act == nullptr)
                    construct(value_in(made->block.get()));
                else
                    made->held->reset(construct(nullptr));
            } catch (...) {
                failure().keep(std::current_exception());
                has_failed = true;
            }
            if (form.act == nullptr)
                ::new (made->block.get()) value_head{has_failed};
            else
                made->held->has_failed = has_failed;
        }
        const int home = owner == rank ? STARPU_MAIN_RAM : -1;
        if (form.act == nullptr) {
            starpu_variable_data_register(&made->handle, home, reinterpret_cast<uintptr_t>(made->block.get()),
                                          value_alignment + form.bytes);
        } else {
            parcel_interface described{parcel_operations().interfaceid, made->held.get(), form.act};
            starpu_data_register(&made->handle, home, &described, &parcel_operations());
        }
        starpu_mpi_data_register_comm(made->handle, next_tag++, owner, own.get());
        made->place = items.size();
        items.push_back(std::move(made));
        return items.back().get();
    }

    void remove(dataflow_item* item) noexcept {
        for (const dataflow_item::copy& copy : item->copies)
            remove(copy.of);
        const std::size_t place = item->place;
        removed.push_back(std::move(items[place]));
        if (place + 1 != items.size()) {
            items[place] = std::move(items.back());
            items[place]->place = place;
        }
        items.pop_back();
    }

    static void unregister(dataflow_item& item) noexcept {
        if (item.handle != nullptr)
            starpu_data_unregister(std::exchange(item.handle, nullptr));
    }

    // Returns when the tasks of this rank have ended, and all that others send to its objects has arrived. Not
    // starpu_mpi_wait_for_all(), in which StarPU's thread for MPI sits in MPI_Barrier until the last rank comes.
    void wait_here() {
        starpu_task_wait_for_all();
        for (dataflow_item* const each : touched) {
            each->is_touched = false;
            starpu_data_acquire(each->handle, STARPU_RW);
            starpu_data_release(each->handle);
        }
        touched.clear();
    }
    // Once all ranks have waited.
    void all_have_waited() noexcept {
        for (const auto& each : removed)
            unregister(*each);
        removed.clear();
        is_quiet = true;
    }

    // Submits a task whose accesses are resolved.
    void submit(std::span<const dataflow_request> accesses, int on,
                const std::function<std::unique_ptr<dataflow_call>()>& make) {
        std::vector<starpu_data_descr> described;
        described.reserve(accesses.size());
        touched.reserve(touched.size() + accesses.size());
        for (const dataflow_request& each : accesses) {
            described.push_back({each.of->handle, mode_of(each.kind)});
            note(static_cast<std::uint64_t>(starpu_mpi_data_get_tag(each.of->handle)) * 8 +
                 static_cast<std::uint64_t>(each.kind));
            if (each.of->owner == rank && !std::exchange(each.of->is_touched, true))
                touched.push_back(each.of);
        }
        note(static_cast<std::uint64_t>(on));
        ++calls;
        is_quiet = false;
        std::unique_ptr<bound_task> bound;
        if (on == rank) {
            bound = std::make_unique<bound_task>();
            for (const dataflow_request& each : accesses)
                bound->accesses.push_back({each.kind, each.of->form.act != nullptr});
            try {
                bound->call = make();
            } catch (...) {
                bound->error = std::current_exception();
            }
        }
        const int count = static_cast<int>(described.size());
        starpu_task* const task =
            starpu_mpi_task_build(own.get(), &codelet(), STARPU_DATA_MODE_ARRAY, described.data(), count,
                                  STARPU_EXECUTE_ON_NODE, on, 0);
        if (task != nullptr) {
            task->cl_arg = bound.get();
            task->cl_arg_free = 0;
            if (starpu_task_submit(task) != 0)
                throw std::runtime_error("teff::mpi::procedure: StarPU does not take a task");
            static_cast<void>(bound.release());
        }
        starpu_mpi_task_post_build(own.get(), &codelet(), STARPU_DATA_MODE_ARRAY, described.data(), count,
                                   STARPU_EXECUTE_ON_NODE, on, 0);
    }

    // The private copy of a rank, which begins as the neutral element.
    dataflow_item* copy_on(int on, dataflow_item& of, const dataflow_request& reduction) {
        auto place = std::find_if(of.copies.begin(), of.copies.end(),
                                  [on](const dataflow_item::copy& each) { return each.of->owner == on; });
        if (place == of.copies.end()) {
            of.copies.reserve(of.copies.size() + 1);
            const parcel_function act = of.form.act;
            const auto construct = [act](void* memory) {
                return act == nullptr ? memory : act(parcel_action::make, nullptr, nullptr);
            };
            place = of.copies.insert(of.copies.end(), {add(on, of.form, construct), true});
        }
        if (std::exchange(place->is_empty, false)) {
            dataflow_request to = reduction;
            to.of = place->of;
            to.kind = access_kind::out;
            submit({&to, 1}, on, [&reduction] { return std::make_unique<reduction_step>(reduction, false); });
        }
        return place->of;
    }

    // Adds the private copies to the value. One after the other, so that the order is the same in each run.
    void combine_copies(dataflow_item& of) {
        for (dataflow_item::copy& each : of.copies) {
            if (std::exchange(each.is_empty, true))
                continue;
            std::array<dataflow_request, 2> accesses = {of.pending, of.pending};
            accesses[0].of = &of;
            accesses[0].kind = access_kind::inout;
            accesses[1].of = each.of;
            accesses[1].kind = access_kind::in;
            submit(accesses, of.owner, [&of] { return std::make_unique<reduction_step>(of.pending, true); });
        }
        of.pending = {};
    }

    void check_item(const dataflow_item& item) const {
        check_caller();
        if (item.handle == nullptr)
            throw std::logic_error("teff::mpi::procedure: the object belongs to another procedure, which has ended");
    }

    // The newest value on this rank.
    void* value_here(const dataflow_item& item, starpu_data_access_mode mode) {
        starpu_data_acquire(item.handle, mode);
        const struct acquired {
            ~acquired() { starpu_data_release(handle); }
            starpu_data_handle_t handle;
        } during{item.handle};
        void* const local = starpu_data_get_local_ptr(item.handle);
        return item.form.act == nullptr ? value_in(local) : static_cast<parcel*>(local)->made();
    }

    // Begins a call that all ranks make with the item.
    void begin(dataflow_item& item, std::uint64_t call) {
        check_item(item);
        combine_copies(item);
        note(static_cast<std::uint64_t>(starpu_mpi_data_get_tag(item.handle)) * 8 + call);
        ++calls;
    }

    // Once all tasks have ended, what failed before has no effect on those that follow. A rank that was sent only the
    // mark of a failure has no value, so all copies of other ranks' values are dropped.
    void forget_failures() {
        for (const auto& each : items) {
            void* const local = starpu_data_get_local_ptr(each->handle);
            if (local != nullptr)
                (each->form.act == nullptr ? head_of(local).has_failed : static_cast<parcel*>(local)->has_failed) =
                    false;
        }
        starpu_mpi_cache_flush_all_data(own.get());
    }
};

dataflow_engine::dataflow_engine(MPI_Comm comm, std::optional<long> threads)
    : own_(std::make_unique<state>(comm, threads)) {}
dataflow_engine::~dataflow_engine() { end(); }

int dataflow_engine::rank() const noexcept { return own_->rank; }
int dataflow_engine::ranks() const noexcept { return own_->size; }
int dataflow_engine::threads() const noexcept { return own_->starpu->workers(); }

dataflow_item* dataflow_engine::add(int owner, const value_form& form, const std::function<void*(void*)>& construct) {
    own_->check_caller();
    if (owner < 0 || owner >= own_->size)
        throw std::invalid_argument("teff::mpi::object: owner: rank " + std::to_string(owner) +
                                    " is not allowed; it must be from 0 to " + std::to_string(own_->size - 1));
    own_->note(form.bytes * 4096 + static_cast<std::uint64_t>(owner));
    ++own_->calls;
    return own_->add(owner, form, construct);
}

void dataflow_engine::remove(dataflow_item* item) noexcept { own_->remove(item); }

void dataflow_engine::spawn(std::span<const dataflow_request> accesses, int on,
                            const std::function<std::unique_ptr<dataflow_call>()>& make) {
    own_->check_caller();
    if (on < 0) {
        if (accesses.empty())
            throw std::invalid_argument("teff::mpi::procedure: the task has no access, so no rank follows from it; use "
                                        "spawn_on()");
        const auto writes = std::find_if(accesses.begin(), accesses.end(), [](const dataflow_request& each) {
            return each.kind != access_kind::in;
        });
        on = (writes == accesses.end() ? accesses.begin() : writes)->of->owner;
    }
    if (on >= own_->size)
        throw std::invalid_argument("teff::mpi::procedure: spawn_on(): rank " + std::to_string(on) +
                                    " is not allowed; it must be from 0 to " + std::to_string(own_->size - 1));
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        own_->check_item(*accesses[i].of);
        for (std::size_t j = 0; j < i; ++j)
            if (accesses[i].of == accesses[j].of)
                throw std::invalid_argument("teff::mpi::procedure: a task has two accesses to one object; give it one "
                                            "access that allows both");
        if (accesses[i].kind == access_kind::commutative && accesses[i].of->owner != on)
            throw std::invalid_argument("teff::mpi::procedure: a task with a commutative access runs on rank " +
                                        std::to_string(on) + ", and the object is owned by rank " +
                                        std::to_string(accesses[i].of->owner) +
                                        "; StarPU orders such tasks within one rank alone: run it on the owner, or use "
                                        "inout() or reduction()");
    }
    std::vector<dataflow_request> resolved(accesses.begin(), accesses.end());
    for (dataflow_request& each : resolved) {
        dataflow_item& item = *each.of;
        const bool is_reduction = each.kind == access_kind::concurrent;
        if (!is_reduction || (item.pending.reduction != nullptr && item.pending.reduction != each.reduction))
            own_->combine_copies(item);
        if (!is_reduction)
            continue;
        item.pending = each;
        if (item.owner != on)
            each.of = own_->copy_on(on, item, each);
    }
    own_->submit(resolved, on, make);
}

void dataflow_engine::sync() {
    own_->check_caller();
    own_->note(8);
    ++own_->calls;
    own_->compare_programs();
    own_->wait_here();
    try {
        own_->all->all_or_none([] {
            if (const std::exception_ptr error = failure().take())
                std::rethrow_exception(error);
        });
    } catch (...) {
        own_->all_have_waited();
        own_->forget_failures();
        throw;
    }
    own_->all_have_waited();
}

const void* dataflow_engine::value(dataflow_item* item) {
    own_->begin(*item, 5);
    own_->compare_programs();
    own_->is_quiet = false;
    starpu_mpi_get_data_on_all_nodes_detached(own_->own.get(), item->handle);
    return own_->value_here(*item, STARPU_R);
}

void* dataflow_engine::owned_value(dataflow_item* item) {
    own_->begin(*item, 6);
    if (!own_->is_quiet)
        own_->compare_programs();
    starpu_mpi_cache_flush(own_->own.get(), item->handle);
    return item->owner == own_->rank ? own_->value_here(*item, STARPU_RW) : nullptr;
}

void dataflow_engine::drop_copies(dataflow_item* item) {
    own_->begin(*item, 7);
    starpu_mpi_cache_flush(own_->own.get(), item->handle);
}

void dataflow_engine::end() noexcept {
    if (!own_->starpu || !own_->starpu->does_run())
        return;
    int is_finalised = 0;
    MPI_Finalized(&is_finalised);
    if (is_finalised != 0) {
        std::fputs("teff::mpi::procedure: MPI is finalised already; the procedure must end before MPI_Finalize()\n",
                   stderr);
        std::abort();
    }
    own_->compare_programs();
    own_->wait_here();
    own_->compare_programs();
    own_->all_have_waited();
    for (const auto& each : own_->items)
        state::unregister(*each);
    own_->starpu->stop();
    failure().take();
    // Here, since objects may end later, and after MPI.
    own_->all.reset();
    own_->own.free();
    own_->only.reset();
}

}  // namespace teff::mpi
