// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bounded queue of values between fibers and all other threads. A fiber that waits for room or for a value does not
// block its worker.
//
//   send       waits while the buffer is full          safe together: all, by any thread
//   receive    waits while there is no value
//   close      no value can be sent any more; those in the buffer can still be received
//
// First in, first out: values are received in the order in which they were sent, and waiting calls are served in the
// order of their arrival. Whenever the guard is free,
//   - calls of receive() wait only if the buffer is empty and no call of send() waits;
//   - calls of send() wait only if the buffer is full.
// So a value that is sent goes to the first waiting receiver, and a slot that becomes free goes to the first waiting
// sender. The thread that wakes a waiting call has already performed it, so a woken call only returns. The woken thread
// may then destroy the channel if no other call uses it. With a capacity of 0 a sender waits until a receiver has taken
// its value.
#pragma once

#include <teff/base/locks.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff {

// Values are moved while the guard is held, so a move must not wait for anything.
template <class T>
class channel {
    static constexpr bool moves_without_throwing =
        std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;
    static_assert(moves_without_throwing, "teff: the T of a channel<T> must have a move constructor and a destructor "
                                          "that are noexcept; send a std::unique_ptr<T> instead");

public:
    // capacity: the number of values in the buffer. Throws std::bad_alloc.
    explicit channel(std::size_t capacity, site made = site::current()) : buffer_(capacity), made_(made) {}
    // Takes the values of `other`, its capacity, and whether it is closed. Then `other` is like a new channel of
    // capacity 0. No call may be under way on either; ends the program with a message if one waits.
    channel(channel&& other) noexcept : channel(other.leave(), other.made_) {}
    // The same; the values that this channel had are destroyed.
    channel& operator=(channel&& other) noexcept {
        if (this != &other) {
            content taken = other.leave();
            const scoped_lock locked(guard_);
            require_unused();
            // The former values are destroyed with `taken`, after the guard was released.
            std::swap(buffer_, taken.buffer);
            first_ = taken.first;
            size_ = taken.size;
            is_closed_ = taken.is_closed;
            made_ = other.made_;
        }
        return *this;
    }

    // False: the channel is closed, or was closed during the wait, and the value was dropped.
    bool send(T value) noexcept {
        return perform(senders_, value, [&] { return try_send(value); });
    }
    // nullopt: the channel is closed, and all values have been received.
    std::optional<T> receive() noexcept {
        std::optional<T> received;
        perform(receivers_, received, [&] { return try_receive(received); });
        return received;
    }
    // Closes the channel: all waiting calls return. May be called again.
    void close() noexcept {
        threads::wait_list released[2];
        {
            const scoped_lock locked(guard_);
            is_closed_ = true;
            released[0] = std::exchange(senders_, threads::wait_list());
            released[1] = std::exchange(receivers_, threads::wait_list());
        }
        for (threads::wait_list& each : released)
            threads::wake_all(each);
    }

    // A hint if other threads use the channel.
    [[nodiscard]] std::size_t size() const noexcept {
        const scoped_lock locked(guard_);
        return size_;
    }
    // Whether close() was called.
    [[nodiscard]] bool is_closed() const noexcept {
        const scoped_lock locked(guard_);
        return is_closed_;
    }

    // Any thread. The first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept {
        const scoped_lock locked(guard_);
        if (!receivers_.empty() && (size_ != 0 || !senders_.empty()))
            return "no call of receive() waits where there is a value";
        if (!senders_.empty() && size_ != buffer_.size())
            return "no call of send() waits where there is room";
        if (is_closed_ && (!senders_.empty() || !receivers_.empty()))
            return "no call waits for a closed channel";
        return nullptr;
    }

private:
    struct content {
        std::vector<std::optional<T>> buffer;
        std::size_t first, size;
        bool is_closed;
    };
    channel(content&& taken, const site& made) noexcept
        : buffer_(std::move(taken.buffer)), first_(taken.first), size_(taken.size), is_closed_(taken.is_closed),
          made_(made) {}
    content leave() noexcept {
        const scoped_lock locked(guard_);
        require_unused();
        return {std::exchange(buffer_, {}), std::exchange(first_, 0), std::exchange(size_, 0),
                std::exchange(is_closed_, false)};
    }
    void require_unused() const noexcept {
        threads::require_unused(senders_.empty() && receivers_.empty(), "channel");
    }

    // A call that waits. What: T, to send; std::optional<T>, to be filled.
    template <class What>
    struct call : threads::waiter {
        explicit call(What& given) noexcept : what(given) {}

        What& what;
        bool is_done = false;
    };
    using sender = call<T>;
    using receiver = call<std::optional<T>>;

    struct outcome {
        bool is_done = false;              // otherwise the call waits, or the channel is closed
        bool waits = false;
        threads::waiter* wakes = nullptr;  // the waiter whose call was performed, too
    };

    template <class What, class Try>
    bool perform(threads::wait_list& list, What& what, Try&& try_once) noexcept {
        outcome now;
        {
            const scoped_lock locked(guard_);
            now = try_once();
        }
        return now.waits ? wait_and_perform(list, what, try_once) : finish(now);
    }
    // Out of line: most calls need no frame for a waiter.
    template <class What, class Try>
    [[gnu::noinline]] bool wait_and_perform(threads::wait_list& list, What& what, Try& try_once) noexcept {
        call<What> self(what);
        // Once the guard is free, another call may perform this one, and its thread destroy the channel.
        const wait_reason turn{.kind = "channel", .event = &list == &senders_ ? "to have room" : "to have a value",
                                    .object = this, .made = made_};
        outcome now;
        {
            const scoped_lock locked(guard_);
            now = try_once();
            if (now.waits)
                list.add(self);
        }
        if (!now.waits)
            return finish(now);
        self.here.wait(turn);
        return self.is_done;
    }
    // After the guard was released.
    static bool finish(const outcome& now) noexcept {
        if (now.wakes != nullptr)
            now.wakes->here.wake();
        return now.is_done;
    }

    // Under the guard, from here on.
    outcome try_send(T& value) noexcept {
        if (is_closed_)
            return {};
        if (auto* const first = static_cast<receiver*>(receivers_.take())) {
            first->what.emplace(std::move(value));
            first->is_done = true;
            return {.is_done = true, .wakes = first};
        }
        if (size_ == buffer_.size())
            return {.waits = true};
        put(value);
        return {.is_done = true};
    }
    outcome try_receive(std::optional<T>& received) noexcept {
        if (size_ != 0) {
            std::optional<T>& oldest = buffer_[first_];
            received.emplace(std::move(*oldest));
            oldest.reset();
            first_ = (first_ + 1) % buffer_.size();
            --size_;
        }
        auto* const next = static_cast<sender*>(senders_.take());
        if (next != nullptr) {
            if (received.has_value())
                put(next->what);
            else
                received.emplace(std::move(next->what));
            next->is_done = true;
        }
        return {.is_done = received.has_value(), .waits = !received.has_value() && !is_closed_, .wakes = next};
    }
    void put(T& value) noexcept { buffer_[(first_ + size_++) % buffer_.size()].emplace(std::move(value)); }

    mutable mutex guard_;
    // under the guard
    std::vector<std::optional<T>> buffer_;  // a ring, whose size is the capacity
    std::size_t first_ = 0;
    std::size_t size_ = 0;
    bool is_closed_ = false;
    threads::wait_list senders_;
    threads::wait_list receivers_;
    site made_;  // for the report of a deadlock
};

}  // namespace teff
