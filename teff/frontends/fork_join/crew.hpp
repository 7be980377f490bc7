// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jobs that are given to waiting members directly, for a function that knows in advance how its work is divided among
// threads, such as a short loop that has run before. The job goes into the member's mailbox (queue/mailbox.hpp). No
// queue, no request and no counter of idle threads is involved, so a job reaches its thread in the time of a few moves
// of cache lines, and fifteen jobs reach fifteen threads along a tree.
//
// A member waits at its mailbox while it searches for work, and for some time after it has run such a job. A job that
// its member has not taken yet when the caller needs it is taken back.
//
//   others, those_after_me, fork_to_any    a member of the team, for itself
//
// Teams have mailboxes if their scheduler shares on request and they have no more members than processors.
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/frontends/fork_join/job.hpp>
#include <teff/frontends/fork_join/views.hpp>

#include <cstddef>

namespace teff::forking {

// Members of the calling thread's team, with the numbers from `begin` up to `end`. Number 0 is the member in slot
// `first`, and the others follow in the order of slots. A caller divides its work and its crew in the same way, so that
// threads that give jobs at the same time choose among different members.
struct crew {
    unsigned first = 0;  // the slot of the member with number 0
    unsigned begin = 0, end = 0;

    bool is_empty() const noexcept { return begin == end; }
    unsigned size() const noexcept { return end - begin; }
    // How many members the next receiver of a job should get, including itself. It gets fewer than half of them, since
    // it begins later: the caller can give another job meanwhile.
    unsigned given() const noexcept { return larger(4 * (size() + 1) / 10, 1U); }
    // How many of `count` equal pieces of work the next receiver and its members should get. Without overflow.
    std::size_t share_of_next(std::size_t count) const noexcept {
        const unsigned parts = size() + 1;
        return count / parts * given() + count % parts * given() / parts;
    }
};
// The other members of the team, at most so many. Empty if no job can be given to them, or if the stack is used up.
crew others(std::size_t most) noexcept;
// For a member that runs a job given to it: the members that come after it, up to `end`.
crew those_after_me(unsigned first, unsigned end) noexcept;

// A job with a function that has no result and throws nothing.
template <class F>
class given_job : public job {
public:
    explicit given_job(const F& given) noexcept : job(&run_elsewhere), function_(given) {}

    void operator()() noexcept { function_(); }

private:
    static void run_elsewhere(task_header& self) noexcept {
        auto& mine = static_cast<given_job&>(self);
        const taken_job taken(mine);
        if (!taken.is_to_run())
            return;
        own_views own(mine.around);
        mine.function_();
        // Without a store if there are none: the caller reads this line.
        if (view* const made = own.take())
            mine.views = made;
    }

    F function_;
};

// As link() (job.hpp), but gives the job to a waiting member of the crew, near the place that given() names. Returns
// the member's number. Returns `nobody` if no member waits; then nothing was done.
inline constexpr unsigned nobody = ~0U;
unsigned link_to_any(const crew& among, job& made);

// A fork of two functions that have no result and throw nothing: gives `g` to a member of the crew, and calls f(rest)
// with the members before that one. False: no member waits, and nothing was called. G is small. Throws stopped.
template <class F, class G>
bool fork_to_any(const crew& among, F&& f, const G& g) {
    // On cache lines of its own: the member reads them while the caller continues.
    alignas(false_sharing_range) given_job<G> second(g);
    const unsigned number = link_to_any(among, second);
    if (number == nobody)
        return false;
    f(crew{among.first, among.begin, number});
    if (take_back(second)) {
        second();
    } else {
        require_run(second);
        if (second.views != nullptr)
            append_views(second.views);
    }
    return true;
}

}  // namespace teff::forking
