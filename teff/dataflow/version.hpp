// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions of objects (Vandierendonck et al., sections 2.1 and 3.2). A version is a value in memory of its own, with
// the state of the tracker and of the front end. An object contains its first version; `out` of an object that is in
// use makes another one (renaming).
//
//   object_base: newest -> version         first (inside the object)
//
// A version that is not inside an object is freed when nothing refers to it: neither the object, as its newest version,
// nor an unfinished task.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/dataflow/value.hpp>
#include <teff/depend/exclusion.hpp>
#include <teff/depend/tracked.hpp>

#include <cstdint>
#include <memory>

namespace teff::dataflow {

class object_base;
class private_copies;
class procedure;

struct version : depend::tracked_object {
    static constexpr unsigned char no_tracker = 255;

    // constant
    object_base* object = nullptr;  // nullptr: an address
    void* value = nullptr;
    bool is_allocated = false;
    // the issuer; and the thread that drops the last reference
    unsigned char tracker = no_tracker;  // the row of the tracker that owns `state`
    procedure* user = nullptr;           // the procedure whose tasks use it, unless it is idle
    std::uint64_t recorded_stretch = 0;  // the stretch of its last access (recording.hpp)
    std::shared_ptr<private_copies> copies;  // of a reduction; not combined yet
    // any thread
    atomic<unsigned> references{1};
    // The epoch (procedure.hpp) in which a task that writes it has failed; 0: none.
    atomic<std::uint64_t> failed_in{0};
    depend::exclusion lock;  // of commutative tasks

    // For ThreadSanitizer (base/sanitizers.hpp): everything a task did under this access happens before any task that
    // must wait for it. Readers do not wait for each other, nor do the parts of a reduction.
    void order_before(depend::access_kind kind) const noexcept {
        sanitizers::happens_before(is_shared(kind) ? static_cast<const void*>(&object) : &value);
    }
    void order_after(depend::access_kind kind) const noexcept {
        sanitizers::happens_after(&value);
        // A part of a reduction does not wait for the other parts, but it waits for readers.
        if (kind != depend::access_kind::in)
            sanitizers::happens_after(&object);
    }

private:
    static bool is_shared(depend::access_kind kind) noexcept {
        return kind == depend::access_kind::in || kind == depend::access_kind::concurrent;
    }
};

class object_base {
public:
    object_base(const object_base&) = delete;
    object_base& operator=(const object_base&) = delete;

protected:
    object_base(value_function value, void* memory, bool may_rename);
    ~object_base() = default;

    // The newest value, with all private copies combined; waits for tasks that use it. Throws std::logic_error if tasks
    // of another function use it, or what combining throws.
    void* newest_value();
    bool may_rename() const noexcept { return may_rename_; }
    // For the destructor of the derived class: waits for all tasks that use the object.
    void end() noexcept;

private:
    friend class procedure;

    const value_function value_;
    const bool may_rename_;
    const std::uint64_t made_in_;  // the number of the procedure
    bool was_renamed_ = false;     // then tasks may refer to older versions
    std::uint64_t recorded_number_ = 0;  // in the record of the task graph; 0: none yet
    version first_;
    version* newest_ = &first_;
};

}  // namespace teff::dataflow
