// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task dataflow on many machines: the program of teff/dataflow.hpp on all ranks of an MPI communicator, with objects
// that have an owner. Needs MPI with MPI_THREAD_MULTIPLE, StarPU-MPI and the library teff-mpi-dataflow (CMake:
// Teff::mpi_dataflow); docs/many_machines.md is the guide.
//
//   MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
//   {
//       teff::mpi::procedure tasks(MPI_COMM_WORLD, {.threads = 4});
//       teff::mpi::object<matrix> a(tasks, 0), b(tasks, 1), c(tasks, 1);      // owned by the ranks 0, 1 and 1
//       tasks.spawn(read_from, out(a), "a.txt");                              // runs on rank 0
//       tasks.spawn(read_from, out(b), "b.txt");                              // runs on rank 1
//       tasks.spawn(multiply, in(a), in(b), inout(c));                        // on rank 1, which a is sent to
//       tasks.sync();
//       print(c.value());                                                     // the same on every rank
//   }
//   MPI_Finalize();
//
// Every rank runs this program: it makes the same objects and spawns the same tasks in the same order. A task runs on
// one rank, which is the owner of the first object that it writes, or which spawn_on() names; the values that it
// accesses are sent there and back. The result is that of running the tasks one after the other, in program order, on
// any number of ranks. From C. Augonnet, O. Aumage, N. Furmento, R. Namyst, S. Thibault, "StarPU-MPI: Task Programming
// over Clusters of Machines Enhanced with Accelerators", EuroMPI 2012, whose library makes the transfers and runs the
// tasks.
//
//   access        the function gets   differs from teff/dataflow.hpp
//   in            const T&            the value is sent to the rank, once until it is written again
//   out           T&                  waits for earlier tasks: there is no renaming
//   inout         T&
//   commutative   T&                  the task must run on the owner's rank
//   reduction     T&                  each rank that runs such tasks has a private copy; there they run one at a time
//
// A task may not spawn tasks of the procedure; it may use all of Teff otherwise, such as teff::spawn() or loops.
//
// If a task throws, tasks that depend on what it was to write are not called, on any rank; all others are. sync()
// throws on every rank: the exception of a task where one has thrown, elsewhere teff::mpi::remote_failure.
//
// All functions are called by the thread that has made the procedure. Those that are called collective are called by
// every rank, as a part of the program. If the ranks turn out to run different programs, the process ends with a
// message, since it would wait for ever.
#pragma once

#if !__has_include(<mpi.h>)
#error "teff/mpi_dataflow.hpp needs MPI: compile with mpicxx, or link the CMake target Teff::mpi_dataflow"
#endif

#include <teff/base/fits.hpp>
#include <teff/dataflow/value.hpp>
#include <teff/depend/tracked.hpp>
#include <teff/mpi/dataflow_engine.hpp>
#include <teff/mpi/remote_failure.hpp>
#include <teff/mpi/transfer.hpp>

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace teff::mpi {

// Options of a procedure; ranks may differ in them.
struct procedure_options {
    // Threads of this rank that run tasks; one more communicates. By default one for each processor that the rank may
    // use, less one for communication if there are several ranks; as many as StarPU was built for at most.
    std::optional<long> threads = {};
};

class procedure;

namespace calling {

// Whether values of the type are sent as the bytes that they consist of.
template <class T>
inline constexpr bool copies_memory = std::is_trivially_copyable_v<T> && requires { transfer<T>::copies_memory; };

template <class T>
void* act_on_parcel(parcel_action what, void* value, void* stream) {
    switch (what) {
    case parcel_action::make:
        return new T();
    case parcel_action::destroy:
        delete static_cast<T*>(value);
        return nullptr;
    case parcel_action::serialise:
        transfer<T>::serialise(*static_cast<const T*>(value), *static_cast<writer*>(stream));
        return nullptr;
    case parcel_action::restore:
        return new T(transfer<T>::restore(*static_cast<reader*>(stream)));
    }
    return nullptr;
}

// As dataflow::reduce_by, but that the neutral element replaces a value.
template <class T, class Op>
void reduce_by(dataflow::reduction_action what, void* into, void* from) {
    if (what == dataflow::reduction_action::combine)
        return dataflow::reduce_by<T, Op>(what, into, from);
    struct room {
        alignas(T) std::byte bytes[sizeof(T)];
        explicit room() { dataflow::reduce_by<T, Op>(dataflow::reduction_action::make_identity, bytes, nullptr); }
        ~room() { std::destroy_at(get()); }
        T* get() { return std::launder(reinterpret_cast<T*>(bytes)); }
    } identity;
    *static_cast<T*>(into) = std::move(*identity.get());
}

// What all objects have in common: an item of the engine.
class object_base {
public:
    object_base(std::shared_ptr<dataflow_engine> engine, int owner, std::size_t count, const value_form& form,
                const std::function<void*(void*)>& construct)
        : engine_(std::move(engine)), item_(engine_->add(owner, form, construct)), count_(count), owner_(owner) {}
    ~object_base() { reset(); }
    object_base(object_base&& other) noexcept
        : engine_(std::move(other.engine_)), item_(std::exchange(other.item_, nullptr)), count_(other.count_),
          owner_(other.owner_) {}
    object_base& operator=(object_base&& other) noexcept {
        if (this != &other) {
            reset();
            engine_ = std::move(other.engine_);
            item_ = std::exchange(other.item_, nullptr);
            count_ = other.count_;
            owner_ = other.owner_;
        }
        return *this;
    }

    // The rank that the object was given.
    int owner() const noexcept { return owner_; }
    // Collective: frees the copies that other ranks keep until the object is written again. Throws as spawn().
    void drop_copies() { engine_->drop_copies(item_); }

    dataflow_item* item() const noexcept { return item_; }
    std::size_t element_count() const noexcept { return count_; }

protected:
    dataflow_engine& engine() const noexcept { return *engine_; }

private:
    void reset() noexcept {
        if (item_ != nullptr)
            engine_->remove(item_);
        item_ = nullptr;
    }

    std::shared_ptr<dataflow_engine> engine_;
    dataflow_item* item_;
    std::size_t count_;
    int owner_;
};

template <class T>
value_form form_of() {
    if constexpr (copies_memory<T>) {
        static_assert(alignof(T) <= value_alignment, "teff: a value that is sent between ranks is aligned to 64 bytes "
                                                     "at most");
        return {sizeof(T), nullptr};
    } else {
        static_assert(sizeof(transfer<T>) != 0);
        static_assert(std::is_default_constructible_v<T>,
                      "teff: an object<T> on many ranks needs a default constructor, for the values that other ranks "
                      "receive");
        return {0, &act_on_parcel<T>};
    }
}

}  // namespace calling

// A value that tasks access, with an owner: the rank that keeps it. Other ranks have copies while they need them. T is
// trivially copyable, or teff::mpi::transfer<T> says how it is sent; T[] is an array of a trivially copyable type, of
// which tasks get a std::span. An object can be moved, also while tasks use it; it may end before its tasks, and then
// its memory is kept until the next sync(), or the end of the procedure.
template <class T>
class object : public calling::object_base {
public:
    // Collective: on its owner, makes the value of the arguments; an exception of that is left to sync(). Throws
    // std::invalid_argument, if there is no such rank; std::logic_error, as spawn(); std::bad_alloc.
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit object(procedure& within, int owner, Arguments&&... arguments);

    // Collective: the newest value, on every rank; waits for the tasks that write it. It is valid until the next task
    // is spawned with the object, its next owned_value() or drop_copies(), or a sync() that throws. Exceptions of tasks
    // are left to sync(), and until then ranks may see different values of an object that a failed task was to write.
    // Throws std::logic_error, as spawn().
    const T& value() { return *static_cast<const T*>(engine().value(item())); }
    // Collective: the newest value on its owner, once the tasks that use it have ended, and nullptr on other ranks. The
    // owner may change the value until it spawns the next task with the object. Throws as value().
    T* owned_value() { return static_cast<T*>(engine().owned_value(item())); }
};

// An array of `count` elements, fixed when the object is made.
template <class T>
class object<T[]> : public calling::object_base {
    static_assert(calling::copies_memory<T>, "teff: the elements of an object<T[]> on many ranks must be trivially "
                                             "copyable; use an object of a container, and specialise "
                                             "teff::mpi::transfer for it");

public:
    // Collective: an array of value-initialised elements on its owner. Throws as object<T>, and std::length_error for
    // 2 GiB or more.
    explicit object(procedure& within, int owner, std::size_t count);

    // How many elements there are.
    std::size_t size() const noexcept { return element_count(); }
    // As object<T>.
    std::span<const T> value() { return {static_cast<const T*>(engine().value(item())), size()}; }
    // As object<T>; empty on other ranks.
    std::span<T> owned_value() {
        T* const first = static_cast<T*>(engine().owned_value(item()));
        return {first, first == nullptr ? 0 : size()};
    }
};

namespace calling {

template <class T, depend::access_kind Kind, class Op = void>
struct access {
    object<T>& of;
};

// How a task's function gets an argument of spawn().
template <class Argument>
struct argument {
    static constexpr bool is_access = false;
};
template <class T, depend::access_kind Kind, class Op>
struct argument<access<T, Kind, Op>> {
    static constexpr bool is_access = true;
    static constexpr bool is_read = Kind == depend::access_kind::in;
    using element = std::remove_extent_t<T>;
    using constant = std::conditional_t<is_read, const element, element>;
    using passed = std::conditional_t<std::is_array_v<T>, std::span<constant>, constant&>;

    static dataflow_request ask(const access<T, Kind, Op>& given) {
        dataflow_request made{given.of.item(), Kind};
        if constexpr (!std::is_void_v<Op>) {
            made.reduction = &reduce_by<element, Op>;
            made.count = given.of.element_count();
            made.stride = sizeof(element);
        }
        return made;
    }
    // What a deferred task keeps of it.
    static std::size_t keep(const access<T, Kind, Op>& given) { return given.of.element_count(); }
    static passed pass(void* value, [[maybe_unused]] std::size_t count) {
        if constexpr (std::is_array_v<T>)
            return {static_cast<constant*>(value), count};
        else
            return *static_cast<constant*>(value);
    }
};

}  // namespace calling

// The function reads the value: it gets a const T&, or a std::span<const T>. Makes an argument for spawn(), valid while
// the object is.
template <class T>
[[nodiscard("an access is an argument for spawn()")]]
calling::access<T, depend::access_kind::in> in(object<T>& accessed) noexcept {
    return {accessed};
}
// The function overwrites the value: it gets a T& whose value is unspecified, or a std::span<T>. The old value is not
// sent.
template <class T>
[[nodiscard("an access is an argument for spawn()")]]
calling::access<T, depend::access_kind::out> out(object<T>& accessed) noexcept {
    return {accessed};
}
// The function reads and changes the value: it gets a T&, or a std::span<T>.
template <class T>
[[nodiscard("an access is an argument for spawn()")]]
calling::access<T, depend::access_kind::inout> inout(object<T>& accessed) noexcept {
    return {accessed};
}
// The same, in a way for which the order does not matter. Such tasks, one after the other, run in any order, one at a
// time, all on the owner's rank.
template <class T>
[[nodiscard("an access is an argument for spawn()")]]
calling::access<T, depend::access_kind::commutative> commutative(object<T>& accessed) noexcept {
    return {accessed};
}
// Op: dataflow/value.hpp; of arrays, for each element. The function must only combine into its argument, which begins
// as the neutral element or as a partial result.
template <class Op = std::plus<>, class T>
[[nodiscard("an access is an argument for spawn()")]]
calling::access<T, depend::access_kind::concurrent, Op> reduction(object<T>& accessed) noexcept {
    return {accessed};
}

namespace calling {

template <class... Arguments>
inline constexpr std::size_t access_count = (std::size_t{0} + ... + (argument<Arguments>::is_access ? 1 : 0));

// Places of the accesses among all arguments: the number of accesses before each argument.
template <class... Arguments>
consteval std::array<std::size_t, sizeof...(Arguments)> access_places() {
    std::array<std::size_t, sizeof...(Arguments)> places{};
    std::size_t next = 0, at = 0;
    ((places[at++] = argument<Arguments>::is_access ? next++ : 0), ...);
    return places;
}

// What a task keeps of an argument.
template <class Argument>
struct kept : std::type_identity<Argument> {};
template <class Argument>
    requires argument<Argument>::is_access
struct kept<Argument> : std::type_identity<std::size_t> {};
template <class Argument, class Given>
typename kept<Argument>::type keep(Given&& given) {
    if constexpr (argument<Argument>::is_access)
        return argument<Argument>::keep(given);
    else
        return static_cast<Argument>(std::forward<Given>(given));
}

// What the function gets of an argument.
template <class Argument>
struct passed : std::type_identity<Argument> {};
template <class Argument>
    requires argument<Argument>::is_access
struct passed<Argument> : std::type_identity<typename argument<Argument>::passed> {};
template <class Argument, class Kept>
typename passed<Argument>::type pass(Kept& from, void* const* value) {
    if constexpr (argument<Argument>::is_access)
        return argument<Argument>::pass(*value, from);
    else
        return std::move(from);
}

// Arguments: without references.
template <class F, class... Arguments>
class spawned_function : public dataflow_call {
public:
    template <class Function, class... Given>
    explicit spawned_function(Function&& function, Given&&... given)
        : function_(std::forward<Function>(function)), kept_(keep<Arguments>(std::forward<Given>(given))...) {}

    void run(void* const* values) override { call(values, std::index_sequence_for<Arguments...>()); }

private:
    template <std::size_t... Index>
    void call([[maybe_unused]] void* const* values, std::index_sequence<Index...>) {
        [[maybe_unused]] constexpr auto places = access_places<Arguments...>();
        std::invoke(std::move(function_), pass<Arguments>(std::get<Index>(kept_), values + places[Index])...);
    }

    F function_;
    std::tuple<typename kept<Arguments>::type...> kept_;
};

// Whether a task can be made of the function and the arguments; if not, says why.
template <class F, class... Arguments>
consteval bool can_spawn() {
    constexpr bool can_be_kept =
        fits::can_be_kept<F> && (std::is_constructible_v<std::decay_t<Arguments>, Arguments> && ...);
    static_assert(can_be_kept, "teff: the function or an argument given to spawn() cannot be copied; pass "
                               "std::move(x)");
    constexpr bool is_callable =
        !can_be_kept || std::is_invocable_v<std::decay_t<F>, typename passed<std::decay_t<Arguments>>::type...>;
    static_assert(is_callable, "teff: the function given to spawn() is not callable with the arguments: it gets a "
                               "const T& for in(object), a T& for out, inout, commutative and reduction, a std::span "
                               "for an array, and other arguments as rvalues");
    return can_be_kept && is_callable;
}

}  // namespace calling

// The tasks of all ranks of a communicator. A process has one at a time. Its constructor, its destructor and all of its
// functions but rank(), ranks() and threads() are parts of the program that every rank runs.
class procedure {
public:
    // Collective: starts StarPU. Throws std::logic_error, if MPI is not initialised with MPI_THREAD_MULTIPLE, or is
    // finalised, or the process has a procedure or a StarPU already; std::invalid_argument for a communicator or a
    // number of threads that cannot be used; std::runtime_error if StarPU does not start. If an option cannot be used
    // on one rank, the other ranks throw remote_failure.
    explicit procedure(MPI_Comm comm, const procedure_options& options = {})
        : engine_(std::make_shared<dataflow_engine>(comm, options.threads)) {}
    // Collective: waits for all tasks, and stops StarPU. Exceptions that no sync() has thrown are lost.
    ~procedure() { engine_->end(); }
    procedure(const procedure&) = delete;
    procedure& operator=(const procedure&) = delete;

    // This rank, and how many there are.
    int rank() const noexcept { return engine_->rank(); }
    // How many ranks there are.
    int ranks() const noexcept { return engine_->ranks(); }
    // How many threads of this rank run tasks.
    int threads() const noexcept { return engine_->threads(); }

    // Collective: spawns a task, which calls f(arguments...) on one rank, when the tasks have ended that were spawned
    // before and with whose accesses its own ones conflict. Each argument is an access (in, out, inout, commutative,
    // reduction), for which the function gets the value; or any other value, of which it gets a copy, that of the rank
    // that runs it. The accesses of a task are to distinct objects. The rank is the owner of the first object that is
    // not only read, or of the first object. Throws std::invalid_argument: two accesses to one object, or a
    // commutative access on another rank than the owner's; std::logic_error: the caller is a task or another thread
    // than the one that has made the procedure, or the procedure has ended. Then no task was spawned. What copying an
    // argument throws is left to sync().
    template <class F, class First, class... Rest>
    void spawn(F&& f, First&& first, Rest&&... rest) {
        spawn_task(-1, std::forward<F>(f), std::forward<First>(first), std::forward<Rest>(rest)...);
    }
    // The same on a rank that is given. Throws std::invalid_argument, too, if there is no such rank.
    template <class F, class... Arguments>
    void spawn_on(int rank, F&& f, Arguments&&... arguments) {
        spawn_task(rank < 0 ? ranks() : rank, std::forward<F>(f), std::forward<Arguments>(arguments)...);
    }

    // Collective: returns when all tasks have ended, on all ranks. Throws the exception of a task of this rank, or
    // remote_failure, if tasks of other ranks alone have thrown.
    void sync() { engine_->sync(); }

private:
    template <class>
    friend class object;

    template <class F, class... Arguments>
    void spawn_task(int on, F&& f, Arguments&&... arguments) {
        if constexpr (calling::can_spawn<F, Arguments...>()) {
            std::array<dataflow_request, calling::access_count<std::decay_t<Arguments>...>> asked;
            [[maybe_unused]] std::size_t next = 0;
            const auto ask = [&]<class Argument>(std::type_identity<Argument>, const Argument& given) {
                if constexpr (calling::argument<Argument>::is_access)
                    asked[next++] = calling::argument<Argument>::ask(given);
            };
            (ask(std::type_identity<std::decay_t<Arguments>>(), arguments), ...);
            engine_->spawn(asked, on, [&]() -> std::unique_ptr<dataflow_call> {
                return std::make_unique<calling::spawned_function<std::decay_t<F>, std::decay_t<Arguments>...>>(
                    std::forward<F>(f), std::forward<Arguments>(arguments)...);
            });
        }
    }

    std::shared_ptr<dataflow_engine> engine_;
};

template <class T>
template <class... Arguments>
    requires std::constructible_from<T, Arguments...>
object<T>::object(procedure& within, int owner, Arguments&&... arguments)
    : object_base(within.engine_, owner, 1, calling::form_of<T>(), [&](void* memory) -> void* {
          if constexpr (calling::copies_memory<T>)
              return ::new (memory) T(std::forward<Arguments>(arguments)...);
          else
              return new T(std::forward<Arguments>(arguments)...);
      }) {}

template <class T>
object<T[]>::object(procedure& within, int owner, std::size_t count)
    : object_base(within.engine_, owner, count,
                  {count > (std::size_t{1} << 32) / sizeof(T) ? std::size_t{1} << 32 : count * sizeof(T), nullptr},
                  [count](void* memory) -> void* {
                      std::uninitialized_value_construct_n(static_cast<T*>(memory), count);
                      return memory;
                  }) {}

}  // namespace teff::mpi
