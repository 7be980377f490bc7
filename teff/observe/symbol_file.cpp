// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the symbol tables of an ELF file; see symbol_file.hpp.
#include <teff/observe/symbol_file.hpp>

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace teff {
namespace {

// The types of the ELF format, in the width of this processor's files.
using elf_header = ElfW(Ehdr);
using section_header = ElfW(Shdr);
using symbol_entry = ElfW(Sym);

struct place_search {
    std::uintptr_t address;
    loaded_place& found;
};

int look_into(dl_phdr_info* object, std::size_t, void* argument) noexcept {
    auto& [address, found] = *static_cast<place_search*>(argument);
    for (unsigned place = 0; place < object->dlpi_phnum; ++place) {
        const auto& segment = object->dlpi_phdr[place];
        const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type != PT_LOAD || address < begin || address - begin >= segment.p_memsz)
            continue;
        found.bias = object->dlpi_addr;
        const bool is_program = object->dlpi_name == nullptr || object->dlpi_name[0] == '\0';
        const char* const name = is_program ? "/proc/self/exe" : object->dlpi_name;
        const std::size_t length = std::strlen(name);
        if (length >= sizeof found.file)
            return -1;
        std::memcpy(found.file, name, length + 1);
        return 1;
    }
    return 0;
}

}  // namespace

bool find_loaded_place(const void* address, loaded_place& found) noexcept {
    place_search looking{reinterpret_cast<std::uintptr_t>(address), found};
    return ::dl_iterate_phdr(&look_into, &looking) == 1;
}

symbol_file::symbol_file(const char* path) noexcept {
    const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts = {};
    if (descriptor < 0)
        return;
    if (::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        size_ = static_cast<std::size_t>(facts.st_size);
        void* const mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        bytes_ = mapped == MAP_FAILED ? nullptr : static_cast<const unsigned char*>(mapped);
    }
    ::close(descriptor);
    if (bytes_ != nullptr && !use_section(SHT_SYMTAB))
        use_section(SHT_DYNSYM);
}

symbol_file::~symbol_file() {
    if (bytes_ != nullptr)
        ::munmap(const_cast<unsigned char*>(bytes_), size_);
}

template <class T>
bool symbol_file::read(std::size_t offset, T& into) const noexcept {
    if (bytes_ == nullptr || offset > size_ || size_ - offset < sizeof(T))
        return false;
    std::memcpy(&into, bytes_ + offset, sizeof(T));
    return true;
}

bool symbol_file::use_section(std::uint32_t wanted) noexcept {
    elf_header header;
    if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_shentsize != sizeof(section_header))
        return false;
    for (std::size_t place = 0; place < header.e_shnum; ++place) {
        section_header symbols;
        section_header texts;
        if (!read(header.e_shoff + place * sizeof symbols, symbols) || symbols.sh_type != wanted ||
            symbols.sh_entsize != sizeof(symbol_entry) ||
            !read(header.e_shoff + symbols.sh_link * sizeof texts, texts) || texts.sh_offset > size_ ||
            texts.sh_size > size_ - texts.sh_offset)
            continue;
        table_ = {symbols.sh_offset, symbols.sh_size / sizeof(symbol_entry), texts.sh_offset, texts.sh_size};
        return true;
    }
    return false;
}

std::string_view symbol_file::at(std::uintptr_t address) const noexcept {
    std::string_view found;
    for (std::size_t place = 0; place < table_.count; ++place) {
        symbol_entry each;
        if (!read(table_.symbols + place * sizeof each, each))
            break;
        const auto type = each.st_info & 0xf;
        const bool is_named = (type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC) &&
                              each.st_shndx != SHN_UNDEF && each.st_name < table_.texts_size;
        if (!is_named || address < each.st_value || address - each.st_value >= each.st_size)
            continue;
        const char* const text = reinterpret_cast<const char*>(bytes_ + table_.texts + each.st_name);
        found = {text, ::strnlen(text, table_.texts_size - each.st_name)};
        // Several symbols may contain the address, such as a function and its cold part.
        if (address == each.st_value)
            break;
    }
    return found;
}

}  // namespace teff
