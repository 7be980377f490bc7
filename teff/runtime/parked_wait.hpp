// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A wait in which no thread is: that of a fiber that was left (frontends/threads/task_wait.hpp). The thread that ends
// the wait calls wake(), once. From then on the object may be gone.
#pragma once

namespace teff {

struct parked_wait {
    void (*const wake)(parked_wait& self) noexcept;
};

}  // namespace teff
