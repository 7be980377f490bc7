// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures with one known bug each, which the checker has to find. Each has a twin without the bug, which has to
// pass.
//
// A template parameter selects the bug or its absence; the comment above the structure says what goes wrong. The bugs
// are of the kinds that this library could have: a missing fence, a memory order that is too weak, memory that is
// reused or freed too early, a stale index or buffer, a lost wake-up, an end of work that is announced too early. Most
// of them fail with sequentially consistent memory, too, and are looked for there; the rest need weak memory.
#pragma once

#include "scenarios.hpp"

#include <span>

namespace scenarios {

enum class with : bool { mistake, care };

// Takes the place of the message for a structure without a bug.
inline constexpr const char* passes = nullptr;

// The structures of seeded_queues.cpp; seeded_bugs() includes them.
std::span<const seeded_bug> seeded_queues();

}  // namespace scenarios
