// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads Qthreads' variables; see settings.hpp.
#include <teff/qthread/settings.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/options/options.hpp>
#include <teff/pool/pool.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teff::qthreads {
namespace {

bool equal_words(std::string_view a, std::string_view b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char left, unsigned char right) {
        return std::tolower(left) == std::tolower(right);
    });
}

// One variable, under the name that counts.
class variable {
public:
    // prints: whether it is to be printed if it is set.
    variable(const char* name, bool prints) {
        for (const char* const prefix : {"QT_", "QTHREAD_"}) {
            name_ = std::string(prefix) + name;
            value_ = ::secure_getenv(name_.c_str());
            if (value_ != nullptr) {
                if (prints)
                    std::printf("%s=%s\n", name_.c_str(), value_);
                return;
            }
        }
    }

    // nullopt: the variable is not set, or is not a number in this range.
    std::optional<long> number(long least, long most, const char* of_what) const {
        if (value_ == nullptr)
            return std::nullopt;
        std::string_view text = value_;
        while (!text.empty() && text.front() == ' ')
            text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ')
            text.remove_suffix(1);
        long read = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
        if (error == std::errc() && end == text.data() + text.size() && read >= least && read <= most)
            return read;
        warn("%s='%s': %s must be a whole number from %ld to %ld; the variable is ignored. Set such a number, or unset "
             "the variable",
             name_.c_str(), value_, of_what, least, most);
        return std::nullopt;
    }

    // The index of its value in the list; nullopt: the variable is not set, or its value is not in the list.
    std::optional<std::size_t> choice(std::initializer_list<const char*> words, const char* of_what) const {
        if (value_ == nullptr)
            return std::nullopt;
        const auto* const found =
            std::find_if(words.begin(), words.end(), [&](const char* each) { return equal_words(value_, each); });
        if (found != words.end())
            return static_cast<std::size_t>(found - words.begin());
        std::string all;
        for (const char* const each : words)
            all += (all.empty() ? "" : ", ") + std::string(each);
        warn("%s='%s': %s must be one of %s; the variable is ignored. Set one of these, or unset the variable",
             name_.c_str(), value_, of_what, all.c_str());
        return std::nullopt;
    }

private:
    std::string name_;
    const char* value_ = nullptr;
};

template <class Value>
void put(configuration& to, option which, const Value& value) {
    // Values that the variables allow are allowed here, or are cut down with a warning.
    [[maybe_unused]] const bool is_set = to.set(which, value, origin::api, nullptr, 0);
    TEFF_ASSERT(is_set, "a variable of Qthreads allows a value that the option does not");
}

// How many threads and shepherds. 0: not said.
void choose_numbers(configuration& to, long shepherds, long per_shepherd, long total) {
    const long usual = total != 0 ? total : static_cast<long>(thread_count(to));
    if (shepherds == 0 && per_shepherd != 0)
        shepherds = std::max(usual / per_shepherd, 1L);
    if (shepherds != 0) {
        put(to, "threads", shepherds * (per_shepherd != 0 ? per_shepherd : std::max(usual / shepherds, 1L)));
        put(to, "shepherds", shepherds);
    } else if (total != 0) {
        put(to, "threads", total);
    }
}

void choose_shepherds_place(configuration& to, const variable& boundary) {
    // Up to the second-level cache it is the core's own; shepherds of several cores are those of a NUMA domain.
    constexpr std::size_t of_core = 4;
    const auto chosen = boundary.choice({"core", "pu", "L1cache", "L2cache", "node", "socket", "cache", "L3cache",
                                         "L4cache"},
                                        "the boundary of a shepherd");
    if (chosen)
        put(to, "shepherds", *chosen < of_core ? std::string_view("per_worker") : std::string_view("per_numa"));
}

// The latest ones. Earlier ones stay, since another thread may read them, and are used again if they are the same.
struct settings_list {
    std::mutex guard;
    std::vector<std::unique_ptr<const settings>> all;  // under the guard
    atomic<const settings*> present{nullptr};          // written under the guard
};
settings_list& list() {
    static auto& of_process = *new settings_list;  // lives as long as the process
    return of_process;
}

}  // namespace

settings read_settings(unsigned shepherds) {
    constexpr long most_threads = 4096;
    constexpr long most_memory = 1L << 30;
    settings made;
    made.says = static_cast<unsigned>(variable("INFO", false).number(0, 2, "the amount of information").value_or(0));
    const bool say = made.says == 2;
    configuration effective = process_configuration();
    const long from_variable =
        variable("NUM_SHEPHERDS", say).number(0, most_threads, "the number of shepherds").value_or(0);
    const long per_shepherd = variable("NUM_WORKERS_PER_SHEPHERD", say)
                                  .number(0, most_threads, "the number of workers of a shepherd")
                                  .value_or(0);
    const long total = variable("HWPAR", say).number(0, most_threads, "the number of workers").value_or(0);
    choose_shepherds_place(effective, variable("SHEPHERD_BOUNDARY", say));
    choose_numbers(effective, shepherds != 0 ? static_cast<long>(shepherds) : from_variable, per_shepherd, total);

    if (const auto bytes = variable("STACK_SIZE", say).number(1, most_memory, "the size of a stack in bytes"))
        put(effective, "fiber_stack_kib", std::max((*bytes + 1023) / 1024, row("fiber_stack_kib").minimum));
    if (const auto yes = variable("AFFINITY", say).choice({"no", "yes", "0", "1", "false", "true"}, "the answer"))
        pool::instance().choose_binding(*yes % 2 != 0);
    if (const auto chunk = variable("STEAL_CHUNK", say).number(0, 1'000'000, "the number of tasks to steal at once"))
        if (*chunk != 0)
            put(effective, "sherwood_steal", *chunk);

    if (const auto size = variable("TASKLOCAL_SIZE", say).number(0, most_memory, "the bytes of task-local data"))
        made.local_size = std::max(made.local_size, static_cast<unsigned>(*size));
    if (const auto workers = variable("MAX_IO_WORKERS", say).number(1, most_threads, "the number of threads for calls"))
        made.io_workers = static_cast<unsigned>(*workers);
    if (const auto time = variable("IO_TIMEOUT", say).number(0, 1'000'000'000, "the time-out in microseconds"))
        made.io_timeout_us = static_cast<unsigned>(*time);
    // These variables have no effect here, but a wrong value is reported.
    variable("ARGCOPY_SIZE", say).number(0, most_memory, "the size of a copied argument in bytes");
    variable("GUARD_PAGES", say).choice({"no", "yes", "0", "1", "false", "true"}, "the answer");
    variable("WORKER_UNIT", say)
        .choice({"core", "pu", "L1cache", "L2cache", "node", "socket", "cache", "L3cache", "L4cache"},
                "the unit of a worker");
    made.how = resolve(effective, {});
    return made;
}

const settings& current_settings(unsigned shepherds) {
    settings_list& known = list();
    // acquire: what it points to was made before; partner: the release below.
    const settings* present = known.present.load(std::memory_order_acquire);
    if (present != nullptr)
        return *present;
    const std::lock_guard locked(known.guard);
    // relaxed: written under the guard.
    present = known.present.load(std::memory_order_relaxed);
    if (present == nullptr) {
        const settings read = read_settings(shepherds);
        const auto same =
            std::find_if(known.all.begin(), known.all.end(), [&](const auto& each) { return *each == read; });
        present = same != known.all.end() ? same->get()
                                          : known.all.emplace_back(std::make_unique<const settings>(read)).get();
        // release: partner: the acquire above.
        known.present.store(present, std::memory_order_release);
    }
    return *present;
}

void forget_settings() noexcept {
    settings_list& known = list();
    const std::lock_guard locked(known.guard);
    // relaxed: nothing is published.
    known.present.store(nullptr, std::memory_order_relaxed);
}

}  // namespace teff::qthreads
