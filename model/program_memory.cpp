// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces operator new and operator delete. What the checked program allocates in an execution comes from the
// execution's heap, where wrong accesses, races and leaks are found. All else, the checker's own memory included, comes
// from malloc().
#include <model/execution.hpp>

#include <cstdlib>
#include <new>

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
    model::execution* const current = model::execution::current();
    void* made = nullptr;
    if (current != nullptr && model::checked_program_runs) {
        const model::checker_scope scope;
        made = current->allocate(size, alignment);
    } else {
        // The size has to be a multiple of the alignment.
        made = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    }
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

void deallocate(void* memory) noexcept {
    model::execution* const current = model::execution::current();
    if (current == nullptr || !model::checked_program_runs || !current->is_in_heap(memory)) {
        std::free(memory);
        return;
    }
    const model::checker_scope scope;
    current->deallocate(memory);
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { deallocate(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { deallocate(memory); }
