// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the jumps; see redirection.hpp. Each one loads its target from the eight bytes behind it.
#include <teff/frontends/openmp/core/tools/redirection.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace teff::openmp::tools {
namespace {

void write_jump(std::byte* at, entry_point to) noexcept {
#if defined(__x86_64__)
    // jmp *0(%rip)
    constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
#elif defined(__aarch64__)
    // ldr x17, #8; br x17
    constexpr unsigned char jump[] = {0x51, 0x00, 0x00, 0x58, 0x20, 0x02, 0x1f, 0xd6};
#else
#error "no jump is known for this processor"
#endif
    static_assert(sizeof jump + sizeof to <= jump_size);
    std::memcpy(at, jump, sizeof jump);
    std::memcpy(at + sizeof jump, &to, sizeof to);
    __builtin___clear_cache(reinterpret_cast<char*>(at), reinterpret_cast<char*>(at + jump_size));
}

}  // namespace

int redirect(const entry_point* from, const entry_point* to, std::size_t count) noexcept {
    if (count == 0)
        return 0;
    const auto [first, last] = std::minmax_element(from, from + count, [](entry_point a, entry_point b) {
        return reinterpret_cast<std::uintptr_t>(a) < reinterpret_cast<std::uintptr_t>(b);
    });
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(*first) / page * page;
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(*last) + jump_size;
    void* const code = reinterpret_cast<void*>(begin);
    if (::mprotect(code, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return errno;
    for (std::size_t each = 0; each < count; ++each)
        write_jump(reinterpret_cast<std::byte*>(from[each]), to[each]);
    return ::mprotect(code, end - begin, PROT_READ | PROT_EXEC) != 0 ? errno : 0;
}

}  // namespace teff::openmp::tools
