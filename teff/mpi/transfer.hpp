// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How items and sums travel between ranks: as bytes.
//
// A trivially copyable type is copied like memory; all ranks must run the same program on the same kind of processor.
// For any other type a user specialises `transfer` with two functions:
//
//   template <>
//   struct teff::mpi::transfer<job> {
//       static void serialise(const job& from, writer& to) { to.put(from.depth); to.put_all(from.name); }
//       static job restore(reader& from) {
//           const int depth = from.get<int>();
//           return {depth, from.get_all<std::string>()};
//       }
//   };
//
// restore() must read exactly what serialise() wrote. An exception of either ends the reduction like an exception of a
// task. In a reduction only the thread that called it calls them. In dataflow threads of StarPU do, and serialise()
// beside tasks that read the value.
#pragma once

#include <cstddef>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace teff::mpi {

// Collects the bytes of a message. One thread at a time may use a writer.
class writer {
public:
    // Appends the bytes of a value. Throws std::bad_alloc.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) {
        put_bytes(&value, sizeof(T));
    }
    // Appends `size` bytes. Throws std::bad_alloc.
    void put_bytes(const void* from, std::size_t size) {
        const auto* const first = static_cast<const std::byte*>(from);
        bytes_.insert(bytes_.end(), first, first + size);
    }
    // Appends the number of elements, and the elements, of a container whose elements lie side by side, such as a
    // string or a vector, and are trivially copyable. Throws std::bad_alloc.
    template <class Container>
        requires std::is_trivially_copyable_v<typename Container::value_type>
    void put_all(const Container& values) {
        put(std::size(values));
        put_bytes(std::data(values), std::size(values) * sizeof(typename Container::value_type));
    }

    // What was written so far.
    std::vector<std::byte>& bytes() noexcept { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

// Reads the bytes of a message in the order in which they were written. One thread at a time may use a reader.
class reader {
public:
    // Reads `size` bytes, which must live as long as the reader.
    reader(const std::byte* first, std::size_t size) noexcept : next_(first), left_(size) {}

    // The next value. Throws std::length_error if less was written.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    T get() {
        // An array of bytes, since a trivially copyable type need not have a default constructor.
        alignas(T) std::byte value[sizeof(T)];
        get_bytes(value, sizeof(T));
        return *reinterpret_cast<T*>(value);
    }
    // The next `size` bytes. Throws std::length_error if less was written.
    void get_bytes(void* to, std::size_t size) {
        require(size);
        if (size != 0)
            std::memcpy(to, next_, size);
        next_ += size;
        left_ -= size;
    }
    // What put_all() wrote. Throws std::length_error if less was written, and std::bad_alloc.
    template <class Container>
        requires std::is_trivially_copyable_v<typename Container::value_type>
    Container get_all() {
        using value = typename Container::value_type;
        const auto count = get<std::size_t>();
        if (count > left_ / sizeof(value))
            throw_too_short();
        Container values(count, value());
        get_bytes(std::data(values), count * sizeof(value));
        return values;
    }

    // How many bytes have not been read.
    std::size_t left() const noexcept { return left_; }

private:
    void require(std::size_t size) const {
        if (size > left_)
            throw_too_short();
    }
    [[noreturn]] static void throw_too_short() {
        throw std::length_error("teff::mpi: restore() reads more than serialise() has written");
    }

    const std::byte* next_;
    std::size_t left_;
};

// Specialise it for a type that is not trivially copyable; see the head of this file.
template <class T>
struct transfer {
    static_assert(std::is_trivially_copyable_v<T>,
                  "teff: an item or a sum that travels between ranks must be trivially copyable, or "
                  "teff::mpi::transfer must be specialised for its type (teff/mpi/transfer.hpp)");
    // A specialisation has no such name: its type may hold pointers, although it is trivially copyable.
    static constexpr bool copies_memory = true;
    // Appends the value's bytes.
    static void serialise(const T& value, writer& to) { to.put(value); }
    // The value of the next bytes.
    static T restore(reader& from) { return from.template get<T>(); }
};

}  // namespace teff::mpi
