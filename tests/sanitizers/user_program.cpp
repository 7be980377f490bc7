// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program, compiled with a sanitizer and linked with the ordinary library. The correct cases pass data through
// plain memory, by every order that the front ends promise, so that the tool accuses them if it misses one. The wrong
// ones have a race of the user's, which must be reported.
//
//   user_program NAME...     runs these cases;  correct, race: all of that kind
//   user_program --list      the names of the wrong ones
#include "../detached_coroutine.hpp"
#include "user_program.hpp"

#include <teff/algorithms.hpp>
#include <teff/arena.hpp>
#include <teff/coroutine.hpp>
#include <teff/dataflow.hpp>
#include <teff/fork_join.hpp>
#include <teff/reducer.hpp>
#include <teff/spawn.hpp>
#include <teff/suspend.hpp>
#include <teff/task_group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
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

std::vector<long> fill_tree(long* memory, long size, crowd& seen) {
    seen.note();
    if (size < 8) {
        std::vector<long> sums(1);
        for (long i = 0; i < size; ++i)
            sums[0] += memory[i] = work(i) % 10;
        return sums;
    }
    auto [left, right] = teff::fork_join([&] { return fill_tree(memory, size / 2, seen); },
                                         [&] { return fill_tree(memory + size / 2, size - size / 2, seen); });
    left[0] += right[0];
    return std::move(left);
}

USER_CASE(forks, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> memory(2000);
        const std::vector<long> sums = fill_tree(memory.data(), 2000, seen);
        expect(sums[0] == std::accumulate(memory.begin(), memory.end(), 0L), "forks");
    });
}

USER_CASE(forks_with_exceptions, correct) {
    until_shared([](crowd& seen) {
        for (int i = 0; i < 50; ++i) {
            std::string text;
            try {
                teff::fork_join([&] { seen.note(), work(i); },
                                [&] {
                                    seen.note();
                                    throw std::runtime_error("number " + std::to_string(work(i)));
                                });
            } catch (const std::runtime_error& error) {
                text = error.what();
            }
            expect(text == "number " + std::to_string(work(i)), "forks_with_exceptions");
        }
    });
}

USER_CASE(execute_and_isolate, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> memory(1000);
        teff::execute({.threads = 3}, [&] { fill_tree(memory.data(), 500, seen); });
        teff::isolate([&] { fill_tree(memory.data() + 500, 500, seen); });
        expect(std::accumulate(memory.begin(), memory.end(), 0L) != 0, "execute_and_isolate");
    });
}

USER_CASE(groups, correct) {
    until_shared([](crowd& seen) {
        std::vector<std::unique_ptr<long>> made(300);
        teff::task_group outer;
        for (std::size_t i = 0; i < made.size(); i += 10)
            outer.run([&, i, name = std::to_string(i)] {
                seen.note();
                teff::task_group inner;
                for (std::size_t k = i; k < i + 10; ++k)
                    inner.run([&, k] { made[k] = std::make_unique<long>(work(static_cast<long>(k))); });
                inner.wait();
                expect(name == std::to_string(i), "a captured string");
                *made[i] += 1;
            });
        outer.wait();
        for (std::size_t i = 0; i < made.size(); ++i)
            expect(*made[i] == work(static_cast<long>(i)) + (i % 10 == 0 ? 1 : 0), "groups");
    });
}

USER_CASE(groups_of_several_threads, correct) {
    until_shared([](crowd& seen) {
        teff::task_group group;
        std::vector<long> values(200);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 2; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = t; i < values.size(); i += 2)
                    group.run([&, i] { seen.note(), values[i] = work(static_cast<long>(i)); });
                group.wait();
            });
        for (std::thread& each : threads)
            each.join();
        group.wait();
        for (std::size_t i = 0; i < values.size(); ++i)
            expect(values[i] == work(static_cast<long>(i)), "groups_of_several_threads");
    });
}

USER_CASE(handles, correct) {
    until_shared([](crowd& seen) {
        std::vector<teff::handle<std::vector<long>>> handles;
        for (long i = 0; i < 100; ++i)
            handles.push_back(teff::spawn([&seen, i] {
                seen.note();
                return std::vector<long>(10, work(i));
            }));
        for (std::size_t i = 0; i < handles.size(); ++i)
            expect(handles[i].get().back() == work(static_cast<long>(i)), "handles");
    });
}

USER_CASE(loops, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> values(3000), sums(values.size());
        teff::parallel_for(std::size_t{0}, values.size(), [&](std::size_t i) {
            seen.note();
            values[i] = work(static_cast<long>(i));
        });
        std::vector<long> other(values.size());
        teff::parallel_transform(values, other.begin(), [](long each) { return each % 7; });
        const long sum = teff::parallel_reduce(other, 0L, std::plus<>());
        teff::parallel_inclusive_scan(other, sums.begin());
        expect(sum == sums.back() && sum == std::accumulate(other.begin(), other.end(), 0L), "loops");
        std::vector<std::string> names(values.size());
        teff::parallel_for_each(names, [&](std::string& each) {
            each = std::to_string(values[static_cast<std::size_t>(&each - names.data())]);
        });
        teff::parallel_invoke([&] { teff::parallel_sort(names); }, [&] { teff::parallel_stable_sort(values); });
        expect(std::is_sorted(names.begin(), names.end()) && std::is_sorted(values.begin(), values.end()), "sorts");
    });
}

USER_CASE(loops_with_exceptions, correct) {
    until_shared([](crowd& seen) {
        bool is_caught = false;
        try {
            teff::parallel_for(0, 1000, [&](int i) {
                seen.note();
                if (work(i) % 2 == i % 2 && i > 400)
                    throw std::runtime_error(std::string(100, 'x'));
            });
        } catch (const std::runtime_error& error) {
            is_caught = std::strlen(error.what()) == 100;
        }
        expect(is_caught, "loops_with_exceptions");
    });
}

USER_CASE(pipelines, correct) {
    until_shared([](crowd& seen) {
        long next = 0, sum = 0;
        std::string text;
        teff::parallel_pipeline(
            8,
            [&](teff::flow_control& flow) {
                if (next == 200)
                    flow.stop();
                return std::vector<long>(3, next++);
            },
            teff::make_filter(teff::filter_mode::parallel,
                              [&](std::vector<long> each) {
                                  seen.note();
                                  return std::to_string(work(each.back()) % 10);
                              }),
            teff::make_filter(teff::filter_mode::serial_in_order,
                              [&](std::string each) {
                                  text += each;
                                  return static_cast<long>(each.size());
                              }),
            teff::make_filter(teff::filter_mode::serial_out_of_order, [&](long size) { sum += size; }));
        expect(sum == 200 && text.size() == 200, "pipelines");
    });
}

USER_CASE(reducers, correct) {
    until_shared([](crowd& seen) {
        teff::reducer<long> sum;
        teff::ordered_reducer<std::string> text;
        teff::parallel_for(0, 500, [&](int i) {
            seen.note();
            *sum += work(i) % 10;
            *text += static_cast<char>('0' + i % 10);
        });
        long expected = 0;
        std::string in_order;
        for (int i = 0; i < 500; ++i) {
            expected += work(i) % 10;
            in_order += static_cast<char>('0' + i % 10);
        }
        expect(sum.get() == expected && text.get() == in_order, "reducers");
    });
}

USER_CASE(dataflow, correct) {
    until_shared([](crowd& seen) {
        using tile = std::vector<long>;
        constexpr std::size_t count = 12, size = 40;
        std::vector<teff::object<tile>> tiles(count);
        teff::object<tile> all, fresh;
        teff::object<long> total(0L), others(0L);
        for (std::size_t i = 0; i != count; ++i)
            teff::spawn([&seen](tile& to, std::size_t value) {
                seen.note();
                to.assign(size, work(static_cast<long>(value)) % 10);
            }, teff::out(tiles[i]), i);
        for (std::size_t i = 1; i != count; ++i) {
            teff::spawn([&seen](const tile& from, tile& to) {
                seen.note();
                for (std::size_t k = 0; k != size; ++k)
                    to[k] += from[k] + work(0) % 1;
            }, teff::in(tiles[i - 1]), teff::inout(tiles[i]));
            // A new version, while older ones are read.
            teff::spawn([](tile& to) { to.assign(size, work(1)); }, teff::out(fresh));
            teff::spawn([](const tile& from, tile& to) { to.insert(to.end(), from.begin(), from.end()); },
                        teff::in(fresh), teff::commutative(all));
        }
        for (teff::object<tile>& each : tiles) {
            teff::spawn([&seen](const tile& from, long& sum) {
                seen.note();
                sum += std::accumulate(from.begin(), from.end(), work(2) % 1);
            }, teff::in(each), teff::reduction(total));
            teff::spawn([](const tile& from, long& sum) { sum += from.front(); }, teff::in(each), teff::inout(others));
        }
        teff::sync();
        expect(all.value().size() == (count - 1) * size && total.value() == others.value() * static_cast<long>(size),
               "dataflow");
    });
}

USER_CASE(dataflow_by_address, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> cells(30, 1);
        for (int round = 0; round < 5; ++round)
            for (std::size_t i = 1; i != cells.size(); ++i)
                teff::spawn([&seen](const long* before, long* here) {
                    seen.note();
                    *here = work(*here + *before);
                }, teff::in(&cells[i - 1]), teff::inout(&cells[i]));
        teff::sync();
        std::vector<long> expected(30, 1);
        for (int round = 0; round < 5; ++round)
            for (std::size_t i = 1; i != cells.size(); ++i)
                expected[i] = work(expected[i] + expected[i - 1]);
        expect(cells == expected, "dataflow_by_address");
    });
}

// A coroutine without a result that goes on by itself.
using detached = tests::detached_coroutine<>;
detached hop(teff::task_group& group, std::vector<long>& values, crowd& seen) {
    std::string own(50, 'a');
    for (std::size_t i = 0; i < values.size(); ++i) {
        co_await teff::schedule(group);
        seen.note();
        values[i] = work(static_cast<long>(i)) + static_cast<long>(own.size());
        own += 'b';
    }
}
USER_CASE(coroutines, correct) {
    until_shared([](crowd& seen) {
        teff::task_group group;
        std::vector<std::vector<long>> values(10, std::vector<long>(20));
        for (std::vector<long>& each : values)
            hop(group, each, seen);
        group.wait();
        for (const std::vector<long>& each : values)
            for (std::size_t i = 0; i < each.size(); ++i)
                expect(each[i] == work(static_cast<long>(i)) + 50 + static_cast<long>(i), "coroutines");
    });
}

teff::task<std::vector<long>> fill_task(long* memory, long size, crowd& seen) {
    seen.note();
    if (size < 8) {
        std::vector<long> sums(1);
        for (long i = 0; i < size; ++i)
            sums[0] += memory[i] = work(i) % 10;
        co_return sums;
    }
    auto [left, right] = co_await teff::when_all(fill_task(memory, size / 2, seen),
                                                 fill_task(memory + size / 2, size - size / 2, seen));
    left[0] += right[0];
    co_return std::move(left);
}
USER_CASE(tasks_that_are_coroutines, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> memory(2000);
        const std::vector<long> sums = teff::sync_wait(fill_task(memory.data(), 2000, seen));
        expect(sums[0] == std::accumulate(memory.begin(), memory.end(), 0L), "tasks that are coroutines");
    });
}

USER_CASE(arenas, correct) {
    until_shared([](crowd& seen) {
        std::vector<long> values(100);
        {
            teff::arena first({.threads = 2}), second({.threads = 1});
            std::vector<std::jthread> callers;
            for (long part = 0; part < 4; ++part)
                callers.emplace_back([&, part] {
                    long* const mine = values.data() + 25 * part;
                    for (long i = 0; i < 10; ++i)
                        first.enqueue([&seen, mine, i] {
                            seen.note();
                            mine[i] = work(i);
                        });
                    const std::string word = second.execute([&] {
                        for (long i = 10; i < 20; ++i)
                            mine[i] = work(i);
                        return std::string(30, 'a');
                    });
                    mine[20] = static_cast<long>(word.size());
                    teff::handle<std::string> other = first.spawn([mine] {
                        mine[21] = work(21);
                        return std::string(40, 'b');
                    });
                    mine[22] = static_cast<long>(other.get().size()) + mine[21];
                });
            callers.clear();
            first.wait();
        }
        for (long part = 0; part < 4; ++part)
            for (long i = 0; i < 20; ++i)
                expect(values[static_cast<std::size_t>(25 * part + i)] == work(i), "arenas");
    });
}

USER_CASE(suspended_tasks, correct) {
    until_shared([](crowd& seen) {
        std::vector<std::string> words(20);
        std::vector<std::jthread> others(20);
        teff::task_group group;
        for (std::size_t i = 0; i < words.size(); ++i)
            group.run([&, i] {
                seen.note();
                std::string found;
                teff::suspend([&](teff::resume_handle handle) {
                    others[i] = std::jthread([&found, resume = std::move(handle)]() mutable {
                        found = std::string(50, 'a');
                        resume.resume();
                    });
                });
                words[i] = found + 'b';
            });
        group.wait();
        for (const std::string& each : words)
            expect(each.size() == 51, "suspended tasks");
    });
}

// The wrong programs.

USER_CASE(race_of_iterations, race) {
    long last = 0;
    until_reported([&](crowd& seen) {
        teff::parallel_for(0, 1000, [&](int i) {
            seen.note();
            last = work(i);
        });
    });
}

USER_CASE(race_of_tasks, race) {
    long last = 0;
    until_reported([&](crowd& seen) {
        teff::task_group group;
        for (int i = 0; i < 100; ++i)
            group.run([&, i] {
                seen.note();
                last = work(i);
            });
        group.wait();
    });
}

USER_CASE(race_of_forks, race) {
    long last = 0;
    until_reported([&](crowd& seen) {
        const auto half = [&] {
            for (int i = 0; i < 100; ++i) {
                seen.note();
                last += work(i);
            }
        };
        teff::fork_join(half, half);
    });
}

USER_CASE(race_with_the_parent, race) {
    until_reported([](crowd& seen) {
        std::vector<long> values(100);
        teff::task_group group;
        for (std::size_t i = 0; i < values.size(); ++i)
            group.run([&, i] {
                seen.note();
                values[i] = work(static_cast<long>(i));
            });
        seen.note();
        const long too_early = std::accumulate(values.begin(), values.end(), 0L);
        group.wait();
        expect(too_early >= 0, "a sum");
    });
}

USER_CASE(race_of_readers, race) {
    teff::object<long> read(1L);
    long last = 0;
    until_reported([&](crowd& seen) {
        for (int i = 0; i < 50; ++i)
            teff::spawn([&, i](const long&) {
                seen.note();
                last = work(i);
            }, teff::in(read));
        teff::sync();
    });
}

}  // namespace

int main(int count, char** arguments) {
    bool is_known = count > 1;
    for (int i = 1; i < count; ++i) {
        const std::string wanted = arguments[i];
        bool has_run = false;
        for (const user::test_case* each = user::test_case::first; each != nullptr; each = each->next) {
            const bool is_race = each->what == user::kind::race;
            if (wanted == "--list" && is_race)
                std::puts(each->name);
            if (wanted == each->name || wanted == (is_race ? "race" : "correct")) {
                // The last one is the one that the tool has accused.
                std::fprintf(stderr, "%s\n", each->name);
                each->run();
                has_run = true;
            }
        }
        is_known = is_known && (has_run || wanted == "--list");
    }
    if (is_known)
        return 0;
    std::fputs("usage: user_program NAME...|correct|race|--list\n", stderr);
    return 2;
}
