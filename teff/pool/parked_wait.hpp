// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wait of a suspended fiber, which occupies no thread (frontends/threads/fiber_member.hpp). The thread that ends
// the wait calls wake(), once. From then on the object may be gone.
#pragma once

namespace teff {

struct parked_wait {
    void (*const wake)(parked_wait& self) noexcept;
};

}  // namespace teff
