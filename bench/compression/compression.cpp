// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Input, chunks, archive and check of compression; see compression.hpp.
#include <bench/compression/compression.hpp>

#include <bench/dataflow/dataflow.hpp>
#include <bench/dataflow/figures.hpp>
#include <bench/harness/random.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <unordered_set>

#include <zlib.h>

namespace bench {
namespace {

constexpr size_part parts[] = {{"MEGABYTES", 1, 4000}, {"REPEATED", 0, 95}};
constexpr std::uint64_t megabyte = 1'000'000;

// The stream of a thread, since to make one takes longer than to compress a small chunk.
class compressor {
public:
    compressor() {
        if (deflateInit(&stream_, Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
    }
    ~compressor() { deflateEnd(&stream_); }
    compressor(const compressor&) = delete;
    compressor& operator=(const compressor&) = delete;

    std::string operator()(std::string_view content) {
        deflateReset(&stream_);
        buffer_.resize(deflateBound(&stream_, content.size()));
        // zlib does not write to the input.
        stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(content.data()));
        stream_.avail_in = static_cast<unsigned>(content.size());
        stream_.next_out = reinterpret_cast<unsigned char*>(buffer_.data());
        stream_.avail_out = static_cast<unsigned>(buffer_.size());
        if (deflate(&stream_, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("compression: zlib failed");
        return buffer_.substr(0, stream_.total_out);
    }

private:
    z_stream stream_{};
    std::string buffer_;
};

// Cut rules slide a hash over the input that is shifted by one bit per byte, so that it depends on 64 bytes.
constexpr std::size_t window = 64;

std::array<std::uint64_t, 256> random_bits() {
    constexpr std::uint64_t seed = 2016;
    seeded_random random(seed);
    std::array<std::uint64_t, 256> bits;
    for (std::uint64_t& each : bits) each = random.next();
    return bits;
}
const std::array<std::uint64_t, 256> bits_of_byte = random_bits();

// An archive is a row of records: 'S' (stored), the size of the chunk, that of its compressed form, and the latter; or
// 'R' (repeated) and the number of a stored chunk.
void put(std::string& to, std::uint64_t number) {
    const auto bits = static_cast<std::uint32_t>(number);
    char bytes[sizeof bits];
    std::memcpy(bytes, &bits, sizeof bits);
    to.append(bytes, sizeof bytes);
}

class archive_reader {
public:
    explicit archive_reader(std::string_view bytes) : rest_(bytes) {}

    bool at_end() const { return rest_.empty(); }
    std::string_view next(std::size_t size) {
        if (rest_.size() < size) throw std::runtime_error("the archive ends within a record");
        const std::string_view found = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return found;
    }
    std::uint32_t number() {
        std::uint32_t bits;
        std::memcpy(&bits, next(sizeof bits).data(), sizeof bits);
        return bits;
    }

private:
    std::string_view rest_;
};

// Chunks of an input, and how many of them are distinct.
struct chunk_counts {
    std::uint64_t coarse = 0;
    std::uint64_t fine = 0;
    std::uint64_t distinct = 0;

    explicit chunk_counts(std::string_view input) {
        std::unordered_set<std::string_view> contents;
        for (std::size_t begin = 0; begin < input.size(); ++coarse) {
            const std::size_t end = compression::coarse_cuts.end_of(input, begin);
            const std::string_view part = input.substr(begin, end - begin);
            for (std::size_t at = 0; at < part.size(); ++fine) {
                const std::size_t next = compression::fine_cuts.end_of(part, at);
                contents.insert(part.substr(at, next - at));
                at = next;
            }
            begin = end;
        }
        distinct = contents.size();
    }
};

std::string text(const char* input, std::uint64_t chunks, std::uint64_t distinct) {
    return std::string(input) + ", " + std::to_string(chunks) + " chunks, " + std::to_string(distinct) + " distinct";
}

const char* state_of(const std::string& input, const compression::archive& found) {
    try {
        return compression::restored(found.bytes) == input ? "restored" : "not restored";
    } catch (const std::exception&) {
        return "damaged";
    }
}

std::vector<variant_description> variants(runtime_family family) {
    return dataflow::variants(family, {.nested_tasks = true});
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::uint64_t input = size_numbers(compression_description, p, parts)[0] * megabyte;
    // The input, all chunks, the archive, and what the check restores.
    return 4 * input + dataflow::memory_bytes(p, family, input / compression::fine_cuts.least);
}

const micro_description micro =
    dataflow::rate("megabytes", "MB/s", "Compression of repeated data", "megabytes per second");

}  // namespace

const kernel_description compression_description = {
    .name = "compression", .sizes = {.quick = "16x50", .paper = "672x50", .tiny = "1x50", .check = "2x50"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace compression {

std::size_t cut_rule::end_of(std::string_view input, std::size_t begin) const {
    const std::size_t last = std::min(input.size() - begin, most) + begin;
    if (last - begin <= least) return last;
    std::uint64_t hash = 0;
    std::size_t at = begin + least - window;
    for (; at < begin + least; ++at) hash = hash * 2 + bits_of_byte[static_cast<unsigned char>(input[at])];
    // The upper bits, which depend on the whole window.
    for (; at < last && hash >> (window - bits) != 0; ++at)
        hash = hash * 2 + bits_of_byte[static_cast<unsigned char>(input[at])];
    return at;
}

std::uint64_t hash_of(std::string_view content) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char each : content) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
    return hash;
}

const std::string& chunk::compressed() {
    thread_local compressor own;
    std::call_once(once_, [this] { compressed_ = own(content_); });
    return compressed_;
}

chunk& chunk_table::add(std::string_view content, std::uint64_t hash) {
    shard& part = shards_[hash % shards_.size()];
    chunk* found;
    bool is_new;
    {
        const std::lock_guard lock(part.mutex);
        const auto [place, added] = part.chunks.try_emplace({hash / shards_.size(), content});
        if (added) place->second = std::make_unique<chunk>(content);
        found = place->second.get();
        is_new = added;
    }
    if (is_new) found->compressed();
    return *found;
}

void archive::append(const chunk_list& chunks) {
    for (chunk* const each : chunks) {
        if (each->number != chunk::not_stored) {
            bytes += 'R';
            put(bytes, each->number);
            continue;
        }
        each->number = stored++;
        bytes += 'S';
        put(bytes, each->content().size());
        put(bytes, each->compressed().size());
        bytes += each->compressed();
    }
    all += chunks.size();
}

std::string restored(std::string_view archive_bytes) {
    archive_reader records(archive_bytes);
    std::string output;
    std::vector<std::pair<std::size_t, std::size_t>> stored;   // begin and size of each stored chunk in the output
    while (!records.at_end()) {
        const std::size_t begin = output.size();
        const char form = records.next(1).front();
        if (form == 'R') {
            const auto [from, size] = stored.at(records.number());
            output.resize(begin + size);
            std::copy_n(&output[from], size, &output[begin]);
            continue;
        }
        if (form != 'S') throw std::runtime_error("the archive has an unknown record");
        const std::size_t size = records.number();
        const std::string_view compressed = records.next(records.number());
        output.resize(begin + size);
        uLongf restored_size = size;
        const int status = uncompress(reinterpret_cast<unsigned char*>(&output[begin]), &restored_size,
                                      reinterpret_cast<const unsigned char*>(compressed.data()), compressed.size());
        if (status != Z_OK || restored_size != size) throw std::runtime_error("the archive has a damaged chunk");
        stored.emplace_back(begin, size);
    }
    return output;
}

// Words that are drawn unevenly, and stretches of earlier text.
workload::workload(const parameters& p) {
    const std::vector<std::uint64_t> size = size_numbers(compression_description, p, parts);
    constexpr std::uint64_t seed = 1977;
    constexpr std::size_t word_count = 4096;
    constexpr std::size_t least_stretch = 8 << 10;
    seeded_random random(seed);
    std::vector<std::string> words(word_count);
    for (std::string& each : words) {
        each.resize(2 + random.below(8));
        for (char& letter : each) letter = static_cast<char>('a' + random.below(26));
        each += ' ';
    }
    const std::size_t target = size[0] * megabyte;
    input.reserve(target + 16 * least_stretch);
    while (input.size() < target) {
        const std::size_t stretch = least_stretch + random.below(7 * least_stretch);
        const std::size_t end = input.size() + stretch;
        if (random.below(100) < size[1] && input.size() > stretch)
            input.append(input, random.below(input.size() - stretch), stretch);
        else
            while (input.size() < end) input += words[random.below(1 + random.below(word_count))];
    }
    input.resize(target);
}

outcome checked(const workload& given, const archive& found, double seconds) {
    const chunk_counts counts(given.input);
    outcome result = exact_outcome(seconds, 2 * counts.coarse + counts.fine,
                                   text(state_of(given.input, found), found.all, found.stored),
                                   text("restored", counts.fine, counts.distinct));
    result.measures.push_back(
        {"megabytes", measure::role::found, {static_cast<double>(given.input.size()) / megabyte / seconds}});
    return result;
}

}  // namespace compression
}  // namespace bench
