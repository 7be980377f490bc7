// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of MPI that delay; see delayed_messages.hpp. Each operation has a generalized request (MPI 3.1, section
// 12.2), which the library tests in place of the real one.
#include "delayed_messages.hpp"

#include <mpi.h>

#include <algorithm>
#include <functional>
#include <list>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace delayed_messages {
namespace {

constexpr int collectives = -1;  // in the place of a destination

struct operation {
    MPI_Request shown;
    MPI_Comm comm;
    int to;  // a rank whose messages keep their order, or collectives, or nobody
    std::function<void(MPI_Request*)> start;
    std::uint64_t start_at;
    bool is_started = false, is_complete = false;
    MPI_Request real = MPI_REQUEST_NULL;
    std::uint64_t shown_at = 0;
    std::function<void()> at_end;
};
constexpr int no_order = -2;

struct communicator {
    MPI_Comm comm;
    std::vector<int> sent, received;
    std::vector<std::uint64_t> hidden_until;  // by source
};

// How likely things are held back (in percent), and for how many calls at most.
struct delays {
    unsigned postpone = 0, postpone_longest = 0;
    unsigned hide = 0, hide_longest = 0;
    unsigned collective_longest = 0;
    unsigned hold_longest = 0;
    int slow_to = -1;  // messages to this rank always take the longest time
};

struct all_state {
    std::mt19937_64 random;
    delays now;
    std::uint64_t time = 0, step = 1, quiet_calls = 0;
    std::uint64_t postponed = 0;
    std::list<operation> operations;
    std::list<communicator> communicators;
    std::string complaint;
    bool leaves_a_message = false;
};
all_state& state() {
    static all_state all;
    return all;
}

unsigned below(unsigned bound) { return bound == 0 ? 0 : static_cast<unsigned>(state().random() % bound); }
bool happens(unsigned percent) { return below(100) < percent; }

void complain(const std::string& text) {
    if (state().complaint.empty())
        state().complaint = text;
}

communicator* known(MPI_Comm comm) {
    auto& all = state().communicators;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.comm == comm; });
    return found == all.end() ? nullptr : &*found;
}

int ignore_query(void*, MPI_Status* status) {
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}
int ignore_free(void*) { return MPI_SUCCESS; }
int ignore_cancel(void*, int) { return MPI_SUCCESS; }

void note_event() {
    state().step = 1;
    state().quiet_calls = 0;
}

operation& add(MPI_Comm comm, int to, unsigned delay, MPI_Request* shown, std::function<void(MPI_Request*)> start) {
    PMPI_Grequest_start(ignore_query, ignore_free, ignore_cancel, nullptr, shown);
    operation& added = state().operations.emplace_back();
    added.shown = *shown;
    added.comm = comm;
    added.to = to;
    added.start = std::move(start);
    added.start_at = state().time + delay;
    return added;
}

// Each call of the library is a step of time. While nothing happens the steps grow, as the library's pauses do, so that
// a long delay costs few of these. Starts what is due.
void progress() {
    constexpr std::uint64_t longest_step = 64;
    state().time += state().step;
    state().quiet_calls++;
    if (state().quiet_calls % 4 == 0)
        state().step = std::min(2 * state().step, longest_step);
    auto& all = state().operations;
    for (auto each = all.begin(); each != all.end(); ++each) {
        if (each->is_started || each->start_at > state().time)
            continue;
        const bool must_wait = each->to != no_order && std::any_of(all.begin(), each, [&](const operation& earlier) {
            return !earlier.is_started && earlier.comm == each->comm && earlier.to == each->to;
        });
        if (must_wait)
            continue;
        each->is_started = true;
        each->start(&each->real);
    }
}

}  // namespace

void begin(std::uint64_t seed) {
    all_state& all = state();
    all.random.seed(seed);
    all.complaint.clear();
    all.now = {};
    if (happens(10))
        return;
    const auto one_of = [](std::initializer_list<unsigned> values) {
        return values.begin()[below(static_cast<unsigned>(values.size()))];
    };
    all.now.postpone = one_of({0, 10, 50, 90});
    all.now.postpone_longest = one_of({2, 8, 25, 60});
    all.now.hide = one_of({0, 10, 50, 80});
    all.now.hide_longest = one_of({1, 5, 25});
    all.now.collective_longest = one_of({0, 3, 40});
    all.now.hold_longest = one_of({0, 3, 20});
    all.now.slow_to = happens(25) ? static_cast<int>(below(4)) : -1;
}

const std::string& complaint() { return state().complaint; }
std::uint64_t postponed() { return state().postponed; }
void leave_a_message_over() { state().leaves_a_message = true; }

}  // namespace delayed_messages

using namespace delayed_messages;

extern "C" {

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request) {
    progress();
    operation& added = add(comm, collectives, 0, request, [=](MPI_Request* real) { PMPI_Comm_idup(comm, copy, real); });
    added.at_end = [copy] {
        int size = 0;
        PMPI_Comm_size(*copy, &size);
        const auto ranks = static_cast<std::size_t>(size);
        state().communicators.push_back(
            {*copy, std::vector<int>(ranks), std::vector<int>(ranks), std::vector<std::uint64_t>(ranks)});
    };
    return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* comm) {
    if (communicator* const own = known(*comm)) {
        for (const operation& each : state().operations)
            if (each.comm == *comm)
                complain("an operation is not complete when its communicator is freed");
        if (state().leaves_a_message) {
            MPI_Request request = MPI_REQUEST_NULL;
            PMPI_Isend(nullptr, 0, MPI_BYTE, 0, 1, *comm, &request);
            PMPI_Request_free(&request);
            ++own->sent[0];
        }
        std::vector<int> arrived(own->sent.size());
        PMPI_Alltoall(own->sent.data(), 1, MPI_INT, arrived.data(), 1, MPI_INT, *comm);
        for (std::size_t i = 0; i < arrived.size(); ++i)
            if (arrived[i] != own->received[i])
                complain(std::to_string(arrived[i] - own->received[i]) + " messages of rank " + std::to_string(i) +
                         " were never received");
        state().communicators.remove_if([&](const communicator& each) { return each.comm == *comm; });
    }
    return PMPI_Comm_free(comm);
}

int MPI_Isend(const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    progress();
    const delays& now = state().now;
    unsigned delay = happens(now.postpone) ? below(now.postpone_longest + 1) : 0;
    if (to == now.slow_to)
        delay = now.postpone_longest;
    state().postponed += delay != 0 ? 1 : 0;
    if (communicator* const own = known(comm))
        ++own->sent.at(static_cast<std::size_t>(to));
    add(comm, to, delay, request,
        [=](MPI_Request* real) { PMPI_Isend(from, count, type, to, tag, comm, real); });
    return MPI_SUCCESS;
}

int MPI_Irecv(void* to, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request) {
    progress();
    // Started at once: it takes the message that a probe has seen.
    operation& added = add(comm, no_order, 0, request, nullptr);
    added.is_started = true;
    if (communicator* const own = known(comm))
        ++own->received.at(static_cast<std::size_t>(source));
    return PMPI_Irecv(to, count, type, source, tag, comm, &added.real);
}

int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op by, MPI_Comm comm,
                   MPI_Request* request) {
    progress();
    add(comm, collectives, below(state().now.collective_longest + 1), request,
        [=](MPI_Request* real) { PMPI_Iallreduce(from, to, count, type, by, comm, real); });
    return MPI_SUCCESS;
}

int MPI_Iallgather(const void* from, int count, MPI_Datatype type, void* to, int count_to, MPI_Datatype type_to,
                   MPI_Comm comm, MPI_Request* request) {
    progress();
    add(comm, collectives, below(state().now.collective_longest + 1), request, [=](MPI_Request* real) {
        PMPI_Iallgather(from, count, type, to, count_to, type_to, comm, real);
    });
    return MPI_SUCCESS;
}

int MPI_Ibcast(void* bytes, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    progress();
    add(comm, collectives, below(state().now.collective_longest + 1), request,
        [=](MPI_Request* real) { PMPI_Ibcast(bytes, count, type, root, comm, real); });
    return MPI_SUCCESS;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* is_there, MPI_Status* status) {
    progress();
    const delays& now = state().now;
    communicator* const own = known(comm);
    if (own == nullptr)
        return PMPI_Iprobe(source, tag, comm, is_there, status);
    std::vector<int> sources{source};
    if (source == MPI_ANY_SOURCE) {
        sources.resize(own->sent.size());
        std::iota(sources.begin(), sources.end(), 0);
        std::shuffle(sources.begin(), sources.end(), state().random);
    }
    *is_there = 0;
    for (const int each : sources) {
        std::uint64_t& hidden_until = own->hidden_until.at(static_cast<std::size_t>(each));
        if (hidden_until > state().time)
            continue;
        PMPI_Iprobe(each, tag, comm, is_there, status);
        if (*is_there == 0)
            continue;
        if (!happens(now.hide)) {
            note_event();
            return MPI_SUCCESS;
        }
        *is_there = 0;
        hidden_until = state().time + 1 + below(now.hide_longest);
    }
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status) {
    progress();
    auto& all = state().operations;
    const auto own =
        std::find_if(all.begin(), all.end(), [&](const operation& each) { return each.shown == *request; });
    if (own == all.end())
        return PMPI_Test(request, is_complete, status);
    *is_complete = 0;
    if (!own->is_started)
        return MPI_SUCCESS;
    if (!own->is_complete) {
        int is_so = 0;
        PMPI_Test(&own->real, &is_so, MPI_STATUS_IGNORE);
        if (is_so == 0)
            return MPI_SUCCESS;
        own->is_complete = true;
        own->shown_at = state().time + below(state().now.hold_longest + 1);
    }
    if (own->shown_at > state().time)
        return MPI_SUCCESS;
    if (own->at_end)
        own->at_end();
    note_event();
    PMPI_Grequest_complete(own->shown);
    PMPI_Test(request, is_complete, status);
    all.erase(own);
    return MPI_SUCCESS;
}

}  // extern "C"
