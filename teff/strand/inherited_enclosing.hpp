// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of tasks that may end after the code that makes them: it keeps what encloses this code (enclosing.hpp). From
// the constructor to the destructor the task is a part of the block. Any thread may destroy it.
#pragma once

#include <teff/strand/running_strand.hpp>

#include <utility>

namespace teff {

class inherited_enclosing {
public:
    inherited_enclosing() noexcept : of_(running_strand().around) {
        // The task that makes this one may end before it.
        of_.task = nullptr;
        if (of_.block != nullptr) [[unlikely]]
            of_.block->begin_part(*of_.block);
    }
    inherited_enclosing(inherited_enclosing&& other) noexcept : of_(std::exchange(other.of_, {})) {}
    inherited_enclosing& operator=(inherited_enclosing&&) = delete;
    ~inherited_enclosing() {
        if (of_.block != nullptr) [[unlikely]]
            of_.block->end_part(*of_.block);
    }

    const enclosing& operator*() const noexcept { return of_; }

private:
    enclosing of_;
};

}  // namespace teff
