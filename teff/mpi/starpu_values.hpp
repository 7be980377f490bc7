// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How StarPU keeps and sends the values of a procedure's objects; see dataflow_engine.hpp.
//
// A value that is kept as bytes is a variable of StarPU, with a head in front. One that travels as transfer<T> says is
// a parcel, of an interface of ours: StarPU learns its length only when it is sent, and then asks for its bytes. Each
// has the mark that says whether a task that was to write the value has failed.
//
// Exceptions do not pass through StarPU: they are kept for the next sync(), and the value counts as failed.
#pragma once

#include <teff/mpi/dataflow_engine.hpp>

#include <starpu.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace teff::mpi {

// In front of a value that is kept as bytes.
struct value_head {
    bool has_failed;
};
static_assert(sizeof(value_head) <= value_alignment);

inline value_head& head_of(void* block) { return *static_cast<value_head*>(block); }
inline void* value_in(void* block) { return static_cast<std::byte*>(block) + value_alignment; }

struct free_block {
    void operator()(void* block) const noexcept { ::operator delete(block, std::align_val_t(value_alignment)); }
};
using block_pointer = std::unique_ptr<void, free_block>;

// A value that travels as transfer<T> says.
struct parcel {
    parcel_function act;
    bool has_failed = false;
    void* value = nullptr;
    // What StarPU's thread for MPI is sending, from the moment when it asks for the length until it asks for the bytes.
    struct message {
        bool has_failed;
        std::vector<std::byte> bytes;
    };
    std::optional<message> packed = {};

    explicit parcel(parcel_function how) : act(how) {}
    ~parcel() { reset(nullptr); }
    parcel(const parcel&) = delete;
    parcel& operator=(const parcel&) = delete;

    void reset(void* other) noexcept {
        if (value != nullptr)
            act(parcel_action::destroy, value, nullptr);
        value = other;
    }
    // Tasks that only read may call it at once. A value is missing where only the mark of a failure has arrived.
    void* made() {
        const std::lock_guard guard(making_);
        if (value == nullptr)
            value = act(parcel_action::make, nullptr, nullptr);
        return value;
    }

private:
    std::mutex making_;
};

// The first exception of this rank's tasks since the last sync(). StarPU calls functions on several threads, and only
// one engine exists at a time.
class first_failure {
public:
    void keep(std::exception_ptr error) noexcept {
        const std::lock_guard guard(mutex_);
        if (!error_)
            error_ = std::move(error);
    }
    std::exception_ptr take() noexcept {
        const std::lock_guard guard(mutex_);
        return std::exchange(error_, nullptr);
    }

private:
    std::mutex mutex_;
    std::exception_ptr error_;
};

first_failure& failure() noexcept;

// StarPU's description of a parcel: an interface of ours, since its length is known only when it is sent.
struct parcel_interface {
    starpu_data_interface_id id;
    parcel* held;
    parcel_function act;
};

inline parcel_interface& interface_of(void* data) { return *static_cast<parcel_interface*>(data); }
starpu_data_interface_ops& parcel_operations();

}  // namespace teff::mpi
