// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the end of all work on all ranks by the method of four counters (Mattern, "Algorithms for distributed
// termination detection", 1987), in rounds of MPI_Iallreduce.
//
// A rank is passive if it will send no counted message before it receives one: it has no items, and has asked all ranks
// that it will ask. In each round every rank contributes, at a moment when it is passive, how many messages it has sent
// and how many it has received until then. A round ends when all have contributed, and a rank contributes to the next
// one after that. All work has ended if a round counts as many messages sent as the round before counted received.
//
// Proof. Let t be a moment between the two rounds. Counts only grow, so received(first) <= received(t) <= sent(t) <=
// sent(second). If the ends are equal, all are. So no message was on its way at t, and no rank had received one since
// it contributed to the first round; hence each was still passive.
//
// The rounds cost nothing while a rank works: it does not contribute, so no round ends.
#pragma once

#include <teff/mpi/mailbox.hpp>

#include <mpi.h>

#include <cstdint>

namespace teff::mpi {

class ending {
public:
    explicit ending(MPI_Comm ranks) noexcept : ranks_(ranks) {}
    ending(const ending&) = delete;
    ending& operator=(const ending&) = delete;

    // Called repeatedly by the communicating thread. True: all work has ended, and no counted message is on its way.
    bool has_come(bool is_passive, std::int64_t sent, std::int64_t received) {
        if (request_ == MPI_REQUEST_NULL) {
            if (!is_passive)
                return false;
            own_[0] = sent;
            own_[1] = received;
            check(MPI_Iallreduce(own_, sums_, 2, MPI_INT64_T, MPI_SUM, ranks_, &request_), "MPI_Iallreduce");
        }
        int is_complete = 0;
        check(MPI_Test(&request_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (is_complete == 0)
            return false;
        const bool has_come = sums_[0] == received_before_;
        received_before_ = sums_[1];
        return has_come;
    }

private:
    const MPI_Comm ranks_;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::int64_t own_[2] = {}, sums_[2] = {};
    std::int64_t received_before_ = -1;  // by all ranks, in the round before; -1: there was none
};

}  // namespace teff::mpi
