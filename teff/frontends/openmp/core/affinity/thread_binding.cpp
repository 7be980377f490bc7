// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By sched_setaffinity.
#include <teff/frontends/openmp/core/affinity/thread_binding.hpp>

#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

namespace teff::openmp {
namespace {

constinit thread_local int bound_to [[gnu::tls_model("initial-exec")]] = -1;

}  // namespace

void bind_to(int cpu_place) noexcept {
    if (cpu_place < 0 || cpu_place == bound_to)
        return;
    cpu_mask mask;
    for (const int cpu : cpu_places()[static_cast<unsigned>(cpu_place)])
        mask.add(cpu);
    if (mask.bind_calling_thread())
        bound_to = cpu_place;
}

void bind_initial_thread(place& initial) noexcept {
    const bool is_initial = initial.in->opener == nullptr;
    const bool is_wanted = initial.current->environment->bind != binding::none;
    if (initial.cpus.place >= 0 || !is_initial || !is_wanted || cpu_places().empty())
        return;
    initial.cpus = {0, {0, static_cast<int>(cpu_places().size())}};
    bind_to(0);
}

void unbind_initial_thread(place& initial) noexcept {
    if (initial.cpus.place < 0 || initial.in->opener != nullptr || !process().resets_affinity)
        return;
    if (usable_processors().bind_calling_thread()) {
        initial.cpus.place = -1;
        forget_binding();
    }
}

void forget_binding() noexcept { bound_to = -1; }

}  // namespace teff::openmp
