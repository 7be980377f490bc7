// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of the policies, and the binding by sched_setaffinity.
#include <teff/frontends/openmp/core/affinity/binding.hpp>

#include <teff/frontends/openmp/core/affinity/cpu_places.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>

#include <algorithm>

namespace teff::openmp {
namespace {

// The number of places from the opener's to the member's, in a partition of `places` places.
int steps_to(int number, int size, int places) noexcept {
    const int per_place = std::max(size / places, 1);
    const int dealt = per_place * places;
    return number < dealt ? number / per_place : (number - dealt) % places;
}

// Part `index` of `parts` parts of a partition that has at least as many places. The first parts are the larger ones.
place_range part_of(const place_range& whole, int index, int parts) noexcept {
    const int size = whole.count / parts, larger = whole.count % parts;
    return {whole.first + index * size + std::min(index, larger), size + (index < larger ? 1 : 0)};
}
int part_with(const place_range& whole, int place, int parts) noexcept {
    int index = 0;
    while (index + 1 < parts && part_of(whole, index + 1, parts).first <= place)
        ++index;
    return index;
}

}  // namespace

cpu_position position_of(binding policy, unsigned number, unsigned size, const cpu_position& opener) noexcept {
    const place_range& whole = opener.partition;
    if (opener.place < 0 || policy == binding::none)
        return {-1, whole};
    const int member = static_cast<int>(number), members = static_cast<int>(size);
    if (policy == binding::primary)
        return opener;
    if (policy == binding::spread && members <= whole.count) {
        const int first = part_with(whole, opener.place, members);
        const place_range part = part_of(whole, (first + member) % members, members);
        return {member == 0 ? opener.place : part.first, part};
    }
    const int start = opener.place - whole.first;
    const int place = whole.first + (start + steps_to(member, members, whole.count)) % whole.count;
    return {place, policy == binding::spread ? place_range{place, 1} : whole};
}

cpu_position position_of_team(binding policy, unsigned number, unsigned teams, unsigned thread_limit,
                              const cpu_position& opener) noexcept {
    if (policy == binding::none)
        return opener;
    const cpu_position own = position_of(policy, number, teams, opener);
    const bool has_room =
        own.partition == opener.partition || thread_limit <= static_cast<unsigned>(own.partition.count);
    return has_room ? own : opener;
}

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
