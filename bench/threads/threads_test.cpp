// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The programs of kind threads, without threads and with those of the system: their answers are right, and they notice
// a thread that was not started.
#include <bench/harness/figure.hpp>
#include <bench/harness/testing.hpp>
#include <bench/threads/programs.hpp>
#include <bench/threads/pthread_face.hpp>
#include <bench/threads/serial_face.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

namespace bench::threads {
namespace {

// Forgets the first of two functions, and the last of a loop.
struct forgetful_face : serial_face {
    template <class F> static void all(const F& f) { f(); }
    template <class F, class G> static void all(const F&, const G& g) { g(); }
    template <class F> static void each(std::size_t count, const F& f) {
        serial_face::each(std::max<std::size_t>(count, 1) - 1, f);
    }
};

template <class Face, class Program> outcome run(const kernel_description& kernel, const Program& program) {
    parameters made = of_size(kernel.sizes.check);
    made.variant = "threads";
    made.threads = 2;
    return program.template operator()<Face>(made);
}

template <class Program> void expect_right_and_noticed(const kernel_description& kernel, const Program& program) {
    const outcome serial = run<serial_face>(kernel, program);
    const outcome system = run<pthread_face>(kernel, program);
    EXPECT_TRUE(serial.verified) << kernel.name << ": " << serial.answer << " instead of " << serial.expected;
    EXPECT_TRUE(system.verified) << kernel.name << ": " << system.answer << " instead of " << system.expected;
    EXPECT_EQ(serial.tasks, system.tasks) << kernel.name;
    EXPECT_FALSE(run<forgetful_face>(kernel, program).verified) << kernel.name;
}

TEST(threads, programs_are_right_and_notice_what_is_missing) {
    expect_right_and_noticed(quicksort_description,
                             []<class Face>(const parameters& p) { return quicksort::measured<Face>(p); });
    expect_right_and_noticed(tree_description, []<class Face>(const parameters& p) { return tree::measured<Face>(p); });
    expect_right_and_noticed(stream_description,
                             []<class Face>(const parameters& p) { return stream::measured<Face>(p); });
    expect_right_and_noticed(ssca2_description,
                             []<class Face>(const parameters& p) { return ssca2::measured<Face>(p); });
    expect_right_and_noticed(graph500_description,
                             []<class Face>(const parameters& p) { return graph500::measured<Face>(p); });
}

template <class Program> void expect_right(const kernel_description& kernel, const Program& program) {
    for (const variant_description& each : kernel.variants(runtime_family::serial)) {
        EXPECT_TRUE(each.own_threads);
        parameters made = of_size(kernel.sizes.check);
        made.variant = each.name;
        made.threads = 2;
        const outcome result = program(made);
        EXPECT_TRUE(result.verified) << kernel.name << " " << each.name << ": " << result.answer << " instead of "
                                     << result.expected;
        EXPECT_GT(value_of(result, kernel.micro->headline), 0) << kernel.name << " " << each.name;
    }
    EXPECT_TRUE(kernel.variants(runtime_family::tbb).empty());
}

TEST(threads, operations_of_the_systems_threads_are_counted) {
    expect_right(spawn_join_description, spawn_join::measured<pthread_face>);
    expect_right(yield_description, yield::measured<pthread_face>);
    expect_right(ping_pong_description, ping_pong::measured<pthread_face>);
    expect_right(mutex_description, mutex::measured<pthread_face>);
    expect_right(live_description, live::measured<pthread_face>);
    EXPECT_FALSE(operations_outcome({}, "yield_ns", 1, 99, 100).verified);
    EXPECT_FALSE(live::checked({.seconds = 1, .live = 100, .ended = 99, .resident_bytes = 0}).verified);
    EXPECT_FALSE(live::checked({.seconds = 1, .live = 0, .ended = 0, .resident_bytes = 0}).verified);
}

// Has room for ten threads.
struct narrow_face : pthread_face {
    struct thread : std::jthread {
        template <class F> explicit thread(const F& f) : std::jthread(if_there_is_room(f)) {}

    private:
        static inline int left = 10;
        template <class F> static const F& if_there_is_room(const F& f) {
            if (left == 0) throw std::bad_alloc();
            --left;
            return f;
        }
    };
};

TEST(threads, a_thread_that_cannot_start_leaves_fewer_alive) {
    const outcome result = live::measured<narrow_face>(of_size("400"));
    EXPECT_TRUE(result.verified);
    EXPECT_EQ(value_of(result, "live"), 10);
}

// The graph and a search in it that is right.
struct searched {
    edge_list edges = generated_edges<serial_face>(6, 300, graph500::problem::shape);
    graph in = built_graph<serial_face>(edges, graph::directions::both);
    vertex key = graph500::search_keys(graph500::problem(of_size("6x1")), in).front();
    std::vector<vertex> parents = found();

    const char* broken() const {
        std::uint64_t edges_found = 0;
        return graph500::broken_check(edges, key, parents, edges_found);
    }
    std::vector<vertex> found() const {
        graph500::search one(in, key);
        do serial_face::each(one.parts().number(), [&one](std::size_t part) { one.visit(part); });
        while (one.advance());
        return one.parents();
    }
    bool are_joined(vertex one, vertex other) const {
        for (const neighbour& each : in.of(one))
            if (each.to == other) return true;
        return false;
    }
    // A vertex that the search has found from another one than the key.
    vertex far() const {
        vertex at = 0;
        while (parents[at] == no_vertex || parents[at] == key) ++at;
        return at;
    }
};

TEST(graph500, a_search_passes_the_five_checks) {
    const searched right;
    EXPECT_EQ(right.broken(), nullptr);
    std::uint64_t edges_found = 0;
    graph500::broken_check(right.edges, right.key, right.parents, edges_found);
    EXPECT_GT(edges_found, 200U);
    EXPECT_LE(edges_found, 300U);
}

TEST(graph500, wrong_parents_are_noticed) {
    searched cycle;
    const vertex far = cycle.far();
    cycle.parents[far] = far;
    EXPECT_STREQ(cycle.broken(), "the parents are no tree");
    searched rootless;
    rootless.parents[rootless.key] = no_vertex;
    EXPECT_STREQ(rootless.broken(), "the parents are no tree");
    searched short_of_one;
    const auto is_parent = [&](vertex each) {
        return std::find(short_of_one.parents.begin(), short_of_one.parents.end(), each) != short_of_one.parents.end();
    };
    vertex leaf = 0;
    while (short_of_one.parents[leaf] == no_vertex || is_parent(leaf)) ++leaf;
    short_of_one.parents[leaf] = no_vertex;
    EXPECT_STREQ(short_of_one.broken(), "an edge leads over more than one level");
    searched stranger;
    for (vertex other = 0; other < stranger.in.vertices(); ++other)
        if (stranger.parents[other] == stranger.parents[stranger.parents[far]] && !stranger.are_joined(far, other) &&
            other != far)
            stranger.parents[far] = other;
    EXPECT_STREQ(stranger.broken(), "a vertex has a parent without an edge between them");
    searched jump;
    jump.parents[far] = jump.key;
    EXPECT_NE(jump.broken(), nullptr);
}

TEST(threads, a_tree_has_a_thread_for_each_node) {
    const outcome result = tree::measured<serial_face>(of_size("1000"));
    EXPECT_EQ(result.answer, "500500");
    EXPECT_EQ(result.tasks, 999U);
    EXPECT_EQ(value_of(result, "nodes"), 1000);
    EXPECT_GT(value_of(result, "thread_ns"), 0);
    EXPECT_TRUE(tree::measured<serial_face>(of_size("1")).verified);
    EXPECT_THROW(tree::generated(of_size("0")), usage_error);
}

TEST(threads, quicksort_starts_two_threads_for_each_partition) {
    const outcome result = quicksort::measured<serial_face>(of_size("100,1000"));
    EXPECT_TRUE(result.verified);
    EXPECT_EQ(result.tasks, 198U);
    EXPECT_EQ(value_of(result, "elements"), 100);
}

TEST(threads, the_memory_of_a_run_grows_where_all_threads_wait) {
    parameters p;
    p.variant = "threads";
    constexpr std::uint64_t many = 1'000'000;
    p.scheduler = "demand";
    const std::uint64_t newest_first = memory_bytes(p, runtime_family::teff, many);
    p.scheduler = "fifo";
    EXPECT_GT(memory_bytes(p, runtime_family::teff, many), newest_first + many * 4096);
    EXPECT_GT(memory_bytes(p, runtime_family::serial, many), newest_first + many * 4096);
}

}  // namespace
}  // namespace bench::threads
