// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages between the ranks of a call, on a communicator of their own. Nothing here blocks: messages are sent and
// received by non-blocking operations, whose progress is made by the communicating thread when it looks.
//
//   message           answer            counted    meaning
//   ask               work or refusal      yes     a rank without work asks a random one
//   ask_lifeline      work, later          yes     the same of a neighbour, which remembers it until it has work
//   refusal                                yes
//   work                                   yes     items
//   halt                                   no      a task has failed, or a stop was requested: passed on to neighbours
//   news                                   no      a better value of those that ranks share (shared_best.hpp)
//   farewell                               no      the last message to a neighbour
//   sum                                    no      a partial result
//
// The counts of sent and received messages find the end of all work (ending.hpp).
// Thread safety: the communicating thread only.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

namespace teff::mpi {

enum class message_kind : int { ask = 1, ask_lifeline, refusal, work, halt, news, farewell, sum };

struct message {
    int from = 0;
    message_kind kind{};
    std::vector<std::byte> bytes;
};

// Throws std::runtime_error if an MPI function has failed: on a communicator whose error handler returns.
void check(int result, const char* function);

// How a thread waits that only polls: it yields at first, and then sleeps, for longer and longer.
class growing_pause {
public:
    // Half a millisecond adds little to the answer of a rank, and its looks take little of a processor.
    static constexpr std::int64_t usual_longest_ns = 500'000;

    explicit growing_pause(std::int64_t longest_ns = usual_longest_ns) noexcept : longest_ns_(longest_ns) {}
    void reset() noexcept {
        begin_ns_ = 0;
        ns_ = 0;
    }
    // The next pause in nanoseconds; 0: yield. A thread whose processor is needed meanwhile sleeps from the start.
    std::int64_t next(bool may_yield = true) noexcept;

private:
    const std::int64_t longest_ns_;
    std::int64_t begin_ns_ = 0;
    std::int64_t ns_ = 0;
};

// Pauses once.
void rest(growing_pause& pause);
// Completes a request and sleeps meanwhile.
void complete(MPI_Request& request);

class mailbox {
public:
    // The communicator belongs to the caller.
    explicit mailbox(MPI_Comm ranks) noexcept : ranks_(ranks) {}
    mailbox(const mailbox&) = delete;
    mailbox& operator=(const mailbox&) = delete;

    // Throws std::bad_alloc, or std::length_error for 2 GiB or more.
    void send(int to, message_kind kind, std::vector<std::byte> bytes = {});
    // True: a message has arrived.
    bool receive(message& arrived);
    // Forgets the messages that have left. Returns whether all have.
    bool all_have_left();

    std::int64_t sent() const noexcept { return sent_; }
    std::int64_t received() const noexcept { return received_; }

private:
    struct leaving {
        MPI_Request request = MPI_REQUEST_NULL;
        std::vector<std::byte> bytes;
    };

    static bool is_counted(message_kind kind) noexcept { return kind <= message_kind::work; }

    const MPI_Comm ranks_;
    std::list<leaving> leaving_;
    // The message that is being received.
    MPI_Request arriving_request_ = MPI_REQUEST_NULL;
    message arriving_;
    std::int64_t sent_ = 0, received_ = 0;
};

}  // namespace teff::mpi
