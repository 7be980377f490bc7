// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// late_items with xqueue, consumer_token and member_registry between threads. Every item has an identity, and none is
// lost or doubled.
//
// Each of four workers enters its slot, deals some items to all slots, takes some of its own, and leaves; in between it
// visits the slots that are marked. As in xqueue_scheduler it marks what it has dealt to members that have left, and
// what it leaves in its own queues. When all workers have left for good, every item that was not taken must be where a
// mark says. An operation is a push or a pop.
#include <tests/stress/identities.hpp>
#include <tests/stress/operations.hpp>

#include <teff/base/light_standard.hpp>
#include <teff/queue/xqueue.hpp>
#include <teff/scheduler/late_items.hpp>
#include <teff/scheduler/member_registry.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

constexpr unsigned workers = 4;

class late_dealing {
public:
    explicit late_dealing(std::uint64_t items_each) : items_each_(items_each), all_(items_each * workers) {
        registry_.expect(workers);
        // Producers may deal to a slot before its worker has come.
        for (auto& each : queues_)
            EXPECT_TRUE(each.open(workers, 8, 4));
    }

    void run() {
        stress::on_threads(workers, [this](unsigned self) { work(self); });
        while (visit()) {
        }
        EXPECT_FALSE(marks_.any());
        EXPECT_EQ(all_.missing(), 0U) << "an item at a vacant slot had no mark";
        for (const std::uint64_t wrong : wrong_)
            EXPECT_EQ(wrong, 0U) << "items were doubled or torn";
    }

private:
    void work(unsigned self) {
        teff::random_generator random(self + 1);
        for (std::uint64_t pushed = 0; pushed != items_each_;) {
            registry_[self].enter();
            marks_.forget(self);
            for (unsigned step = 1 + random.below(16); step != 0; --step) {
                if (pushed != items_each_ && deal(self, random.below(workers), pushed))
                    ++pushed;
                if (random.below(2) == 0)
                    take(self, queues_[self].front());
            }
            // seq_cst: as in dealing_team::notify_if_finished(); partner: the fence below, in another worker.
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            for (unsigned other = 0; other < workers; ++other) {
                const unsigned mine = ring_.distance(self, other);
                if (other != self && !registry_[other].is_attended() && queues_[other].may_have_items(mine))
                    marks_.mark(other, teff::late_items::only(mine));
            }
            registry_.leave(self);
            // seq_cst: as in xqueue_scheduler::leave(); partner: the fence above, in another worker.
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            marks_.mark_left(self, queues_[self].with_items());
            if (random.below(4) == 0)
                visit();
        }
    }
    bool deal(unsigned self, unsigned to, std::uint64_t number) {
        return queues_[to].push(ring_.distance(self, to), self * items_each_ + number);
    }
    // Called by the consumer of that slot.
    bool take(unsigned slot, const std::uint64_t* item) {
        if (item == nullptr)
            return false;
        wrong_[slot] += all_.deliver(*item) ? 0U : 1U;
        queues_[slot].pop_front();
        return true;
    }
    bool visit() {
        return marks_.visit(registry_, [this](unsigned slot, teff::late_items::set& queues) {
            return take(slot, queues_[slot].front_among(queues));
        });
    }

    const std::uint64_t items_each_;
    const teff::xqueue_ring ring_{workers, 1, workers * workers};
    teff::member_registry registry_{workers};
    teff::late_items marks_{workers};
    teff::xqueue<std::uint64_t> queues_[workers];
    std::uint64_t wrong_[workers] = {};  // by the consumer of the slot
    stress::identities all_;
};

TEST(late_items_stress, what_comes_late_is_marked) {
    for (unsigned round = 0; round < 20; ++round)
        late_dealing(stress::operations() / 300 / workers).run();
}

}  // namespace
