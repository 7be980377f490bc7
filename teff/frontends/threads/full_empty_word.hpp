// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full/empty bits for any variable of the program: the operations of a sync_var, as if each word of memory had a bit
// that says whether it is full (Qthreads and the Cray XMT; Evans et al., section 2.3).
//
//   long total = 0;
//   teff::empty(total);
//   teff::begin([&] { teff::write_ef(total, sum()); });
//   use(teff::read_ff(total));
//
//              waits for   leaves                 waits for   leaves
//   write_ef   empty       full        read_fe    full        empty
//   write_ff   full        full        read_ff    full        full
//   write_xf   -           full        read_xx    -           as it is
//   fill       -           full        empty      -           empty         both leave the value
//
// A word is full unless an operation has made it empty. The states are in a table by address (full_empty_word.cpp), in
// which a full word for which nothing waits takes no memory. So a word must be full again before its memory is used for
// something else. Accesses without these operations neither wait nor change the state.
//
// Any thread may call any operation at any time. Order and visibility are as of a sync_var: first in, first out; a
// thread that reads a value sees all that was done before it was written. All may throw std::bad_alloc, and have then
// changed nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace teff {

namespace threads {

// write_xe: stores a value and leaves the word empty, whatever it was.
enum class word_operation : unsigned char {
    write_ef,
    write_ff,
    write_xf,
    write_xe,
    read_fe,
    read_ff,
    read_xx,
    fill,
    empty
};

// One operation: copies `size` bytes from or to `value`, if it reads or writes.
struct word_access {
    word_operation what;
    void* word;
    void* value;
    std::size_t size;
    // 0, or bits by which the initialiser of a word of 8 bytes marks it as empty: if a word that is not in the table
    // has one of these bits, the next operation clears them and takes the word as empty.
    std::uint64_t empty_mark = 0;
};
void perform(const word_access& access);
// False: the operation would have to wait.
bool try_perform(const word_access& access);
bool word_is_full(void* word, std::uint64_t empty_mark = 0);

template <class T>
concept word = std::is_trivially_copyable_v<T> && !std::is_const_v<T>;

template <word T>
void write_word(word_operation what, T& to, T& value) {
    perform({what, &to, &value, sizeof(T)});
}
template <word T>
T read_word(word_operation what, T& from) {
    T value;
    perform({what, &from, &value, sizeof(T)});
    return value;
}

}  // namespace threads

// Waits until the word is empty; leaves it full, with the new value. Throws std::bad_alloc, with nothing changed.
template <threads::word T>
void write_ef(T& word, std::type_identity_t<T> value) {
    threads::write_word(threads::word_operation::write_ef, word, value);
}
// Waits until the word is full; leaves it full, with the new value. Throws std::bad_alloc, with nothing changed.
template <threads::word T>
void write_ff(T& word, std::type_identity_t<T> value) {
    threads::write_word(threads::word_operation::write_ff, word, value);
}
// Does not wait; leaves the word full, with the new value. Throws std::bad_alloc, with nothing changed.
template <threads::word T>
void write_xf(T& word, std::type_identity_t<T> value) {
    threads::write_word(threads::word_operation::write_xf, word, value);
}
// Waits until the word is full; leaves it empty, and returns its value. Throws std::bad_alloc, with nothing changed.
template <threads::word T>
T read_fe(T& word) {
    return threads::read_word(threads::word_operation::read_fe, word);
}
// Waits until the word is full; leaves it full, and returns its value. Throws std::bad_alloc, with nothing changed.
template <threads::word T>
T read_ff(T& word) {
    return threads::read_word(threads::word_operation::read_ff, word);
}
// Returns the value, whatever the state is, without waiting. May throw std::bad_alloc.
template <threads::word T>
T read_xx(T& word) {
    return threads::read_word(threads::word_operation::read_xx, word);
}
// Makes the word full, with the value that it has, without waiting. May throw std::bad_alloc.
template <threads::word T>
void fill(T& word) {
    threads::perform({threads::word_operation::fill, &word, nullptr, 0});
}
// Makes the word empty, without waiting. Throws std::bad_alloc, with nothing changed.
template <threads::word T>
void empty(T& word) {
    threads::perform({threads::word_operation::empty, &word, nullptr, 0});
}
// A hint if other threads use the word.
template <threads::word T>
bool is_full(const T& word) {
    return threads::word_is_full(const_cast<T*>(&word));
}

}  // namespace teff
