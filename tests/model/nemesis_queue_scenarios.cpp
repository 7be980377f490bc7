// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Nemesis queue: each node is popped once, the nodes of each producer are popped in order, and a producer that has
// not linked its node yet hides the nodes behind it only until it does.
//
// A node's number is ordinary memory, written just before the push. Where nodes are not reused, the consumer frees each
// node at once after the pop. So an access that comes too early or too late is a data race.
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/locks.hpp>
#include <teff/queue/nemesis_queue.hpp>

namespace scenarios {
namespace {

struct node {
    teff::atomic<node*> next{nullptr};
    unsigned number = 0;
    unsigned hops = 0;  // how often it was pushed again
};
using queue = teff::nemesis_queue<node>;

// Numbers from 0 to 19 belong to the first producer, and so on; expect_taken() is told how many each has pushed.
constexpr unsigned per_producer = 20;
constexpr unsigned first = 0, second = per_producer, third = 2 * per_producer;

void push_new(queue& to, unsigned number) {
    node* const made = teff::create<node>();
    model::check(made != nullptr, "no memory for a node");
    made->number = number;
    to.push(*made);
}

// Checks that each producer's numbers rise.
class consumer {
public:
    explicit consumer(queue& from) noexcept : from_(from) {}
    consumer(const consumer&) = delete;
    consumer& operator=(const consumer&) = delete;

    node* pop() noexcept {
        node* const popped = from_.pop();
        if (popped != nullptr) {
            unsigned& at_least = at_least_[popped->number / per_producer];
            model::check(popped->number % per_producer >= at_least, "a node was overtaken by one of its own producer");
            at_least = popped->number % per_producer + 1;
            model::take(popped->number);
        }
        return popped;
    }
    bool pop_and_free() noexcept {
        node* const popped = pop();
        teff::destroy(popped);
        return popped != nullptr;
    }
    void pop_all(unsigned count) noexcept {
        for (; count > 0; --count)
            model::wait_until([&] { return pop_and_free(); });
    }

private:
    queue& from_;
    unsigned at_least_[3] = {};
};

// After the threads have ended.
void drain(queue& from, consumer& by) {
    from.check_invariants();
    while (from.may_have_items())
        model::check(by.pop_and_free(), "a node cannot be popped although nobody pushes");
    model::check(from.pop() == nullptr, "a node was hidden");
    from.check_invariants();
}
void expect_taken(unsigned of_first, unsigned of_second = 0, unsigned of_third = 0) {
    const unsigned counts[] = {of_first, of_second, of_third};
    for (unsigned i = 0; i < 3 * per_producer; ++i)
        model::check(model::was_taken(i) == (i % per_producer < counts[i / per_producer]), "a node was lost");
}

void push_two(queue& to, unsigned number) {
    push_new(to, number);
    push_new(to, number + 1);
}

TEFF_SCENARIO(nemesis_queue, two_producers_and_a_consumer) {
    queue shared;
    consumer mine(shared);
    model::parallel(
        [&] { push_two(shared, first); },
        [&] { push_two(shared, second); },
        [&] {
            for (int i = 0; i < 3; ++i)
                mine.pop_and_free();
        });
    drain(shared, mine);
    expect_taken(2, 2);
}

// The same, but the consumer waits until it has popped all nodes: it gets past every gap and every empty state.
TEFF_SCENARIO(nemesis_queue, all_nodes_arrive) {
    queue shared;
    consumer mine(shared);
    model::parallel(
        [&] { push_two(shared, first); },
        [&] { push_new(shared, second); }, [&] { mine.pop_all(3); });
    drain(shared, mine);
    expect_taken(2, 1);
}

// The last node is popped while two producers push. One producer's exchange of the tail returns that node, or nullptr
// if it is gone; the other's returns the node of the first producer.
TEFF_SCENARIO(nemesis_queue, taking_the_last_node_while_two_come) {
    queue shared;
    consumer mine(shared);
    push_new(shared, third);
    model::parallel([&] { push_new(shared, first); }, [&] { push_new(shared, second); },
                    [&] {
                        mine.pop_and_free();
                        mine.pop_and_free();
                    });
    drain(shared, mine);
    expect_taken(1, 1, 1);
}

// The queue becomes empty again and again: the head is written by one push after the other, and by the consumer in
// between.
TEFF_SCENARIO(nemesis_queue, emptying_again_and_again) {
    queue shared;
    consumer mine(shared);
    model::parallel(
        [&] {
            push_new(shared, first);
            push_new(shared, first + 1);
            push_new(shared, first + 2);
        },
        [&] { mine.pop_all(3); });
    drain(shared, mine);
    expect_taken(3);
}

// The consumer pushes a node that it has popped back to the same queue at once, while others push; then once more.
TEFF_SCENARIO(nemesis_queue, popped_nodes_are_pushed_again) {
    queue shared;
    consumer mine(shared);
    push_new(shared, third);
    model::parallel([&] { push_new(shared, first); }, [&] { push_new(shared, second); },
                    [&] {
                        for (int i = 0; i < 3; ++i) {
                            node* const popped = mine.pop();
                            if (popped == nullptr || popped->number < third) {
                                teff::destroy(popped);
                                continue;
                            }
                            ++popped->number;
                            ++popped->hops;
                            shared.push(*popped);
                        }
                    });
    shared.check_invariants();
    unsigned hops = 0;
    while (node* const popped = mine.pop()) {
        hops += popped->hops;
        teff::destroy(popped);
    }
    shared.check_invariants();
    model::check(!shared.may_have_items(), "an empty queue seems to have nodes");
    expect_taken(1, 1, 1 + hops);
}

// Two queues whose consumers push what they pop to the other queue.
TEFF_SCENARIO(nemesis_queue, nodes_wander_between_two_queues) {
    queue one, other;
    push_new(one, first);
    push_new(one, first + 1);
    push_new(other, second);
    push_new(other, second + 1);
    const auto pass_on = [](queue& from, queue& to) {
        return [&] {
            for (int i = 0; i < 2; ++i) {
                if (node* const popped = from.pop()) {
                    ++popped->hops;
                    to.push(*popped);
                }
            }
        };
    };
    model::parallel(pass_on(one, other), pass_on(other, one));
    one.check_invariants();
    other.check_invariants();
    for (queue* const each : {&one, &other}) {
        while (node* const popped = each->pop()) {
            model::take(popped->number);
            teff::destroy(popped);
        }
    }
    expect_taken(2, 2);
}

// A producer gets its node back through a third thread and reuses it, while another producer is at work.
TEFF_SCENARIO(nemesis_queue, a_producer_uses_its_node_again) {
    queue shared, back;
    consumer mine(shared);
    node own;
    own.number = first;
    model::parallel(
        [&] {
            shared.push(own);
            model::wait_until([&] { return back.pop() != nullptr; });
            own.number = first + 1;
            shared.push(own);
        },
        [&] { push_new(shared, second); },
        [&] {
            for (bool returned = false; !returned;) {
                node* popped = nullptr;
                model::wait_until([&] { return (popped = mine.pop()) != nullptr; });
                returned = popped == &own;
                if (returned)
                    back.push(own);
                else
                    teff::destroy(popped);
            }
        });
    shared.check_invariants();
    while (node* const popped = mine.pop()) {
        if (popped != &own)
            teff::destroy(popped);
    }
    expect_taken(2, 1);
}

// With at most one pop there always is a node whose push is complete, whether a gap is in front of it or not.
TEFF_SCENARIO(nemesis_queue, what_was_pushed_is_seen) {
    queue shared;
    consumer mine(shared);
    push_new(shared, third);
    const auto producer = [&](unsigned number) {
        return [&, number] {
            push_new(shared, number);
            model::check(shared.may_have_items(), "a queue with a node seems empty");
        };
    };
    model::parallel(producer(first), producer(second), [&] { mine.pop_and_free(); });
    drain(shared, mine);
    expect_taken(1, 1, 1);
}

// A push was over before pop() returned nullptr: the consumer must not sleep then, and may_have_items() tells it so.
TEFF_SCENARIO(nemesis_queue, nullptr_is_not_empty) {
    queue shared;
    consumer mine(shared);
    teff::atomic<bool> pushed{false};
    model::parallel(
        [&] {
            push_new(shared, first);
            // release: publishes the push; partner: the acquire below.
            pushed.store(true, std::memory_order_release);
        },
        [&] { push_new(shared, second); },
        [&] {
            // acquire: sees the push that is over then; partner: the release above.
            const bool over = pushed.load(std::memory_order_acquire);
            while (mine.pop_and_free()) {
            }
            model::check(!over || model::was_taken(first) || shared.may_have_items(),
                         "a completed push is neither to be popped nor to be seen");
        });
    drain(shared, mine);
    expect_taken(1, 1);
}

// The protocol of a consumer that sleeps: it announces the sleep, then looks; a producer pushes, then looks for
// sleepers.
TEFF_SCENARIO(nemesis_queue, no_sleeper_misses_a_push) {
    queue shared;
    consumer mine(shared);
    teff::atomic<bool> asleep{false};
    bool sleeps = false, wakes[2] = {};
    const auto producer = [&](unsigned number, bool& wake) {
        return [&, number] {
            push_new(shared, number);
            // seq_cst: orders the push before the look; partner: the consumer's fence.
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            // relaxed: ordered by the fence.
            wake = asleep.load(std::memory_order_relaxed);
        };
    };
    model::parallel(producer(first, wakes[0]), producer(second, wakes[1]), [&] {
        mine.pop_and_free();
        // relaxed: ordered by the fence.
        asleep.store(true, std::memory_order_relaxed);
        // seq_cst: orders the announcement before the look; partner: the producers' fences.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        sleeps = !shared.may_have_items();
    });
    model::check(!sleeps || wakes[0] || wakes[1] || !shared.may_have_items(), "a node, and nobody wakes the consumer");
    drain(shared, mine);
    expect_taken(1, 1);
}

// Two threads pop in turn, each under the same mutex.
TEFF_SCENARIO(nemesis_queue, the_consumer_changes) {
    queue shared;
    consumer ours(shared);
    teff::mutex turn;
    push_new(shared, first);
    push_new(shared, first + 1);
    const auto pop_twice = [&] {
        for (int i = 0; i < 2; ++i) {
            turn.lock();
            ours.pop_and_free();
            turn.unlock();
        }
    };
    model::parallel([&] { push_new(shared, second); }, pop_twice, pop_twice);
    drain(shared, ours);
    expect_taken(2, 1);
}

}  // namespace

std::span<const model::scenario> nemesis_queue_scenarios() { return defined_here; }

}  // namespace scenarios
