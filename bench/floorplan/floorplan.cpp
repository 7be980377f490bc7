// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems and expected answers of floorplan; see floorplan.hpp.
//
// A generated problem is derived from an arrangement on a real board: each cell is placed next to cells placed
// before, and its neighbours in the arrangement become its constraints, so a solution always exists. The seeds were
// chosen so that the number of tasks grows with the number of cells. The optimum and the number of tasks were found
// by search_serially(), which shares neither the board nor the copied tasks with the measured code.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/input.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

using floorplan::cell;
using floorplan::corners;
using floorplan::problem;
using floorplan::shape;

struct generated_problem {
    std::uint64_t seed;
    std::uint32_t optimum;
    std::uint64_t tasks;
};

// One row per number of cells, beginning with min_cells: seed, optimum, tasks.
constexpr generated_problem generated_problems[] = {
    {2, 170, 2223},        // 5
    {4, 222, 51761},       // 6
    {5, 256, 42736},       // 7
    {1, 459, 81956},       // 8
    {4, 285, 98599},       // 9
    {1, 369, 179233},      // 10
    {7, 609, 808053},      // 11
    {8, 638, 1520524},     // 12
    {9, 589, 3353348},     // 13
    {30, 690, 11504039},   // 14
    {20, 1034, 16311768},  // 15
    {15, 736, 28100136},   // 16
};
static_assert(std::size(generated_problems) == floorplan::max_generated_cells - floorplan::min_cells + 1);

std::vector<variant_description> variants(runtime_family family) {
    std::vector<variant_description> all = usual_variants(family, true);
    if (family != runtime_family::serial) all.push_back({"shared", false});
    return all;
}

// First-in-first-out queues hold whole levels of the tree, which can be half of all tasks. Other queues hold the
// attempts for one cell per level and thread.
std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const problem input = floorplan::problem_of(p);
    const std::uint64_t base = std::uint64_t{64} << 20;
    if (!keeps_levels(p, family)) return base;
    const std::uint64_t tasks = input.tasks != 0 ? input.tasks : std::uint64_t{100'000'000};
    return base + tasks / 2 * sizeof(floorplan::task);
}

// Up to four shapes of about the same area.
std::vector<shape> random_shapes(seeded_random& random) {
    const auto area = static_cast<int>(8 + random.below(52));
    const std::size_t wanted = 1 + random.below(4);
    std::vector<shape> shapes;
    while (shapes.size() < wanted) {
        const auto height = static_cast<int>(2 + random.below(11));
        const int width = (area + height - 1) / height;
        if (width < 2 || width > 16) continue;
        const shape form{static_cast<std::int8_t>(height), static_cast<std::int8_t>(width)};
        const auto same = [&](shape other) { return other.height == form.height; };
        if (std::none_of(shapes.begin(), shapes.end(), same)) shapes.push_back(form);
        else if (random.below(4) == 0) break;
    }
    return shapes;
}

// Tries to place one more cell at a random free place next to its neighbours; on success, adds it to `arrangement`.
bool stands(floorplan::task& arrangement, const cell& placing, int index, seeded_random& random) {
    const shape form = placing.shapes[random.below(placing.shapes.size())];
    const corners range = floorplan::corners_for(arrangement, placing, form);
    if (range.top > range.last_top || range.left > range.last_left) return false;
    const auto rows = static_cast<std::uint64_t>(range.last_top - range.top + 1);
    const auto columns = static_cast<std::uint64_t>(range.last_left - range.left + 1);
    const int top = range.top + static_cast<int>(random.below(rows));
    const int left = range.left + static_cast<int>(random.below(columns));
    floorplan::task attempt = arrangement;
    attempt.next = static_cast<std::int8_t>(index);
    attempt.attempt = floorplan::rectangle_at(top, left, form);
    if (!floorplan::is_free(attempt)) return false;
    floorplan::occupy(attempt);
    arrangement = attempt;
    return true;
}

// Adds a cell to the arrangement. Most cells have two neighbours, which leaves one place per shape. Most of the
// others have only an upper neighbour. If no two cells are found that a cell with two neighbours fits to, other
// shapes are drawn.
cell random_cell(floorplan::task& arrangement, int index, seeded_random& random) {
    const auto earlier = [&] { return 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(index - 1))); };
    while (true) {
        cell made{random_shapes(random), -1, -1};
        const std::uint64_t kind = random.below(16);
        for (int tries = 0; tries < 400; ++tries) {
            if (index == 1) {
                made.left_neighbour = 0;
            } else {
                if (kind != 0) made.upper_neighbour = earlier();
                if (kind == 0 || kind > 5) made.left_neighbour = earlier();
            }
            if (stands(arrangement, made, index, random)) return made;
        }
    }
}

bool overlap(const floorplan::rectangle& one, const floorplan::rectangle& other) {
    return one.top <= other.bottom && other.top <= one.bottom && one.left <= other.right && other.left <= one.right;
}

struct serial_search {
    const problem& input;
    std::uint32_t bound;
    bool improve;
    floorplan::task arrangement = floorplan::first_task();   // only its member `placed` is used
    floorplan::result found{.tasks = 1};

    void place(int index, int height, int width) {
        const cell& placing = input.cells[static_cast<std::size_t>(index)];
        for (const shape form : placing.shapes) {
            const corners range = floorplan::corners_for(arrangement, placing, form);
            for (int top = range.top; top <= range.last_top; ++top)
                for (int left = range.left; left <= range.last_left; ++left)
                    attempt(index, top, left, form, height, width);
        }
    }

    void attempt(int index, int top, int left, shape form, int height, int width) {
        ++found.tasks;
        auto& place_taken = arrangement.placed[static_cast<std::size_t>(index)];
        place_taken = floorplan::rectangle_at(top, left, form);
        for (int other = 1; other < index; ++other)
            if (overlap(place_taken, arrangement.placed[static_cast<std::size_t>(other)])) return;
        const int new_height = std::max(height, top + form.height);
        const int new_width = std::max(width, left + form.width);
        const auto area = static_cast<std::uint32_t>(new_height * new_width);
        if (area > bound) return;
        if (index < input.last()) {
            place(index + 1, new_height, new_width);
            return;
        }
        found.smallest = std::min(found.smallest, area);
        if (improve) bound = area - 1;
    }
};

}  // namespace

const kernel_description floorplan_description = {
    .name = "floorplan", .sizes = {.quick = "14", .paper = "15", .tiny = "5", .check = "5"}, .has_input = true,
    .variants = variants, .memory_bytes = memory_bytes, .waits = true,
    .openmp = kind_sizes{"12,14@9", "15,16@9", true},
};

namespace floorplan {

task first_task() { return {}; }

problem problem_of(const parameters& p) {
    if (!p.input.empty()) return read_problem(p.input);
    return make_problem(static_cast<int>(integer_size(floorplan_description, p, min_cells, max_generated_cells)));
}

problem random_problem(int cells, std::uint64_t seed) {
    seeded_random random(seed * 1000 + static_cast<std::uint64_t>(cells));
    problem made;
    made.cells.resize(1);
    task arrangement = first_task();
    for (int index = 1; index <= cells; ++index) made.cells.push_back(random_cell(arrangement, index, random));
    return made;
}

problem make_problem(int cells) {
    const generated_problem& known = generated_problems[cells - min_cells];
    problem made = random_problem(cells, known.seed);
    made.optimum = known.optimum;
    made.tasks = known.tasks;
    return made;
}

problem read_problem(const std::string& path) {
    input_reader reader(path);
    problem made;
    const auto count = static_cast<int>(reader.integer("the number of cells, 1 to 24", 1, max_cells));
    std::vector<cell> by_id(static_cast<std::size_t>(count) + 1);
    std::vector<int> next(by_id.size());
    for (std::size_t id = 1; id < by_id.size(); ++id) {
        by_id[id].shapes.resize(static_cast<std::size_t>(reader.integer("a number of shapes, 1 to 64", 1, 64)));
        for (shape& form : by_id[id].shapes) {
            form.height = static_cast<std::int8_t>(reader.integer("a height, 1 to 64", 1, board_size));
            form.width = static_cast<std::int8_t>(reader.integer("a width, 1 to 64", 1, board_size));
        }
        by_id[id].left_neighbour = static_cast<int>(reader.integer("the left neighbour's id or -1", -1, count));
        by_id[id].upper_neighbour = static_cast<int>(reader.integer("the upper neighbour's id or -1", -1, count));
        next[id] = static_cast<int>(reader.integer("the next cell's id or 0", 0, count));
    }
    made.optimum = static_cast<std::uint32_t>(reader.integer("the minimal area", 1, board_size * board_size));

    // Cells get new numbers in the order of placement; the neighbours of a cell must have been placed before it.
    std::vector<int> number(by_id.size(), -1);
    number[0] = 0;
    made.cells.resize(1);
    const auto placed_number = [&](int id) {
        if (id < 0) return -1;
        const int found = number[static_cast<std::size_t>(id)];
        if (found < 0)
            throw usage_error("--input " + path + ": cell " + std::to_string(id) +
                              " is a neighbour before it is placed");
        return found;
    };
    for (int id = 1; id != 0; id = next[static_cast<std::size_t>(id)]) {
        if (number[static_cast<std::size_t>(id)] >= 0)
            throw usage_error("--input " + path + ": cell " + std::to_string(id) + " is placed twice");
        cell placing = by_id[static_cast<std::size_t>(id)];
        placing.left_neighbour = placed_number(placing.left_neighbour);
        placing.upper_neighbour = placed_number(placing.upper_neighbour);
        if (placing.left_neighbour < 0 && placing.upper_neighbour < 0)
            throw usage_error("--input " + path + ": cell " + std::to_string(id) + " has no neighbour");
        number[static_cast<std::size_t>(id)] = static_cast<int>(made.cells.size());
        made.cells.push_back(std::move(placing));
    }
    return made;
}

result search_serially(const problem& input, std::uint32_t bound, bool improve) {
    serial_search search{input, bound, improve};
    search.place(1, 0, 0);
    return search.found;
}

outcome checked(const parameters& p, const problem& input, double seconds, const result& found) {
    std::string answer = "area " + (found.smallest == no_area ? "none" : std::to_string(found.smallest));
    std::string expected = "area " + std::to_string(input.optimum);
    if (p.variant != "shared") {
        const std::uint64_t tasks = input.tasks != 0 ? input.tasks : search_serially(input, input.optimum, false).tasks;
        answer += ", " + std::to_string(found.tasks) + " tasks";
        expected += ", " + std::to_string(tasks) + " tasks";
    }
    return exact_outcome(seconds, found.tasks, std::move(answer), std::move(expected));
}

}  // namespace floorplan
}  // namespace bench
