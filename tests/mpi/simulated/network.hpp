// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks and their messages in one thread, so that an explorer decides in which order everything happens.
//
// The library's own sources (teff/mpi) run here. The folder overlay/ is first in their include path: `mpi.h` is that of
// this network, and pauses end at once. A rank is a fiber. It stops at each *point*, where what it sees next depends on
// others: a probe, a test of a request, a look at its own work. The explorer then chooses a *move*: a rank and what it
// sees, or what a worker of a rank does. So an execution follows from the moves, and can be repeated.
//
// What MPI leaves open is a choice: which rank's message a probe finds, or none; whether a request is complete.
// Messages of one rank to another keep their order. Where only one answer is possible, there is no point: to wait until
// another is possible would be the same as to look again later. What MPI demands is checked: buffers stay as they are
// until their requests are complete, collective operations fit together, and nothing is left when all ranks have ended.
//
// State. fingerprint() is equal for equal states: it covers the queues, the tasks, and for each rank the hash of all
// that it has seen and done. That a rank has seen nothing is no part of it: a look without an event changes nothing.
#pragma once

#include <teff/mpi/rank_work.hpp>

#include <mpi.h>

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace simulated {

constexpr int most_ranks = 8;

// What the ranks of an execution shall do.
struct scenario {
    std::string name;
    int ranks = 2;
    unsigned chunk = 1;
    unsigned random_victims = 0;
    std::vector<std::vector<unsigned>> children;  // of each task
    bool is_endless = false;                      // tasks run several times
    std::vector<int> first_tasks_of;              // the rank of task 0, 1, ...
    std::vector<unsigned> failing;                // tasks that throw
    std::vector<unsigned> stopping;               // tasks that request a stop
    std::vector<int> stopped_from_outside;        // ranks where a stop may be requested at any moment
    bool is_whole_call = false;                   // with the agreements and the sum around the balance
    int fails_at_start = -1;                      // a rank
    // Whether a message has left only when it was received.
    bool sends_wait = false;
    // How many rounds of the collective operation may pass in a row while all else that can happen waits. They could
    // pass for ever, so every_state() needs a bound.
    unsigned most_rounds_in_vain = 2;
    // Whether tests of messages, too, may find them incomplete.
    bool tests_wait = false;
};

struct move {
    int actor;   // a rank; or ranks + rank: its worker; or 2 * ranks + rank: a stop request from outside
    int choice;  // of a rank: what it sees
};

class network;

// The tasks of a rank. A worker begins the newest and ends it; other ranks get the oldest.
class simulated_work final : public teff::mpi::rank_work {
public:
    simulated_work(network& all, int rank) : all_(all), rank_(rank) {}

    bool is_dry() noexcept override;
    unsigned take(unsigned at_most, bool searches, teff::mpi::writer& to) noexcept override;
    void put(teff::mpi::reader& from, unsigned count) noexcept override;
    void halt() noexcept override;

    void add(unsigned task) { queue_.push_back(task); }
    bool has_work() const { return !queue_.empty() || is_running_; }
    void step();  // of the worker
    std::uint64_t ran() const { return ran_; }
    void rethrow() const {
        if (failure_)
            std::rethrow_exception(failure_);
    }
    std::uint64_t fingerprint() const;

private:
    network& all_;
    const int rank_;
    std::deque<unsigned> queue_;
    bool is_running_ = false;
    unsigned running_ = 0;
    std::uint64_t ran_ = 0;
    std::exception_ptr failure_;
};

class network {
public:
    explicit network(const scenario& what);
    ~network();
    network(const network&) = delete;
    network& operator=(const network&) = delete;

    // The moves that are possible now; none: all ranks have ended, or a rule is broken.
    const std::vector<move>& moves();
    // Returns whether the move changed anything but the place of a rank in its look.
    bool make(const move& chosen);
    std::string describe(const move& chosen);
    std::uint64_t fingerprint() const;
    // Whether a move is one that sees nothing although there is something.
    bool sees_nothing(const move& chosen) const;
    bool is_probe(const move& chosen) const {
        return chosen.actor < what_.ranks &&
               ranks_[static_cast<std::size_t>(chosen.actor)].waits_at.kind == point_kind::probe;
    }
    // The rule that is broken; empty: none.
    const std::string& violation() const { return violation_; }
    bool has_ended() const { return ended_ == what_.ranks; }
    const scenario& what() const { return what_; }

    // For the ranks.
    void violate(const std::string& text);
    enum class point_kind : std::uint8_t { none, probe, test, dry, take, pause };
    struct point {
        point_kind kind = point_kind::none;
        int source = 0, tag = 0, comm = 0, request = 0;
    };
    // Lets the explorer choose. -1: sees nothing. Throws if the execution is given up, unless the point is of work.
    int wait_at(const point& where);
    // Something that the rank's further state depends on, or only the rest of its look.
    void saw_event(std::uint64_t what, bool is_round = false);
    void saw_in_look(std::uint64_t what);
    void end_look() noexcept;
    // Whether a stop may still be requested there.
    bool may_be_stopped(int rank) const;
    void note_run(unsigned task, int rank);
    // A rank that has work offers tasks to all that wait, in each look.
    void note_work_seen();
    void note_offer();
    void note_message(int source, int to, int tag, const std::vector<std::byte>& bytes, bool is_sent);
    int current() const { return current_; }
    simulated_work& work_of(int rank) { return *ranks_[static_cast<std::size_t>(rank)].work; }
    void note_end_of_balance();
    bool is_given_up() const { return is_given_up_; }

    // Of MPI.
    struct message {
        int source, tag;
        std::vector<std::byte> bytes;
        int request;  // of the sender
    };
    enum class request_kind : std::uint8_t { send, receive, collective, copy };
    struct request {
        request_kind kind{};
        int rank = 0, comm = 0;
        int source = 0, tag = 0;   // of a message that is received
        bool is_received = false;  // of a message that was sent
        bool is_over = false;
        const void* from = nullptr;
        std::vector<std::byte> contents;
        void* to = nullptr;
        std::size_t collective = 0;
        MPI_Comm* copy = nullptr;
    };
    struct collective {
        char name = 0;
        int count = 0, root = 0;
        MPI_Datatype type{};
        MPI_Op by{};
        std::array<bool, most_ranks> has_joined{};
        std::array<std::vector<std::byte>, most_ranks> given;
    };
    struct communicator {
        std::vector<std::deque<message>> channels;  // [source * ranks + destination]
        std::vector<collective> collectives;
        std::array<std::size_t, most_ranks> joined{};
        std::array<bool, most_ranks> is_freed{};
    };
    communicator& comm(int number);
    std::deque<message>& channel(int number, int source, int to);
    int add_request(request added);
    request& request_of(int number);
    bool can_complete(const request& which) const;
    void note_round(const request& which);
    std::size_t join(int number, collective wanted, std::vector<std::byte> given);

private:
    struct rank_state {
        ucontext_t context{};
        std::unique_ptr<simulated_work> work;
        point waits_at;
        bool has_ended = false;
        int outcome = 0;
        bool has_waited = false;  // in this look
        // Ranks that have asked this one and wait, and how often tasks were wanted from it since it saw that it has
        // some.
        std::array<bool, most_ranks> is_owed{};
        int must_offer = 0;
        std::uint64_t events = 1, in_look = 1;
        std::string threw;
    };
    bool is_round_in_vain(const request& which) const;
    static void enter(unsigned low, unsigned high);
    void run_rank(int rank);
    void start(int rank);
    void resume(int rank);
    void check_end();

    const scenario what_;
    std::vector<rank_state> ranks_;
    ucontext_t main_{};
    int current_ = -1;
    int ended_ = 0;
    bool is_given_up_ = false;
    std::vector<bool> has_requested_stop_;
    std::vector<unsigned> runs_;  // of each task
    std::string violation_;
    std::deque<communicator> communicators_;
    std::vector<request> requests_;
    std::vector<move> moves_;
    bool has_changed_ = false;
    // Rounds of a collective operation that have ended since the last other event.
    std::size_t latest_round_ = 0;
    unsigned rounds_in_vain_ = 0;
};

// The network whose rank runs now.
network& here();
// Of that rank, when it pauses.
void end_look() noexcept;

}  // namespace simulated
