// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages, the database and the check of similarity; see similarity.hpp.
#include <bench/similarity/similarity.hpp>

#include <bench/dataflow/dataflow.hpp>
#include <bench/dataflow/figures.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>

namespace bench {
namespace {

using similarity::edge;
using similarity::pixels;

constexpr size_part parts[] = {{"QUERIES", 1, 1'000'000}, {"DATABASE", similarity::neighbours, 10'000'000}};

constexpr std::size_t features_of_region = 8;
constexpr std::size_t largest_regions = similarity::dimensions / features_of_region;
// Features are from 0 to this.
constexpr std::size_t greatest_feature = 255;

// A colour without its lower bits: pixels side by side with the same shade are of one region.
std::uint32_t shade(const std::array<std::uint8_t, 3>& colour) {
    std::uint32_t bits = 0;
    for (const std::uint32_t part : colour) bits = bits << 3U | part >> 5U;
    return bits;
}

std::uint16_t root_of(const std::array<std::uint16_t, pixels>& parent, std::uint16_t pixel) {
    while (parent[pixel] != pixel) pixel = parent[pixel];
    return pixel;
}

// The root of a region is its first pixel.
void unite(std::array<std::uint16_t, pixels>& parent, std::uint16_t one, std::uint16_t other) {
    const auto [first, second] = std::minmax({root_of(parent, one), root_of(parent, other)});
    parent[second] = first;
}

struct region {
    std::size_t number = 0;
    std::size_t size = 0;
    std::array<std::size_t, 3> colours{};            // sums
    std::array<std::size_t, 2> places{};             // sums of the rows and of the columns
    std::array<std::size_t, 2> first{edge, edge};    // row and column
    std::array<std::size_t, 2> last{};
};

void add_pixel(region& to, const similarity::image& from, std::size_t pixel) {
    const std::array<std::size_t, 2> place = {pixel / edge, pixel % edge};
    ++to.size;
    for (std::size_t i = 0; i < 3; ++i) to.colours[i] += from.colours[pixel][i];
    for (std::size_t i = 0; i < 2; ++i) {
        to.places[i] += place[i];
        to.first[i] = std::min(to.first[i], place[i]);
        to.last[i] = std::max(to.last[i], place[i]);
    }
}

// The regions by filling one after the other, from its first pixel.
void segment_by_filling(const similarity::image& from, similarity::regions& to) {
    constexpr std::uint16_t none = 0xffff;
    to.of_pixel.fill(none);
    to.count = 0;
    std::vector<std::size_t> open;
    for (std::size_t start = 0; start < pixels; ++start) {
        if (to.of_pixel[start] != none) continue;
        const auto number = static_cast<std::uint16_t>(to.count++);
        const auto reach = [&](std::size_t pixel) {
            if (to.of_pixel[pixel] != none || shade(from.colours[pixel]) != shade(from.colours[start])) return;
            to.of_pixel[pixel] = number;
            open.push_back(pixel);
        };
        reach(start);
        while (!open.empty()) {
            const std::size_t pixel = open.back();
            open.pop_back();
            if (pixel % edge != 0) reach(pixel - 1);
            if (pixel % edge != edge - 1) reach(pixel + 1);
            if (pixel >= edge) reach(pixel - edge);
            if (pixel + edge < pixels) reach(pixel + edge);
        }
    }
}

// The nearest by sorting all.
void find_nearest_by_sorting(const std::vector<similarity::features>& database, const similarity::features& wanted,
                             similarity::neighbour_list& to) {
    std::vector<similarity::neighbour> all;
    for (const similarity::features& each : database) {
        std::int32_t distance = 0;
        for (std::size_t i = 0; i < each.size(); ++i) distance += (each[i] - wanted[i]) * (each[i] - wanted[i]);
        all.push_back({static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(all.size())});
    }
    std::partial_sort(all.begin(), all.begin() + similarity::neighbours, all.end());
    std::copy_n(all.begin(), similarity::neighbours, to.begin());
}

// In the order of the queries.
std::string text(const std::vector<similarity::neighbour_list>& results) {
    std::uint64_t sum = 0;
    for (const similarity::neighbour_list& list : results)
        for (const similarity::neighbour& each : list) sum = (sum * 31 + each.distance) * 31 + each.place;
    return std::to_string(results.size()) + " queries, checksum " + std::to_string(sum);
}

std::uint64_t tasks_of(std::uint64_t queries) { return 5 * queries; }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::vector<std::uint64_t> size = size_numbers(similarity_description, p, parts);
    const std::uint64_t query_bytes = sizeof(similarity::image) + sizeof(similarity::regions) +
                                      sizeof(similarity::features) + 3 * sizeof(similarity::neighbour_list);
    return size[0] * query_bytes + size[1] * sizeof(similarity::features) +
           dataflow::memory_bytes(p, family, tasks_of(size[0]));
}

const micro_description micro = dataflow::rate("queries", "queries/s", "Similarity search", "queries per second");

}  // namespace

const kernel_description similarity_description = {
    .name = "similarity", .sizes = {.quick = "1000x10000", .paper = "3500x59695", .tiny = "10x100", .check = "50x1000"},
    .variants = dataflow::usual_variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace similarity {

workload::workload(const parameters& p) {
    const std::vector<std::uint64_t> size = size_numbers(similarity_description, p, parts);
    constexpr std::uint64_t seed = 2008;
    seeded_random random(seed);
    queries = size[0];
    database.resize(size[1]);
    for (features& each : database)
        for (std::int16_t& feature : each) feature = static_cast<std::int16_t>(random.below(greatest_feature + 1));
}

// Rectangles, and noise that leaves the shade as it is.
void load(std::size_t query, image& to) {
    constexpr std::size_t rectangles = 12;
    constexpr std::uint64_t noise_mask = 0x070707;
    seeded_random random(query + 1);
    const auto colour = [&random] {
        const std::uint64_t bits = random.next();
        return std::array{static_cast<std::uint8_t>(bits & 0xf8U), static_cast<std::uint8_t>(bits >> 8U & 0xf8U),
                          static_cast<std::uint8_t>(bits >> 16U & 0xf8U)};
    };
    to.colours.fill(colour());
    for (std::size_t i = 0; i < rectangles; ++i) {
        const auto painted = colour();
        const std::size_t top = random.below(edge);
        const std::size_t left = random.below(edge);
        const std::size_t bottom = std::min(edge, top + 4 + random.below(edge / 2));
        const std::size_t right = std::min(edge, left + 4 + random.below(edge / 2));
        for (std::size_t row = top; row < bottom; ++row)
            std::fill(&to.colours[row * edge + left], &to.colours[row * edge + left] + (right - left), painted);
    }
    for (auto& each : to.colours) {
        const std::uint64_t noise = random.next() & noise_mask;
        for (std::size_t i = 0; i < 3; ++i) each[i] = static_cast<std::uint8_t>(each[i] + (noise >> 8 * i & 7U));
    }
}

// By union and find: a pixel is united with those of the same shade to its left and above.
void segment(const image& from, regions& to) {
    std::array<std::uint16_t, pixels> parent;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const auto here = static_cast<std::uint16_t>(pixel);
        const std::uint32_t own = shade(from.colours[pixel]);
        parent[pixel] = here;
        if (pixel % edge != 0 && own == shade(from.colours[pixel - 1])) unite(parent, here, parent[pixel - 1]);
        if (pixel >= edge && own == shade(from.colours[pixel - edge])) unite(parent, here, parent[pixel - edge]);
    }
    to.count = 0;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        const std::uint16_t root = root_of(parent, static_cast<std::uint16_t>(pixel));
        to.of_pixel[pixel] = root == pixel ? static_cast<std::uint16_t>(to.count++) : to.of_pixel[root];
    }
}

// Of the largest regions: the size, the colour, the middle, and the height and width.
void extract(const image& from, const regions& parts, features& to) {
    std::vector<region> all(std::max<std::size_t>(parts.count, largest_regions));
    for (std::size_t number = 0; number < all.size(); ++number) all[number].number = number;
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) add_pixel(all[parts.of_pixel[pixel]], from, pixel);
    const auto larger = [](const region& one, const region& other) {
        return one.size != other.size ? one.size > other.size : one.number < other.number;
    };
    std::partial_sort(all.begin(), all.begin() + largest_regions, all.end(), larger);
    to.fill(0);
    for (std::size_t i = 0; i < largest_regions && all[i].size != 0; ++i) {
        const region& each = all[i];
        std::int16_t* next = &to[i * features_of_region];
        const auto add = [&next](std::size_t value) { *next++ = static_cast<std::int16_t>(value); };
        add(each.size * greatest_feature / pixels);
        for (const std::size_t colour : each.colours) add(colour / each.size);
        for (const std::size_t place : each.places) add(place * greatest_feature / (edge * each.size));
        for (std::size_t side = 0; side < 2; ++side)
            add((each.last[side] - each.first[side] + 1) * greatest_feature / edge);
    }
}

void find_nearest(const std::vector<features>& database, const features& wanted, neighbour_list& to) {
    to.fill({~std::uint32_t{0}, ~std::uint32_t{0}});
    for (std::size_t place = 0; place < database.size(); ++place) {
        const features& each = database[place];
        std::int32_t distance = 0;
        for (std::size_t i = 0; i < dimensions; ++i) {
            const std::int32_t apart = each[i] - wanted[i];
            distance += apart * apart;
        }
        neighbour found{static_cast<std::uint32_t>(distance), static_cast<std::uint32_t>(place)};
        if (found.distance >= to.back().distance) continue;
        // Later ones have greater places, so equals stay in order.
        auto at = to.end() - 1;
        for (; at != to.begin() && found.distance < (at - 1)->distance; --at) *at = *(at - 1);
        *at = found;
    }
}

outcome checked(const workload& given, const std::vector<neighbour_list>& found, double seconds) {
    std::vector<neighbour_list> expected(given.queries);
    image loaded;
    regions parts;
    features wanted;
    for (std::size_t query = 0; query < given.queries; ++query) {
        load(query, loaded);
        segment_by_filling(loaded, parts);
        extract(loaded, parts, wanted);
        find_nearest_by_sorting(given.database, wanted, expected[query]);
    }
    outcome result = exact_outcome(seconds, tasks_of(given.queries), text(found), text(expected));
    result.measures.push_back(
        {"queries", measure::role::found, {static_cast<double>(given.queries) / seconds}});
    return result;
}

}  // namespace similarity
}  // namespace bench
