// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulation of ranks; see ranks.hpp.
#include <simulator/ranks/ranks.hpp>

#include <simulator/ranks/event_queue.hpp>

#include <teff/mpi/lifelines.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace simulator {
namespace {

// Items of a worker, or of the thread that communicates. The owner takes the newest one, all others the oldest ones.
class item_list {
public:
    std::size_t size() const noexcept { return items_.size() - begin_; }
    bool empty() const noexcept { return size() == 0; }
    void add(const tree_node& item) { items_.push_back(item); }
    tree_node take_newest() noexcept {
        const tree_node item = items_.back();
        items_.pop_back();
        tidy();
        return item;
    }
    // Appends them to another list, in their order.
    void move_oldest(std::size_t count, std::vector<tree_node>& to) {
        const auto first = items_.begin() + static_cast<std::ptrdiff_t>(begin_);
        to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(count));
        begin_ += count;
        tidy();
    }
    std::vector<tree_node>& all() noexcept { return items_; }

private:
    void tidy() {
        if (begin_ == items_.size()) {
            items_.clear();
            begin_ = 0;
        } else if (begin_ > 64 && 2 * begin_ > items_.size()) {
            items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(begin_));
            begin_ = 0;
        }
    }

    std::vector<tree_node> items_;
    std::size_t begin_ = 0;
};

struct worker {
    item_list items;
    duration idle_since = 0;
};

// Of teff/mpi/mailbox.hpp, and `collective`: a step of an operation of all ranks.
enum class message_kind : std::uint8_t { ask, ask_lifeline, refusal, work, farewell, collective };

struct message {
    unsigned from = 0, to = 0;
    message_kind kind{};
    bool answers_random = false;  // of kind work
    std::vector<tree_node> items;
};

// The pauses of teff/mpi/mailbox.cpp.
struct growing_pause {
    static constexpr duration yields = 20'000'000, first = 10'000'000;  // ps

    duration begin = -1, length = 0;

    void reset() noexcept { *this = {}; }
    duration next(duration now, duration longest, bool may_yield) noexcept {
        if (begin < 0)
            begin = now;
        if (may_yield && now - begin < yields)
            return 0;
        length = length == 0 ? std::min(first, longest) : std::min(2 * length, longest);
        return length;
    }
};

// What a rank does: collective operations at the start, the balance of the work, the last messages to neighbours,
// collective operations for the sum.
enum class stage : std::uint8_t { start, balance, farewell, sum, done };
constexpr unsigned start_rounds = 2;  // a communicator of its own, and no rank has failed
constexpr unsigned sum_rounds = 4;    // no rank has failed, twice, and the sum to rank 0 and back

struct lifeline {
    unsigned rank;
    bool is_asked = false;  // it owes us work
    bool waits = false;     // we owe it work
};

// An operation of all ranks: what has arrived from below and from above.
struct collective {
    unsigned below = 0;  // messages of children
    bool has_begun = false, is_up = false, is_back = false;
};

struct rank_state {
    // the team
    std::vector<unsigned> idle;       // workers without work
    item_list arrived;                // the deque of the thread that communicates
    std::size_t queued = 0;           // items of all workers
    double queued_ns = 0;             // the time that the items' subtrees take on average
    bool had_work = false;
    // the thread that communicates
    stage now = stage::start;
    unsigned rounds_left = start_rounds;
    teff::mpi::random_ranks random;
    std::vector<lifeline> lifelines;
    unsigned tries_left;
    bool is_awaiting_answer = false;
    std::int64_t sent = 0, received = 0;
    std::int64_t received_before = -1;
    std::size_t farewells = 0;
    std::vector<std::size_t> mail;    // messages that have arrived
    collective round;
    growing_pause pause;
    bool is_polling = false;
    std::uint32_t next_look = 0;      // a look with another number has been cancelled
    duration free_at = 0;             // until then the thread is busy
    std::uint64_t messages = 0;

    explicit rank_state(unsigned rank) : random(static_cast<int>(rank)) {}
};

enum class event_kind : std::uint8_t { step, look, arrival };

struct what_happens {
    event_kind kind;
    std::uint32_t of;      // a worker, a rank or a message
    std::uint32_t number;  // of a look
};

class simulation_of_ranks {
public:
    explicit simulation_of_ranks(const ranks_settings& settings)
        : settings_(settings), tree_(settings.tree), net_(settings.ranks, settings.network),
          workers_(std::size_t{settings.ranks} * settings.workers), random_(settings.seed * 0x9e3779b97f4a7c15U | 1) {
        ranks_.reserve(settings.ranks);
        for (unsigned rank = 0; rank < settings.ranks; ++rank) {
            rank_state& added = ranks_.emplace_back(rank);
            for (const int each : teff::mpi::lifelines_of(static_cast<int>(rank), static_cast<int>(settings.ranks)))
                added.lifelines.push_back({static_cast<unsigned>(each)});
            added.tries_left = settings.random_victims;
            for (unsigned each = 0; each < settings.workers; ++each)
                added.idle.push_back(each);
            // Ranks do not begin at the same moment.
            look_at(rank, static_cast<duration>(draw(20'000'000)));
        }
    }

    ranks_result run() {
        while (ranks_done_ != settings_.ranks) {
            const auto next = events_.take();
            now_ = next.at;
            ++result_.events;
            switch (next.what.kind) {
            case event_kind::step: step(next.what.of); break;
            case event_kind::arrival: arrive(next.what.of); break;
            case event_kind::look:
                if (ranks_[next.what.of].next_look == next.what.number)
                    look(next.what.of);
                break;
            }
        }
        result_.end = now_;
        for (const rank_state& each : ranks_)
            result_.most_messages = std::max(result_.most_messages, each.messages);
        return result_;
    }

private:
    // A worker runs a subtree of this time in one event even if its rank has little work.
    static constexpr double fine_ns = 4000, coarse_ns = 2'000'000;
    // Otherwise its time is at most this part of what the rank's workers have to do.
    static constexpr double part = 16;
    static constexpr std::size_t most_visible = 64;  // as in teff/queue/shared_part.hpp

    std::uint64_t draw(std::uint64_t end) noexcept {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        return (random_ >> 16) % end;
    }

    double time_of(const tree_node& item) const noexcept {
        const double size = tree_.mean_size(item);
        // The sizes of binomial trees cannot be drawn; any time serves to tell a rank with work from one without.
        return (size > 1e18 ? 1e6 : size) * settings_.node_ns;
    }

    // --- the team of a rank ---

    unsigned rank_of(std::uint32_t worker) const noexcept { return worker / settings_.workers; }
    worker& worker_of(unsigned rank, unsigned index) noexcept {
        return workers_[std::size_t{rank} * settings_.workers + index];
    }
    std::uint32_t number_of(unsigned rank, unsigned index) const noexcept { return rank * settings_.workers + index; }
    bool is_dry(const rank_state& rank) const noexcept {
        return rank.arrived.empty() && rank.idle.size() == settings_.workers;
    }

    // A worker goes on.
    void step(std::uint32_t number) {
        const unsigned rank_number = rank_of(number);
        rank_state& rank = ranks_[rank_number];
        worker& self = workers_[number];
        if (self.items.empty()) {
            if (steal(rank_number, number))
                return;
            self.idle_since = now_;
            rank.idle.push_back(number % settings_.workers);
            if (is_dry(rank)) {
                result_.last_item = now_;
                ring(rank_number);
            }
            return;
        }
        share_with_idle(rank_number, self.items);
        const double limit_ns =
            rank.idle.empty() ? std::clamp(rank.queued_ns / (part * settings_.workers), fine_ns, coarse_ns) : fine_ns;
        double spent_ns = 0;
        while (!self.items.empty() && spent_ns < limit_ns)
            spent_ns += run_item(rank, self.items, limit_ns);
        note_work(spent_ns);
        events_.add(now_ + picoseconds(spent_ns), {event_kind::step, number, 0});
        share_with_idle(rank_number, self.items);
    }

    // A step is counted in the slot in which it begins.
    void note_work(double spent_ns) {
        const auto slot = static_cast<std::size_t>(now_ / ranks_result::slot);
        if (slot >= result_.work_ns.size())
            result_.work_ns.resize(slot + 1);
        result_.work_ns[slot] += spent_ns;
    }

    double run_item(rank_state& rank, item_list& items, double limit_ns) {
        const tree_node item = items.take_newest();
        --rank.queued;
        rank.queued_ns -= time_of(item);
        if (settings_.draws_subtrees && tree_.mean_size(item) * settings_.node_ns <= limit_ns) {
            const std::uint64_t size = tree_.draw_size(item);
            result_.nodes += size;
            return static_cast<double>(size) * settings_.node_ns;
        }
        ++result_.nodes;
        const std::uint32_t children = tree_.children_of(item);
        for (std::uint32_t index = 0; index < children; ++index)
            add_item(rank, items, tree_.child_of(item, index));
        return settings_.node_ns;
    }

    void add_item(rank_state& rank, item_list& items, const tree_node& item) {
        items.add(item);
        ++rank.queued;
        rank.queued_ns += time_of(item);
    }

    // How many items of a list one theft takes. A worker keeps the one that it runs next.
    std::size_t stolen(const rank_state& rank, const item_list& from, std::size_t searchers) const noexcept {
        const std::size_t kept = &from != &rank.arrived && !from.empty() ? 1 : 0;
        const std::size_t visible = std::min(from.size() - kept, most_visible);
        return (visible + searchers) / (searchers + 1);
    }
    // For a worker without items. True: it has some, and its next step has been arranged.
    bool steal(unsigned rank_number, std::uint32_t thief) {
        rank_state& rank = ranks_[rank_number];
        if (rank.queued == 0)
            return false;
        const std::uint64_t first = draw(settings_.workers);
        for (unsigned i = 0; i <= settings_.workers; ++i) {
            const auto victim = static_cast<unsigned>((first + i) % settings_.workers);
            item_list& from = i == settings_.workers ? rank.arrived : worker_of(rank_number, victim).items;
            if (take_over(rank_number, thief, from, settings_.steal_ns))
                return true;
        }
        return false;
    }
    bool take_over(unsigned rank_number, std::uint32_t thief, item_list& from, double after_ns) {
        const rank_state& rank = ranks_[rank_number];
        const std::size_t count = stolen(rank, from, rank.idle.size() + 1);
        if (count == 0)
            return false;
        from.move_oldest(count, workers_[thief].items.all());
        events_.add(now_ + picoseconds(after_ns), {event_kind::step, thief, 0});
        return true;
    }

    void share_with_idle(unsigned rank_number, item_list& from) {
        rank_state& rank = ranks_[rank_number];
        while (!rank.idle.empty()) {
            const std::uint32_t thief = number_of(rank_number, rank.idle.back());
            const bool sleeps = now_ - workers_[thief].idle_since > picoseconds(settings_.spin_ns);
            if (!take_over(rank_number, thief, from, settings_.steal_ns + (sleeps ? settings_.wake_ns : 0)))
                return;
            rank.idle.pop_back();
        }
    }

    // --- messages ---

    void send(unsigned from, unsigned to, message_kind kind, bool answers_random = false,
              std::vector<tree_node> items = {}) {
        rank_state& sender = ranks_[from];
        const std::size_t bytes = items.size() * sizeof(tree_node);
        busy(sender, settings_.network.send_ns);
        if (kind == message_kind::collective)
            ++result_.collective_messages;
        else
            ++result_.messages;
        if (kind == message_kind::work) {
            ++result_.work_messages;
            result_.items_moved += items.size();
        }
        if (kind <= message_kind::work)
            ++sender.sent;
        ++sender.messages;
        result_.bytes += bytes + settings_.network.header_bytes;
        std::size_t index = messages_.size();
        if (!unused_.empty()) {
            index = unused_.back();
            unused_.pop_back();
        } else {
            messages_.emplace_back();
        }
        messages_[index] = {from, to, kind, answers_random, std::move(items)};
        events_.add(net_.send(from, to, bytes, sender.free_at),
                    {event_kind::arrival, static_cast<std::uint32_t>(index), 0});
    }
    void arrive(std::uint32_t index) {
        const unsigned to = messages_[index].to;
        ranks_[to].mail.push_back(index);
        if (ranks_[to].is_polling)
            look_at(to, std::max(now_, ranks_[to].free_at));
    }

    // --- the thread that communicates ---

    void busy(rank_state& rank, double ns) noexcept { rank.free_at = std::max(rank.free_at, now_) + picoseconds(ns); }
    void look_at(unsigned rank, duration at) {
        ranks_[rank].is_polling = false;
        events_.add(at, {event_kind::look, rank, ++ranks_[rank].next_look});
    }
    // A worker that finds the rank dry wakes the thread.
    void ring(unsigned rank_number) {
        rank_state& rank = ranks_[rank_number];
        rank.pause.reset();
        look_at(rank_number,
                std::max(now_ + (rank.is_polling ? 0 : picoseconds(settings_.wake_ns)), rank.free_at));
    }

    void look(unsigned number) {
        rank_state& rank = ranks_[number];
        busy(rank, settings_.look_ns);
        receive_all(number);
        switch (rank.now) {
        case stage::start:
            if (collective_has_ended(number, true) && --rank.rounds_left == 0)
                begin_work(number);
            break;
        case stage::balance:
            if (!is_dry(rank))
                serve_lifelines(number);
            else if (!rank.is_awaiting_answer)
                ask(number);
            if (has_ended(number))
                say_farewell(number);
            break;
        case stage::farewell: break;
        case stage::sum:
            if (collective_has_ended(number, true) && --rank.rounds_left == 0) {
                rank.now = stage::done;
                ++ranks_done_;
                return;
            }
            break;
        case stage::done: return;
        }
        if (rank.now == stage::farewell && rank.farewells == rank.lifelines.size()) {
            rank.now = stage::sum;
            rank.rounds_left = sum_rounds;
            rank.pause.reset();
        }
        pause(number);
    }
    void pause(unsigned number) {
        rank_state& rank = ranks_[number];
        const bool may_yield = rank.now != stage::balance || is_dry(rank);
        const duration at = std::max(rank.free_at, now_);
        const duration length = rank.pause.next(at, picoseconds(settings_.longest_pause_ns), may_yield);
        if (length == 0) {
            // Looks again and again: when something arrives, or when it will sleep.
            look_at(number, std::max(rank.pause.begin + growing_pause::yields, at));
            rank.is_polling = true;
            if (!rank.mail.empty())
                look_at(number, at);
            return;
        }
        const duration whole = length + picoseconds(settings_.timer_ns);
        look_at(number, at + whole + static_cast<duration>(draw(static_cast<std::uint64_t>(whole / 10 + 1))));
    }

    void receive_all(unsigned number) {
        // What arrives meanwhile is left for the next look.
        std::swap(arrived_, ranks_[number].mail);
        for (const std::size_t index : arrived_) {
            // MPI does not tell of the steps of its own operations.
            if (messages_[index].kind != message_kind::collective)
                ranks_[number].pause.reset();
            busy(ranks_[number], settings_.network.receive_ns);
            ++ranks_[number].messages;
            if (messages_[index].kind <= message_kind::work)
                ++ranks_[number].received;
            handle(number, index);
            unused_.push_back(index);
        }
        arrived_.clear();
    }
    void handle(unsigned number, std::size_t index) {
        rank_state& rank = ranks_[number];
        const unsigned from = messages_[index].from;
        switch (messages_[index].kind) {
        case message_kind::ask:
            if (!give(number, from, true))
                send(number, from, message_kind::refusal);
            return;
        case message_kind::ask_lifeline: lifeline_to(rank, from).waits = true; return;
        case message_kind::refusal: rank.is_awaiting_answer = false; return;
        case message_kind::work: accept(number, messages_[index]); return;
        case message_kind::farewell: ++rank.farewells; return;
        case message_kind::collective:
            if (from == parent_of(number))
                rank.round.is_back = true;
            else
                ++rank.round.below;
            return;
        }
    }

    void begin_work(unsigned number) {
        rank_state& rank = ranks_[number];
        rank.now = stage::balance;
        rank.pause.reset();
        if (number != 0)
            return;
        add_item(rank, rank.arrived, tree_.root());
        rank.had_work = true;
        ranks_with_work_ = 1;
        share_with_idle(number, rank.arrived);
    }

    // rank_team::take(): half of the rank's items, the oldest ones, from one worker after the other.
    std::vector<tree_node> take(unsigned number, bool searches) {
        constexpr double search_ns = 30'000;
        rank_state& rank = ranks_[number];
        std::vector<tree_node> taken;
        if (is_dry(rank))
            return taken;
        if (!rank.arrived.empty()) {
            const std::size_t count = (rank.arrived.size() + (rank.idle.empty() ? 1 : 0)) / 2;
            rank.arrived.move_oldest(std::min<std::size_t>(settings_.chunk, count), taken);
        } else {
            const std::size_t wanted = std::clamp<std::size_t>(
                rank.queued / 2, 1, settings_.gives_alternate ? 2 * settings_.chunk : settings_.chunk);
            for (bool found = true; taken.size() < wanted && found;) {
                found = false;
                const std::uint64_t first = draw(settings_.workers);
                for (unsigned i = 0; i < settings_.workers && taken.size() < wanted; ++i) {
                    item_list& from =
                        worker_of(number, static_cast<unsigned>((first + i) % settings_.workers)).items;
                    const std::size_t count = std::min(wanted - taken.size(), stolen(rank, from, rank.idle.size() + 1));
                    if (count == 0)
                        continue;
                    from.move_oldest(count, taken);
                    busy(rank, settings_.steal_ns);
                    found = true;
                }
            }
            if (taken.empty() && searches)
                busy(rank, search_ns);
            if (settings_.gives_alternate)
                keep_every_second(number, taken);
        }
        rank.queued -= taken.size();
        for (const tree_node& each : taken)
            rank.queued_ns -= time_of(each);
        busy(rank, settings_.item_ns * static_cast<double>(taken.size()));
        return taken;
    }
    // Those go into the deque of the thread that communicates.
    void keep_every_second(unsigned number, std::vector<tree_node>& taken) {
        std::size_t given = 0;
        for (std::size_t i = 0; i < taken.size(); ++i) {
            if (i % 2 == 0)
                taken[given++] = taken[i];
            else
                ranks_[number].arrived.add(taken[i]);
        }
        taken.resize(given);
        share_with_idle(number, ranks_[number].arrived);
    }
    bool give(unsigned number, unsigned to, bool answers_random) {
        std::vector<tree_node> items = take(number, answers_random);
        if (items.empty())
            return false;
        send(number, to, message_kind::work, answers_random, std::move(items));
        ranks_[number].pause.reset();
        return true;
    }
    void accept(unsigned number, message& arrived) {
        rank_state& rank = ranks_[number];
        if (arrived.answers_random)
            rank.is_awaiting_answer = false;
        else
            lifeline_to(rank, arrived.from).is_asked = false;
        rank.tries_left = settings_.random_victims;
        if (!std::exchange(rank.had_work, true) && ++ranks_with_work_ == settings_.ranks)
            result_.all_have_work = now_;
        busy(rank, settings_.item_ns * static_cast<double>(arrived.items.size()));
        for (const tree_node& each : arrived.items)
            add_item(rank, rank.arrived, each);
        arrived.items.clear();
        share_with_idle(number, rank.arrived);
    }

    void ask(unsigned number) {
        rank_state& rank = ranks_[number];
        if (rank.tries_left != 0) {
            --rank.tries_left;
            rank.is_awaiting_answer = true;
            const int victim = rank.random.other_than(static_cast<int>(number), static_cast<int>(settings_.ranks));
            send(number, static_cast<unsigned>(victim), message_kind::ask);
            return;
        }
        for (lifeline& each : rank.lifelines)
            if (!std::exchange(each.is_asked, true))
                send(number, each.rank, message_kind::ask_lifeline);
    }
    bool has_asked_all(const rank_state& rank) const noexcept {
        return rank.tries_left == 0 && std::all_of(rank.lifelines.begin(), rank.lifelines.end(),
                                                   [](const lifeline& each) { return each.is_asked; });
    }
    void serve_lifelines(unsigned number) {
        for (lifeline& each : ranks_[number].lifelines)
            if (each.waits && give(number, each.rank, false))
                each.waits = false;
    }
    static lifeline& lifeline_to(rank_state& rank, unsigned to) noexcept {
        return *std::find_if(rank.lifelines.begin(), rank.lifelines.end(),
                             [to](const lifeline& each) { return each.rank == to; });
    }

    // --- the end ---

    bool has_ended(unsigned number) {
        rank_state& rank = ranks_[number];
        const bool begins = !rank.round.has_begun && is_dry(rank) && has_asked_all(rank);
        if (begins) {
            sum_sent_ += rank.sent;
            sum_received_ += rank.received;
            if (++contributed_ == settings_.ranks) {
                // The last one to contribute: what all ranks will see once the operation has ended.
                sums_ = {sum_sent_, sum_received_};
                sum_sent_ = sum_received_ = 0;
                contributed_ = 0;
                ++result_.rounds;
            }
        }
        if (!rank.round.has_begun && !begins)
            return false;
        if (!collective_has_ended(number, begins))
            return false;
        const bool has_come = sums_.first == rank.received_before;
        rank.received_before = sums_.second;
        if (has_come && result_.found == 0)
            result_.found = now_;
        return has_come;
    }
    void say_farewell(unsigned number) {
        rank_state& rank = ranks_[number];
        rank.now = stage::farewell;
        for (const lifeline& each : rank.lifelines)
            send(number, each.rank, message_kind::farewell);
    }

    // A binomial tree: a rank's parent is the rank without its lowest bit.
    static unsigned parent_of(unsigned rank) noexcept { return rank & (rank - 1); }
    unsigned children_of(unsigned rank) const noexcept {
        unsigned count = 0;
        for (unsigned bit = 1; is_child(rank, bit); bit *= 2)
            ++count;
        return count;
    }
    bool is_child(unsigned rank, unsigned bit) const noexcept {
        return (rank == 0 || bit < (rank & -rank)) && bit < settings_.ranks && rank + bit < settings_.ranks;
    }
    // Makes what progress can be made. True: the operation has ended for this rank.
    bool collective_has_ended(unsigned number, bool begins) {
        collective& round = ranks_[number].round;
        round.has_begun |= begins;
        if (!round.is_up && round.below == children_of(number)) {
            round.is_up = true;
            if (number != 0)
                send(number, parent_of(number), message_kind::collective);
            else
                round.is_back = true;
        }
        if (!round.is_back)
            return false;
        for (unsigned bit = 1; is_child(number, bit); bit *= 2)
            send(number, number + bit, message_kind::collective);
        round = {};
        // Each wait for an operation begins anew, but for those of the four counters.
        if (ranks_[number].now != stage::balance)
            ranks_[number].pause.reset();
        return true;
    }

    const ranks_settings settings_;
    const sampled_tree tree_;
    network net_;
    std::vector<rank_state> ranks_;
    std::vector<worker> workers_;
    std::vector<message> messages_;
    std::vector<std::size_t> unused_;   // messages that have been received
    std::vector<std::size_t> arrived_;  // those that a rank receives now
    event_queue<what_happens> events_;
    std::uint64_t random_;
    duration now_ = 0;
    unsigned ranks_done_ = 0, ranks_with_work_ = 0;
    // the round of the four counters
    std::int64_t sum_sent_ = 0, sum_received_ = 0;
    std::pair<std::int64_t, std::int64_t> sums_;
    unsigned contributed_ = 0;
    ranks_result result_;
};

}  // namespace

ranks_result simulate_ranks(const ranks_settings& settings) { return simulation_of_ranks(settings).run(); }

}  // namespace simulator
