// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of sites and the mutants that follow from the operations and orders found there.
#include <model/sites.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace model {
namespace {

constexpr std::array<const char*, 11> change_names = {
    "none",       "drop_acquire", "drop_release",   "drop_failure_acquire", "drop_total_order", "drop_fence",
    "drop_store", "split_modify", "always_succeed", "drop_wake",            "wake_one"};

std::string below_library(const char* file) {
    const std::string whole = file;
    const std::size_t at = whole.rfind("/teff/");
    return at == std::string::npos ? whole : whole.substr(at + 1);
}

void add_changes_of_protocol(const site_record& at, std::vector<change>& all) {
    switch (at.what) {
    case operation::store: all.push_back(change::drop_store); break;
    case operation::modify: all.push_back(change::split_modify); break;
    case operation::compare_exchange: all.push_back(change::always_succeed); break;
    case operation::wake:
        all.push_back(change::drop_wake);
        if (at.wakes_several)
            all.push_back(change::wake_one);
        break;
    case operation::load:
    case operation::fence: break;
    }
}

constexpr unsigned bit_of(std::memory_order order) noexcept { return 1U << static_cast<unsigned>(order); }
bool has(const site_record& at, std::memory_order order) noexcept { return (at.orders & bit_of(order)) != 0; }

std::vector<change> changes_of(const site_record& at) {
    std::vector<change> all;
    if (at.what == operation::fence) {
        if (has(at, std::memory_order_seq_cst))
            all.push_back(change::drop_total_order);
        all.push_back(change::drop_fence);
        return all;
    }
    if (has(at, std::memory_order_seq_cst))
        all.push_back(change::drop_total_order);
    if (has(at, std::memory_order_acquire) || has(at, std::memory_order_acq_rel))
        all.push_back(change::drop_acquire);
    if (has(at, std::memory_order_release) || has(at, std::memory_order_acq_rel))
        all.push_back(change::drop_release);
    if (at.failure != std::memory_order_relaxed)
        all.push_back(change::drop_failure_acquire);
    add_changes_of_protocol(at, all);
    return all;
}

}  // namespace

unsigned site_table::number(const std::source_location& at, operation what, std::memory_order order,
                            std::memory_order failure, bool wakes_several) {
    const key place{at.file_name(), std::uint64_t{at.line()} << 24 | std::uint64_t{at.column()} << 4 |
                                        static_cast<std::uint64_t>(what)};
    numbered_key& recent = recent_[key_hash{}(place) % recent_.size()];
    if (recent.place == place) [[likely]]
        return note_reached(recent.number, order, wakes_several);
    const auto known = numbers_.find(place);
    if (known != numbers_.end()) {
        recent = {place, known->second};
        return note_reached(known->second, order, wakes_several);
    }
    // The keys compare the addresses of file names. One file may have several, one per source that includes it.
    site_record made{below_library(at.file_name()), at.line(), at.column(), what, 0, failure, false, false};
    const std::string text = made.file + ':' + std::to_string(place.place);
    const auto [entry, fresh] = by_place_.emplace(text, static_cast<unsigned>(sites_.size()));
    if (fresh)
        sites_.push_back(std::move(made));
    numbers_.emplace(place, entry->second);
    return note_reached(entry->second, order, wakes_several);
}

unsigned site_table::note_reached(unsigned site, std::memory_order order, bool wakes_several) noexcept {
    sites_[site].reached = true;
    sites_[site].orders |= bit_of(order);
    sites_[site].wakes_several |= wakes_several;
    return site;
}

void site_table::forget_reached() noexcept {
    for (site_record& each : sites_)
        each.reached = false;
}

std::vector<mutant> site_table::all_mutants(const std::string& folder) const {
    std::vector<mutant> all;
    for (unsigned at = 0; at < sites_.size(); ++at) {
        if (sites_[at].file.rfind(folder, 0) != 0)
            continue;
        for (const change kind : changes_of(sites_[at]))
            all.push_back({at, kind});
    }
    std::sort(all.begin(), all.end(), [this](const mutant& a, const mutant& b) {
        const site_record& x = sites_[a.site];
        const site_record& y = sites_[b.site];
        return std::tie(x.file, x.line, x.column, a.how) < std::tie(y.file, y.line, y.column, b.how);
    });
    return all;
}

std::memory_order site_table::weakened_here(std::memory_order order) const noexcept {
    switch (mutant_.how) {
    case change::drop_acquire:
        return order == std::memory_order_acq_rel   ? std::memory_order_release
               : order == std::memory_order_acquire ? std::memory_order_relaxed
                                                    : order;
    case change::drop_release:
        return order == std::memory_order_acq_rel   ? std::memory_order_acquire
               : order == std::memory_order_release ? std::memory_order_relaxed
                                                    : order;
    case change::drop_total_order: return order == std::memory_order_seq_cst ? std::memory_order_acq_rel : order;
    case change::drop_fence: return std::memory_order_relaxed;
    default: break;  // the others concern no order, or only that of a failure
    }
    return order;
}

std::string site_table::name_of(mutant which) const {
    const site_record& at = sites_[which.site];
    return at.file + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ':' + name(which.how);
}

mutant site_table::find(const std::string& wanted) const {
    for (const mutant& each : all_mutants("")) {
        if (name_of(each) == wanted)
            return each;
    }
    return {};
}

const char* name(change kind) noexcept { return change_names[static_cast<std::size_t>(kind)]; }

const char* name(std::memory_order order) noexcept {
    switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_consume: return "consume";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    case std::memory_order_seq_cst: return "seq_cst";
    }
    return "?";
}

}  // namespace model
