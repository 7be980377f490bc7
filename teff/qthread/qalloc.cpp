// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' memory in files. A file begins with a header; a map's handle is the header's address. The file holds
// offsets from its start instead of pointers, and the address at which it was first mapped and is mapped again.
//
//   static    unused items lie behind `used`; items that were given back are in a list
//   dynamic   free pieces are in a list in the order of their offsets; neighbours are merged into one piece. The first
//             piece that is large enough is taken, and its rest stays in the list. An item's size precedes it.
//
// In Qthreads a file has several parts with a lock each. Here a map has one mutex, in memory, and a lock of the file
// excludes other processes.
#include <teff/qthread/qalloc.h>

#include <teff/base/assert.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <utility>

namespace {

using offset = std::uint64_t;  // from the start of the file; 0: none
constexpr std::size_t unit = 16;
constexpr std::size_t rounded(std::size_t size) noexcept { return (size + unit - 1) / unit * unit; }
constexpr std::size_t largest_item = std::numeric_limits<std::size_t>::max() / 2;

struct alignas(unit) header {
    char mark[16];
    std::uint64_t size;       // of the file
    std::uint64_t address;    // of this header in memory
    std::uint64_t item_size;  // 0: the map is dynamic
    offset used;              // static: the end of the items that were ever used
    offset first_free;
};
constexpr char file_mark[16] = "teff qalloc 1";

// A free item of a static map, or a piece of a dynamic one.
struct free_item {
    offset next;
};
struct alignas(unit) piece {
    std::uint64_t size;  // with this header
    offset next;         // while it is free
};

class map_memory {
public:
    explicit map_memory(header* at) noexcept : head_(*at) {}

    static std::size_t begin() noexcept { return rounded(sizeof(header)); }
    bool is_static() const noexcept { return head_.item_size != 0; }

    void* take_static() noexcept {
        if (head_.first_free != 0) {
            auto* const taken = at<free_item>(head_.first_free);
            head_.first_free = taken->next;
            return taken;
        }
        if (head_.size - head_.used < head_.item_size)
            return nullptr;
        return at<void>(std::exchange(head_.used, head_.used + head_.item_size));
    }
    void give_back_static(void* item) noexcept {
        const offset where = offset_of(item);
        new (item) free_item{std::exchange(head_.first_free, where)};
    }

    void* take_dynamic(std::size_t size) noexcept {
        if (size > largest_item)
            return nullptr;
        const std::size_t wanted = sizeof(piece) + rounded(size != 0 ? size : 1);
        offset* link = &head_.first_free;
        for (; *link != 0; link = &at<piece>(*link)->next)
            if (at<piece>(*link)->size >= wanted)
                break;
        if (*link == 0)
            return nullptr;
        const offset where = *link;
        piece* const found = at<piece>(where);
        if (found->size - wanted >= sizeof(piece) + unit) {
            new (at<void>(where + wanted)) piece{found->size - wanted, found->next};
            found->size = wanted;
            *link = where + wanted;
        } else {
            *link = found->next;
        }
        return found + 1;
    }
    void give_back_dynamic(void* item) noexcept {
        piece* const given = static_cast<piece*>(item) - 1;
        const offset where = offset_of(given);
        piece* before = nullptr;
        offset* link = &head_.first_free;
        while (*link != 0 && *link < where) {
            before = at<piece>(*link);
            link = &before->next;
        }
        given->next = *link;
        *link = where;
        join_with_next(*given);
        if (before != nullptr)
            join_with_next(*before);
    }

private:
    template <class T>
    T* at(offset place) const noexcept {
        return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(&head_) + place);
    }
    offset offset_of(const void* place) const noexcept {
        return static_cast<offset>(static_cast<const unsigned char*>(place) -
                                   reinterpret_cast<const unsigned char*>(&head_));
    }
    void join_with_next(piece& first) noexcept {
        if (first.next == 0 || offset_of(&first) + first.size != first.next)
            return;
        const piece& second = *at<piece>(first.next);
        first.size += second.size;
        first.next = second.next;
    }

    header& head_;
};

// A file that is mapped.
class mapping {
public:
    mapping(int file, header* at, std::size_t size) noexcept : file_(file), at_(at), size_(size) {}
    ~mapping() {
        save();
        ::munmap(at_, size_);
        ::close(file_);
    }
    mapping(const mapping&) = delete;
    mapping& operator=(const mapping&) = delete;

    void save() const noexcept { ::msync(at_, size_, MS_SYNC); }

    std::mutex guard;  // of the memory

private:
    const int file_;
    header* const at_;
    const std::size_t size_;
};

struct map_registry {
    std::mutex guard;
    std::map<const void*, std::unique_ptr<mapping>> all;  // under the guard
};
map_registry& registry() {
    static auto& of_process = *new map_registry;  // lives as long as the process
    return of_process;
}

mapping* find(const void* map) {
    map_registry& known = registry();
    const std::lock_guard locked(known.guard);
    const auto found = known.all.find(map);
    return found != known.all.end() ? found->second.get() : nullptr;
}

// A file, and then its mapping, until a mapping object has them.
struct opened_file {
    int number;
    bool is_new = false;  // if no map is made of it, the file is emptied again
    void* mapped = nullptr;
    std::size_t size = 0;

    explicit opened_file(int opened) noexcept : number(opened) {}
    ~opened_file() {
        if (number < 0)
            return;
        if (mapped != nullptr)
            ::munmap(mapped, size);
        // If the file cannot be emptied, its next use reports that.
        if (is_new)
            [[maybe_unused]] const int ignored = ::ftruncate(number, 0);
        ::close(number);
    }
    opened_file(const opened_file&) = delete;
    opened_file& operator=(const opened_file&) = delete;
};

// The properties of a new file; size 0: the file must be a map already.
struct layout {
    off_t size = 0;
    void* address = nullptr;
    std::size_t item_size = 0;
};

void* fail(int error) noexcept {
    errno = error;
    return nullptr;
}

// Writes the header, and the one free piece of a dynamic map.
void fill_new(header* at, std::size_t size, std::size_t item_size) noexcept {
    auto* const made = new (at) header{{}, size, reinterpret_cast<std::uintptr_t>(at), item_size, 0, 0};
    std::memcpy(made->mark, file_mark, sizeof file_mark);
    made->used = map_memory::begin();
    if (item_size == 0) {
        made->first_free = made->used;
        new (reinterpret_cast<unsigned char*>(at) + made->used) piece{size - made->used, 0};
    }
}

// The handle; nullptr, with errno. Throws std::bad_alloc.
void* open_map(const char* name, const layout& wanted) {
    opened_file file(::open(name, (wanted.size != 0 ? O_CREAT : 0) | O_RDWR | O_CLOEXEC, 0600));
    struct stat about{};
    if (file.number < 0 || ::flock(file.number, LOCK_EX | LOCK_NB) != 0 || ::fstat(file.number, &about) != 0)
        return nullptr;
    header known{};
    const bool is_new = about.st_size == 0 && wanted.size != 0;
    std::size_t size = static_cast<std::size_t>(wanted.size) / unit * unit;
    void* address = wanted.address;
    if (is_new) {
        if (wanted.size < 0 || size < map_memory::begin() + sizeof(piece) + unit ||
            wanted.item_size > largest_item)
            return fail(EINVAL);
        file.is_new = true;
        if (::ftruncate(file.number, static_cast<off_t>(size)) != 0)
            return nullptr;
    } else {
        if (::pread(file.number, &known, sizeof known, 0) != static_cast<ssize_t>(sizeof known) ||
            std::memcmp(known.mark, file_mark, sizeof file_mark) != 0 ||
            known.size != static_cast<std::uint64_t>(about.st_size)) {
            teff::warn("qalloc: the file '%s' is not a map of this library; give the name of a file that is one, or "
                       "that is empty or does not exist",
                       name);
            return fail(EINVAL);
        }
        size = known.size;
        address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(known.address));
    }
    const int place = is_new ? 0 : MAP_FIXED_NOREPLACE;
    void* const mapped = ::mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | place, file.number, 0);
    if (mapped == MAP_FAILED || (!is_new && mapped != address)) {
        const int error = mapped == MAP_FAILED ? errno : EEXIST;
        if (mapped != MAP_FAILED)
            ::munmap(mapped, size);
        if (error == EEXIST)
            teff::warn("qalloc: the file '%s' has to be mapped at %p, where the process has other memory; load it "
                       "earlier, or make it with an address that is free in each run",
                       name, address);
        return fail(error);
    }
    auto* const at = static_cast<header*>(mapped);
    if (is_new)
        fill_new(at, size, wanted.item_size != 0 ? rounded(wanted.item_size) : 0);
    file.mapped = mapped;
    file.size = size;
    map_registry& all = registry();
    const std::lock_guard locked(all.guard);
    std::unique_ptr<mapping>& made = all.all[at];
    try {
        made = std::make_unique<mapping>(file.number, at, size);
    } catch (...) {
        all.all.erase(at);
        throw;
    }
    file.number = -1;
    return at;
}

void* open_map_or_null(const char* name, const layout& wanted) noexcept {
    try {
        return open_map(name, wanted);
    } catch (const std::bad_alloc&) {
        return fail(ENOMEM);
    }
}

// Calls the function with the memory of the map, which must be one.
template <class F>
auto with(void* map, F&& call) {
    mapping* const found = find(map);
    TEFF_CHECK(found != nullptr, "qalloc", "an address was given that is not a map",
               "give what qalloc_makestatmap(), qalloc_makedynmap() or qalloc_loadmap() has returned, before "
               "qalloc_cleanup()");
    const std::lock_guard locked(found->guard);
    return call(map_memory(static_cast<header*>(map)));
}

}  // namespace

extern "C" {

void* qalloc_makestatmap(off_t size, void* address, const char* file, std::size_t item_size, std::size_t) {
    return item_size != 0 && size != 0 ? open_map_or_null(file, {size, address, item_size}) : fail(EINVAL);
}
void* qalloc_makedynmap(off_t size, void* address, const char* file, std::size_t) {
    return size != 0 ? open_map_or_null(file, {size, address, 0}) : fail(EINVAL);
}
void* qalloc_loadmap(const char* file) { return open_map_or_null(file, {}); }

void* qalloc_malloc(void* map, std::size_t size) {
    return with(
        map, [=](map_memory memory) { return memory.is_static() ? memory.take_static() : memory.take_dynamic(size); });
}
void qalloc_free(void* item, void* map) {
    if (item == nullptr)
        return;
    with(map, [=](map_memory memory) {
        if (memory.is_static())
            memory.give_back_static(item);
        else
            memory.give_back_dynamic(item);
    });
}
void* qalloc_statmalloc(mapinfo_t* map) { return qalloc_malloc(map, 0); }
void* qalloc_dynmalloc(dynmapinfo_t* map, std::size_t size) { return qalloc_malloc(map, size); }
void qalloc_statfree(void* item, mapinfo_t* map) { qalloc_free(item, map); }
void qalloc_dynfree(void* item, dynmapinfo_t* map) { qalloc_free(item, map); }

void qalloc_checkpoint(void) {
    map_registry& known = registry();
    const std::lock_guard locked(known.guard);
    for (const auto& [at, each] : known.all)
        each->save();
}
void qalloc_cleanup(void) {
    map_registry& known = registry();
    const std::lock_guard locked(known.guard);
    known.all.clear();
}

}  // extern "C"
