// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop of the communicating thread; see balance.hpp.
#include <teff/mpi/balance.hpp>

#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/mpi/ending.hpp>
#include <teff/mpi/lifelines.hpp>
#include <teff/mpi/mailbox.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace teff::mpi {
namespace {

// Each look takes a processor from the workers, so a rank with few of them looks less often.
std::int64_t longest_pause_ns(unsigned workers) noexcept {
    constexpr std::int64_t least_ns = 200'000;
    return std::max(least_ns, growing_pause::usual_longest_ns / std::max(workers, 1U));
}

int rank_in(MPI_Comm ranks) {
    int rank = 0;
    check(MPI_Comm_rank(ranks, &rank), "MPI_Comm_rank");
    return rank;
}
int size_of(MPI_Comm ranks) {
    int size = 0;
    check(MPI_Comm_size(ranks, &size), "MPI_Comm_size");
    return size;
}

class balancer {
public:
    balancer(MPI_Comm ranks, const sharing& how, rank_work& work)
        : how_(how), work_(work), rank_(rank_in(ranks)), size_(size_of(ranks)), random_(rank_), mail_(ranks),
          ending_(ranks), tries_left_(how.random_victims) {
        for (const int each : lifelines_of(rank_, size_))
            lifelines_.push_back({each});
    }

    void run() {
        while (!look())
            pause();
        for (const lifeline& each : lifelines_)
            mail_.send(each.rank, message_kind::farewell);
        while (!mail_.all_have_left() || farewells_ != lifelines_.size()) {
            bell_seen_ = work_.bell().seen();
            receive_all();
            pause();
        }
    }

private:
    struct lifeline {
        int rank;
        bool is_asked = false;  // it owes us work
        bool waits = false;     // we owe it work
    };

    // Returns whether all work has ended.
    bool look() {
        bell_seen_ = work_.bell().seen();
        receive_all();
        mail_.all_have_left();
        if (work_.is_halted())
            tell_halt();
        tell_news();
        is_dry_ = work_.is_dry();
        if (!is_dry_)
            serve_lifelines();
        else if (!is_awaiting_answer_ && !work_.is_halted())
            ask();
        return ending_.has_come(is_dry_ && (has_asked_all() || work_.is_halted()), mail_.sent(), mail_.received());
    }

    void receive_all() {
        while (mail_.receive(arrived_)) {
            pause_.reset();
            handle(arrived_);
        }
    }

    void handle(const message& arrived) {
        reader from(arrived.bytes.data(), arrived.bytes.size());
        if (has_value(arrived.kind))
            how_.best->read(from);
        switch (arrived.kind) {
        case message_kind::ask:
            if (!give(arrived.from, message_kind::ask))
                send(arrived.from, message_kind::refusal);
            return;
        case message_kind::ask_lifeline:
            lifeline_to(arrived.from).waits = true;
            return;
        case message_kind::refusal: is_awaiting_answer_ = false; return;
        case message_kind::work: accept(arrived.from, from); return;
        case message_kind::halt:
            if (!work_.is_halted())
                work_.halt();
            return;
        case message_kind::farewell: ++farewells_; return;
        case message_kind::news:
        case message_kind::sum: return;
        }
    }

    // Whether the ranks share a value, and messages of this kind begin with it.
    bool has_value(message_kind kind) const noexcept {
        return how_.best != nullptr && kind != message_kind::halt && kind != message_kind::farewell;
    }
    // The begin of a message's bytes.
    writer begun(message_kind kind) const {
        writer whole;
        if (has_value(kind))
            how_.best->write(whole);
        return whole;
    }
    void send(int to, message_kind kind) { mail_.send(to, kind, std::move(begun(kind).bytes())); }
    void tell_news() {
        // Few messages, although a search may improve its value often.
        constexpr std::int64_t interval_ns = 250'000;
        if (how_.best == nullptr)
            return;
        const std::int64_t now = monotonic_ns();
        if (now - told_news_ns_ < interval_ns || !how_.best->take_news())
            return;
        told_news_ns_ = now;
        for (const lifeline& each : lifelines_)
            send(each.rank, message_kind::news);
    }

    // The bytes of a message of kind work: what it answers, the number of items, and the items.
    bool give(int to, message_kind answers) {
        writer items;
        const unsigned count = work_.take(how_.chunk, answers == message_kind::ask, items);
        if (count == 0)
            return false;
        writer whole = begun(message_kind::work);
        whole.put(answers);
        whole.put(count);
        whole.put_bytes(items.bytes().data(), items.bytes().size());
        mail_.send(to, message_kind::work, std::move(whole.bytes()));
        pause_.reset();
        return true;
    }
    void accept(int sender, reader& from) {
        if (from.get<message_kind>() == message_kind::ask)
            is_awaiting_answer_ = false;
        else
            lifeline_to(sender).is_asked = false;
        const auto count = from.get<unsigned>();
        tries_left_ = how_.random_victims;
        work_.put(from, count);
    }

    void ask() {
        if (tries_left_ != 0) {
            --tries_left_;
            is_awaiting_answer_ = true;
            send(random_.other_than(rank_, size_), message_kind::ask);
            return;
        }
        for (lifeline& each : lifelines_)
            if (!std::exchange(each.is_asked, true))
                send(each.rank, message_kind::ask_lifeline);
    }
    bool has_asked_all() const noexcept {
        return tries_left_ == 0 &&
               std::all_of(lifelines_.begin(), lifelines_.end(), [](const lifeline& each) { return each.is_asked; });
    }

    void serve_lifelines() {
        for (lifeline& each : lifelines_)
            if (each.waits && give(each.rank, message_kind::ask_lifeline))
                each.waits = false;
    }

    void tell_halt() {
        if (std::exchange(has_told_halt_, true))
            return;
        for (const lifeline& each : lifelines_)
            mail_.send(each.rank, message_kind::halt);
    }

    lifeline& lifeline_to(int rank) noexcept {
        return *std::find_if(lifelines_.begin(), lifelines_.end(),
                             [rank](const lifeline& each) { return each.rank == rank; });
    }

    void pause() noexcept {
        // A worker may need the processor.
        const std::int64_t ns = pause_.next(is_dry_);
        if (ns == 0)
            yield_thread();
        else
            work_.bell().wait(bell_seen_, ns);
        if (work_.bell().seen() != bell_seen_)
            pause_.reset();
    }

    const sharing how_;
    rank_work& work_;
    const int rank_, size_;
    random_ranks random_;
    mailbox mail_;
    ending ending_;
    std::vector<lifeline> lifelines_;
    unsigned tries_left_;
    bool is_dry_ = false;
    bool is_awaiting_answer_ = false;  // of a random rank
    bool has_told_halt_ = false;
    std::size_t farewells_ = 0;
    std::int64_t told_news_ns_ = 0;
    std::uint32_t bell_seen_ = 0;
    message arrived_;
    growing_pause pause_{longest_pause_ns(how_.workers)};
};

}  // namespace

void balance(MPI_Comm ranks, const sharing& how, rank_work& work) { balancer(ranks, how, work).run(); }

}  // namespace teff::mpi
