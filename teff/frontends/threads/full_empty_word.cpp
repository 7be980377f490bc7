// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of words that are empty, and of full words that some operation needs empty. It is divided into shards by
// address (word_shard.hpp), so that operations on different words seldom contend.
#include <teff/frontends/threads/full_empty_word.hpp>

#include <teff/frontends/threads/word_shard.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <pthread.h>

namespace teff::threads {
namespace {

class word_table {
public:
    static word_shard& shard_of(const void* word) {
        // Never destroyed: fibers may use words while the program exits. Not allocated: asking for the state of a word
        // takes no memory.
        alignas(word_table) static constinit std::byte memory[sizeof(word_table)];
        static word_table& the_table = *::new (static_cast<void*>(memory)) word_table;
        // Mixes the bits, so that neighbouring words, and the elements of an array of any size, are in different
        // shards.
        const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(word) * 0x9E37'79B9'7F4A'7C15U;
        return the_table.shards_[mixed >> (64 - shard_bits)];
    }

private:
    static constexpr unsigned shard_bits = 6;

    word_table() {
        for_forks = this;
        pthread_atfork(lock_all, unlock_all, unlock_in_child);
    }

    static void lock_all() noexcept {
        for (word_shard& each : for_forks->shards_)
            each.guard().lock();
    }
    static void unlock_all() noexcept {
        for (word_shard& each : for_forks->shards_)
            each.guard().unlock();
    }
    static void unlock_in_child() noexcept {
        for (word_shard& each : for_forks->shards_) {
            each.forget_waiting();
            each.guard().reset_after_fork();
        }
    }

    static inline constinit word_table* for_forks = nullptr;
    word_shard shards_[std::size_t{1} << shard_bits];
};

}  // namespace

bool try_perform(const word_access& access) { return word_table::shard_of(access.word).try_perform(access); }
void perform(const word_access& access) { word_table::shard_of(access.word).perform(access); }
bool word_is_full(void* word, std::uint64_t empty_mark) {
    return word_table::shard_of(word).is_full(word, empty_mark);
}

}  // namespace teff::threads
