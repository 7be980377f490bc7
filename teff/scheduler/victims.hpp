// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which victims a thief tries, in which order, and how often (Blaze-Tasks, section 4.3.2).
//
// The number of attempts at one victim falls with the distance. It is raised if the victim seems to hold more than the
// average of what the thief has seen lately, and is zero if it seems to hold less than a fraction of that average (a
// quarter by default). All of this is the private state of one thief; what it reads of others are hints.
//
// Differs from the paper, whose thieves visit all other threads round robin and let the distance decide only how often
// they try: here near victims come first (same core, same socket, other sockets), since an item from a near one costs
// the thief fewer cache misses. Within one distance the round starts at a random slot, so that thieves spread. With the
// option blaze_visits=round_robin a round visits all in turn, beginning behind the victim that was visited last.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/machine/topology.hpp>
#include <teff/scheduler/settings.hpp>

#include <cstddef>

namespace teff {

class victims {
public:
    victims() noexcept = default;

    // `worker`: the thief's number, for proximity and as a seed.
    void begin(const scheduler_settings& settings, unsigned self, unsigned worker) noexcept {
        settings_ = &settings;
        self_ = self;
        worker_ = worker;
        last_ = self;
        random_ = random_generator(worker + 1);
    }

    // Calls visit(slot, attempts) for each slot below `used` except the thief's own, until visit returns true;
    // returns whether it did. worker_of(slot): the number of the worker there. attempts: by proximity alone.
    template <class WorkerOf, class Visit>
    bool try_each(unsigned used, WorkerOf&& worker_of, Visit&& visit) {
        if (settings_->visits_in_turn)
            return try_in_turn(used, worker_of, visit);
        const unsigned start = random_.below(used);
        const bool flat = is_flat();
        for (const proximity distance : {proximity::same_core, proximity::same_socket, proximity::other_socket}) {
            for (unsigned step = 0; step < used; ++step) {
                const unsigned slot = start + step < used ? start + step : start + step - used;
                if (slot == self_ || (!flat && distance_to(worker_of(slot)) != distance))
                    continue;
                if (visit(slot, attempts_at(flat ? proximity::same_socket : distance)))
                    return true;
            }
            if (flat)
                break;
        }
        return false;
    }

    // How often to try a victim that seems to hold `estimate` items, given the attempts by proximity; updates the
    // rolling average with that sample. (blaze samples every victim that a thief looks at, as published. demand samples
    // those that show items: most items are private there, so zeros would say nothing of how many there are.)
    unsigned adjust_attempts(std::size_t estimate, unsigned attempts) noexcept {
        const std::size_t average = average_ / weight;
        average_ += estimate - average;
        if (settings_->below_average_divisor != 0 && estimate < average / settings_->below_average_divisor)
            return 0;
        const unsigned raised = settings_->attempts_above_average;
        return estimate > average && raised > attempts ? raised : attempts;
    }

    // A random slot below `used` that is not the thief's own, if there is another.
    unsigned any_other(unsigned used) noexcept {
        const unsigned slot = random_.below(used);
        return slot != self_ ? slot : (slot + 1) % used;
    }

private:
    static constexpr std::size_t weight = 8;  // each sample has a weight of one eighth in the average

    template <class WorkerOf, class Visit>
    bool try_in_turn(unsigned used, WorkerOf& worker_of, Visit& visit) {
        const bool flat = is_flat();
        for (unsigned left = used; left != 0; --left) {
            last_ = last_ + 1 < used ? last_ + 1 : 0;
            if (last_ == self_)
                continue;
            if (visit(last_, attempts_at(flat ? proximity::same_socket : distance_to(worker_of(last_)))))
                return true;
        }
        return false;
    }

    bool is_flat() const noexcept {
        return settings_->machine == nullptr ||
               (settings_->machine->socket_count() == 1 &&
                settings_->machine->core_count() == settings_->machine->cpu_count());
    }
    proximity distance_to(unsigned other) const noexcept { return settings_->machine->of_workers(worker_, other); }
    unsigned attempts_at(proximity distance) const noexcept {
        switch (distance) {
        case proximity::same_core: return settings_->attempts_same_core;
        case proximity::same_socket: return settings_->attempts_same_socket;
        case proximity::other_socket: break;
        }
        return settings_->attempts_other_socket;
    }

    const scheduler_settings* settings_ = nullptr;
    unsigned self_ = 0;
    unsigned worker_ = 0;
    unsigned last_ = 0;        // round robin: the victim that was visited last
    random_generator random_{1};
    std::size_t average_ = 0;  // the average, times `weight`
};

}  // namespace teff
