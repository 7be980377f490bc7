// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compression that stores repeated parts once: nested pipelines as in the program `dedup` of the PARSEC benchmarks (C.
// Bienia et al., "The PARSEC benchmark suite", 2008; section 5.6.2 of H. Vandierendonck, G. Tzenakis, D. S.
// Nikolopoulos, Analysis of Dependence Tracking Algorithms for Task Dataflow Execution, ACM TACO, 2013). Needs zlib
// (TEFF_BENCH_HAS_ZLIB).
//
// The outer pipeline: the program cuts the input into coarse chunks; a task per coarse chunk cuts it into fine chunks;
// a second task appends these to the archive, in the order of the input. The inner pipeline: a task per fine chunk
// looks it up in a table and, if it is new, compresses it by zlib. As in the ACM TACO paper, hash, table and
// compression are one task. Cuts depend on the content (a rolling hash), so the same text becomes the same chunks
// wherever it is.
//
// Which task first looks up a chunk that occurs twice depends on timing, but the archive does not: the task that
// appends decides that the first occurrence in the input is stored and that others refer to it. If another thread still
// compresses the chunk, that task waits for it.
//
// A size is that of the input in megabytes (10^6), and how many percent of its parts repeat earlier ones. The input is
// generated.
#pragma once

#include <bench/harness/kernel.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace bench::compression {

// A chunk begins where the one before it ends, and ends where a rolling hash is 0 in so many bits, or at the latest
// after `most` bytes.
struct cut_rule {
    std::size_t least;
    std::size_t most;
    unsigned bits;

    std::size_t end_of(std::string_view input, std::size_t begin) const;
};
inline constexpr cut_rule coarse_cuts = {256 << 10, 512 << 10, 12};
inline constexpr cut_rule fine_cuts = {1 << 10, 16 << 10, 12};

// The hash of a fine chunk (FNV-1a). Chunks with equal hashes may differ.
std::uint64_t hash_of(std::string_view content);

// A fine chunk, which may occur several times.
class chunk {
public:
    explicit chunk(std::string_view content) : content_(content) {}

    std::string_view content() const { return content_; }
    // Compresses the chunk, or waits for the thread that does so, unless that has been done.
    const std::string& compressed();

    // By the tasks that append only, which run one after the other.
    static constexpr std::uint32_t not_stored = 0xffffffff;
    std::uint32_t number = not_stored;   // its place in the archive

private:
    const std::string_view content_;
    std::once_flag once_;
    std::string compressed_;
};

using chunk_list = std::vector<chunk*>;

// The distinct chunks. Threads may add at the same time.
class chunk_table {
public:
    // The chunk with this content; compresses it if it is new.
    chunk& add(std::string_view content) { return add(content, hash_of(content)); }
    chunk& add(std::string_view content, std::uint64_t hash);

private:
    struct key {
        std::uint64_t hash;
        std::string_view content;

        bool operator==(const key&) const = default;
    };
    struct hash_of_key {
        std::size_t operator()(const key& of) const noexcept { return of.hash; }
    };
    struct alignas(128) shard {          // two lines, since the hardware prefetches pairs
        std::mutex mutex;
        std::unordered_map<key, std::unique_ptr<chunk>, hash_of_key> chunks;
    };

    std::array<shard, 64> shards_;
};

// The compressed input: each chunk where it occurs first, and references to such chunks.
struct archive {
    std::string bytes;
    std::uint32_t stored = 0;            // distinct chunks
    std::uint64_t all = 0;               // chunks

    void append(const chunk_list& chunks);
};

// Throws std::runtime_error if it is no archive.
std::string restored(std::string_view archive_bytes);

struct workload {
    explicit workload(const parameters& p);

    std::string input;
};

outcome checked(const workload& given, const archive& found, double seconds);

// The inner pipeline.
template <class Face> void refine(chunk_table& table, std::string_view coarse, chunk_list& to) {
    std::deque<typename Face::template data<chunk*>> found;
    Face::nested([&] {
        for (std::size_t begin = 0; begin < coarse.size();) {
            const std::size_t end = fine_cuts.end_of(coarse, begin);
            Face::spawn([&table, content = coarse.substr(begin, end - begin)](
                            chunk*& added) { added = &table.add(content); },
                        Face::out(found.emplace_back()));
            begin = end;
        }
    });
    to.clear();
    for (auto& each : found) to.push_back(each.value());
}

template <class Face> outcome measured(const parameters& p) {
    if constexpr (!Face::has_nested_tasks) {
        throw usage_error("compression: this runtime has no nested tasks");
    } else {
        const workload given(p);
        const std::string_view input = given.input;
        chunk_table table;
        std::deque<typename Face::template data<chunk_list>> lists;
        typename Face::template data<archive> output;
        output.value().bytes.reserve(input.size());
        const auto append = [](const chunk_list& from, archive& to) { to.append(from); };
        const double seconds = time_seconds([&] {
            Face::run(p, [&] {
                for (std::size_t begin = 0; begin < input.size();) {
                    const std::size_t end = coarse_cuts.end_of(input, begin);
                    auto& list = lists.emplace_back();
                    Face::spawn([&table, coarse = input.substr(begin, end - begin)](
                                    chunk_list& to) { refine<Face>(table, coarse, to); },
                                Face::out(list));
                    Face::spawn(append, Face::in(list), Face::inout(output));
                    begin = end;
                }
            });
        });
        return checked(given, output.value(), seconds);
    }
}

}  // namespace bench::compression
