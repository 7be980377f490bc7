// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// uts with MPI alone, the opponent: distributed work stealing as described by Dinan, Olivier, Sabin, Prins, Sadayappan
// and Tseng, "Dynamic Load Balancing of Unbalanced Computations Using Message Passing" (IPDPS 2007). Written from the
// description; the tree is the same as in all other versions.
//
// Each rank has one thread and a stack of nodes. It expands the newest node, and looks at its messages once in
// `poll_interval` nodes. A rank without nodes asks random ranks, one after the other. A victim answers with a chunk,
// the oldest `chunk` nodes of its stack, if it has two chunks or more; otherwise it refuses.
//
// The end is found by Dijkstra's token. It goes around the ring of ranks. A rank passes it on when it has no nodes and
// waits for no answer; the token becomes black at a rank that has sent nodes since it passed the token on last. If the
// token comes back white to rank 0, which has sent nothing either, no rank has nodes. Otherwise, take the first
// delivery of nodes to a rank that had passed the token on already. If the sender had not passed it on yet, it made the
// token black. If it had, it got its nodes by an earlier such delivery.
//
// A rank without work waits in MPI_Probe, as a plain program does: Open MPI keeps the processor busy there.
#include <bench/mpi/program.hpp>

#include <bench/uts/uts.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::mpi {
namespace {

enum tag : int { request = 1, nodes, refusal, token, end };

class work_stealing {
public:
    work_stealing(const uts::tree& tree, std::size_t chunk, std::uint64_t poll_interval)
        : tree_(tree), chunk_(chunk), poll_interval_(poll_interval) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        random_ = 0x9e3779b97f4a7c15U * (static_cast<std::uint64_t>(rank_) + 1);
        has_token_ = rank_ == 0;
    }

    // The counts of the whole tree, on every rank.
    uts::counts run() {
        if (rank_ == 0)
            stack_.push_back(tree_.root());
        while (!has_ended_) {
            work();
            if (size_ == 1)
                break;
            search();
        }
        if (size_ > 1)
            leave_together();
        return sum_of_all();
    }

private:
    void work() {
        for (std::uint64_t until_poll = poll_interval_; stack_.size() != first_;) {
            const uts::node parent = stack_.back();
            stack_.pop_back();
            const std::uint32_t children = tree_.children_of(parent);
            own_ += uts::counts::of(parent, children);
            for (std::uint32_t index = 0; index < children; ++index)
                stack_.push_back(tree_.child_of(parent, index));
            if (--until_poll == 0) {
                until_poll = poll_interval_;
                poll();
            }
        }
        stack_.clear();
        first_ = 0;
    }

    // Returns when there are nodes, or none anywhere.
    void search() {
        while (stack_.empty() && !has_ended_) {
            if (!is_awaiting_answer_) {
                if (has_token_)
                    pass_token();
                if (has_ended_)
                    return;
                MPI_Send(nullptr, 0, MPI_BYTE, random_victim(), request, MPI_COMM_WORLD);
                is_awaiting_answer_ = true;
            }
            MPI_Status status;
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            handle(status);
        }
    }

    void poll() {
        for (;;) {
            int is_there = 0;
            MPI_Status status;
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status);
            if (is_there == 0)
                return;
            handle(status);
        }
    }

    void handle(const MPI_Status& found) {
        int bytes = 0;
        MPI_Get_count(&found, MPI_BYTE, &bytes);
        const auto receive = [&](void* to) {
            MPI_Recv(to, bytes, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        };
        switch (static_cast<tag>(found.MPI_TAG)) {
        case request:
            receive(nullptr);
            answer(found.MPI_SOURCE);
            return;
        case nodes: {
            const std::size_t before = stack_.size();
            stack_.resize(before + static_cast<std::size_t>(bytes) / sizeof(uts::node));
            receive(stack_.data() + before);
            is_awaiting_answer_ = false;
            return;
        }
        case refusal:
            receive(nullptr);
            is_awaiting_answer_ = false;
            return;
        case token:
            receive(&is_token_black_);
            has_token_ = true;
            return;
        case end:
            receive(nullptr);
            has_ended_ = true;
            return;
        }
    }

    void answer(int thief) {
        if (stack_.size() - first_ < 2 * chunk_) {
            MPI_Send(nullptr, 0, MPI_BYTE, thief, refusal, MPI_COMM_WORLD);
            return;
        }
        MPI_Send(stack_.data() + first_, static_cast<int>(chunk_ * sizeof(uts::node)), MPI_BYTE, thief, nodes,
                 MPI_COMM_WORLD);
        is_black_ = true;
        first_ += chunk_;
        // Each node is moved down once at most for each node that was sent.
        if (first_ > stack_.size() / 2) {
            stack_.erase(stack_.begin(), stack_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
    }

    // For a rank without nodes that waits for no answer.
    void pass_token() {
        has_token_ = false;
        if (rank_ == 0 && has_begun_round_ && is_token_black_ == 0 && !is_black_) {
            has_ended_ = true;
            for (int other = 1; other < size_; ++other)
                MPI_Send(nullptr, 0, MPI_BYTE, other, end, MPI_COMM_WORLD);
            return;
        }
        if (rank_ == 0)
            is_token_black_ = 0;
        else if (is_black_)
            is_token_black_ = 1;
        has_begun_round_ = true;
        is_black_ = false;
        MPI_Send(&is_token_black_, 1, MPI_BYTE, (rank_ + 1) % size_, token, MPI_COMM_WORLD);
    }

    // Answers requests until no rank waits for an answer.
    void leave_together() {
        while (is_awaiting_answer_)
            poll();
        MPI_Request barrier = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        for (int is_complete = 0; is_complete == 0;) {
            poll();
            MPI_Test(&barrier, &is_complete, MPI_STATUS_IGNORE);
        }
    }

    uts::counts sum_of_all() {
        std::uint64_t own[2] = {own_.nodes, own_.leaves}, sums[2] = {};
        uts::counts all;
        MPI_Allreduce(own, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&own_.depth, &all.depth, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
        all.nodes = sums[0];
        all.leaves = sums[1];
        return all;
    }

    // Marsaglia's xorshift.
    int random_victim() {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        const int drawn = static_cast<int>((random_ >> 16) % static_cast<std::uint64_t>(size_ - 1));
        return drawn >= rank_ ? drawn + 1 : drawn;
    }

    const uts::tree tree_;
    const std::size_t chunk_;
    const std::uint64_t poll_interval_;
    int rank_ = 0, size_ = 1;
    std::vector<uts::node> stack_;
    std::size_t first_ = 0;  // the oldest node that is still here
    uts::counts own_;
    std::uint64_t random_;
    bool is_awaiting_answer_ = false;
    bool has_ended_ = false;
    bool is_black_ = false;  // has sent nodes since it passed the token on
    bool has_token_;
    bool has_begun_round_ = false;
    std::uint8_t is_token_black_ = 0;
};

// The best of 5, 10, 20, 50 and 100 nodes, and of 10, 50, 200 and 1000, for T3 and T3L with 2 and 4 ranks on 2
// processors. A stack of T3 has few nodes, so with large chunks a victim refuses most requests.
constexpr long usual_chunk = 5, usual_poll_interval = 200;

outcome run(const run_settings& asked) {
    const uts::workload tree = uts::chosen(asked.run);
    uts::counts found;
    const double seconds = time_seconds([&] {
        work_stealing all(tree.tree, static_cast<std::size_t>(asked.chunk.value_or(usual_chunk)),
                          static_cast<std::uint64_t>(asked.poll_interval.value_or(usual_poll_interval)));
        found = all.run();
    });
    return uts::checked(tree, seconds, found);
}

}  // namespace

const program plain_uts_program = {plain_runtime, uts_description, one_variant(), run};

}  // namespace bench::mpi
