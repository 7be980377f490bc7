// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads ELF files and first lines of scripts; see program_file.hpp.
#include <cli/run/program_file.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace teff::cli {

namespace {

// The bytes of a file.
class mapped_file {
public:
    explicit mapped_file(const std::filesystem::path& path) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return;
        struct stat facts{};
        if (::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
            is_readable_ = true;
            const auto size = static_cast<std::size_t>(facts.st_size);
            void* const bytes = size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
            if (bytes != MAP_FAILED)
                bytes_ = {static_cast<const char*>(bytes), size};
        }
        ::close(file);
    }
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file() {
        if (!bytes_.empty())
            ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    }

    [[nodiscard]] bool is_readable() const { return is_readable_; }

    // The bytes from `offset` on, at most `size`.
    [[nodiscard]] std::string_view part(std::size_t offset, std::size_t size) const {
        return offset < bytes_.size() ? bytes_.substr(offset, size) : std::string_view{};
    }

    // A copy, since nothing in a damaged file need be aligned.
    template <class Value>
    [[nodiscard]] std::optional<Value> at(std::size_t offset) const {
        const std::string_view bytes = part(offset, sizeof(Value));
        if (bytes.size() < sizeof(Value))
            return std::nullopt;
        Value value;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }

    [[nodiscard]] std::string text_at(std::size_t offset) const {
        const std::string_view rest = part(offset, std::string_view::npos);
        return std::string(rest.substr(0, rest.find('\0')));
    }

private:
    std::string_view bytes_;
    bool is_readable_ = false;
};

// Calls with each row of a table of the file, up to its end.
template <class Row, class Function>
void for_each_row(const mapped_file& file, std::size_t offset, std::size_t size, Function function) {
    for (std::size_t done = 0; done + sizeof(Row) <= size; done += sizeof(Row)) {
        const auto row = file.at<Row>(offset + done);
        if (!row)
            return;
        function(*row);
    }
}

// One reading of a 64-bit ELF file.
class elf_reading {
public:
    elf_reading(const mapped_file& file, program_file& result) : file_(file), result_(result) {
        if (const auto header = file.at<Elf64_Ehdr>(0))
            header_ = *header;
    }

    void run() {
        read_segments();
        read_dynamic_section();
        read_symbols();
    }

private:
    // `visit` is called with each segment.
    template <class Function>
    void for_each_segment(Function visit) const {
        for_each_row<Elf64_Phdr>(file_, header_.e_phoff, header_.e_phnum * sizeof(Elf64_Phdr), visit);
    }

    void read_segments() {
        for_each_segment([&](const Elf64_Phdr& segment) {
            if (segment.p_type == PT_INTERP)
                result_.loader = file_.text_at(segment.p_offset);
            if (segment.p_type == PT_DYNAMIC)
                dynamic_ = segment;
        });
    }

    // Where the byte lies in the file that will have this address.
    [[nodiscard]] std::size_t offset_of(Elf64_Addr address) const {
        std::size_t found = std::string_view::npos;
        for_each_segment([&](const Elf64_Phdr& segment) {
            if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
                found = segment.p_offset + (address - segment.p_vaddr);
        });
        return found;
    }

    void read_dynamic_section() {
        std::size_t names = std::string_view::npos;
        std::vector<std::size_t> needed;
        std::optional<std::size_t> own_name;
        bool has_rpath = false;
        bool has_runpath = false;
        bool has_ended = false;
        for_each_row<Elf64_Dyn>(file_, dynamic_.p_offset, dynamic_.p_filesz, [&](const Elf64_Dyn& entry) {
            has_ended = has_ended || entry.d_tag == DT_NULL;
            if (has_ended)
                return;
            switch (entry.d_tag) {
            case DT_STRTAB: names = offset_of(entry.d_un.d_ptr); break;
            case DT_NEEDED: needed.push_back(entry.d_un.d_val); break;
            case DT_SONAME: own_name = entry.d_un.d_val; break;
            case DT_RPATH: has_rpath = true; break;
            case DT_RUNPATH: has_runpath = true; break;
            default: break;
            }
        });
        result_.searches_own_folders_first = has_rpath && !has_runpath;
        if (names == std::string_view::npos)
            return;
        for (const std::size_t name : needed)
            result_.needed.push_back(file_.text_at(names + name));
        if (own_name)
            result_.own_name = file_.text_at(names + *own_name);
    }

    // Looks for functions that every OpenMP runtime has. Only a program that was not stripped shows them.
    void read_symbols() {
        constexpr std::array<std::string_view, 2> functions = {"GOMP_parallel", "__kmpc_fork_call"};
        const auto section_at = [&](std::size_t number) {
            return file_.at<Elf64_Shdr>(header_.e_shoff + number * sizeof(Elf64_Shdr));
        };
        for_each_row<Elf64_Shdr>(file_, header_.e_shoff, header_.e_shnum * sizeof(Elf64_Shdr),
                                 [&](const Elf64_Shdr& section) {
            if (section.sh_type != SHT_SYMTAB)
                return;
            const auto names = section_at(section.sh_link);
            if (!names)
                return;
            for_each_row<Elf64_Sym>(file_, section.sh_offset, section.sh_size, [&](const Elf64_Sym& symbol) {
                if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)
                    return;
                for (const std::string_view function : functions)
                    // With the zero at its end, so that no longer name matches.
                    if (file_.part(names->sh_offset + symbol.st_name, function.size() + 1) ==
                        std::string_view(function.data(), function.size() + 1))
                        result_.contains_openmp = true;
            });
        });
    }

    const mapped_file& file_;
    program_file& result_;
    Elf64_Ehdr header_{};
    Elf64_Phdr dynamic_{};
};

constexpr auto this_processor =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#else
    EM_NONE;
#endif

void read_elf(const mapped_file& file, program_file& result) {
    result.kind = program_kind::elf;
    result.is_64_bit = file.part(EI_CLASS, 1) == std::string_view("\2", 1);
    // The first members, up to this one, are the same in both classes.
    const auto machine = file.at<Elf64_Half>(offsetof(Elf64_Ehdr, e_machine));
    result.is_for_this_processor = machine && *machine == this_processor;
    if (result.is_64_bit && result.is_for_this_processor)
        elf_reading(file, result).run();
}

void read_script(const mapped_file& file, program_file& result) {
    constexpr std::size_t longest_line = 256;
    constexpr std::string_view blanks = " \t";
    result.kind = program_kind::script;
    std::string_view line = file.part(2, longest_line);
    line = line.substr(0, line.find('\n'));
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    result.interpreter = line.substr(0, line.find_first_of(blanks));
}

}  // namespace

program_file read_program_file(const std::filesystem::path& path) {
    program_file result;
    result.path = path;
    const mapped_file file(path);
    if (!file.is_readable())
        result.kind = program_kind::unreadable;
    else if (file.part(0, SELFMAG) == std::string_view(ELFMAG, SELFMAG))
        read_elf(file, result);
    else if (file.part(0, 2) == "#!")
        read_script(file, result);
    return result;
}

program_file read_loaded_file(const std::filesystem::path& path) {
    constexpr int most_interpreters = 5;
    program_file file = read_program_file(path);
    for (int i = 0; i < most_interpreters && file.kind == program_kind::script; ++i)
        file = read_program_file(file.interpreter);
    return file;
}

}  // namespace teff::cli
