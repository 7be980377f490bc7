// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dataflow kernels as flow graphs of oneTBB. A graph is made first and started by sync(), as the documentation of
// flow graphs asks: a message that a node has sent does not reach an edge that is made later.
#include <bench/dataflow/programs.hpp>
#include <bench/harness/tbb.hpp>

#include <tbb/flow_graph.h>

#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

namespace bench {
namespace {

using node = tbb::flow::continue_node<tbb::flow::continue_msg>;

// The tasks that were spawned since the last sync().
class flow {
public:
    template <class F> node& add(const F& call) {
        // continue_node has no exceptions to report, and an empty message to send.
        return nodes_.emplace_back(graph_, [call](const tbb::flow::continue_msg&) { call(); });
    }
    void start_at(node& root) { roots_.push_back(&root); }
    void finish() {
        for (node* const each : roots_) each->try_put(tbb::flow::continue_msg());
        graph_.wait_for_all();
        roots_.clear();
        nodes_.clear();
        ++round_;
    }
    // Different for every flow, and after every finish().
    std::uint64_t round() const { return round_; }

private:
    tbb::flow::graph graph_;
    std::deque<node> nodes_;
    std::vector<node*> roots_;
    std::uint64_t round_ = next_rounds();

    static std::uint64_t next_rounds() {
        static std::atomic<std::uint64_t> given{0};
        constexpr std::uint64_t most_rounds = std::uint64_t{1} << 32;
        // relaxed: the numbers only have to differ.
        return given.fetch_add(most_rounds, std::memory_order_relaxed);
    }
};

// Where the calling thread's tasks go.
thread_local flow* current = nullptr;

class current_flow {
public:
    explicit current_flow(flow& next) : before_(current) { current = &next; }
    ~current_flow() { current = before_; }
    current_flow(const current_flow&) = delete;
    current_flow& operator=(const current_flow&) = delete;

private:
    flow* const before_;
};

// The node that wrote a value last, and those that have read it since.
class history {
public:
    // Each function is given the nodes that the new one follows.
    template <class F> void read(node& reader, std::uint64_t round, const F& follows) {
        begin(round);
        if (writer_ != nullptr) follows(*writer_);
        readers_.push_back(&reader);
    }
    template <class F> void write(node& writer, std::uint64_t round, const F& follows) {
        begin(round);
        // Readers have followed the writer before them.
        if (readers_.empty() && writer_ != nullptr) follows(*writer_);
        for (node* const each : readers_) follows(*each);
        readers_.clear();
        writer_ = &writer;
    }

private:
    // The nodes of earlier rounds have ended, and are gone.
    void begin(std::uint64_t round) {
        if (round_ == round) return;
        round_ = round;
        writer_ = nullptr;
        readers_.clear();
    }

    std::uint64_t round_ = ~std::uint64_t{0};
    node* writer_ = nullptr;
    std::vector<node*> readers_;
};

template <class T> struct access {
    T* value;
    history* past;
    bool writes;
};

struct tbb_face {
    static constexpr bool has_reductions = false;
    [[maybe_unused]] static constexpr bool has_nested_tasks = true;

    template <class T> class data {
    public:
        T& value() { return value_; }
        history& past() { return past_; }

    private:
        T value_{};
        history past_;
    };

    template <class F> static void run(const parameters& p, const F& f) {
        run_in_arena(p.threads, [&f] { nested(f); });
    }
    template <class F> static void nested(const F& f) {
        flow tasks;
        const current_flow own(tasks);
        f();
        tasks.finish();
    }
    static void sync() { current->finish(); }

    template <class F, class... Accesses> static void spawn(const F& f, Accesses... accesses) {
        node& made = current->add([f, accesses...] { f(*accesses.value...); });
        bool is_root = true;
        const auto follows = [&](node& before) {
            tbb::flow::make_edge(before, made);
            is_root = false;
        };
        const std::uint64_t round = current->round();
        [[maybe_unused]] const auto note = [&](const auto& each) {
            if (each.writes)
                each.past->write(made, round, follows);
            else
                each.past->read(made, round, follows);
        };
        (note(accesses), ...);
        if (is_root) current->start_at(made);
    }

    template <class T> static access<const T> in(data<T>& of) { return {&of.value(), &of.past(), false}; }
    template <class T> static access<T> out(data<T>& of) { return {&of.value(), &of.past(), true}; }
    template <class T> static access<T> inout(data<T>& of) { return out(of); }
    template <class T> static access<T> commutative(data<T>& of) { return out(of); }
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<tbb_face>(p); }
#include <bench/dataflow/kernels.inc>
#undef TEFF_BENCH_KERNEL

}  // namespace bench
