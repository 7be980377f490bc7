// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers, moves and rules of the simulated network; see network.hpp. The functions of MPI are in mpi.cpp.
#include "network.hpp"

#include <teff/base/futex.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/mpi/balance.hpp>
#include <teff/mpi/mailbox.hpp>
#include <teff/mpi/ranks.hpp>
#include <teff/mpi/remote_failure.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

// The doorbell's functions: no thread sleeps here.
namespace teff {
bool futex_wait(const futex_word&, std::uint32_t, std::int64_t) noexcept {
    simulated::end_look();
    return true;
}
void futex_wake(const void*, int) noexcept {}
void prepare_workers(unsigned) noexcept {}
}  // namespace teff

namespace simulated {
namespace {

network* running = nullptr;

// Thrown at a point of an execution that is given up.
struct given_up {};

constexpr std::size_t stack_size = 256 * 1024;

// Stacks are used again.
std::vector<std::unique_ptr<std::byte[]>>& stacks() {
    static std::vector<std::unique_ptr<std::byte[]>> all;
    while (all.size() < most_ranks)
        all.push_back(std::make_unique<std::byte[]>(stack_size));
    return all;
}

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31);
}
std::uint64_t mix(std::uint64_t hash, const std::vector<std::byte>& bytes) {
    hash = mix(hash, bytes.size());
    for (const std::byte each : bytes)
        hash = hash * 1099511628211U + static_cast<std::uint64_t>(each) + 1;
    return mix(hash, 1);
}

// Not a number, so that the ranks' sums travel in messages.
struct sum_of_tasks {
    std::uint64_t tasks = 0;
    sum_of_tasks& operator+=(const sum_of_tasks& other) {
        tasks += other.tasks;
        return *this;
    }
};

bool contains(const std::vector<unsigned>& all, unsigned value) {
    return std::find(all.begin(), all.end(), value) != all.end();
}

}  // namespace

network& here() { return *running; }
void end_look() noexcept { here().end_look(); }

// What a rank does with its tasks.

bool simulated_work::is_dry() noexcept {
    if (has_work() || all_.may_be_stopped(rank_))
        all_.wait_at({network::point_kind::dry});
    const bool is_so = !has_work();
    if (!is_so)
        all_.note_work_seen();
    all_.saw_in_look((is_so ? 3 : 5) * (is_halted() ? 7 : 1));
    return is_so;
}

unsigned simulated_work::take(unsigned at_most, bool, teff::mpi::writer& to) noexcept {
    if (has_work() || all_.may_be_stopped(rank_))
        all_.wait_at({network::point_kind::take});
    all_.note_offer();
    if (is_halted())
        return 0;
    // As rank_team.hpp: while its worker is idle, a rank keeps its last task.
    const auto count = std::min<std::size_t>(at_most, (queue_.size() + (is_running_ ? 1 : 0)) / 2);
    for (std::size_t i = 0; i < count; ++i) {
        to.put(queue_.front());
        queue_.pop_front();
    }
    all_.saw_in_look(11 + count);
    if (count != 0)
        all_.saw_event(11 + count);
    return static_cast<unsigned>(count);
}

void simulated_work::put(teff::mpi::reader& from, unsigned count) noexcept {
    for (unsigned i = 0; i < count; ++i) {
        const auto task = from.get<unsigned>();
        if (!is_halted())
            queue_.push_back(task);
    }
    if (from.left() != 0)
        all_.violate("a message of work has bytes that are not read");
}

void simulated_work::halt() noexcept {
    queue_.clear();
    note_halt();
}

void simulated_work::step() {
    if (!is_running_) {
        is_running_ = true;
        running_ = queue_.back();
        queue_.pop_back();
        return;
    }
    is_running_ = false;
    ++ran_;
    all_.note_run(running_, rank_);
    const scenario& what = all_.what();
    if (contains(what.failing, running_)) {
        if (!failure_)
            failure_ = std::make_exception_ptr(std::runtime_error("task " + std::to_string(running_)));
        halt();
    }
    if (contains(what.stopping, running_))
        halt();
    if (!is_halted())
        for (const unsigned each : what.children[running_])
            queue_.push_back(each);
}

std::uint64_t simulated_work::fingerprint() const {
    std::uint64_t hash = mix(is_halted() ? 1 : 2, is_running_ ? running_ + 2 : 1);
    for (const unsigned each : queue_)
        hash = mix(hash, each + 1);
    return hash;
}

// The network.

network::network(const scenario& what)
    : what_(what), ranks_(static_cast<std::size_t>(what.ranks)),
      has_requested_stop_(static_cast<std::size_t>(what.ranks)), runs_(what.children.size()) {
    running = this;
    for (int i = 0; i < what.ranks; ++i)
        ranks_[static_cast<std::size_t>(i)].work = std::make_unique<simulated_work>(*this, i);
    for (std::size_t task = 0; task < what.first_tasks_of.size(); ++task)
        if (!what.is_whole_call)
            work_of(what.first_tasks_of[task]).add(static_cast<unsigned>(task));
    comm(MPI_COMM_WORLD);
    for (int i = 0; i < what.ranks; ++i)
        start(i);
}

void network::start(int rank) {
    ucontext_t& made = ranks_[static_cast<std::size_t>(rank)].context;
    ::getcontext(&made);
    made.uc_stack.ss_sp = stacks()[static_cast<std::size_t>(rank)].get();
    made.uc_stack.ss_size = stack_size;
    made.uc_link = &main_;
    const auto number = reinterpret_cast<std::uintptr_t>(this);
    ::makecontext(&made, reinterpret_cast<void (*)()>(&network::enter), 2, static_cast<unsigned>(number & 0xffffffffU),
                  static_cast<unsigned>(number >> 32));
    resume(rank);
}

network::~network() {
    is_given_up_ = true;
    for (int i = 0; i < what_.ranks; ++i)
        while (!ranks_[static_cast<std::size_t>(i)].has_ended)
            resume(i);
    running = nullptr;
}

void network::enter(unsigned low, unsigned high) {
    auto* const self = reinterpret_cast<network*>((std::uintptr_t{high} << 32) | low);
    self->run_rank(self->current_);
}

// What teff::mpi::reduce_tasks() does, with the tasks of the scenario.
void network::run_rank(int rank) {
    rank_state& self = ranks_[static_cast<std::size_t>(rank)];
    const teff::mpi::sharing how{what_.chunk, what_.random_victims};
    try {
        if (!what_.is_whole_call) {
            teff::mpi::balance(MPI_COMM_WORLD, how, *self.work);
            note_end_of_balance();
        } else {
            teff::mpi::ranks all(MPI_COMM_WORLD);
            all.all_or_none([&] {
                if (rank == what_.fails_at_start)
                    throw std::runtime_error("start");
                for (std::size_t task = 0; task < what_.first_tasks_of.size(); ++task)
                    if (what_.first_tasks_of[task] == rank)
                        self.work->add(static_cast<unsigned>(task));
            });
            all.run(how, *self.work);
            note_end_of_balance();
            sum_of_tasks sum;
            all.all_or_none([&] { self.work->rethrow(); });
            sum.tasks = self.work->ran();
            all.add_up(sum);
            std::uint64_t expected = 0;
            for (const unsigned each : runs_)
                expected += each;
            if (sum.tasks != expected)
                violate("rank " + std::to_string(rank) + " got a wrong sum");
        }
    } catch (const given_up&) {
    } catch (const teff::mpi::remote_failure& failure) {
        self.threw = failure.what();
    } catch (const std::exception& failure) {
        self.threw = "own: " + std::string(failure.what());
    } catch (...) {
        violate("rank " + std::to_string(rank) + " threw something unknown");
    }
    self.has_ended = true;
    self.waits_at = {};
    ++ended_;
    if (has_ended() && !is_given_up_)
        check_end();
}

void network::resume(int rank) {
    const int before = std::exchange(current_, rank);
    ::swapcontext(&main_, &ranks_[static_cast<std::size_t>(rank)].context);
    current_ = before;
}

int network::wait_at(const point& where) {
    rank_state& self = ranks_[static_cast<std::size_t>(current_)];
    if (!is_given_up_) {
        self.waits_at = where;
        self.has_waited = true;
        ::swapcontext(&self.context, &main_);
    }
    if (is_given_up_) {
        if (where.kind != point_kind::probe && where.kind != point_kind::test)
            return 0;
        throw given_up();
    }
    return self.outcome;
}

void network::saw_event(std::uint64_t what, bool is_round) {
    if (is_given_up_)
        return;
    if (!is_round)
        rounds_in_vain_ = 0;
    rank_state& self = ranks_[static_cast<std::size_t>(current_)];
    self.events = mix(self.events, what);
    has_changed_ = true;
}

void network::saw_in_look(std::uint64_t what) {
    rank_state& self = ranks_[static_cast<std::size_t>(current_)];
    self.in_look = mix(self.in_look, what);
}

void network::end_look() noexcept {
    rank_state& self = ranks_[static_cast<std::size_t>(current_)];
    self.in_look = 1;
    if (std::exchange(self.must_offer, 0) > 0)
        violate("rank " + std::to_string(current_) + " has forgotten a rank that waits for tasks");
    if (!self.has_waited)
        wait_at({point_kind::pause});
    self.has_waited = false;
}

void network::note_work_seen() {
    rank_state& self = ranks_[static_cast<std::size_t>(current_)];
    self.must_offer = static_cast<int>(std::count(self.is_owed.begin(), self.is_owed.end(), true));
}
void network::note_offer() { --ranks_[static_cast<std::size_t>(current_)].must_offer; }

void network::note_message(int source, int to, int tag, const std::vector<std::byte>& bytes, bool is_sent) {
    using teff::mpi::message_kind;
    if (!is_sent && tag == static_cast<int>(message_kind::ask_lifeline))
        ranks_[static_cast<std::size_t>(to)].is_owed[static_cast<std::size_t>(source)] = true;
    if (is_sent && tag == static_cast<int>(message_kind::work)) {
        // A message of work begins with the kind of what it answers.
        teff::mpi::reader from(bytes.data(), bytes.size());
        if (from.get<message_kind>() == message_kind::ask_lifeline)
            ranks_[static_cast<std::size_t>(source)].is_owed[static_cast<std::size_t>(to)] = false;
    }
}

bool network::may_be_stopped(int rank) const {
    const auto& all = what_.stopped_from_outside;
    return std::find(all.begin(), all.end(), rank) != all.end() && !has_requested_stop_[static_cast<std::size_t>(rank)];
}

void network::violate(const std::string& text) {
    if (violation_.empty() && !is_given_up_)
        violation_ = text;
}

void network::note_run(unsigned task, int rank) {
    if (++runs_[task] > 1 && !what_.is_endless)
        violate("rank " + std::to_string(rank) + " runs task " + std::to_string(task) + " again");
}

void network::note_end_of_balance() {
    for (int i = 0; i < what_.ranks; ++i) {
        if (work_of(i).has_work())
            violate("early end: rank " + std::to_string(current_) + " has ended, and rank " + std::to_string(i) +
                    " has work");
    }
    for (const communicator& each : communicators_)
        for (const auto& queue : each.channels)
            for (const message& left : queue)
                if (left.tag <= static_cast<int>(teff::mpi::message_kind::work))
                    violate("early end: rank " + std::to_string(current_) + " has ended, and a message of kind " +
                            std::to_string(left.tag) + " from rank " + std::to_string(left.source) + " is on its way");
    for (const request& each : requests_)
        if (each.kind == request_kind::receive && !each.is_over &&
            each.tag <= static_cast<int>(teff::mpi::message_kind::work))
            violate("early end: rank " + std::to_string(current_) + " has ended, and rank " +
                    std::to_string(each.rank) + " is receiving a message of kind " + std::to_string(each.tag));
}

void network::check_end() {
    for (const communicator& each : communicators_)
        for (const auto& queue : each.channels)
            for (const message& left : queue)
                violate("a message of kind " + std::to_string(left.tag) + " from rank " +
                        std::to_string(left.source) + " was never received");
    for (const request& each : requests_)
        if (!each.is_over)
            violate("a request of rank " + std::to_string(each.rank) + " was never completed");
    bool is_halted = what_.fails_at_start >= 0;
    for (int i = 0; i < what_.ranks; ++i)
        is_halted |= work_of(i).is_halted();
    for (std::size_t task = 0; task < runs_.size(); ++task)
        if (runs_[task] == 0 && !is_halted)
            violate("task " + std::to_string(task) + " was lost");
    if (!what_.is_whole_call)
        return;
    // The lowest rank that threw; every other rank must have heard of it, or thrown itself.
    std::string expected;
    for (int i = what_.ranks - 1; i >= 0; --i)
        if (const std::string& own = ranks_[static_cast<std::size_t>(i)].threw; own.starts_with("own: "))
            expected = "rank " + std::to_string(i) + ": " + own.substr(5);
    for (const rank_state& each : ranks_)
        if (!each.threw.starts_with("own: ") && each.threw != expected)
            violate("a rank threw '" + each.threw + "' instead of '" + expected + "'");
    if (expected.empty() && what_.fails_at_start >= 0)
        violate("no rank has thrown");
    for (const unsigned task : what_.failing)
        if (expected.empty() && runs_[task] != 0)
            violate("a task has thrown, but no rank");
}

const std::vector<move>& network::moves() {
    moves_.clear();
    if (has_ended() || !violation_.empty())
        return moves_;
    for (int i = 0; i < what_.ranks; ++i) {
        const rank_state& self = ranks_[static_cast<std::size_t>(i)];
        switch (self.waits_at.kind) {
        case point_kind::none: break;
        case point_kind::pause:
        case point_kind::dry:
        case point_kind::take: moves_.push_back({i, 0}); break;
        case point_kind::test: {
            const request& tested = request_of(self.waits_at.request);
            const bool may_wait = tested.kind == request_kind::collective || tested.kind == request_kind::copy ||
                                  what_.tests_wait;
            const bool can = can_complete(tested);
            if (can && !is_round_in_vain(tested))
                moves_.push_back({i, 1});
            if (may_wait)
                moves_.push_back({i, -1});
            break;
        }
        case point_kind::probe:
            for (int source = 0; source < what_.ranks; ++source) {
                if (self.waits_at.source != MPI_ANY_SOURCE && self.waits_at.source != source)
                    continue;
                for (const message& each : channel(self.waits_at.comm, source, i)) {
                    if (self.waits_at.tag != MPI_ANY_TAG && self.waits_at.tag != each.tag)
                        continue;
                    moves_.push_back({i, source});
                    break;
                }
            }
            moves_.push_back({i, -1});
            break;
        }
    }
    for (int i = 0; i < what_.ranks; ++i)
        if (work_of(i).has_work())
            moves_.push_back({what_.ranks + i, 0});
    for (const int each : what_.stopped_from_outside)
        if (may_be_stopped(each))
            moves_.push_back({2 * what_.ranks + each, 0});
    return moves_;
}

bool network::is_round_in_vain(const request& which) const {
    if (which.kind != request_kind::collective || which.collective < latest_round_ ||
        rounds_in_vain_ < what_.most_rounds_in_vain)
        return false;
    for (const rank_state& each : ranks_)
        if (each.work->has_work())
            return true;
    for (const communicator& each : communicators_)
        for (const auto& queue : each.channels)
            if (!queue.empty())
                return true;
    return false;
}

void network::note_round(const request& which) {
    if (which.collective < latest_round_)
        return;
    latest_round_ = which.collective + 1;
    ++rounds_in_vain_;
}

bool network::sees_nothing(const move& chosen) const { return chosen.actor < what_.ranks && chosen.choice < 0; }

bool network::make(const move& chosen) {
    has_changed_ = false;
    if (chosen.actor >= what_.ranks)
        rounds_in_vain_ = 0;
    if (chosen.actor >= 2 * what_.ranks) {
        const int rank = chosen.actor - 2 * what_.ranks;
        has_requested_stop_[static_cast<std::size_t>(rank)] = true;
        work_of(rank).halt();
        return true;
    }
    if (chosen.actor >= what_.ranks) {
        work_of(chosen.actor - what_.ranks).step();
        return true;
    }
    rank_state& self = ranks_[static_cast<std::size_t>(chosen.actor)];
    self.outcome = chosen.choice;
    resume(chosen.actor);
    return has_changed_;
}

std::string network::describe(const move& chosen) {
    if (chosen.actor >= 2 * what_.ranks)
        return "rank " + std::to_string(chosen.actor - 2 * what_.ranks) + ": a stop is requested";
    if (chosen.actor >= what_.ranks)
        return "rank " + std::to_string(chosen.actor - what_.ranks) + ": its worker begins or ends a task";
    const point& where = ranks_[static_cast<std::size_t>(chosen.actor)].waits_at;
    const std::string rank = "rank " + std::to_string(chosen.actor) + ": ";
    switch (where.kind) {
    case point_kind::probe: {
        if (chosen.choice < 0)
            return rank + "sees no message";
        for (const message& each : channel(where.comm, chosen.choice, chosen.actor))
            if (where.tag == MPI_ANY_TAG || where.tag == each.tag)
                return rank + "sees message of kind " + std::to_string(each.tag) + " of rank " +
                       std::to_string(chosen.choice);
        return rank + "?";
    }
    case point_kind::test: {
        static constexpr const char* names[] = {"a send", "a receive", "a collective operation", "a copy"};
        return rank + names[static_cast<std::size_t>(request_of(where.request).kind)] +
               (chosen.choice < 0 ? " is not complete" : " is complete");
    }
    case point_kind::dry: return rank + "looks whether it has work";
    case point_kind::take: return rank + "takes tasks for another rank";
    case point_kind::pause: return rank + "looks again";
    case point_kind::none: break;
    }
    return rank + "has ended";
}

std::uint64_t network::fingerprint() const {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(ended_), rounds_in_vain_);
    for (const rank_state& each : ranks_) {
        hash = mix(mix(hash, each.events), each.in_look);
        hash = mix(hash, static_cast<std::uint64_t>(each.waits_at.kind));
        hash = mix(hash, each.work->fingerprint());
    }
    for (const communicator& each : communicators_) {
        for (const auto& queue : each.channels) {
            hash = mix(hash, queue.size());
            for (const message& on_its_way : queue)
                hash = mix(mix(hash, static_cast<std::uint64_t>(on_its_way.tag)), on_its_way.bytes);
        }
        for (int i = 0; i < what_.ranks; ++i)
            hash = mix(hash, each.joined[static_cast<std::size_t>(i)]);
    }
    for (const unsigned each : runs_)
        hash = mix(hash, each);
    for (const bool each : has_requested_stop_)
        hash = mix(hash, each ? 1 : 0);
    return hash;
}

network::communicator& network::comm(int number) {
    if (number < 0) {
        violate("a communicator that there is not is used");
        number = 0;
    }
    while (communicators_.size() <= static_cast<std::size_t>(number))
        communicators_.emplace_back().channels.resize(static_cast<std::size_t>(what_.ranks * what_.ranks));
    return communicators_[static_cast<std::size_t>(number)];
}

std::deque<network::message>& network::channel(int number, int source, int to) {
    return comm(number).channels.at(static_cast<std::size_t>(source * what_.ranks + to));
}

int network::add_request(request added) {
    added.rank = current_;
    requests_.push_back(std::move(added));
    return static_cast<int>(requests_.size());
}

network::request& network::request_of(int number) { return requests_.at(static_cast<std::size_t>(number - 1)); }

bool network::can_complete(const request& which) const {
    if (which.kind == request_kind::receive)
        return true;
    if (which.kind == request_kind::send)
        return which.is_received || !what_.sends_wait;
    const collective& joined = communicators_[static_cast<std::size_t>(which.comm)].collectives[which.collective];
    if (joined.name == 'b' && which.rank == joined.root)
        return true;
    if (joined.name == 'b')
        return joined.has_joined[static_cast<std::size_t>(joined.root)];
    return std::all_of(joined.has_joined.begin(), joined.has_joined.begin() + what_.ranks, [](bool is) { return is; });
}

std::size_t network::join(int number, collective wanted, std::vector<std::byte> given) {
    communicator& own = comm(number);
    const auto rank = static_cast<std::size_t>(current_);
    const std::size_t at = own.joined[rank]++;
    if (at == own.collectives.size())
        own.collectives.push_back(wanted);
    collective& joined = own.collectives[at];
    if (joined.name != wanted.name || joined.count != wanted.count || joined.type != wanted.type ||
        joined.by != wanted.by || joined.root != wanted.root)
        violate("ranks call different collective operations");
    joined.has_joined[rank] = true;
    joined.given[rank] = std::move(given);
    return at;
}

}  // namespace simulated
