// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that relinquish resources (OpenMP 5.1, section 3.6). Idle threads of the runtime sleep after some
// microseconds and use no processor, so there is nothing to relinquish; what is kept is stacks and memory for tasks.
// The routines check their arguments and where they are called.
#include <teff/frontends/openmp/core/environment/devices.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

using namespace teff::openmp;

namespace {

// omp_pause_resource_t. LLVM adds 0, to resume; nothing is paused that could be resumed.
enum pause : int { soft = 1, hard = 2 };

// 0: done.
int pause_host(int kind) noexcept {
    constexpr int refused = -1;
    const bool is_outside = this_place().in->level == 0;
    return is_outside && (kind == soft || kind == hard) ? 0 : refused;
}

}  // namespace

extern "C" {

int omp_pause_resource(int kind, int device) { return device == host_device ? pause_host(kind) : -1; }
int omp_pause_resource_all(int kind) { return pause_host(kind); }
int omp_pause_resource_(const int* kind, const int* device) { return omp_pause_resource(*kind, *device); }
int omp_pause_resource_all_(const int* kind) { return pause_host(*kind); }
int __kmpc_pause_resource(int kind) { return pause_host(kind); }
}
