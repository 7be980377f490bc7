// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The health care of a country, step by step: the program `health` of the Olden suite (M. C. Carlisle and A. Rogers,
// "Software caching and computation migration in Olden", 1995) and of the Barcelona OpenMP Tasks Suite. It forks over
// a tree of lists, once per time step: small tasks that follow pointers.
//
// Villages form a tree. In each step a village's task forks the tasks of the villages below it and waits for them.
// Then it simulates its own hospital: people are treated, assessed, admitted if staff is free, and fall ill. A person
// who needs more than this hospital offers waits for the one above. Differs from both suites: (1) probabilities and
// staff numbers are our own. (2) Every village has its own random numbers. (3) A village takes the people sent from
// below only after all villages below have finished, in the order of the villages. So no list needs a lock, and the
// result does not depend on which thread runs what.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/random.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::health {

constexpr std::size_t branches = 4;
constexpr std::size_t inhabitants = 20;    // of each village

struct village;

struct person {
    person* next;
    village* home;
    unsigned steps_left;                   // remaining steps of assessment or treatment
};

// A first-in-first-out list of people.
class people {
public:
    void add(person* one) {
        one->next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = one;
        last_ = one;
    }

    // Null if the list is empty.
    person* take() {
        person* const one = first_;
        if (one != nullptr) first_ = one->next;
        return one;
    }

    std::size_t count() const;

private:
    person* first_ = nullptr;
    person* last_ = nullptr;               // undefined if the list is empty
};

// Counts of events, for one village or for all.
struct totals {
    std::uint64_t fell_ill = 0;
    std::uint64_t treated = 0;
    std::uint64_t sent_up = 0;
    std::uint64_t steps_waited = 0;

    bool operator==(const totals&) const = default;
};

// Aligned to cache lines of its own, because neighbouring villages belong to other tasks.
struct alignas(64) village {
    people healthy, waiting, assessed, treated, sent_up;
    unsigned free_staff = 0;
    bool highest = false;
    seeded_random random{0};
    totals happened;
};

// The tree in order of levels, beginning with the highest village, so that the numbers of the villages below follow
// from a village's own number.
class country {
public:
    // levels is at least 1.
    country(unsigned levels, unsigned steps);
    country(const country&) = delete;
    country& operator=(const country&) = delete;

    unsigned levels() const { return levels_; }
    unsigned steps() const { return steps_; }
    std::size_t villages() const { return villages_.size(); }
    totals happened() const;
    std::size_t population() const;

    // The number of the first village below, or villages() if there is none.
    std::size_t first_below(std::size_t number) const {
        return number * branches + 1 < villages_.size() ? number * branches + 1 : villages_.size();
    }

    // One step of the village itself, after the steps of all villages below it. The leaf computation, the same for
    // every runtime.
    void live(std::size_t number);

    template <class Forks> void live_below_and_at(std::size_t number) {
        const std::size_t below = first_below(number);
        if (below != villages_.size())
            Forks::each(branches, [this, below](std::size_t index) { live_below_and_at<Forks>(below + index); });
        live(number);
    }

    template <class Forks> void live_all() {
        for (unsigned step = 0; step < steps_; ++step) live_below_and_at<Forks>(0);
    }

private:
    unsigned levels_;
    unsigned steps_;
    std::vector<village> villages_;
    std::vector<person> persons_;
};

// A country of the size that p asks for.
country generated(const parameters& p);

// Compares the totals with the known ones for the sizes quick and paper, otherwise with those of a country simulated
// by a loop over the villages, from the lowest up. The outcome reports one task per village and step.
outcome checked(const country& lived, double seconds);

// What run_health() does with a runtime's forks (harness/serial.hpp).
template <class Forks> outcome measured(const parameters& p) {
    return measured_with<Forks>(p, generated(p), [](country& all) { all.live_all<Forks>(); });
}

}  // namespace bench::health
