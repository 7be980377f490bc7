// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each variable has a number, and each thread a table of its copies by these numbers.
#include <teff/frontends/openmp/core/data/threadprivate.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/thread.hpp>

#include <cstring>

namespace teff::openmp {

struct threadprivate_variable {
    void* original = nullptr;
    std::size_t size = 0;  // 0: no thread has asked for a copy yet
    void* first_value = nullptr;
    threadprivate_functions functions;
    unsigned number = 0;
    threadprivate_variable* next = nullptr;
};

namespace {

constexpr std::size_t copy_alignment = 64;

[[noreturn]] void end_without_memory_for_copy() noexcept {
    fatal("OpenMP", "there is no memory for a threadprivate variable", "give the process more memory");
}
void* allocate_copy(std::size_t size) noexcept {
    void* const made = allocate(size, copy_alignment);
    if (made == nullptr)
        end_without_memory_for_copy();
    return made;
}

// All variables, the newest first.
constinit mutex guard;
constinit threadprivate_variable* newest = nullptr;

// The caller holds the mutex.
threadprivate_variable& find_or_add(void* original) noexcept {
    for (threadprivate_variable* each = newest; each != nullptr; each = each->next)
        if (each->original == original)
            return *each;
    auto* const added = create<threadprivate_variable>();
    if (added == nullptr)
        end_without_memory_for_copy();
    added->original = original;
    added->number = newest == nullptr ? 0 : newest->number + 1;
    added->next = newest;
    newest = added;
    return *added;
}

void begin_copy(const threadprivate_variable& variable, void* made) noexcept {
    const threadprivate_functions& by = variable.functions;
    if (by.construct_all != nullptr)
        by.construct_all(made, by.count);
    else if (by.construct != nullptr)
        by.construct(made);
    else if (by.copy_all != nullptr)
        by.copy_all(made, variable.original, by.count);
    else if (by.copy != nullptr)
        by.copy(made, variable.original);
    else
        std::memcpy(made, variable.first_value, variable.size);
}
void end_copy(const threadprivate_variable& variable, void* ended) noexcept {
    const threadprivate_functions& by = variable.functions;
    if (by.end_all != nullptr)
        by.end_all(ended, by.count);
    else if (by.end != nullptr)
        by.end(ended);
    deallocate(ended, variable.size, copy_alignment);
}

// The copies of one thread, in an object without a destructor (base/thread.hpp).
class copies {
public:
    void end() noexcept {
        for (unsigned each = 0; each != size_; ++each)
            if (table_[each].copy != nullptr)
                end_copy(*table_[each].variable, table_[each].copy);
        deallocate(table_, size_ * sizeof(entry), alignof(entry));
        table_ = nullptr;
        size_ = 0;
    }

    void* of(threadprivate_variable& variable) noexcept {
        if (variable.number >= size_)
            grow(variable.number + 1);
        entry& mine = table_[variable.number];
        if (mine.copy == nullptr) {
            mine = {&variable, allocate_copy(variable.size)};
            begin_copy(variable, mine.copy);
        }
        return mine.copy;
    }

private:
    struct entry {
        threadprivate_variable* variable;
        void* copy;  // nullptr: not asked for yet
    };

    void grow(unsigned needed) noexcept;

    entry* table_ = nullptr;
    unsigned size_ = 0;
};
constinit thread_local copies own_copies;
void end_own_copies() noexcept { own_copies.end(); }

void copies::grow(unsigned needed) noexcept {
    if (!call_at_thread_end<end_own_copies>())
        end_without_memory_for_copy();
    const unsigned larger = needed < 2 * size_ ? 2 * size_ : needed;
    auto* const made = static_cast<entry*>(allocate(larger * sizeof(entry), alignof(entry)));
    if (made == nullptr)
        end_without_memory_for_copy();
    std::memset(made, 0, larger * sizeof(entry));
    if (size_ != 0)
        std::memcpy(made, table_, size_ * sizeof(entry));
    deallocate(table_, size_ * sizeof(entry), alignof(entry));
    table_ = made;
    size_ = larger;
}

}  // namespace

void register_threadprivate(void* variable, const threadprivate_functions& functions) noexcept {
    const scoped_lock locked(guard);
    find_or_add(variable).functions = functions;
}

threadprivate_variable& find_variable(void* variable, std::size_t size) noexcept {
    const scoped_lock locked(guard);
    threadprivate_variable& found = find_or_add(variable);
    if (found.size == 0) {
        found.size = size;
        found.first_value = allocate_copy(size);
        std::memcpy(found.first_value, variable, size);
    }
    return found;
}

void* copy_of(threadprivate_variable& variable, bool is_main_thread) noexcept {
    return is_main_thread ? variable.original : own_copies.of(variable);
}

}  // namespace teff::openmp
