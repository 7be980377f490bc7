// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat spreads from the upper edge of a square plate: at each step the temperature of a point becomes the mean of its
// four neighbours'.
//
// What to learn: dataflow. The plate is cut into strips of rows. A task computes the next state of one strip from the
// present states of the strip and its two neighbours, and says so: in(...) for what it reads, out(...) for what it
// writes. The two loops are those of the serial program, and so is the result, bit by bit. No step waits for the step
// before it as a whole: a strip goes on as soon as the three that it is made from are there. With a parallel_for in
// each step instead, all threads would wait for the slowest one 200 times.
//
// Where tasks still read a value that is to be overwritten, `out` gives the new one memory of its own (renaming), so
// that nothing waits. This program has two states of each strip anyway and takes turns with them, so renaming would
// only cost new memory in each step (here more than twice the time); teff::no_renaming turns it off.
#include "../arguments.hpp"

#include <teff/dataflow.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

struct strip {
    std::size_t rows, columns;
    std::vector<double> points;

    strip(std::size_t row_count, std::size_t column_count, double temperature)
        : rows(row_count), columns(column_count), points(row_count * column_count, temperature) {}
    double* row(std::size_t at) { return points.data() + at * columns; }
    const double* row(std::size_t at) const { return points.data() + at * columns; }
};

// The first and the last column keep their temperature.
void step(const strip& above, const strip& here, const strip& below, strip& next) {
    for (std::size_t at = 0; at != here.rows; ++at) {
        const double* const up = at == 0 ? above.row(above.rows - 1) : here.row(at - 1);
        const double* const down = at + 1 == here.rows ? below.row(0) : here.row(at + 1);
        const double* const old = here.row(at);
        double* const to = next.row(at);
        to[0] = old[0];
        for (std::size_t i = 1; i + 1 < here.columns; ++i)
            to[i] = (up[i] + down[i] + old[i - 1] + old[i + 1]) / 4;
        to[here.columns - 1] = old[here.columns - 1];
    }
}

// A plate of size x size points in so many strips.
struct plate {
    std::size_t size, strips;
    std::size_t rows_of(std::size_t each) const { return size * (each + 1) / strips - size * each / strips; }
};

std::vector<strip> spread_serially(const plate& of, long steps) {
    const strip hot(1, of.size, 100), cold(1, of.size, 0);
    std::vector<strip> now;
    for (std::size_t each = 0; each != of.strips; ++each)
        now.emplace_back(of.rows_of(each), of.size, 0.0);
    std::vector<strip> next = now;
    for (long done = 0; done != steps; ++done) {
        for (std::size_t each = 0; each != of.strips; ++each)
            step(each == 0 ? hot : now[each - 1], now[each], each + 1 == of.strips ? cold : now[each + 1], next[each]);
        now.swap(next);
    }
    return now;
}

std::vector<strip> spread_by_tasks(const plate& of, long steps) {
    using teff::in, teff::out;
    teff::object<strip> hot(std::size_t{1}, of.size, 100.0), cold(std::size_t{1}, of.size, 0.0);
    std::vector<teff::object<strip>> now, next;
    for (std::size_t each = 0; each != of.strips; ++each) {
        now.emplace_back(teff::no_renaming, of.rows_of(each), of.size, 0.0);
        next.emplace_back(teff::no_renaming, of.rows_of(each), of.size, 0.0);
    }
    for (long done = 0; done != steps; ++done) {
        for (std::size_t each = 0; each != of.strips; ++each)
            teff::spawn(step, in(each == 0 ? hot : now[each - 1]), in(now[each]),
                        in(each + 1 == of.strips ? cold : now[each + 1]), out(next[each]));
        now.swap(next);
    }
    teff::sync();
    std::vector<strip> last;
    for (teff::object<strip>& each : now)
        last.push_back(each.value());
    return last;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "heat [SIZE [STEPS [STRIPS]]]");
    const long size = given.number("SIZE", 3, 20000, 600);
    const long steps = given.number("STEPS", 0, 1'000'000, 200);
    const long strips = given.number("STRIPS", 1, size, size < 16 ? size : 16);
    given.end();
    const plate of{static_cast<std::size_t>(size), static_cast<std::size_t>(strips)};

    const auto start = std::chrono::steady_clock::now();
    const std::vector<strip> serial = spread_serially(of, steps);
    const double serial_s = seconds_since(start);
    const auto middle = std::chrono::steady_clock::now();
    const std::vector<strip> parallel = spread_by_tasks(of, steps);
    const double tasks_s = seconds_since(middle);

    double sum = 0;
    bool is_same = true;
    for (std::size_t each = 0; each != of.strips; ++each) {
        is_same = is_same && serial[each].points == parallel[each].points;
        for (const double point : parallel[each].points)
            sum += point;
    }
    std::printf("serial %.3f s, by tasks %.3f s\n", serial_s, tasks_s);
    std::printf("mean temperature after %ld steps: %.6f\n", steps, sum / static_cast<double>(size * size));
    if (!is_same) {
        std::fprintf(stderr, "heat: the results differ\n");
        return 1;
    }
}
