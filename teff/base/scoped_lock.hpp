// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds a mutex or a spin lock for a scope.
#pragma once

namespace teff {

template <class Lock>
class scoped_lock {
public:
    explicit scoped_lock(Lock& held) noexcept : held_(held) { held_.lock(); }
    ~scoped_lock() { held_.unlock(); }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

private:
    Lock& held_;
};

}  // namespace teff
