// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that Clang has made of a parallel region or of a teams construct, with its arguments: two addresses of
// thread numbers, and then any number of words, which are only known as an array.
#pragma once

#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/regions/region.hpp>

#include <cstdarg>
#include <cstddef>
#include <cstdint>

namespace teff::openmp::kmpc {

using outlined_function = void (*)(std::int32_t* global_number, std::int32_t* number, ...);

// Calls the function on the calling thread. arguments: `count` words. frame: gets the frame that calls the function.
void call_outlined(outlined_function function, std::int32_t* global_number, std::int32_t* number, std::int64_t count,
                   void* const* arguments, events::frame_slot frame) noexcept;

struct outlined_region {
    outlined_function function;
    std::int64_t count;
    void* const* arguments;

    static void run(place& caller, void* self) {
        const auto& region = *static_cast<const outlined_region*>(self);
        std::int32_t global_number = caller.global_number;
        auto number = static_cast<std::int32_t>(caller.number);
        const events::program_call called(caller.implicit, TEFF_OWN_FRAME);
        call_outlined(region.function, &global_number, &number, region.count, region.arguments,
                      events::exit_frame_of(caller.implicit));
    }
};

// Copies the variable arguments of a call into an array on the stack.
#define TEFF_COPY_ARGUMENTS(copied, count, last)                                                                       \
    void** const copied =                                                                                              \
        static_cast<void**>(__builtin_alloca((static_cast<std::size_t>(count) + 1) * sizeof(void*)));                  \
    std::va_list copied##_list;                                                                                        \
    va_start(copied##_list, last);                                                                                     \
    for (std::int32_t each = 0; each < (count); ++each)                                                                \
        copied[each] = va_arg(copied##_list, void*);                                                                   \
    va_end(copied##_list)

}  // namespace teff::openmp::kmpc
