// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The messages of a call by MPI's non-blocking functions; see mailbox.hpp.
#include <teff/mpi/mailbox.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>

#include <algorithm>
#include <chrono>
#include <climits>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace teff::mpi {

void check(int result, const char* function) {
    if (result == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING + 1] = {};
    int length = 0;
    if (MPI_Error_string(result, text, &length) != MPI_SUCCESS)
        length = 0;
    throw std::runtime_error("teff::mpi: " + std::string(function) + "() failed: " +
                             std::string(text, static_cast<std::size_t>(length)));
}

std::int64_t growing_pause::next(bool may_yield) noexcept {
    // On a busy machine a thread that has slept gets a processor sooner than one that has yielded.
    constexpr std::int64_t yields_ns = 20'000, first_ns = 10'000;
    const std::int64_t now = monotonic_ns();
    if (begin_ns_ == 0)
        begin_ns_ = now;
    if (may_yield && now - begin_ns_ < yields_ns)
        return 0;
    // Doubled: where processors are scarce, each look waits for its turn, so few looks must suffice.
    ns_ = ns_ == 0 ? first_ns : std::min(2 * ns_, longest_ns_);
    return ns_;
}

void rest(growing_pause& pause) {
    const std::int64_t ns = pause.next();
    if (ns == 0)
        yield_thread();
    else
        std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

void complete(MPI_Request& request) {
    growing_pause pause;
    for (;;) {
        int is_complete = 0;
        check(MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
        if (is_complete != 0)
            return;
        rest(pause);
    }
}

void mailbox::send(int to, message_kind kind, std::vector<std::byte> bytes) {
    if (bytes.size() > INT_MAX)
        throw std::length_error("teff::mpi: the items of a message take 2 GiB or more; make the option chunk smaller");
    leaving& added = leaving_.emplace_back();
    added.bytes = std::move(bytes);
    check(MPI_Isend(added.bytes.data(), static_cast<int>(added.bytes.size()), MPI_BYTE, to, static_cast<int>(kind),
                    ranks_, &added.request),
          "MPI_Isend");
    sent_ += is_counted(kind) ? 1 : 0;
}

bool mailbox::receive(message& arrived) {
    if (arriving_request_ == MPI_REQUEST_NULL) {
        int is_there = 0;
        MPI_Status status;
        check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ranks_, &is_there, &status), "MPI_Iprobe");
        if (is_there == 0)
            return false;
        int size = 0;
        check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
        arriving_.from = status.MPI_SOURCE;
        arriving_.kind = static_cast<message_kind>(status.MPI_TAG);
        arriving_.bytes.resize(static_cast<std::size_t>(size));
        check(MPI_Irecv(arriving_.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, ranks_,
                        &arriving_request_),
              "MPI_Irecv");
    }
    int is_complete = 0;
    check(MPI_Test(&arriving_request_, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (is_complete == 0)
        return false;
    received_ += is_counted(arriving_.kind) ? 1 : 0;
    arrived = std::move(arriving_);
    return true;
}

bool mailbox::all_have_left() {
    for (auto each = leaving_.begin(); each != leaving_.end();) {
        int is_complete = 0;
        check(MPI_Test(&each->request, &is_complete, MPI_STATUS_IGNORE), "MPI_Test");
        each = is_complete != 0 ? leaving_.erase(each) : std::next(each);
    }
    return leaving_.empty();
}

}  // namespace teff::mpi
