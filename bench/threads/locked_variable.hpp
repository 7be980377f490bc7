// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A full/empty variable, and an event, for the faces of runtimes that have neither: by their mutex and their condition
// variable, as a program would make them.
#pragma once

#include <mutex>

namespace bench::threads {

template <class T, class Mutex, class Condition> class locked_variable {
public:
    // Waits until the variable is empty, and leaves it full.
    void write(T value) {
        std::unique_lock locked(mutex_);
        is_empty_.wait(locked, [this] { return !is_full_flag_; });
        value_ = value;
        is_full_flag_ = true;
        locked.unlock();
        is_full_.notify_one();
    }
    // Waits until it is full, and leaves it empty.
    T read() {
        std::unique_lock locked(mutex_);
        is_full_.wait(locked, [this] { return is_full_flag_; });
        const T value = value_;
        is_full_flag_ = false;
        locked.unlock();
        is_empty_.notify_one();
        return value;
    }

private:
    Mutex mutex_;
    Condition is_full_;
    Condition is_empty_;
    bool is_full_flag_ = false;
    T value_{};
};

template <class Mutex, class Condition> class locked_event {
public:
    void wait() {
        std::unique_lock locked(mutex_);
        is_set_.wait(locked, [this] { return is_set_flag_; });
    }
    void set() {
        {
            const std::lock_guard locked(mutex_);
            is_set_flag_ = true;
        }
        is_set_.notify_all();
    }

private:
    Mutex mutex_;
    Condition is_set_;
    bool is_set_flag_ = false;
};

}  // namespace bench::threads
