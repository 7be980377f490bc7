// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Similarity search in images: a pipeline of five stages as in the program `ferret` of the PARSEC benchmarks (C. Bienia
// et al., "The PARSEC benchmark suite", 2008; section 5.6.1 of H. Vandierendonck, G. Tzenakis, D. S. Nikolopoulos,
// Analysis of Dependence Tracking Algorithms for Task Dataflow Execution, ACM TACO, 2013).
//
// For each query: load an image, segment it into regions of similar colour, extract features of the largest regions,
// find the nearest vectors in a database, and append them to the results, in the order of the queries. Each stage is a
// task that reads what the stage before wrote; the last one reads and writes the list of results.
//
// Differs from PARSEC: images and database are generated; the search compares with every vector of the database. All
// numbers are integers, so that the answer is exact. A size is the number of queries and of vectors in the database.
#pragma once

#include <bench/harness/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench::similarity {

inline constexpr std::size_t edge = 64;
inline constexpr std::size_t pixels = edge * edge;
inline constexpr std::size_t dimensions = 32;
inline constexpr std::size_t neighbours = 10;

struct image {
    std::array<std::array<std::uint8_t, 3>, pixels> colours{};   // row by row
};

// Regions are numbered by their first pixels.
struct regions {
    std::array<std::uint16_t, pixels> of_pixel{};
    std::uint32_t count = 0;
};

using features = std::array<std::int16_t, dimensions>;

struct neighbour {
    std::uint32_t distance;              // squared
    std::uint32_t place;                 // in the database

    auto operator<=>(const neighbour&) const = default;
};
// The nearest first; of equals, the first in the database.
using neighbour_list = std::array<neighbour, neighbours>;

struct workload {
    explicit workload(const parameters& p);

    std::size_t queries;
    std::vector<features> database;
};

// The stages before the last.
void load(std::size_t query, image& to);
void segment(const image& from, regions& to);
void extract(const image& from, const regions& parts, features& to);
void find_nearest(const std::vector<features>& database, const features& wanted, neighbour_list& to);

// Compares with the same computed one query after the other, with other algorithms for regions and neighbours.
outcome checked(const workload& given, const std::vector<neighbour_list>& found, double seconds);

template <class Face> outcome measured(const parameters& p) {
    const workload given(p);
    std::vector<typename Face::template data<image>> images(given.queries);
    std::vector<typename Face::template data<regions>> parts(given.queries);
    std::vector<typename Face::template data<features>> vectors(given.queries);
    std::vector<typename Face::template data<neighbour_list>> nearest(given.queries);
    typename Face::template data<std::vector<neighbour_list>> results;
    results.value().reserve(given.queries);
    const auto search = [&given](const features& wanted, neighbour_list& to) {
        find_nearest(given.database, wanted, to);
    };
    const auto append = [](const neighbour_list& from, std::vector<neighbour_list>& to) { to.push_back(from); };
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            for (std::size_t query = 0; query < given.queries; ++query) {
                Face::spawn([query](image& to) { load(query, to); }, Face::out(images[query]));
                Face::spawn(segment, Face::in(images[query]), Face::out(parts[query]));
                Face::spawn(extract, Face::in(images[query]), Face::in(parts[query]), Face::out(vectors[query]));
                Face::spawn(search, Face::in(vectors[query]), Face::out(nearest[query]));
                Face::spawn(append, Face::in(nearest[query]), Face::inout(results));
            }
        });
    });
    return checked(given, results.value(), seconds);
}

}  // namespace bench::similarity
