// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of Clang's runtime: a thread sets and reads the set of processors that it may run on. The program holds a
// pointer to a mask, and passes the address of that pointer. The names that begin with `kmpc_` are further names for C;
// those with an underscore at their end are Fortran's.
#include <teff/base/allocation.hpp>
#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/affinity/thread_binding.hpp>

#include <cstdint>

using namespace teff::openmp;
using teff::cpu_mask;

namespace {

constexpr int done = 0, failed = -1, not_usable = -2;

// done, or what is wrong with the number of a processor.
int check(int cpu, cpu_mask* const* mask) noexcept {
    if (mask == nullptr || *mask == nullptr || cpu < 0 || cpu >= cpu_mask::capacity)
        return failed;
    this_place();
    return usable_processors().contains(cpu) ? done : not_usable;
}

}  // namespace

extern "C" {

void kmp_create_affinity_mask(cpu_mask** mask) { *mask = teff::create<cpu_mask>(); }
void kmp_destroy_affinity_mask(cpu_mask** mask) {
    teff::destroy(*mask);
    *mask = nullptr;
}

int kmp_set_affinity(cpu_mask** mask) {
    if (mask == nullptr || *mask == nullptr || !(*mask)->bind_calling_thread())
        return failed;
    forget_binding();
    return done;
}
int kmp_get_affinity(cpu_mask** mask) {
    if (mask == nullptr || *mask == nullptr)
        return failed;
    **mask = cpu_mask::of_calling_thread();
    return done;
}

// All numbers of processors are below this.
int kmp_get_affinity_max_proc() {
    this_place();
    int end = cpu_mask::capacity;
    while (end > 1 && !usable_processors().contains(end - 1))
        --end;
    return end;
}
int kmp_set_affinity_mask_proc(int cpu, cpu_mask** mask) {
    const int result = check(cpu, mask);
    if (result == done)
        (*mask)->add(cpu);
    return result;
}
int kmp_unset_affinity_mask_proc(int cpu, cpu_mask** mask) {
    const int result = check(cpu, mask);
    if (result == done)
        (*mask)->remove(cpu);
    return result;
}
// 1: the mask has the processor; 0: it does not, or the process may not use it.
int kmp_get_affinity_mask_proc(int cpu, cpu_mask** mask) {
    const int result = check(cpu, mask);
    return result == done ? (*mask)->contains(cpu) : result == not_usable ? 0 : failed;
}

// The calling thread may run on all processors that the process could use at its start.
void kmp_set_thread_affinity_mask_initial() {
    this_place();
    if (usable_processors().bind_calling_thread())
        forget_binding();
}

int kmpc_set_affinity_mask_proc(int cpu, cpu_mask** mask) { return kmp_set_affinity_mask_proc(cpu, mask); }
int kmpc_unset_affinity_mask_proc(int cpu, cpu_mask** mask) { return kmp_unset_affinity_mask_proc(cpu, mask); }
int kmpc_get_affinity_mask_proc(int cpu, cpu_mask** mask) { return kmp_get_affinity_mask_proc(cpu, mask); }

[[gnu::alias("kmp_create_affinity_mask")]] void kmp_create_affinity_mask_(cpu_mask** mask);
[[gnu::alias("kmp_destroy_affinity_mask")]] void kmp_destroy_affinity_mask_(cpu_mask** mask);
[[gnu::alias("kmp_set_affinity")]] int kmp_set_affinity_(cpu_mask** mask);
[[gnu::alias("kmp_get_affinity")]] int kmp_get_affinity_(cpu_mask** mask);
[[gnu::alias("kmp_get_affinity_max_proc")]] int kmp_get_affinity_max_proc_();
int kmp_set_affinity_mask_proc_(const std::int32_t* cpu, cpu_mask** mask) {
    return kmp_set_affinity_mask_proc(*cpu, mask);
}
int kmp_unset_affinity_mask_proc_(const std::int32_t* cpu, cpu_mask** mask) {
    return kmp_unset_affinity_mask_proc(*cpu, mask);
}
int kmp_get_affinity_mask_proc_(const std::int32_t* cpu, cpu_mask** mask) {
    return kmp_get_affinity_mask_proc(*cpu, mask);
}
}
