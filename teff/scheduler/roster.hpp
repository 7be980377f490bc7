// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is there: the attendance of all slots of a team, and for each member the list of those it gives work to in turn.
//
//   expect          before anybody enters
//   admit, leave    the member of that slot
//   the rest        any thread
// A `turns` belongs to one member. It keeps the list of slots until somebody enters or leaves, so that a push costs two
// comparisons and an increment. The list is a hint: a slot in it may just have become vacant (attendance.hpp).
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/scheduler/attendance.hpp>
#include <teff/scheduler/slots.hpp>

#include <cstdint>
#include <optional>
#include <utility>

namespace teff {

class roster {
public:
    // 1..4096 slots; throws std::bad_alloc.
    explicit roster(unsigned slots) : seats_(slots) {}

    // The lowest `members` slots (1..size) will probably be attended soon: they are listed from the start.
    void expect(unsigned members) noexcept { seats_.use(members - 1); }
    // After the member took its seat: others may give it work from now on.
    void admit(unsigned slot) noexcept {
        seats_.use(slot);
        changed();
    }
    void leave(unsigned slot) noexcept {
        seats_[slot].seat.leave();
        changed();
    }

    unsigned size() const noexcept { return seats_.size(); }
    // One more than the highest slot that was ever attended, or expected to be.
    unsigned used() const noexcept { return seats_.used(); }
    attendance& operator[](unsigned slot) noexcept { return seats_[slot].seat; }
    const attendance& operator[](unsigned slot) const noexcept { return seats_[slot].seat; }

    class turns {
    public:
        static constexpr unsigned nobody = ~0U;

        // Throws std::bad_alloc; no effect if it has room already.
        void make_room(const roster& all) {
            if (!members_)
                members_.emplace(all.size());
        }
        // The next attended slot for which reaches(slot) is true, or, if and_vacant, the next one in use; nobody if
        // there is none.
        template <class Reaches>
        unsigned next(const roster& all, bool and_vacant, Reaches&& reaches) noexcept {
            // acquire: sees the attendance as it was changed; partner: the release in changed().
            const unsigned version = all.version_.load(std::memory_order_acquire);
            if (version != version_) [[unlikely]] {
                version_ = version;
                refresh(all, reaches);
            }
            const unsigned count = and_vacant ? listed_ : attended_;
            if (count == 0)
                return nobody;
            next_ = next_ + 1 < count ? next_ + 1 : 0;
            return (*members_)[next_];
        }

    private:
        template <class Reaches>
        [[gnu::noinline, gnu::cold]] void refresh(const roster& all, Reaches&& reaches) noexcept {
            listed_ = 0;
            attended_ = 0;
            for (unsigned slot = 0, end = all.used(); slot < end; ++slot) {
                if (!reaches(slot))
                    continue;
                slots<std::uint16_t>& list = *members_;
                list[listed_++] = static_cast<std::uint16_t>(slot);
                if (all[slot].is_attended())
                    std::swap(list[attended_++], list[listed_ - 1]);
            }
        }

        std::optional<slots<std::uint16_t>> members_;  // the attended ones, then the vacant ones
        unsigned attended_ = 0;
        unsigned listed_ = 0;
        unsigned next_ = 0;
        unsigned version_ = 0;  // no version of a roster that somebody has entered
    };

private:
    void changed() noexcept {
        // release: the change of a seat comes first; partner: the acquire in next().
        version_.fetch_add(1, std::memory_order_release);
    }

    struct alignas(cache_line_size) place {
        attendance seat;
    };
    slots<place> seats_;
    alignas(false_sharing_range) atomic<unsigned> version_{0};
};

}  // namespace teff
