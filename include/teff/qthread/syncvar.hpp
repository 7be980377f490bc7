// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' syncvar: a syncvar_t as a class, for programs in C++11 and later. Any thread may call any function at any
// time, except the constructors, read() and write().
#pragma once

#include "qthread.h"

#include <cstdint>

// A variable of 60 bits with its own full/empty state. The upper four bits of a value are dropped.
class syncvar {
public:
    // Full, with the value 0.
    syncvar() noexcept { the_syncvar_t.u.w = 0; }
    // Full, with this value.
    syncvar(const std::uint64_t& value) noexcept { the_syncvar_t.u.w = value << 4; }
    // Copies the other one's value and the state that its initialiser gave it; a later state is not copied, so the other
    // one must be full, or unused.
    syncvar(const syncvar& other) noexcept { the_syncvar_t.u.w = other.the_syncvar_t.u.w; }
    // The same for a syncvar_t.
    syncvar(const syncvar_t& other) noexcept { the_syncvar_t.u.w = other.u.w; }

    // As qthread_syncvar_empty().
    int empty() { return qthread_syncvar_empty(&the_syncvar_t); }
    // As qthread_syncvar_fill().
    int fill() { return qthread_syncvar_fill(&the_syncvar_t); }
    // Waits until it is full; leaves it full. Returns the value; 0 without memory.
    std::uint64_t readFF() {
        std::uint64_t value = 0;
        readFF(&value);
        return value;
    }
    // As qthread_syncvar_readFF().
    int readFF(std::uint64_t* to) { return qthread_syncvar_readFF(to, &the_syncvar_t); }
    // Waits until it is full; leaves it empty. Returns the value; 0 without memory.
    std::uint64_t readFE() {
        std::uint64_t value = 0;
        readFE(&value);
        return value;
    }
    // As qthread_syncvar_readFE().
    int readFE(std::uint64_t* to) { return qthread_syncvar_readFE(to, &the_syncvar_t); }
    // As qthread_syncvar_writeF_const().
    int writeF(std::uint64_t value) { return qthread_syncvar_writeF_const(&the_syncvar_t, value); }
    // As qthread_syncvar_writeEF_const().
    int writeEF(std::uint64_t value) { return qthread_syncvar_writeEF_const(&the_syncvar_t, value); }
    // As qthread_syncvar_incrF().
    std::uint64_t incr(std::int64_t increment = 1) {
        return qthread_syncvar_incrF(&the_syncvar_t, static_cast<std::uint64_t>(increment));
    }
    // 1: full; 0: empty. A hint if other threads use the variable.
    int status() { return qthread_syncvar_status(&the_syncvar_t); }
    // The value, whatever the state is. Not while another thread writes.
    std::uint64_t read() const { return the_syncvar_t.u.w >> 4; }
    // Stores a value, whatever the state is. Not while another thread uses the variable.
    void write(std::uint64_t value) { the_syncvar_t.u.w = value << 4 | (the_syncvar_t.u.w & 15); }

protected:
    syncvar_t the_syncvar_t;  // the variable
};
