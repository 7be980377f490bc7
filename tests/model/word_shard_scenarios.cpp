// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any word of memory as a full/empty variable: each value is taken once, after what its writer did before, no operation
// waits where it could go on, and the table is left without words.
#include "fiber_kit.hpp"
#include "definition.hpp"

#include <teff/frontends/threads/word_shard.hpp>

namespace scenarios {
namespace {

using teff::threads::word_operation;

// A part of the table with one word, which is full at first, and in ordinary memory what its values stand for.
struct shared_word {
    teff::threads::word_shard table;
    unsigned word = 0;
    unsigned made[2] = {};

    void perform(word_operation what, unsigned& value) { table.perform({what, &word, &value, sizeof value}); }
    void empty() { table.perform({word_operation::empty, &word, nullptr, 0}); }
    void fill() { table.perform({word_operation::fill, &word, nullptr, 0}); }
    void write(unsigned item) {
        made[item] = 1;
        perform(word_operation::write_ef, item);
    }
    void take() {
        unsigned item = 0;
        perform(word_operation::read_fe, item);
        model::check(made[item] == 1, "a value came before what its writer did");
        model::take(item);
    }
    bool is_full() { return table.is_full(&word, 0); }
    // The word is full again, as it has to be before its memory is used for something else.
    void expect_all_taken() {
        model::expect_taken_once(2);
        model::check(!is_full(), "the word was left full");
        fill();
        model::check(is_full() && table.size() == 0, "a full word is in the table");
    }
};

struct empty_word : shared_word {
    empty_word() { empty(); }
};

// A word that nobody has emptied is full: the writer waits for the reader.
TEFF_SCENARIO(word_shard, a_writer_waits_for_the_first_reader) {
    shared_word shared;
    unsigned seen = 1;
    model::parallel(
        as_fiber([&] {
            unsigned value = 7;
            shared.perform(word_operation::write_ef, value);
        }),
        [&] { shared.perform(word_operation::read_fe, seen); });
    model::check(seen == 0 && shared.word == 7 && shared.is_full() && shared.table.size() == 0,
                 "the write did not follow the read");
}

TEFF_SCENARIO(word_shard, all_readers_see_a_value_that_stays) {
    shared_word shared;
    shared.empty();
    const auto reader = [&] {
        unsigned value = 0;
        shared.perform(word_operation::read_ff, value);
        model::check(value == 7, "another value was read");
    };
    model::parallel(reader,
                    as_fiber(reader),
                    [&] {
                        unsigned value = 7;
                        shared.perform(word_operation::write_ef, value);
                    });
    model::check(shared.is_full() && shared.table.size() == 0, "reading emptied the word");
}

// fill() lets a reader go on, and empty() a writer; each comes before or after the other's wait.
TEFF_SCENARIO(word_shard, changes_of_the_state_end_waits) {
    shared_word shared;
    shared.empty();
    model::parallel(
        as_fiber([&] {
            unsigned value = 7;
            shared.perform(word_operation::read_fe, value);
            model::check(value == 0, "the value changed");
        }),
        [&] { shared.fill(); });
    model::check(!shared.is_full(), "the read left the word full");
    shared.fill();
    model::parallel(
        as_fiber([&] {
            unsigned value = 8;
            shared.perform(word_operation::write_ef, value);
        }),
        [&] { shared.empty(); });
    model::check(shared.word == 8 && shared.is_full() && shared.table.size() == 0, "the write was lost");
}

// Words in the same part of the table.
TEFF_SCENARIO(word_shard, words_do_not_disturb_each_other) {
    shared_word shared;
    unsigned other = 0;
    shared.empty();
    shared.table.perform({word_operation::empty, &other, nullptr, 0});
    model::parallel([&] { shared.write(0); },
                    [&] {
                        unsigned value = 5;
                        shared.table.perform({word_operation::write_ef, &other, &value, sizeof value});
                    },
                    as_fiber([&] {
                        unsigned value = 0;
                        shared.table.perform({word_operation::read_fe, &other, &value, sizeof value});
                        model::check(value == 5, "the value of another word was read");
                        shared.take();
                    }));
    model::expect_taken_once(1);
}

TEFF_SCENARIO(word_shard, each_value_is_taken_once) { each_value_is_taken_once<empty_word>(); }
TEFF_SCENARIO(word_shard, two_readers_take_one_value_each) { two_readers_take_one_value_each<empty_word>(); }

}  // namespace

std::span<const model::scenario> word_shard_scenarios() { return in_prepared_process(defined_here); }

}  // namespace scenarios
