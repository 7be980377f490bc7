// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The member slots of a scheduler: an array of records that is allocated at once and may be over-aligned.
//
// Not a std::vector: the records hold atomics and cannot move, and a failed allocation must throw std::bad_alloc and
// leave nothing behind. Slots are used from 0 upwards. used() is one more than the highest slot that was ever used,
// so that thieves skip the others.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>

#include <new>

namespace teff {

template <class Record>
class slots {
public:
    // 1..4096 records, default-constructed; throws std::bad_alloc.
    explicit slots(unsigned count) : count_(count) {
        records_ = static_cast<Record*>(allocate(count * sizeof(Record), alignof(Record)));
        if (records_ == nullptr)
            throw std::bad_alloc();
        begin_lives(records_, count);
    }
    slots(const slots&) = delete;
    slots& operator=(const slots&) = delete;
    ~slots() {
        end_lives(records_, records_ + count_);
        deallocate(records_, count_ * sizeof(Record), alignof(Record));
    }

    unsigned size() const noexcept { return count_; }
    Record& operator[](unsigned slot) noexcept { return records_[slot]; }
    const Record& operator[](unsigned slot) const noexcept { return records_[slot]; }

    // Any thread.
    unsigned used() const noexcept {
        // acquire: sees the enter() of the highest slot; partner: the release in use(). Lower slots may still be
        // entering, so the fields of a record that thieves read must be atomic or constant since construction.
        return used_.load(std::memory_order_acquire);
    }
    void use(unsigned slot) noexcept {
        unsigned seen = used();
        // release: publishes the entered slot; partner: the acquire in used(). relaxed on failure: only the number
        // matters.
        while (seen <= slot &&
               !used_.compare_exchange_weak(seen, slot + 1, std::memory_order_release, std::memory_order_relaxed)) {
        }
    }

private:
    Record* records_ = nullptr;
    unsigned count_;
    alignas(false_sharing_range) atomic<unsigned> used_{0};
};

}  // namespace teff
