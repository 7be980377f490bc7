// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The items of queues in the common form of a reduction (common_form.hpp): tasks of any type, as items of few types.
//
//   plain_item<N>   the bytes of a small task that can be copied like memory; N is 8, 16, 32 or 64
//   owned_item      any other task: inside of it if there is room, otherwise in memory from the pools of the member
//                   that made the task; and the function that moves and destroys it
//
// Queues move items as they move values, so each scheduler works as it does in a call that is compiled for it. An item
// is moved by noexcept functions only: a task whose move may throw is moved once, into memory of its own, by the call
// of enq.
// Rejected: queues of addresses of tasks. X-OpenMP's schedulers would then have one more cache miss per task, since
// nearly every task changes threads.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace teff::reducing {

enum class item_kind : unsigned char { bytes_8, bytes_16, bytes_32, bytes_64, owned };

// Both are hidden: the library's code for them is not a part of its interface, so the loader need not look it up.
template <std::size_t Size>
struct [[gnu::visibility("hidden")]] plain_item {
    alignas(Size < 16 ? Size : 16) std::byte bytes[Size];

    void* task() noexcept { return bytes; }
};

// One thread at a time uses an item.
class [[gnu::visibility("hidden")]] owned_item {
public:
    static constexpr std::size_t room = 56;
    // Moves the task in `from` to `to`, which is raw memory, and destroys it in `from`. If `to` is null, only destroys
    // it.
    using keeper = void (*)(void* from, void* to) noexcept;

    // Empty, until something has been put into task() and `keep` was called.
    owned_item() noexcept = default;
    owned_item(owned_item&& other) noexcept : keeper_(std::exchange(other.keeper_, nullptr)) {
        if (keeper_ != nullptr)
            keeper_(other.bytes_, bytes_);
    }
    owned_item& operator=(owned_item&&) = delete;
    ~owned_item() {
        if (keeper_ != nullptr)
            keeper_(bytes_, nullptr);
    }

    void* task() noexcept { return bytes_; }
    void keep(keeper function) noexcept { keeper_ = function; }

private:
    keeper keeper_ = nullptr;
    std::byte bytes_[room];
};
static_assert(sizeof(owned_item) == 64);

// The memory for a task that does not fit into its item comes from common_member::memory(). Any thread may return it.
void return_task_memory(void* task, std::size_t size, std::size_t alignment) noexcept;

// How a task of this type becomes an item.
template <class Task>
struct item_of {
    static constexpr bool is_plain = std::is_trivially_copyable_v<Task> && sizeof(Task) <= 64 && alignof(Task) <= 16;
    static constexpr bool has_room = sizeof(Task) <= owned_item::room && alignof(Task) <= alignof(owned_item) &&
                                     std::is_nothrow_move_constructible_v<Task>;
    static constexpr std::size_t plain_size = sizeof(Task) <= 8    ? 8
                                              : sizeof(Task) <= 16 ? 16
                                              : sizeof(Task) <= 32 ? 32
                                                                   : 64;
    static constexpr item_kind kind = !is_plain          ? item_kind::owned
                                      : plain_size == 8  ? item_kind::bytes_8
                                      : plain_size == 16 ? item_kind::bytes_16
                                      : plain_size == 32 ? item_kind::bytes_32
                                                         : item_kind::bytes_64;
    using type = std::conditional_t<is_plain, plain_item<plain_size>, owned_item>;

    // The task in an item's task().
    static Task& task_in(void* item) noexcept {
        if constexpr (is_plain || has_room)
            return *std::launder(static_cast<Task*>(item));
        else
            return **std::launder(static_cast<Task**>(item));
    }

    // Calls take(item) with the task as an item. Does nothing if `by` has no memory for it (common_member::memory()).
    // Throws what moving or copying the task throws, and what `take` throws.
    template <class Member, class Given, class Take>
    static void pass(Member& by, Given&& task, Take&& take) {
        type item;
        if constexpr (is_plain) {
            ::new (item.task()) Task(std::forward<Given>(task));
        } else if constexpr (has_room) {
            ::new (item.task()) Task(std::forward<Given>(task));
            item.keep(keep_inside);
        } else {
            void* const memory = by.memory(sizeof(Task), alignof(Task));
            if (memory == nullptr)
                return;
            try {
                ::new (item.task()) Task*(::new (memory) Task(std::forward<Given>(task)));
            } catch (...) {
                return_task_memory(memory, sizeof(Task), alignof(Task));
                throw;
            }
            item.keep(keep_outside);
        }
        take(item);
    }

private:
    static void keep_inside(void* from, void* to) noexcept {
        Task& task = task_in(from);
        if (to != nullptr)
            ::new (to) Task(std::move(task));
        task.~Task();
    }
    static void keep_outside(void* from, void* to) noexcept {
        Task* const task = &task_in(from);
        if (to != nullptr) {
            ::new (to) Task*(task);
            return;
        }
        task->~Task();
        return_task_memory(task, sizeof(Task), alignof(Task));
    }
};

}  // namespace teff::reducing
