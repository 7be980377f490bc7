// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks of a call do together before and after their work; see ranks.hpp.
#include <teff/mpi/ranks.hpp>

#include <teff/mpi/mailbox.hpp>
#include <teff/mpi/remote_failure.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace teff::mpi {
namespace {

void require_number(const char* option, long value, long least, long most) {
    if (value < least || value > most)
        throw std::invalid_argument(std::string(option) + ": '" + std::to_string(value) +
                                    "' is not allowed; it must be a whole number from " + std::to_string(least) +
                                    " to " + std::to_string(most));
}

std::string text_of(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception that is not derived from std::exception";
    }
}

}  // namespace

int checked_size(MPI_Comm comm) {
    int is_so = 0;
    check(MPI_Initialized(&is_so), "MPI_Initialized");
    if (is_so == 0)
        throw std::logic_error("teff::mpi: MPI is not initialised; call MPI_Init_thread() before");
    check(MPI_Finalized(&is_so), "MPI_Finalized");
    if (is_so != 0)
        throw std::logic_error("teff::mpi: MPI is finalised already; call MPI_Finalize() after the last reduction");
    int level = MPI_THREAD_SINGLE;
    check(MPI_Query_thread(&level), "MPI_Query_thread");
    if (level == MPI_THREAD_SINGLE)
        throw std::logic_error("teff::mpi: MPI gave the level MPI_THREAD_SINGLE, which allows no other threads in the "
                               "process; initialise it by MPI_Init_thread() with MPI_THREAD_FUNNELED or more");
    check(MPI_Is_thread_main(&is_so), "MPI_Is_thread_main");
    if (level == MPI_THREAD_FUNNELED && is_so == 0)
        throw std::logic_error("teff::mpi: MPI gave the level MPI_THREAD_FUNNELED, so the thread that initialised MPI "
                               "must make the call; or initialise it with MPI_THREAD_SERIALIZED or more");
    if (comm == MPI_COMM_NULL)
        throw std::invalid_argument("teff::mpi: the communicator is MPI_COMM_NULL");
    check(MPI_Comm_test_inter(comm, &is_so), "MPI_Comm_test_inter");
    if (is_so != 0)
        throw std::invalid_argument("teff::mpi: the communicator connects two groups; merge them by "
                                    "MPI_Intercomm_merge()");
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    return size;
}

sharing checked_sharing(long chunk, long random_victims) {
    require_number("chunk", chunk, 1, 1'000'000);
    require_number("random_victims", random_victims, 0, 1000);
    return {static_cast<unsigned>(chunk), static_cast<unsigned>(random_victims)};
}

void add_caller(team_options& options) noexcept {
    constexpr unsigned most_slots = 4096;
    options.settings.slots = std::min(options.settings.slots + 1, most_slots);
    prepare_workers(options.settings.slots);
}

ranks::ranks(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Comm_idup(comm, &own_, &request), "MPI_Comm_idup");
    complete(request);
    check(MPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(own_, &size_), "MPI_Comm_size");
}

// An error while it is freed changes nothing for the call.
ranks::~ranks() { MPI_Comm_free(&own_); }

void ranks::agree(const std::exception_ptr& own, int value_size) {
    const int none = std::numeric_limits<int>::max();
    // The lowest rank that has failed, and the least and the greatest size.
    const int contributed[3] = {own ? rank_ : none, value_size, -value_size};
    int least[3] = {};
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(contributed, least, 3, MPI_INT, MPI_MIN, own_, &request), "MPI_Iallreduce");
    complete(request);
    const int lowest = least[0];
    if (lowest == none) {
        if (least[1] != -least[2])
            throw std::invalid_argument("best: the ranks share values of different types, or some share none; pass a "
                                        "shared_best of one type on every rank, or on none");
        return;
    }
    std::vector<std::byte> bytes;
    if (lowest == rank_) {
        const std::string text = text_of(own);
        const auto* const first = reinterpret_cast<const std::byte*>(text.data());
        bytes.assign(first, first + text.size());
    }
    send_to_all(bytes, lowest);
    if (own)
        std::rethrow_exception(own);
    throw remote_failure(lowest, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void ranks::merge(shared_value& value) {
    writer own;
    value.write(own);
    const std::size_t size = own.bytes().size();
    std::vector<std::byte> all(size * static_cast<std::size_t>(size_));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(own.bytes().data(), static_cast<int>(size), MPI_BYTE, all.data(), static_cast<int>(size),
                         MPI_BYTE, own_, &request),
          "MPI_Iallgather");
    complete(request);
    reader from(all.data(), all.size());
    while (from.left() != 0)
        value.read(from);
}

void ranks::add_numbers(const void* own, void* all, MPI_Datatype type) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(own, all, 1, type, MPI_SUM, own_, &request), "MPI_Iallreduce");
    complete(request);
}

void ranks::send_to_all(std::vector<std::byte>& bytes, int root) {
    std::int64_t size = static_cast<std::int64_t>(bytes.size());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(&size, 1, MPI_INT64_T, root, own_, &request), "MPI_Ibcast");
    complete(request);
    if (size > INT_MAX)
        throw std::length_error("teff::mpi: a sum takes 2 GiB or more");
    bytes.resize(static_cast<std::size_t>(size));
    check(MPI_Ibcast(bytes.data(), static_cast<int>(size), MPI_BYTE, root, own_, &request), "MPI_Ibcast");
    complete(request);
}

void ranks::send_to(int rank, std::vector<std::byte> bytes) {
    mailbox mail(own_);
    mail.send(rank, message_kind::sum, std::move(bytes));
    for (growing_pause pause; !mail.all_have_left();)
        rest(pause);
}

std::vector<std::byte> ranks::receive_from(int rank) {
    int size = 0;
    MPI_Status status;
    for (growing_pause pause;;) {
        int is_there = 0;
        check(MPI_Iprobe(rank, static_cast<int>(message_kind::sum), own_, &is_there, &status), "MPI_Iprobe");
        if (is_there != 0)
            break;
        rest(pause);
    }
    check(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Irecv(bytes.data(), size, MPI_BYTE, rank, static_cast<int>(message_kind::sum), own_, &request),
          "MPI_Irecv");
    complete(request);
    return bytes;
}

}  // namespace teff::mpi
