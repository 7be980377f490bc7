// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the names of functions; see frame_names.hpp. Reads files by the ELF format (System V ABI, chapter 4).
#include <teff/observe/frame_names.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A function of the C++ library; null in a process without one.
extern "C" [[gnu::weak]] char* __cxa_demangle(const char* mangled, char* buffer, std::size_t* length, int* status);

namespace teff {
namespace {

using header = ElfW(Ehdr);
using section = ElfW(Shdr);
using symbol = ElfW(Sym);

// A file in memory, for reading.
class mapped_file {
public:
    explicit mapped_file(const char* path) noexcept {
        const int file = ::open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        struct stat about{};
        if (::fstat(file, &about) == 0 && about.st_size > 0) {
            void* const at = ::mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
            if (at != MAP_FAILED) {
                bytes_ = static_cast<const char*>(at);
                size_ = static_cast<std::size_t>(about.st_size);
            }
        }
        ::close(file);
    }
    ~mapped_file() {
        if (bytes_ != nullptr)
            ::munmap(const_cast<char*>(bytes_), size_);
    }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;

    // The `count` objects at this offset, or nullptr if the file does not contain them.
    template <class T>
    const T* at(std::uint64_t offset, std::uint64_t count = 1) const noexcept {
        if (offset > size_ || count > (size_ - offset) / sizeof(T) || offset % alignof(T) != 0)
            return nullptr;
        return reinterpret_cast<const T*>(bytes_ + offset);
    }
    // The text at this offset, or nullptr if none ends inside the file.
    const char* text(std::uint64_t offset) const noexcept {
        return offset < size_ && std::memchr(bytes_ + offset, 0, size_ - offset) != nullptr ? bytes_ + offset : nullptr;
    }

private:
    const char* bytes_ = nullptr;
    std::size_t size_ = 0;
};

bool is_function_at(const symbol& found, std::uint64_t address) noexcept {
    return (found.st_info & 0xf) == STT_FUNC && found.st_value <= address && address - found.st_value < found.st_size;
}

// Calls use(name) with the symbol of the function at this address of the file, if the file's symbol table has one.
template <class Use>
void find_in_file(const char* path, std::uint64_t address, Use&& use) noexcept {
    const mapped_file file(path);
    const header* const head = file.at<header>(0);
    if (head == nullptr || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof(section))
        return;
    const section* const sections = file.at<section>(head->e_shoff, head->e_shnum);
    if (sections == nullptr)
        return;
    for (unsigned each = 0; each < head->e_shnum; ++each) {
        const section& table = sections[each];
        if (table.sh_type != SHT_SYMTAB || table.sh_link >= head->e_shnum)
            continue;
        const std::uint64_t count = table.sh_size / sizeof(symbol);
        const symbol* const symbols = file.at<symbol>(table.sh_offset, count);
        for (std::uint64_t at = 0; symbols != nullptr && at < count; ++at)
            if (is_function_at(symbols[at], address)) {
                if (const char* const name = file.text(sections[table.sh_link].sh_offset + symbols[at].st_name))
                    use(name);
                return;
            }
    }
}

std::string_view file_name(std::string_view path) noexcept {
    path.remove_prefix(path.rfind('/') + 1);
    return path;
}

// Writes a symbol as a user would write the function's name, without its parameters.
void write_readable(frame_name& to, const char* symbol_name) noexcept {
    int status = -1;
    char* const made =
        __cxa_demangle != nullptr ? __cxa_demangle(symbol_name, nullptr, nullptr, &status) : nullptr;
    std::snprintf(to.text.data(), to.text.size(), "%s", status == 0 && made != nullptr ? made : symbol_name);
    std::free(made);
}

bool is_library_of_runtime(std::string_view file) noexcept {
    for (const std::string_view name : {"libteff.", "libteff-core.", "libomp.", "libqthread.", "libc.", "ld-linux"})
        if (file.starts_with(name))
            return true;
    return false;
}

// Recognizes the runtime's functions in a statically linked program.
bool is_function_of_runtime(std::string_view name) noexcept {
    if (name == "_start" || name == "start_thread" || name == "teff_begin_stack" || name.starts_with("clone") ||
        name.starts_with("__libc_start"))
        return true;
    const bool is_template = name.find('<') != std::string_view::npos;
    if (name.starts_with("teff::") && !is_template)
        return true;
    // Other templates of the library may have the user's function inlined.
    for (const std::string_view part :
         {"teff::task_member_of<", "teff::task_team_of<", "teff::fiber_context::call_function<"})
        if (name.find(part) != std::string_view::npos)
            return true;
    return false;
}

}  // namespace

frame_name name_of_frame(void* returns_to) noexcept {
    frame_name made{};
    // An address inside the call instruction. The return address may already belong to the next function.
    void* const call = static_cast<char*>(returns_to) - 1;
    Dl_info found{};
    link_map* object = nullptr;
    if (::dladdr1(call, &found, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 ||
        found.dli_fname == nullptr) {
        std::snprintf(made.text.data(), made.text.size(), "%p", returns_to);
        return made;
    }
    const std::string_view file = file_name(found.dli_fname);
    made.is_of_runtime = is_library_of_runtime(file);
    if (made.is_of_runtime)
        return made;
    const auto offset = reinterpret_cast<std::uintptr_t>(call) - (object != nullptr ? object->l_addr : 0);
    if (found.dli_sname != nullptr) {
        write_readable(made, found.dli_sname);
    } else {
        // The program's own file has no name in the loader's list.
        const bool is_program = object != nullptr && object->l_name[0] == 0;
        find_in_file(is_program ? "/proc/self/exe" : found.dli_fname, offset,
                     [&made](const char* name) { write_readable(made, name); });
    }
    if (made.text[0] == 0)
        std::snprintf(made.text.data(), made.text.size(), "%.*s+0x%zx", static_cast<int>(file.size()), file.data(),
                      static_cast<std::size_t>(offset));
    made.is_of_runtime = is_function_of_runtime(made.text.data());
    return made;
}

}  // namespace teff
