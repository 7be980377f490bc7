// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of task functions in the record of the task graph, as numbers. They are copies, since a plugin that the
// names lie in may be gone when the record is written. At most 1000 are kept, of at most 200 bytes; the rest have
// number 0. One thread at a time uses an object.
//
// The name of a function is looked for without the object, so that a mutex that guards the object need not be held: the
// loader waits until another thread's dlopen() has ended, and that may call constructors that use the object.
#pragma once

#include <teff/dataflow/task_function.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace teff::dataflow {

class function_names {
public:
    // Throws std::bad_alloc, as the others.
    function_names() : names_{"other functions"} {}

    // A name that the user gives.
    std::uint32_t find(std::string_view name);
    // The name that the compiler gives: that of the type; of a plain function the symbol, if the program exports it, or
    // else the place in its file, which addr2line understands. Any thread.
    static std::string name_of(const task_function& function);
    // How many shared objects have left the process. After that another function may be at the same address, so a
    // name holds for the count that was read before it was looked for. Any thread.
    static unsigned long long count_unloaded() noexcept;
    // The number of a function that was added with this count; nullopt: it was not.
    std::optional<std::uint32_t> known(const task_function& function, unsigned long long unloaded) const;
    std::uint32_t add(const task_function& function, unsigned long long unloaded, std::string_view name);

    const std::vector<std::string>& all() const noexcept { return names_; }

private:
    struct text_hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };
    struct key {
        const char* type;
        const void* address;
        friend bool operator==(const key&, const key&) = default;
    };
    struct key_hash {
        std::size_t operator()(const key& of) const noexcept {
            return std::hash<const void*>()(of.type) * 31 + std::hash<const void*>()(of.address);
        }
    };

    struct added {
        std::uint32_t number;
        unsigned long long unloaded;
    };

    std::vector<std::string> names_;
    std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> numbers_;
    std::unordered_map<key, added, key_hash> functions_;
};

}  // namespace teff::dataflow
