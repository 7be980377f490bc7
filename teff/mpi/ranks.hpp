// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks of a call, apart from the balance of their work: checks what MPI allows, agrees on failures, and combines
// the ranks' sums.
//
// A failure is agreed on at two points, at the begin and at the end of the work. Each rank then contributes its number
// if it has an exception. If any has, the lowest of these ranks tells the others its text, and every rank throws: its
// own exception, or remote_failure. So a rank that fails before the work, for example on an option that cannot be used,
// keeps no other rank waiting.
//
// The first agreement also makes sure that all ranks share a value, or none does (shared_best.hpp).
//
// Sums of arithmetic types are combined by MPI_Allreduce; others in a binomial tree of messages with their bytes
// (transfer.hpp), whose root sends the result to all.
//
// All calls of MPI are made by the thread that called the reduction. They are non-blocking; the thread sleeps between
// two looks.
#pragma once

#include <teff/mpi/balance.hpp>
#include <teff/mpi/rank_work.hpp>
#include <teff/mpi/transfer.hpp>
#include <teff/team/team_options.hpp>

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff::mpi {

// The number of ranks of `comm`. Throws std::logic_error if MPI cannot be used now by this thread, and
// std::invalid_argument for a communicator that cannot be used.
int checked_size(MPI_Comm comm);
// Throws std::invalid_argument.
sharing checked_sharing(long chunk, long random_victims);

// Adds a slot for the thread that communicates, and makes sure that the pool has a worker for each of the others.
void add_caller(team_options& options) noexcept;

// The MPI type for sums that MPI can add, or MPI_DATATYPE_NULL.
template <class R>
MPI_Datatype sum_datatype() noexcept {
    if constexpr (std::is_same_v<R, short>)
        return MPI_SHORT;
    else if constexpr (std::is_same_v<R, unsigned short>)
        return MPI_UNSIGNED_SHORT;
    else if constexpr (std::is_same_v<R, int>)
        return MPI_INT;
    else if constexpr (std::is_same_v<R, unsigned>)
        return MPI_UNSIGNED;
    else if constexpr (std::is_same_v<R, long>)
        return MPI_LONG;
    else if constexpr (std::is_same_v<R, unsigned long>)
        return MPI_UNSIGNED_LONG;
    else if constexpr (std::is_same_v<R, long long>)
        return MPI_LONG_LONG;
    else if constexpr (std::is_same_v<R, unsigned long long>)
        return MPI_UNSIGNED_LONG_LONG;
    else if constexpr (std::is_same_v<R, float>)
        return MPI_FLOAT;
    else if constexpr (std::is_same_v<R, double>)
        return MPI_DOUBLE;
    else if constexpr (std::is_same_v<R, long double>)
        return MPI_LONG_DOUBLE;
    else
        return MPI_DATATYPE_NULL;
}

// One thread.
class ranks {
public:
    // Collective: makes a communicator for the messages of the call. Throws std::runtime_error if MPI fails.
    explicit ranks(MPI_Comm comm);
    ~ranks();
    ranks(const ranks&) = delete;
    ranks& operator=(const ranks&) = delete;

    int rank() const noexcept { return rank_; }

    // Collective: calls function(), and throws if it has thrown on any rank, or if the ranks share values of different
    // sizes; 0: they share none.
    template <class Function>
    void all_or_none(Function&& function, int value_size = 0) {
        std::exception_ptr own;
        try {
            function();
        } catch (...) {
            own = std::current_exception();
        }
        agree(own, value_size);
    }

    // Collective.
    void run(const sharing& how, rank_work& work) { balance(own_, how, work); }

    // Collective: every rank gets the best value of all.
    void merge(shared_value& value);

    // Collective: every rank's `sum` becomes the sum of all. Throws what restore(), serialise() and += throw.
    template <class R>
    void add_up(R& sum) {
        if (const MPI_Datatype type = sum_datatype<R>(); type != MPI_DATATYPE_NULL) {
            R all{};
            add_numbers(&sum, &all, type);
            sum = all;
            return;
        }
        all_or_none([&] { add_in_tree(sum); });
        std::vector<std::byte> result;
        if (rank_ == 0) {
            writer to;
            transfer<R>::serialise(sum, to);
            result = std::move(to.bytes());
        }
        send_to_all(result, 0);
        if (rank_ != 0) {
            reader from(result.data(), result.size());
            sum = transfer<R>::restore(from);
        }
    }

private:
    void agree(const std::exception_ptr& own, int value_size);
    void add_numbers(const void* own, void* all, MPI_Datatype type);
    // The bytes of the root become those of all.
    void send_to_all(std::vector<std::byte>& bytes, int root);
    // Sends empty bytes if this rank has failed.
    void send_to(int rank, std::vector<std::byte> bytes);
    std::vector<std::byte> receive_from(int rank);

    template <class R>
    void add_in_tree(R& sum) {
        std::exception_ptr failure;
        const auto keep = [&failure](auto&& function) {
            if (failure)
                return;
            try {
                function();
            } catch (...) {
                failure = std::current_exception();
            }
        };
        for (long step = 1; step < size_; step *= 2) {
            if ((rank_ & step) != 0) {
                writer to;
                // One byte in front, since a sum may have none.
                keep([&] {
                    to.put(std::byte{1});
                    transfer<R>::serialise(sum, to);
                });
                send_to(static_cast<int>(rank_ - step), failure ? std::vector<std::byte>() : std::move(to.bytes()));
                break;
            }
            if (rank_ + step >= size_)
                continue;
            const std::vector<std::byte> other = receive_from(static_cast<int>(rank_ + step));
            if (other.empty())
                continue;
            keep([&] {
                reader from(other.data() + 1, other.size() - 1);
                sum += transfer<R>::restore(from);
            });
        }
        if (failure)
            std::rethrow_exception(failure);
    }

    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
};

}  // namespace teff::mpi
