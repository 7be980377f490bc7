// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reclaimers through their concept alone: blocks of ordinary memory that an owner replaces while others look at
// them.
//
// block_queue keeps its blocks until it is destroyed, and orders moves by itself, so it does not show everything that a
// reclaimer promises. Here a block is freed as soon as the reclaimer disposes of it, and its content is not atomic. So
// a look that is not over by then, or not ordered before, is a use after free or a race. (The collector `gc` has no
// dispose.)
#include "scenarios.hpp"

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/chosen.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/hazard.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <type_traits>

namespace scenarios {
namespace {

// The reclaimer is selected by its name, as in a scheduler.
template <class Reclaimer>
struct chosen : teff::chosen_reclaimer {
    chosen(std::size_t participants, std::size_t threshold) noexcept
        : chosen_reclaimer(Reclaimer::name, participants, threshold) {}
};

template <class Reclaimer>
Reclaimer make_reclaimer(std::size_t participants) {
    constexpr std::size_t threshold = 1;  // raised to what the number of participants asks for
    if constexpr (std::is_constructible_v<Reclaimer, std::size_t, std::size_t>)
        return Reclaimer(participants, threshold);
    else
        return Reclaimer(participants);
}

template <class Reclaimer>
class shelf {
public:
    explicit shelf(std::size_t participants, std::size_t owner = 0)
        : owner_(owner), reclaimer_(make_reclaimer<Reclaimer>(participants)) {
        model::check(reclaimer_.valid(), "no memory for the reclaimer");
        current_.store(make_block(), std::memory_order_relaxed);
    }
    shelf(const shelf&) = delete;
    shelf& operator=(const shelf&) = delete;
    ~shelf() {
        reclaimer_.flush(owner_);
        free_block(current_.load(std::memory_order_relaxed));
    }

    // The owner.
    void replace(unsigned times) {
        for (; times != 0; --times) {
            block* const old = current_.load(std::memory_order_relaxed);
            // release: publishes the new block's content; partner: the acquire in protect().
            current_.store(make_block(), std::memory_order_release);
            reclaimer_.retire(owner_, *old);
        }
    }
    // Any other participant.
    void look(std::size_t participant) {
        const teff::scoped_participation<Reclaimer> inside(reclaimer_, participant);
        const block* const seen = reclaimer_.protect(participant, current_);
        model::check(seen->content == seen->copy, "a block was used again under a reader");
    }
    void look_twice(std::size_t participant) {
        const teff::scoped_participation<Reclaimer> inside(reclaimer_, participant);
        for (int times = 0; times < 2; ++times) {
            const block* const seen = reclaimer_.protect(participant, current_);
            model::check(seen->content == seen->copy, "a block was used again under a reader");
        }
    }

    // Thread 0, when no participant is inside: replaces blocks until none of the retired ones waits.
    void expect_all_freed_soon() {
        constexpr unsigned soon = 12;  // more than two thresholds
        unsigned times = 0;
        do
            replace(1);
        while (++times < soon && reclaimer_.pending(owner_) != 0);
        model::check(times < soon, "a block is kept although no participant is inside");
    }

private:
    struct block : teff::reclaimable {
        shelf* home = nullptr;
        unsigned content = 0;
        unsigned copy = 0;
    };

    block* make_block() {
        auto* const made = teff::create<block>();
        model::check(made != nullptr, "no memory for a block");
        made->home = this;
        made->content = made->copy = ++made_;
        made->dispose = [](teff::reclaimable* used) noexcept { free_block(static_cast<block*>(used)); };
        return made;
    }
    static void free_block(block* used) noexcept {
        used->copy = 0;
        teff::destroy(used);
    }

    const std::size_t owner_;
    Reclaimer reclaimer_;
    teff::atomic<block*> current_{nullptr};
    unsigned made_ = 0;
};

template <class Reclaimer>
void one_looks_while_blocks_are_replaced() {
    shelf<Reclaimer> blocks(2);
    model::parallel([&] { blocks.replace(5); }, [&] { blocks.look(1); });
}

template <class Reclaimer>
void one_looks_again_and_again() {
    shelf<Reclaimer> blocks(2);
    model::parallel([&] { blocks.replace(6); },
                    [&] {
                        blocks.look(1);
                        blocks.look(1);
                        blocks.look(1);
                    });
}

template <class Reclaimer>
void one_looks_twice_in_one_visit() {
    shelf<Reclaimer> blocks(2);
    model::parallel([&] { blocks.replace(5); }, [&] { blocks.look_twice(1); });
}

template <class Reclaimer>
void two_look_while_blocks_are_replaced() {
    shelf<Reclaimer> blocks(3);
    model::parallel([&] { blocks.replace(7); }, [&] { blocks.look(1); }, [&] { blocks.look(2); });
}

// A participant is a slot: another thread takes it over, ordered by an atomic of the scenario.
template <class Reclaimer>
void a_slot_passes_to_another_thread() {
    shelf<Reclaimer> blocks(2);
    teff::atomic<bool> free{false};
    model::parallel([&] { blocks.replace(5); },
                    [&] {
                        blocks.look(1);
                        // release: publishes what the slot's first thread did; partner: the acquire below.
                        free.store(true, std::memory_order_release);
                    },
                    [&] {
                        // acquire: sees what the slot's first thread did; partner: the release above.
                        if (free.load(std::memory_order_acquire))
                            blocks.look(1);
                    });
}

// The owner looks, too, as it does when it is a thief of another queue.
template <class Reclaimer>
void the_owner_looks_as_well() {
    shelf<Reclaimer> blocks(2);
    model::parallel(
        [&] {
            blocks.replace(3);
            blocks.look(0);
            blocks.replace(2);
        },
        [&] { blocks.look(1); });
}

// The owner has the highest number, so the first participant is one that looks.
template <class Reclaimer>
void the_last_participant_replaces() {
    shelf<Reclaimer> blocks(2, 1);
    model::parallel([&] { blocks.replace(5); }, [&] { blocks.look(0); });
}

// With no participant inside, the owner's next look for free blocks finds all of them. (Epoch frees a batch late, so it
// always has blocks that wait.)
void a_participant_that_has_left_holds_nothing() {
    shelf<teff::hazard_reclaimer> blocks(2);
    model::parallel([&] { blocks.replace(3); }, [&] { blocks.look(1); });
    blocks.expect_all_freed_soon();
}

template <class Reclaimer>
constexpr void (*bodies[])() = {
    one_looks_while_blocks_are_replaced<Reclaimer>, one_looks_again_and_again<Reclaimer>,
    one_looks_twice_in_one_visit<Reclaimer>,        two_look_while_blocks_are_replaced<Reclaimer>,
    a_slot_passes_to_another_thread<Reclaimer>,     the_owner_looks_as_well<Reclaimer>,
    the_last_participant_replaces<Reclaimer>,
};
constexpr const char* names[] = {
    "one_looks_while_blocks_are_replaced", "one_looks_again_and_again",       "one_looks_twice_in_one_visit",
    "two_look_while_blocks_are_replaced",  "a_slot_passes_to_another_thread", "the_owner_looks_as_well",
    "the_last_participant_replaces",
};

constexpr std::size_t count = std::size(names);
struct table {
    model::scenario rows[5 * count + 1];
};
constexpr table make_table() {
    table made{};
    for (std::size_t i = 0; i < count; ++i) {
        made.rows[i] = {"epoch", names[i], bodies<teff::epoch_reclaimer>[i]};
        made.rows[count + i] = {"arena", names[i], bodies<teff::arena_reclaimer>[i]};
        made.rows[2 * count + i] = {"hazard", names[i], bodies<teff::hazard_reclaimer>[i]};
        made.rows[3 * count + i] = {"chosen_epoch", names[i], bodies<chosen<teff::epoch_reclaimer>>[i]};
        made.rows[4 * count + i] = {"chosen_hazard", names[i], bodies<chosen<teff::hazard_reclaimer>>[i]};
    }
    made.rows[5 * count] = {"hazard", "a_participant_that_has_left_holds_nothing",
                            a_participant_that_has_left_holds_nothing};
    return made;
}
constexpr table all = make_table();

}  // namespace

std::span<const model::scenario> reclaimer_scenarios() { return all.rows; }

}  // namespace scenarios
