// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures with one known mistake each, which the checker has to find, and beside them the same without the mistake,
// which has to pass.
//
// A template parameter makes the difference; the comment above it says what goes wrong. The mistakes are of the kinds
// that this library could make: a missing fence, an order that is too weak, memory that is used again or freed too
// early, an index or a buffer that is out of date, a wake-up that nobody hears, an end that is announced too early.
// Most fail with sequentially consistent memory, too, and are looked for there; the rest need weak memory.
#pragma once

#include "scenarios.hpp"

#include <span>

namespace scenarios {

enum class with : bool { mistake, care };

// In the place of the message of a structure without a mistake.
inline constexpr const char* passes = nullptr;

// Those of seeded_queues.cpp; seeded_bugs() has all.
std::span<const seeded_bug> seeded_queues();

}  // namespace scenarios
