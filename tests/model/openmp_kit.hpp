// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common parts of the scenarios of OpenMP: a team of several threads, on a real task team; a team of one thread;
// and tasks whose function is a closure of the scenario. The sources in core/ run as they are, but for the settings of
// the process (openmp_stand_in.cpp).
#pragma once

#include "region_kit.hpp"

#include <teff/frontends/openmp/core/tasks/completion_event.hpp>
#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/tasks/submit.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/tasks/wait.hpp>
#include <teff/frontends/openmp/core/teams/team.hpp>
#include <teff/frontends/openmp/core/worksharing/loop.hpp>

#include <array>
#include <type_traits>

namespace scenarios {

namespace openmp = teff::openmp;

// In this execution regions may be cancelled, so threads that wait for each other do not sleep (waiters.hpp).
void allow_cancellation() noexcept;

// At most three places, as regions/places.cpp sets them up.
class openmp_places {
public:
    explicit openmp_places(unsigned size) noexcept {
        team_.places = places_.data();
        team_.capacity = team_.size = size;
    }
    ~openmp_places() { openmp::free_loops(team_); }
    openmp_places(const openmp_places&) = delete;
    openmp_places& operator=(const openmp_places&) = delete;

    // On the thread itself.
    openmp::place& enter(unsigned number) noexcept {
        openmp::place& mine = places_[number];
        mine.in = &team_;
        mine.number = number;
        mine.size = team_.size;
        mine.implicit.environment = &team_.environment;
        mine.implicit.children = &mine.deferred;
        mine.current = &mine.implicit;
        teff::running_strand().place = &mine;
        return mine;
    }

    openmp::team& team() noexcept { return team_; }

private:
    openmp::team team_;
    std::array<openmp::place, 3> places_;
};

// A team of two or three threads.
class openmp_team {
public:
    explicit openmp_team(unsigned size, const char* scheduler = "demand")
        : size_(size), threads_(size, scheduler), places_(size) {}

    // Runs a region: calls body(place) on each thread.
    template <class Body>
    void run(Body&& body) {
        threads_.run(size_, [&](unsigned member, unsigned) { body(places_.enter(member)); });
    }

private:
    const unsigned size_;
    region_team threads_;
    openmp_places places_;
};

// A team of the calling thread alone, which has no scheduler. Its region ends with the scope.
class openmp_team_of_one {
public:
    openmp_team_of_one() : place(places_.enter(0)) {}
    ~openmp_team_of_one() {
        openmp::wait_for(place, place.unfinished, nullptr);
        teff::running_strand().place = nullptr;
        openmp::free_spare_blocks();
    }
    openmp_team_of_one(const openmp_team_of_one&) = delete;
    openmp_team_of_one& operator=(const openmp_team_of_one&) = delete;

private:
    openmp_places places_{1};

public:
    openmp::place& place;
};

// A task that calls `body()`, which outlives it. It is deferred by one of the functions of core/.
template <class Body>
openmp::deferred_task& new_task(openmp::place& here, Body& body) noexcept {
    openmp::deferred_task& made = here.size == 1
                                      ? openmp::make_task(here, 0, alignof(openmp::deferred_task))
                                      : openmp::make_pooled_task(here, sizeof(openmp::deferred_task));
    made.call = [](openmp::deferred_task& self) noexcept { (*static_cast<Body*>(self.data))(); };
    made.data = &body;
    return made;
}
template <class Body>
void defer(openmp::place& here, Body& body) noexcept {
    openmp::defer(here, new_task(here, body));
}

// A mark that a task writes to ordinary memory.
class mark {
public:
    explicit mark(unsigned number) noexcept : number_(number) {}
    void operator()() noexcept {
        model::take(number_);
        is_there_ = true;
    }
    void expect() const noexcept { model::check(is_there_, "a task that was waited for has not run"); }

private:
    const unsigned number_;
    bool is_there_ = false;
};

}  // namespace scenarios
