// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The health care of a country, step by step: the program `health` of the Olden suite (M. C. Carlisle and A. Rogers,
// "Software caching and computation migration in Olden", 1995) and of the Barcelona OpenMP Tasks Suite. Forks over a
// tree of lists, once for every step of time: small tasks that follow pointers.
//
// Villages form a tree. In each step a village's task forks those of the villages below and waits for them; then its
// own hospital is simulated: people are treated, assessed, admitted while there is staff, and fall ill. Whoever needs
// more than a hospital has waits for the one above. Differs from both: probabilities and staff are our own; every
// village draws from random numbers of its own, and takes what comes from below when all of it has come, in the order
// of the villages. So no list needs a lock, and the result does not depend on who runs what.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/random.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

extern const kernel_description health_description;

outcome run_health(const parameters& p);

}  // namespace bench

namespace bench::health {

constexpr std::size_t branches = 4;
constexpr std::size_t inhabitants = 20;    // of each village

struct village;

struct person {
    person* next;
    village* home;
    unsigned steps_left;                   // of assessment or treatment
};

// People, first in, first out.
class people {
public:
    void add(person* one) {
        one->next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = one;
        last_ = one;
    }

    // Null if there is nobody.
    person* take() {
        person* const one = first_;
        if (one != nullptr) first_ = one->next;
        return one;
    }

    std::size_t count() const;

private:
    person* first_ = nullptr;
    person* last_ = nullptr;               // unless there is nobody
};

// What happened to people, in one village or in all.
struct totals {
    std::uint64_t fell_ill = 0;
    std::uint64_t treated = 0;
    std::uint64_t sent_up = 0;
    std::uint64_t steps_waited = 0;

    bool operator==(const totals&) const = default;
};

// A cache line of its own: its neighbours belong to other tasks.
struct alignas(64) village {
    people healthy, waiting, assessed, treated, sent_up;
    unsigned free_staff = 0;
    bool highest = false;
    seeded_random random{0};
    totals happened;
};

// The tree by levels, the highest village first, so that the numbers of those below follow from a village's own.
class country {
public:
    // levels from 1
    country(unsigned levels, unsigned steps);
    country(const country&) = delete;
    country& operator=(const country&) = delete;

    unsigned levels() const { return levels_; }
    unsigned steps() const { return steps_; }
    std::size_t villages() const { return villages_.size(); }
    totals happened() const;
    std::size_t population() const;

    // The first of the villages below, or villages() if there are none.
    std::size_t first_below(std::size_t number) const {
        return number * branches + 1 < villages_.size() ? number * branches + 1 : villages_.size();
    }

    // One step of the village itself, after that of all below. The leaf.
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

// As large as p asks for.
country generated(const parameters& p);

// The totals must be those that are known for the quick and the paper size, or those of a country that lives village by
// village, from the lowest. Its tasks are the steps of all villages.
outcome checked(const country& lived, double seconds);

}  // namespace bench::health
