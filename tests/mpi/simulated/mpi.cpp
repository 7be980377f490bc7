// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of MPI on the simulated network (network.hpp). No rule of MPI is bent in the library's favour: an
// operation completes as late as the explorer likes, and a buffer is read when it begins and once more when it ends.
#include "network.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

using simulated::here;
using simulated::network;

namespace {

std::size_t size_of(MPI_Datatype type) {
    switch (type) {
    case MPI_BYTE: return 1;
    case MPI_INT: return sizeof(int);
    case MPI_INT64_T: return sizeof(std::int64_t);
    case MPI_UNSIGNED_LONG: return sizeof(unsigned long);
    default: here().violate("a type that is not simulated"); return 0;
    }
}

std::vector<std::byte> bytes_at(const void* from, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(from);
    return {first, first + size};
}

std::uint64_t hash_of(const std::vector<std::byte>& bytes) {
    std::uint64_t hash = bytes.size() + 1469598103934665603U;
    for (const std::byte each : bytes)
        hash = (hash ^ static_cast<std::uint64_t>(each)) * 1099511628211U;
    return hash;
}

std::uint64_t hash_of(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) { return (a * 1000003 + b) * 1000003 + c; }

template <class T>
void reduce(std::vector<std::byte>& into, const std::vector<std::byte>& other, MPI_Op by) {
    for (std::size_t at = 0; at < into.size(); at += sizeof(T)) {
        T a, b;
        std::memcpy(&a, into.data() + at, sizeof(T));
        std::memcpy(&b, other.data() + at, sizeof(T));
        a = by == MPI_SUM ? static_cast<T>(a + b) : std::min(a, b);
        std::memcpy(into.data() + at, &a, sizeof(T));
    }
}

std::vector<std::byte> result_of(const network::collective& joined) {
    if (joined.name == 'b')
        return joined.given[static_cast<std::size_t>(joined.root)];
    std::vector<std::byte> all = joined.given[0];
    if (joined.name == 'g') {
        for (int i = 1; i < here().what().ranks; ++i) {
            const auto& other = joined.given[static_cast<std::size_t>(i)];
            all.insert(all.end(), other.begin(), other.end());
        }
        return all;
    }
    for (int i = 1; i < here().what().ranks; ++i) {
        const auto& other = joined.given[static_cast<std::size_t>(i)];
        if (joined.type == MPI_INT)
            reduce<int>(all, other, joined.by);
        else
            reduce<std::int64_t>(all, other, joined.by);
    }
    return all;
}

// A request of a collective operation that has begun on this rank.
void begin(MPI_Comm comm, network::collective wanted, const void* from, std::size_t size, void* to,
           MPI_Request* request) {
    network& net = here();
    std::vector<std::byte> given = from != nullptr ? bytes_at(from, size) : std::vector<std::byte>();
    net.saw_event(hash_of(17, hash_of(given), static_cast<std::uint64_t>(wanted.name)), true);
    network::request made;
    made.kind = network::request_kind::collective;
    made.comm = comm;
    made.from = from;
    made.contents = given;
    made.to = to;
    made.collective = net.join(comm, std::move(wanted), std::move(given));
    *request = net.add_request(std::move(made));
}

}  // namespace

int MPI_Initialized(int* is_so) { return *is_so = 1, MPI_SUCCESS; }
int MPI_Finalized(int* is_so) { return *is_so = 0, MPI_SUCCESS; }
int MPI_Query_thread(int* level) { return *level = MPI_THREAD_FUNNELED, MPI_SUCCESS; }
int MPI_Is_thread_main(int* is_so) { return *is_so = 1, MPI_SUCCESS; }
int MPI_Comm_test_inter(MPI_Comm, int* is_so) { return *is_so = 0, MPI_SUCCESS; }
int MPI_Error_string(int, char*, int* length) { return *length = 0, MPI_SUCCESS; }
int MPI_Comm_rank(MPI_Comm, int* rank) { return *rank = here().current(), MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm, int* size) { return *size = here().what().ranks, MPI_SUCCESS; }

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request) {
    network::collective wanted;
    wanted.name = 'd';
    begin(comm, wanted, nullptr, 0, nullptr, request);
    here().request_of(*request).kind = network::request_kind::copy;
    here().request_of(*request).copy = copy;
    return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* comm) {
    network& net = here();
    if (!net.is_given_up()) {
        bool& is_freed = net.comm(*comm).is_freed[static_cast<std::size_t>(net.current())];
        if (std::exchange(is_freed, true))
            net.violate("a communicator is freed twice");
    }
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int MPI_Isend(const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
    network& net = here();
    if (to < 0 || to >= net.what().ranks || to == net.current()) {
        net.violate("a message to rank " + std::to_string(to));
        to = 0;
    }
    if (net.comm(comm).is_freed[static_cast<std::size_t>(net.current())])
        net.violate("a message on a communicator that was freed");
    network::request made;
    made.kind = network::request_kind::send;
    made.comm = comm;
    made.from = from;
    made.contents = bytes_at(from, static_cast<std::size_t>(count) * size_of(type));
    net.saw_event(hash_of(hash_of(made.contents), static_cast<std::uint64_t>(to), static_cast<std::uint64_t>(tag)));
    net.note_message(net.current(), to, tag, made.contents, true);
    std::vector<std::byte> bytes = made.contents;
    *request = net.add_request(std::move(made));
    net.channel(comm, net.current(), to).push_back({net.current(), tag, std::move(bytes), *request});
    return MPI_SUCCESS;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* is_there, MPI_Status* status) {
    network& net = here();
    network::point where{network::point_kind::probe};
    where.source = source;
    where.tag = tag;
    where.comm = comm;
    const int chosen = net.wait_at(where);
    *is_there = chosen >= 0 ? 1 : 0;
    if (chosen < 0)
        return MPI_SUCCESS;
    for (const network::message& each : net.channel(comm, chosen, net.current())) {
        if (tag != MPI_ANY_TAG && tag != each.tag)
            continue;
        status->MPI_SOURCE = chosen;
        status->MPI_TAG = each.tag;
        status->size = static_cast<int>(each.bytes.size());
        net.saw_event(
            hash_of(hash_of(each.bytes), static_cast<std::uint64_t>(chosen), static_cast<std::uint64_t>(each.tag)));
        break;
    }
    return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype, int* count) { return *count = status->size, MPI_SUCCESS; }

int MPI_Irecv(void* to, int count, MPI_Datatype, int source, int tag, MPI_Comm comm, MPI_Request* request) {
    network& net = here();
    auto& queue = net.channel(comm, source, net.current());
    const auto found = std::find_if(queue.begin(), queue.end(),
                                    [&](const auto& each) { return each.tag == tag; });
    network::request made;
    made.kind = network::request_kind::receive;
    made.comm = comm;
    made.to = to;
    made.source = source;
    made.tag = tag;
    if (found == queue.end() || found->bytes.size() != static_cast<std::size_t>(count)) {
        net.violate("a message is received that no probe has seen");
    } else {
        made.contents = std::move(found->bytes);
        net.request_of(found->request).is_received = true;
        queue.erase(found);
    }
    *request = net.add_request(std::move(made));
    return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status*) {
    network& net = here();
    if (net.request_of(*request).is_over)
        net.violate("a request is tested again after its end");
    network::point where{network::point_kind::test};
    where.request = *request;
    const auto kind = net.request_of(*request).kind;
    const bool is_message = kind == network::request_kind::send || kind == network::request_kind::receive;
    const bool can = net.can_complete(net.request_of(*request));
    const bool is_certain = can && is_message && !net.what().tests_wait;
    int chosen = is_certain ? 1 : -1;
    if (net.is_given_up() || (can && !is_certain))
        chosen = net.wait_at(where);
    network::request& own = net.request_of(*request);
    *is_complete = chosen > 0 ? 1 : 0;
    if (chosen <= 0)
        return MPI_SUCCESS;
    if (!is_certain)
        net.saw_event(29, !is_message);
    if (own.kind == network::request_kind::collective)
        net.note_round(own);
    own.is_over = true;
    if (own.from != nullptr && bytes_at(own.from, own.contents.size()) != own.contents)
        net.violate("a buffer has changed before its request was complete");
    if (own.kind == network::request_kind::receive)
        net.note_message(own.source, own.rank, own.tag, own.contents, false);
    if (own.kind == network::request_kind::receive && !own.contents.empty())
        std::memcpy(own.to, own.contents.data(), own.contents.size());
    if (own.kind == network::request_kind::collective && own.to != nullptr) {
        const std::vector<std::byte> result = result_of(net.comm(own.comm).collectives[own.collective]);
        if (!result.empty())
            std::memcpy(own.to, result.data(), result.size());
        net.saw_event(hash_of(result), true);
    }
    if (own.kind == network::request_kind::copy)
        *own.copy = static_cast<int>(own.collective) + 1;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op by, MPI_Comm comm,
                   MPI_Request* request) {
    network::collective wanted;
    wanted.name = 'r';
    wanted.count = count;
    wanted.type = type;
    wanted.by = by;
    begin(comm, wanted, from, static_cast<std::size_t>(count) * size_of(type), to, request);
    return MPI_SUCCESS;
}

int MPI_Iallgather(const void* from, int count, MPI_Datatype type, void* to, int count_to, MPI_Datatype type_to,
                   MPI_Comm comm, MPI_Request* request) {
    if (count != count_to || type != type_to)
        here().violate("a rank gathers something else than it gives");
    network::collective wanted;
    wanted.name = 'g';
    wanted.count = count;
    wanted.type = type;
    begin(comm, wanted, from, static_cast<std::size_t>(count) * size_of(type), to, request);
    return MPI_SUCCESS;
}

int MPI_Ibcast(void* bytes, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
    network::collective wanted;
    wanted.name = 'b';
    wanted.count = count;
    wanted.type = type;
    wanted.root = root;
    const bool is_root = here().current() == root;
    begin(comm, wanted, is_root ? bytes : nullptr, static_cast<std::size_t>(count) * size_of(type),
          is_root ? nullptr : bytes, request);
    return MPI_SUCCESS;
}
