// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' dictionary: parts, chosen by the hash, each a hash table under a mutex of its own. Keys are compared and
// hashed by the program.
//
// The entries of a part are numbered in the order in which they were put. An iterator holds the part and the number,
// not the entry, so the entry may be deleted meanwhile: the iterator continues with the next larger number.
#include <teff/qthread/dictionary.h>
#include <teff/qthread/hash.h>
#include <teff/qthread/own_data.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

// Part of a type of the C interface, so not of an unnamed namespace.
namespace teff::qthreads {

class dictionary_part {
public:
    list_entry* find(std::uint64_t hash, void* key, qt_dict_key_equals_f equals) {
        const auto found = place_of(hash, key, equals);
        return found != numbers_.end() ? &entries_.at(found->second) : nullptr;
    }
    // The part must not have the key. Throws std::bad_alloc, with nothing changed.
    list_entry& add(std::uint64_t hash, void* key, void* value) {
        const std::uint64_t number = ++last_;
        list_entry& made = entries_.try_emplace(number, list_entry{value, key, hash, nullptr}).first->second;
        try {
            numbers_.emplace(hash, number);
        } catch (...) {
            entries_.erase(number);
            throw;
        }
        return made;
    }
    // Returns whether the part had the key; if so, stores its value.
    bool remove(std::uint64_t hash, void* key, qt_dict_key_equals_f equals, void*& value) {
        const auto found = place_of(hash, key, equals);
        if (found == numbers_.end())
            return false;
        value = entries_.at(found->second).value;
        entries_.erase(found->second);
        numbers_.erase(found);
        return true;
    }
    // The first entry after this number, which is set to the entry's; nullptr: there is none.
    list_entry* after(std::uint64_t& number) {
        const auto next = entries_.upper_bound(number);
        if (next == entries_.end())
            return nullptr;
        number = next->first;
        return &next->second;
    }
    list_entry* at(std::uint64_t number) {
        const auto found = entries_.find(number);
        return found != entries_.end() ? &found->second : nullptr;
    }
    std::size_t size() const noexcept { return entries_.size(); }
    template <class F>
    void for_each(F&& call) const {
        for (const auto& [number, entry] : entries_)
            call(entry);
    }

    std::mutex guard;  // for all functions

private:
    using numbers = std::unordered_multimap<std::uint64_t, std::uint64_t>;

    numbers::iterator place_of(std::uint64_t hash, void* key, qt_dict_key_equals_f equals) {
        auto [each, end] = numbers_.equal_range(hash);
        for (; each != end; ++each)
            if (equals(entries_.at(each->second).key, key) != 0)
                return each;
        return numbers_.end();
    }

    std::map<std::uint64_t, list_entry> entries_;  // by number
    numbers numbers_;                              // by hash
    std::uint64_t last_ = 0;
};

}  // namespace teff::qthreads

namespace {

using namespace teff::qthreads;

constexpr std::size_t part_count = 64;

}  // namespace

struct qt_dictionary {
    const qt_dict_key_equals_f equals;
    const qt_dict_hash_f hash;
    const qt_dict_cleanup_f cleanup;
    std::array<dictionary_part, part_count> parts{};

    std::uint64_t hash_of(void* key) const {
        return qt_hash64(static_cast<std::uint64_t>(static_cast<std::int64_t>(hash(key))));
    }
    // The upper bits choose the part, since the part's table uses the lower ones.
    dictionary_part& part_of(std::uint64_t hashed) noexcept { return parts[hashed >> 58]; }
};
static_assert(part_count == 1U << (64 - 58));

struct qt_dictionary_iterator {
    qt_dictionary* of;
    std::size_t place = 0;     // of the part; part_count: behind the last entry
    std::uint64_t number = 0;  // of the entry in it; 0: in front of the first

    bool operator==(const qt_dictionary_iterator&) const = default;
};

namespace {

void* put(qt_dictionary& to, void* key, void* value, bool replaces) noexcept {
    void* now = nullptr;
    code_of([&] {
        const std::uint64_t hashed = to.hash_of(key);
        dictionary_part& where = to.part_of(hashed);
        const std::lock_guard locked(where.guard);
        list_entry* const found = where.find(hashed, key, to.equals);
        list_entry& entry = found != nullptr ? *found : where.add(hashed, key, value);
        if (replaces)
            entry.value = value;
        now = entry.value;
    });
    return now;
}

}  // namespace

extern "C" {

// The finalizer of MurmurHash3 (Appleby), in which each step can be undone.
std::uint64_t qt_hash64(std::uint64_t key) {
    key = (key ^ key >> 33) * 0xff51'afd7'ed55'8ccd;
    key = (key ^ key >> 33) * 0xc4ce'b9fe'1a85'ec53;
    return key ^ key >> 33;
}
aligned_t qt_hash_bytes(void* key, std::size_t bytes, aligned_t state) {
    const auto* from = static_cast<const unsigned char*>(key);
    aligned_t hash = qt_hash64(state ^ bytes);
    for (std::size_t left = bytes; left != 0;) {
        std::uint64_t word = 0;
        const std::size_t part = left < sizeof word ? left : sizeof word;
        std::memcpy(&word, from, part);
        hash = qt_hash64(hash * static_cast<aligned_t>(GOLDEN_RATIO) ^ word);
        from += part;
        left -= part;
    }
    return hash;
}

qt_dictionary* qt_dictionary_create(qt_dict_key_equals_f equals, qt_dict_hash_f hash, qt_dict_cleanup_f cleanup) {
    return equals != nullptr && hash != nullptr ? new (std::nothrow) qt_dictionary{equals, hash, cleanup} : nullptr;
}
void qt_dictionary_destroy(qt_dictionary* dictionary) {
    if (dictionary == nullptr)
        return;
    if (dictionary->cleanup != nullptr)
        for (const dictionary_part& each : dictionary->parts)
            each.for_each([&](const list_entry& entry) { dictionary->cleanup(entry.key, entry.value); });
    delete dictionary;
}
void* qt_dictionary_put(qt_dictionary* dictionary, void* key, void* value) {
    return put(*dictionary, key, value, true);
}
void* qt_dictionary_put_if_absent(qt_dictionary* dictionary, void* key, void* value) {
    return put(*dictionary, key, value, false);
}
void* qt_dictionary_get(qt_dictionary* dictionary, void* key) {
    const std::uint64_t hashed = dictionary->hash_of(key);
    dictionary_part& where = dictionary->part_of(hashed);
    const std::lock_guard locked(where.guard);
    const list_entry* const found = where.find(hashed, key, dictionary->equals);
    return found != nullptr ? found->value : nullptr;
}
void* qt_dictionary_delete(qt_dictionary* dictionary, void* key) {
    const std::uint64_t hashed = dictionary->hash_of(key);
    dictionary_part& where = dictionary->part_of(hashed);
    const std::lock_guard locked(where.guard);
    void* value = nullptr;
    return where.remove(hashed, key, dictionary->equals, value) ? value : nullptr;
}

qt_dictionary_iterator* qt_dictionary_iterator_create(qt_dictionary* dictionary) {
    return dictionary != nullptr ? new (std::nothrow) qt_dictionary_iterator{dictionary}
                                 : static_cast<qt_dictionary_iterator*>(ERROR);
}
void qt_dictionary_iterator_destroy(qt_dictionary_iterator* iterator) {
    if (iterator != ERROR)
        delete iterator;
}
list_entry* qt_dictionary_iterator_next(qt_dictionary_iterator* iterator) {
    if (iterator == nullptr)
        return static_cast<list_entry*>(ERROR);
    for (; iterator->place < part_count; ++iterator->place, iterator->number = 0) {
        dictionary_part& where = iterator->of->parts[iterator->place];
        const std::lock_guard locked(where.guard);
        if (list_entry* const next = where.after(iterator->number))
            return next;
    }
    return nullptr;
}
list_entry* qt_dictionary_iterator_get(const qt_dictionary_iterator* iterator) {
    if (iterator == nullptr)
        return static_cast<list_entry*>(ERROR);
    if (iterator->place == part_count || iterator->number == 0)
        return nullptr;
    dictionary_part& where = iterator->of->parts[iterator->place];
    const std::lock_guard locked(where.guard);
    return where.at(iterator->number);
}
qt_dictionary_iterator* qt_dictionary_end(qt_dictionary* dictionary) {
    return dictionary != nullptr ? new (std::nothrow) qt_dictionary_iterator{dictionary, part_count} : nullptr;
}
int qt_dictionary_iterator_equals(qt_dictionary_iterator* a, qt_dictionary_iterator* b) {
    return a == b || (a != nullptr && b != nullptr && *a == *b) ? 1 : 0;
}
qt_dictionary_iterator* qt_dictionary_iterator_copy(qt_dictionary_iterator* iterator) {
    return iterator != nullptr ? new (std::nothrow) qt_dictionary_iterator(*iterator) : nullptr;
}
void qt_dictionary_printbuckets(qt_dictionary* dictionary) {
    for (std::size_t i = 0; i < part_count; ++i) {
        dictionary_part& each = dictionary->parts[i];
        const std::lock_guard locked(each.guard);
        std::printf("part %zu: %zu entries\n", i, each.size());
    }
}

}  // extern "C"
