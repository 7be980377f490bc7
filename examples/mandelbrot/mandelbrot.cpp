// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture of the Mandelbrot set, as a PPM file.
//
// What to learn: parallel_for. The rows of the picture do not depend on each other, so the loop over them becomes a
// parallel_for and nothing else changes. Rows through the middle of the set take a hundred times as long as rows at the
// border. A loop that gives each thread the same number of rows would leave threads without work; parallel_for divides
// what is left whenever a worker is idle, so there is no chunk size to choose.
//
// Each row writes only its own pixels. The number of points inside the set is a sum over all rows, which a plain
// variable would get wrong: two threads may add to it at once. A teff::reducer has a copy for each thread.
#include "../arguments.hpp"

#include <teff/parallel_for.hpp>
#include <teff/reducer.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

struct pixel {
    unsigned char red, green, blue;
};

constexpr int most_steps = 500;

// How many steps z = z^2 + c takes from 0 until |z| > 2; most_steps if it does not.
int steps_to_escape(double real, double imaginary) {
    double x = 0, y = 0;
    int steps = 0;
    for (; steps != most_steps && x * x + y * y <= 4; ++steps) {
        const double next = x * x - y * y + real;
        y = 2 * x * y + imaginary;
        x = next;
    }
    return steps;
}

pixel colour(int steps) {
    if (steps == most_steps)
        return {0, 0, 0};
    const auto part = [steps](int factor) { return static_cast<unsigned char>(255 - steps * factor % 256); };
    return {part(9), part(5), part(2)};
}

// Returns false if the file cannot be written.
bool write_ppm(const char* name, int width, int height, const std::vector<pixel>& picture) {
    std::FILE* const file = std::fopen(name, "wb");
    if (file == nullptr)
        return false;
    std::fprintf(file, "P6\n%d %d\n255\n", width, height);
    const bool is_written = std::fwrite(picture.data(), sizeof(pixel), picture.size(), file) == picture.size();
    return std::fclose(file) == 0 && is_written;
}

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "mandelbrot [WIDTH [HEIGHT [FILE]]]");
    const int width = static_cast<int>(given.number("WIDTH", 1, 20000, 900));
    const int height = static_cast<int>(given.number("HEIGHT", 1, 20000, 600));
    const std::string file = given.text("mandelbrot.ppm");
    given.end();

    std::vector<pixel> picture(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    teff::reducer<long> inside;
    teff::parallel_for(0, height, [&, pixels = picture.data()](int row) {
        pixel* const line = pixels + static_cast<std::ptrdiff_t>(row) * width;
        long inside_of_row = 0;
        for (int column = 0; column != width; ++column) {
            const int steps = steps_to_escape(-2.0 + 3.0 * column / width, -1.0 + 2.0 * row / height);
            inside_of_row += steps == most_steps;
            line[column] = colour(steps);
        }
        *inside += inside_of_row;
    });

    if (!write_ppm(file.c_str(), width, height, picture)) {
        std::perror(("mandelbrot: " + file).c_str());
        return 1;
    }
    std::printf("%s: %d x %d points, %ld of them in the set\n", file.c_str(), width, height, inside.get());
}
