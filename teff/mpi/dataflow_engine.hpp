// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dataflow on many ranks: what lies between the templates of teff/mpi_dataflow.hpp and StarPU-MPI (C. Augonnet,
// O. Aumage, N. Furmento, R. Namyst, S. Thibault, "StarPU-MPI: Task Programming over Clusters of Machines Enhanced with
// Accelerators", EuroMPI 2012). Only sources include StarPU.
//
// Every rank runs the same program and so makes the same objects and spawns the same tasks in the same order. From
// these each rank finds out by itself which values it sends and receives, and which tasks it runs; no message says so.
//
// A value carries a mark beside its bytes that says whether a task that was to write it has failed. The mark travels
// with the value, so a task is skipped on any rank if it depends on a failed one, and no message is missing. sync()
// then tells every rank.
//
// Ranks that do not run the same program would wait for messages that are never sent. So each rank counts what it has
// asked for, and adds it up in a checksum; all ranks compare these numbers before each wait, and end the program with a
// message if they differ.
//
// Reductions are not StarPU's, which need a function call of their own on all ranks: a rank that runs such tasks has a
// private copy, an object of that rank. The next access of another kind first spawns a task on the owner for each copy,
// which adds it up.
//
// One thread: the one that has made the engine. The functions of tasks run on StarPU's threads.
#pragma once

#include <teff/dataflow/value.hpp>
#include <teff/depend/tracked.hpp>
#include <teff/mpi/transfer.hpp>

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace teff::mpi {

enum class parcel_action { make, destroy, serialise, restore };
// What is done with a value that travels as transfer<T> says. make: returns a new value. destroy: frees it. serialise:
// appends it to the writer `stream`. restore: returns a new value from the reader `stream`.
using parcel_function = void* (*)(parcel_action what, void* value, void* stream);

// How a value is kept and sent: as so many bytes, or, with a function, as transfer<T> says.
struct value_form {
    std::size_t bytes = 0;
    parcel_function act = nullptr;
};

// The alignment of values that are kept as bytes.
inline constexpr std::size_t value_alignment = 64;

// A value with an owner, on this rank: the value itself, or room for copies of it.
class dataflow_item;

// What a task asks of an item, and where the value lies when it runs.
struct dataflow_request {
    dataflow_item* of = nullptr;
    depend::access_kind kind = depend::access_kind::in;
    // of a reduction; the same function of all elements of the value, `count` values of `stride` bytes
    dataflow::reduction_function reduction = nullptr;
    std::size_t count = 1, stride = 0;
};

// A task's function, with its arguments.
class dataflow_call {
public:
    virtual ~dataflow_call() = default;
    // The values of the task's accesses, in their order.
    virtual void run(void* const* values) = 0;
};

class dataflow_engine {
public:
    // Collective. Starts StarPU. Throws std::logic_error, std::invalid_argument, std::runtime_error.
    dataflow_engine(MPI_Comm comm, std::optional<long> threads);
    ~dataflow_engine();
    dataflow_engine(const dataflow_engine&) = delete;
    dataflow_engine& operator=(const dataflow_engine&) = delete;

    int rank() const noexcept;
    int ranks() const noexcept;
    int threads() const noexcept;

    // Collective. On the owner, `construct` makes the value: at the given address if it is kept as bytes, else it
    // returns a new one. What it throws is left to sync(). Throws std::invalid_argument, std::length_error,
    // std::logic_error, std::bad_alloc.
    dataflow_item* add(int owner, const value_form& form, const std::function<void*(void*)>& construct);
    // The tasks that use the item may still run. It is freed at the next wait for all tasks. Any state of the engine.
    void remove(dataflow_item* item) noexcept;

    // Collective. `on`: the rank that runs the task, or -1: the owner of the first access that writes, or of the first
    // one. Only that rank calls make(). Throws as add().
    void spawn(std::span<const dataflow_request> accesses, int on,
               const std::function<std::unique_ptr<dataflow_call>()>& make);

    // Collective. Returns when all tasks on all ranks have ended. Throws the exception of a task, or remote_failure.
    void sync();
    // Collective. The newest value, on every rank.
    const void* value(dataflow_item* item);
    // Collective. The newest value on its owner, which may change it, and nullptr on other ranks.
    void* owned_value(dataflow_item* item);
    // Collective. Frees copies on ranks other than the owner.
    void drop_copies(dataflow_item* item);
    // Waits for all tasks, and stops StarPU. All other functions then throw std::logic_error.
    void end() noexcept;

private:
    struct state;
    std::unique_ptr<state> own_;
};

}  // namespace teff::mpi
