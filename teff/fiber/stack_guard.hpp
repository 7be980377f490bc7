// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Detects that a fiber has used more than its stack: guards below the stack, and a listener of the runtime that
// explains a segmentation fault before the program's own handler or the default action. There are three kinds of
// guards, and each stack gets the first kind that can be made:
//
//   mark       a mark in the page table, below the stack (MADV_GUARD_INSTALL, Linux 6.13): an access is a fault. It
//              takes no mapping.
//   mapping    memory without access, below the stack (mprotect): an access is a fault, too. The guard splits the
//              mapping around it and so costs two mappings more. A process can have about 65'000 mappings
//              (vm.max_map_count). Guards use up to half of them and leave the rest to the program.
//   canary     known words in the lowest bytes of the stack: a check when the fiber is left finds whether they were
//              overwritten. They cost a page of memory. The guarded memory below them belongs to no stack, so a fiber
//              that is caught has overwritten no other stack, unless it has used more than that memory, too.
//
// Any thread may call any function of guards; the memory is the caller's.
#pragma once

#include <cstddef>

namespace teff {

enum class stack_guard : unsigned char { none, mark, mapping, canary };

// The size of the guarded memory below a stack: more than a page, since a function with a large frame may step over a
// page.
inline constexpr std::size_t stack_guard_size = 16 * 1024;
// Larger than the gap between two words that most functions write in their frames.
inline constexpr std::size_t canary_size = 256;

// Makes a guard in the memory below a stack and returns its kind. If it is `canary`, the caller must call
// write_canary().
stack_guard make_stack_guard(std::byte* lowest_of_stack) noexcept;
// Call after this many guards of kind `mapping` were unmapped.
void give_back_guard_mappings(long guards) noexcept;

void write_canary(void* lowest_of_stack) noexcept;
bool canary_is_intact(const void* lowest_of_stack) noexcept;

// A fiber that has used up its stack has no room for a signal handler. So each thread that runs fibers has a signal
// stack (sigaltstack), on which the runtime's handler runs. Afterwards the handler that the program had installed is
// called; if there is none, the process ends by the same signal, with the registers of the fault in its core file. A
// handler that the program installs later replaces this one. A thread that already has a signal stack keeps it.
//
//   watch_faults          any thread, once in a process
//   make_signal_stack     any thread, for itself; freed when the thread exits

// Called in the handler with the address of each fault, so it must be async-signal-safe.
using fault_listener = void (*)(const void* address) noexcept;

void watch_faults(fault_listener listener) noexcept;
void make_signal_stack() noexcept;

}  // namespace teff
