// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases of the user's program (user_program.cpp) about lightweight threads, and about reductions.
#include "user_program.hpp"
#include "user_program_c.h"

#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/reduce.hpp>
#include <teff/task_group.hpp>
#include <teff/threads.hpp>
#include <teff/with_stack.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using user::crowd;
using user::expect;
using user::until_reported;
using user::until_shared;
using user::work;

namespace {

// Reductions: the items and the sums have memory of their own.

struct item {
    int depth;
    std::unique_ptr<long> value;
};
struct sums {
    std::vector<long> of_depth = std::vector<long>(12);
    sums& operator+=(const sums& other) {
        for (std::size_t i = 0; i < of_depth.size(); ++i)
            of_depth[i] += other.of_depth[i];
        return *this;
    }
};

USER_CASE(reductions, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> visited(2048);
        const auto body = [&](auto& pool, item here) {
            seen.note();
            sums mine;
            mine.of_depth[static_cast<std::size_t>(here.depth)] = 1 + work(here.depth) % 1;
            visited[static_cast<std::size_t>(*here.value)] = here.depth;
            if (here.depth < 10)
                for (long side = 0; side < 2; ++side)
                    pool.enq({here.depth + 1, std::make_unique<long>(2 * *here.value + side)});
            return mine;
        };
        const sums all = teff::reduce_tasks({}, body, item{0, std::make_unique<long>(1)});
        for (std::size_t i = 1; i < visited.size(); ++i)
            expect(i >> visited[i] == 1, "what the items have written");
        for (std::size_t depth = 0; depth <= 10; ++depth)
            expect(all.of_depth[depth] == 1L << depth, "reductions");
    });
}

USER_CASE(race_of_items, race) {
    long last = 0;
    until_reported([&](crowd& seen) {
        teff::execute_tasks(4, [&](auto& pool, int depth) {
            seen.note();
            last = work(depth);
            if (depth > 0) {
                pool.enq(depth - 1);
                pool.enq(depth - 1);
            }
        }, 8);
    });
}

// Lightweight threads.

USER_CASE(fibers, correct) {
    until_shared([](crowd& seen) {
        std::vector<std::unique_ptr<long>> made(50);
        std::vector<teff::fiber> fibers(made.size());
        for (std::size_t i = 0; i < made.size(); ++i)
            fibers[i] = teff::fiber([&, i] {
                seen.note();
                if (i > 0)
                    fibers[i - 1].join();
                if (i % 5 == 0)
                    teff::this_fiber::yield();
                seen.note();
                made[i] = std::make_unique<long>(work(static_cast<long>(i)) + (i == 0 ? 0 : *made[i - 1]));
            });
        fibers.back().join();
        long expected = 0;
        for (std::size_t i = 0; i < made.size(); ++i) {
            expected += work(static_cast<long>(i));
            expect(*made[i] == expected, "fibers");
        }
    });
}

USER_CASE(fibers_that_forks_and_groups_are_on, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> values(400);
        teff::coforall(std::size_t{0}, std::size_t{4}, [&](std::size_t part) {
            seen.note();
            long* const mine = values.data() + 100 * part;
            teff::fork_join([&] { mine[0] = work(1); }, [&] { mine[1] = work(2); });
            expect(mine[0] + mine[1] == work(1) + work(2), "a fork on a fiber");
            teff::task_group group;
            for (int i = 2; i < 50; ++i)
                group.run([=, &seen] { seen.note(), mine[i] = work(i); });
            group.wait();
            teff::parallel_for(50, 100, [&](int i) { mine[i] = mine[i - 50]; });
            expect(mine[99] == work(49), "a loop on a fiber");
        });
        expect(values[2] == work(2), "fibers_that_forks_and_groups_are_on");
    });
}

USER_CASE(sync_vars, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> boxes(100);
        teff::sync_var<long*> given, taken;
        teff::sync([&] {
            teff::begin([&] {
                for (long& each : boxes) {
                    seen.note();
                    each = work(1);
                    given.write_ef(&each);
                }
            });
            teff::begin([&] {
                for (std::size_t i = 0; i < boxes.size(); ++i) {
                    seen.note();
                    long* const box = given.read_fe();
                    *box += 1;
                    taken.write_ef(box);
                }
            });
            for (std::size_t i = 0; i < boxes.size(); ++i)
                expect(*taken.read_fe() == work(1) + 1, "sync_vars");
        });
        teff::single_var<long*> once;
        std::thread reader([&] { expect(*once.read_ff() == 5, "a thread that waits"); });
        teff::fiber writer([&] { boxes[0] = 5, once.write_ef(&boxes[0]); });
        writer.join();
        reader.join();
    });
}

USER_CASE(full_empty_words, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> cells(40), plain(40);
        for (long& each : cells)
            teff::empty(each);
        teff::sync([&] {
            for (std::size_t i = cells.size() - 1; i > 0; --i)
                teff::begin([&, i] {
                    seen.note();
                    const long before = teff::read_ff(cells[i - 1]);
                    plain[i] = plain[i - 1] + work(before) % 1 + 1;
                    teff::write_ef(cells[i], before + 1);
                });
            teff::write_ef(cells[0], 1L);
        });
        expect(cells.back() == 40 && plain.back() == 39, "full_empty_words");
    });
}

USER_CASE(mutexes_and_conditions, correct) {
    until_shared([](crowd& seen) {
        teff::fiber_mutex mutex;
        teff::fiber_condition_variable changed;
        long turn = 0;
        std::string text;
        teff::coforall(0L, 20L, [&](long i) {
            seen.note();
            work(i);
            std::unique_lock held(mutex);
            changed.wait(held, [&] { return turn == i; });
            text += std::to_string(i);
            ++turn;
            changed.notify_all();
        });
        std::string expected;
        for (int i = 0; i < 20; ++i)
            expected += std::to_string(i);
        expect(text == expected, "mutexes_and_conditions");
    });
}

USER_CASE(barriers_and_latches, correct) {
    until_shared([](crowd& seen) {
        constexpr std::size_t count = 8;
        std::vector<long> now(count, 1), next(count);
        teff::fiber_barrier step(count);
        teff::fiber_latch done(count);
        teff::fiber watcher([&] {
            done.wait();
            for (const long each : now)
                expect(each == 32, "a latch");
        });
        teff::coforall(std::size_t{0}, count, [&](std::size_t i) {
            for (int times = 0; times < 5; ++times) {
                seen.note();
                next[i] = now[i] + now[(i + 1) % count];
                step.arrive_and_wait();
                now[i] = next[i] + work(0) % 1;
                step.arrive_and_wait();
            }
            done.count_down();
        });
        watcher.join();
    });
}

USER_CASE(channels, correct) {
    until_shared([](crowd& seen) {
        teff::channel<std::unique_ptr<long>> numbers(3), squares(3);
        long sum = 0;
        teff::fiber adder([&] {
            while (const auto square = squares.receive())
                sum += **square;
        });
        teff::sync([&] {
            for (int i = 0; i < 3; ++i)
                teff::begin([&] {
                    while (auto number = numbers.receive()) {
                        seen.note();
                        **number *= **number + work(0) % 1;
                        squares.send(std::move(*number));
                    }
                });
            for (long number = 1; number <= 100; ++number)
                numbers.send(std::make_unique<long>(number));
            numbers.close();
        });
        squares.close();
        adder.join();
        expect(sum == 338'350, "channels");
    });
}

USER_CASE(fibers_that_sleep_and_use_large_stacks, correct) {
    until_shared([](crowd& seen) {
        std::vector<std::string> texts(10);
        teff::coforall(std::size_t{0}, texts.size(), [&](std::size_t i) {
            std::string own(20 + i, 'x');
            teff::this_fiber::sleep_for(std::chrono::microseconds(50 * i));
            seen.note();
            teff::with_stack(std::size_t{4} << 20, [&] {
                std::array<char, 1 << 20> large;
                large.fill('y');
                teff::this_fiber::yield();
                own += large[static_cast<std::size_t>(work(1)) % large.size()];
            });
            texts[i] = own;
        });
        for (std::size_t i = 0; i < texts.size(); ++i)
            expect(texts[i] == std::string(20 + i, 'x') + 'y', "fibers_that_sleep_and_use_large_stacks");
    });
}

USER_CASE(fibers_with_exceptions, correct) {
    until_shared([](crowd& seen) {
        for (int i = 0; i < 20; ++i) {
            teff::fiber thrower([&, i] {
                seen.note();
                teff::this_fiber::yield();
                throw std::string(50, static_cast<char>('a' + i));
            });
            bool is_caught = false;
            try {
                thrower.join();
            } catch (const std::string& text) {
                is_caught = text[49] == 'a' + i;
            }
            seen.note();
            expect(is_caught, "fibers_with_exceptions");
        }
    });
}

USER_CASE(bound_fibers, correct) {
    until_shared([](crowd& seen) {
        teff::execute({.shepherds = "per_worker"}, [&] {
            const unsigned count = teff::shepherd_count();
            std::vector<long> sums(count);
            teff::sync([&] {
                for (unsigned i = 0; i < 100; ++i)
                    teff::begin(teff::on_shepherd{i % count}, [&, i] {
                        seen.note();
                        sums[i % count] += work(i) % 1 + 1;
                    });
            });
            long sum = 0;
            teff::fiber visitor(teff::on_shepherd{0}, [&] {
                for (unsigned i = 0; i < count; ++i) {
                    teff::this_fiber::migrate_to(i);
                    sum += sums[i];
                }
            });
            visitor.join();
            expect(sum == 100, "bound_fibers");
        });
    });
}

USER_CASE(race_of_fibers, race) {
    long last = 0;
    until_reported([&](crowd& seen) {
        teff::coforall(0L, 20L, [&](long i) {
            seen.note();
            last = work(i);
            teff::this_fiber::yield();
            last = work(i);
        });
    });
}

USER_CASE(race_beside_a_sync_var, race) {
    long other = 0;
    until_reported([&](crowd& seen) {
        teff::sync_var<long> value;
        teff::sync([&] {
            teff::begin([&] {
                seen.note();
                value.write_ef(1);
                other = work(1);  // too late: the reader may be there already
            });
            teff::begin([&] {
                value.read_fe();
                seen.note();
                other = work(2);
            });
        });
    });
}

// In C.
crowd* seen_by_c = nullptr;
void note_in_c() { seen_by_c->note(); }

USER_CASE(c_interface, correct) {
    until_shared([](crowd& seen) {
        seen_by_c = &seen;
        user_c_correct(&note_in_c);
    });
}
USER_CASE(race_in_c, race) {
    until_reported([](crowd& seen) {
        seen_by_c = &seen;
        user_c_race(&note_in_c);
    });
}

}  // namespace
