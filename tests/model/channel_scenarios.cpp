// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Channels: each value is received once, after what its sender did before; no call waits where it could go on, and a
// woken call may destroy the channel. And sync blocks: they end after all parts, and see what these have done.
#include "fiber_kit.hpp"
#include "definition.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/frontends/threads/channel.hpp>
#include <teff/frontends/threads/sync_block.hpp>

#include <cstddef>
#include <exception>
#include <optional>

namespace scenarios {
namespace {

// A channel, and in ordinary memory what its values stand for.
struct shared_values {
    explicit shared_values(std::size_t capacity) : channel(capacity) {}

    teff::channel<unsigned> channel;
    unsigned made[2] = {};

    void send(unsigned item) {
        made[item] = 1;
        model::check(channel.send(item), "an open channel refused a value");
    }
    bool receive() {
        const std::optional<unsigned> item = channel.receive();
        if (!item.has_value())
            return false;
        model::check(made[*item] == 1, "a value came before what its sender did");
        model::take(*item);
        return true;
    }
    void expect_all_taken() const {
        model::expect_taken_once(2);
        model::check(channel.size() == 0 && channel.check_invariants() == nullptr, "the channel was left in disorder");
    }
};

void two_senders(std::size_t capacity) {
    shared_values shared(capacity);
    model::parallel([&] { shared.send(0); },
                    as_fiber([&] { shared.send(1); }),
                    as_fiber([&] {
                        shared.receive();
                        shared.receive();
                    }));
    shared.expect_all_taken();
}
TEFF_SCENARIO(channel, two_senders_to_a_small_buffer) { two_senders(1); }
TEFF_SCENARIO(channel, two_senders_hand_over) { two_senders(0); }

TEFF_SCENARIO(channel, two_receivers_take_one_value_each) {
    shared_values shared(1);
    model::parallel([&] { shared.receive(); },
                    as_fiber([&] { shared.receive(); }),
                    [&] {
                        shared.send(0);
                        shared.send(1);
                    });
    shared.expect_all_taken();
}

TEFF_SCENARIO(channel, a_receiver_destroys_the_channel) {
    auto* const shared = teff::create<shared_values>(std::size_t{0});
    model::check(shared != nullptr, "no memory for a channel");
    model::parallel(
        as_fiber([=] { shared->send(0); }),
        as_fiber([=] {
            shared->receive();
            shared->receive();
            teff::destroy(shared);
        }),
        [=] { shared->send(1); });
    model::expect_taken_once(2);
}

TEFF_SCENARIO(channel, close_releases_a_receiver_and_keeps_values) {
    shared_values shared(1);
    unsigned received = 0;
    model::parallel(
        [&] {
            shared.send(0);
            shared.channel.close();
        },
        as_fiber([&] {
            while (shared.receive())
                ++received;
        }));
    model::check(received == 1, "a value was lost by close()");
    model::expect_taken_once(1);
}

// The value is received, or the sender is told that it was not sent.
TEFF_SCENARIO(channel, close_releases_a_sender) {
    teff::channel<unsigned> channel(0);
    bool was_sent = false;
    bool was_received = false;
    model::parallel(
        as_fiber([&] { was_sent = channel.send(7); }),
        [&] { channel.close(); },
        as_fiber([&] { was_received = channel.receive().has_value(); }));
    model::check(was_sent == was_received, "a value was lost, or came from nowhere");
}

using teff::threads::sync_block;

// Parts in a shared place, which other threads take and destroy, as begun fibers do. Each writes ordinary memory first.
struct parts_of_a_block {
    teff::atomic<sync_block::part*> parts[2]{teff::atomic<sync_block::part*>(nullptr),
                                             teff::atomic<sync_block::part*>(nullptr)};
    unsigned written[2] = {};

    void make(unsigned which, sync_block* of) {
        auto* const made = teff::create<sync_block::part>(of);
        model::check(made != nullptr, "no memory for a part");
        // release: the part can be used; partner: the acquire in end(). It is made by a part or the body.
        parts[which].store(made, std::memory_order_release);
    }
    sync_block::part* await(unsigned which) {
        sync_block::part* made = nullptr;
        // acquire: partner: the release in make().
        while ((made = parts[which].load(std::memory_order_acquire)) == nullptr)
            teff::yield_thread();
        return made;
    }
    void end(unsigned which) {
        sync_block::part* const mine = await(which);
        written[which] = 1;
        teff::destroy(mine);
    }
};

// The body of a block on a fiber, whose memory is freed at once.
template <class Body>
void run_block(Body&& body) {
    struct freed_block {
        sync_block* const block = teff::create<sync_block>();
        ~freed_block() { teff::destroy(block); }
    } made;
    model::check(made.block != nullptr, "no memory for a block");
    auto call = [&] { body(made.block); };
    made.block->run(call);
}

TEFF_SCENARIO(sync_block, a_block_waits_for_its_part) {
    parts_of_a_block shared;
    model::parallel(
        as_fiber([&] {
            run_block([&](sync_block* block) { shared.make(0, block); });
            model::check(shared.written[0] == 1, "the block ended before its part");
        }),
        [&] { shared.end(0); });
}

TEFF_SCENARIO(sync_block, a_block_waits_for_all_parts) {
    parts_of_a_block shared;
    model::parallel(
        as_fiber([&] {
            run_block([&](sync_block* block) {
                shared.make(0, block);
                shared.make(1, block);
            });
            model::check(shared.written[0] == 1 && shared.written[1] == 1, "the block ended before its parts");
        }),
        [&] { shared.end(0); }, [&] { shared.end(1); });
}

TEFF_SCENARIO(sync_block, a_part_makes_another_part) {
    parts_of_a_block shared;
    model::parallel(
        as_fiber([&] {
            run_block([&](sync_block* block) { shared.make(0, block); });
            model::check(shared.written[0] == 1 && shared.written[1] == 1, "the block ended before its parts");
        }),
        [&] {
            shared.make(1, shared.await(0)->block());
            shared.end(0);
        },
        [&] { shared.end(1); });
}

TEFF_SCENARIO(sync_block, a_block_throws_what_a_part_has_thrown) {
    parts_of_a_block shared;
    int caught = 0;
    model::parallel(
        as_fiber([&] {
            try {
                run_block([&](sync_block* block) { shared.make(0, block); });
            } catch (const int thrown) {
                caught = thrown;
            }
        }),
        [&] {
            shared.await(0)->block()->fail(std::make_exception_ptr(7));
            shared.end(0);
        });
    model::check(caught == 7, "the exception was lost");
}

TEFF_SCENARIO(sync_block, a_block_without_parts_does_not_wait) {
    model::parallel(
        as_fiber([&] { run_block([](sync_block*) {}); }),
        [] {});
}

TEFF_SCENARIO(sync_block, an_inner_block_ends_before_the_outer_one) {
    parts_of_a_block shared;
    model::parallel(
        as_fiber([&] {
            run_block([&](sync_block* outer) {
                shared.make(0, outer);
                run_block([&](sync_block* inner) { shared.make(1, inner); });
                model::check(shared.written[1] == 1, "the inner block ended before its part");
            });
            model::check(shared.written[0] == 1, "the outer block ended before its part");
        }),
        [&] { shared.end(1); }, [&] { shared.end(0); });
}

}  // namespace

std::span<const model::scenario> channel_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
