// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers the names of task functions in the record of the task graph. The names are copied, since the plugin that
// contains them may be unloaded before the record is written. At most 1000 names of at most 200 bytes are kept; all
// others have number 0. One thread at a time uses an object.
//
// name_of() does not use the object, so its caller need not hold the mutex that guards the object, and must not: the
// loader may wait for another thread's dlopen(), which may call constructors that use the object.
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

    // The number of a name that the user gives.
    std::uint32_t find(std::string_view name);
    // The name for a function that the user has not named: that of its type; for a plain function its symbol, if the
    // program exports it, or else its place in its file, which addr2line understands. Any thread.
    static std::string name_of(const task_function& function);
    // How many shared objects have been unloaded. Afterwards another function may be at the same address, so a name is
    // valid only for the count that was read before the search for it. Any thread.
    static unsigned long long count_unloaded() noexcept;
    // The number of a function that was added with this count; nullopt if it was not added.
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
        std::size_t operator()(const key& hashed) const noexcept {
            return std::hash<const void*>()(hashed.type) * 31 + std::hash<const void*>()(hashed.address);
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
