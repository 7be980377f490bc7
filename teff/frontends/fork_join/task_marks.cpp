// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for a group or an arena in the chain of enclosing tasks; see task_marks.hpp.
#include <teff/frontends/fork_join/task_marks.hpp>

#include <cstdint>

namespace teff::forking {

place_in_tasks place_in_tasks_of(const void* group) noexcept {
    const strand& own_strand = running_strand();
    const auto address = reinterpret_cast<std::uintptr_t>(group);
    const bool is_on_stack =
        own_strand.stack != nullptr && address >= own_strand.stack->low && address < own_strand.stack->high;
    bool is_inside = true;
    for (const running_task* each = own_strand.around.task; each != nullptr; each = each->around) {
        // The group was made after this task had begun, and so after those around it.
        const auto begun = reinterpret_cast<std::uintptr_t>(each);
        if (is_on_stack && begun > address && begun < own_strand.stack->high)
            break;
        if (each->group == group && is_inside)
            return place_in_tasks::inside;
        if (each->group == group && each->is_counted)
            return place_in_tasks::on_top;
        is_inside = is_inside && each->is_inside;
    }
    return place_in_tasks::outside;
}

}  // namespace teff::forking
