// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the trace in the JSON object format of trace events, an event on a line. teff/timeline.hpp describes its
// content.
//
// The format demands that two slices of a thread are nested or disjoint. Events are: tasks begin and end while their
// thread works, and other activities lie between tasks or inside them. The outline (stretches.hpp) is not, since it
// merges short stretches into others. So the outline is written only where there are no events: for the whole run if
// none are kept, otherwise for the time after a thread's last event.
#include <teff/observe/timeline_record.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/assert.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/observe/traced_names.hpp>
#include <teff/options/options.hpp>
#include <teff/version.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string_view>
#include <unistd.h>

namespace teff {
namespace {

constexpr const char* activity_names[activity_count] = {"outside", "work", "search", "pool", "sleep", "wait"};
constexpr activity written_activities[] = {activity::work, activity::search, activity::pool, activity::sleep,
                                           activity::wait};

const char* name_of_activity(activity what) noexcept { return activity_names[static_cast<std::size_t>(what)]; }

const char* category_of(slice_kind kind) noexcept {
    switch (kind) {
    case slice_kind::task: return "task";
    case slice_kind::reduction: return "reduction";
    case slice_kind::region: return "region";
    case slice_kind::call: return "call";
    case slice_kind::activity: return "activity";
    case slice_kind::steal: return "steal";
    case slice_kind::label:
    case slice_kind::moving_label: return "label";
    }
    return "";
}

// Callers come first, then the workers by number.
long sort_key(const thread_record& record, long thread) noexcept {
    return record.worker == 0 ? thread : max_threads + static_cast<long>(record.worker);
}

// The number of threads that work, over time, as means over equal intervals.
class work_over_time {
public:
    explicit work_over_time(std::int64_t span_ns) noexcept : span_ns_(std::max<std::int64_t>(span_ns, 1)) {}

    void add(std::int64_t begin_ns, std::int64_t end_ns) noexcept {
        begin_ns = std::clamp<std::int64_t>(begin_ns, 0, span_ns_);
        end_ns = std::clamp<std::int64_t>(end_ns, begin_ns, span_ns_);
        for (std::size_t part = part_at(begin_ns); part < parts && begin_of(part) < end_ns; ++part)
            work_ns_[part] += std::max<std::int64_t>(
                std::min(end_ns, begin_of(part + 1)) - std::max(begin_ns, begin_of(part)), 0);
    }
    void write(std::FILE* to) const noexcept {
        double before = -1;
        for (std::size_t part = 0; part < parts && begin_of(part) < span_ns_; ++part) {
            const std::int64_t length_ns = begin_of(part + 1) - begin_of(part);
            const double mean =
                length_ns > 0 ? static_cast<double>(work_ns_[part]) / static_cast<double>(length_ns) : 0;
            if (mean != before)
                std::fprintf(to,
                             ",\n{\"ph\":\"C\",\"pid\":%d,\"tid\":0,\"ts\":%lld.%03lld,"
                             "\"name\":\"running threads\",\"args\":{\"threads\":%.3f}}",
                             static_cast<int>(::getpid()), static_cast<long long>(begin_of(part) / 1000),
                             static_cast<long long>(begin_of(part) % 1000), mean);
            before = mean;
        }
    }

private:
    static constexpr std::size_t parts = 1000;

    // In double, since the product of a long time and a number of parts may overflow.
    std::int64_t begin_of(std::size_t part) const noexcept {
        return part == parts ? span_ns_
                             : static_cast<std::int64_t>(static_cast<double>(span_ns_) * static_cast<double>(part) /
                                                         static_cast<double>(parts));
    }
    std::size_t part_at(std::int64_t ns) const noexcept {
        const auto near = static_cast<std::size_t>(static_cast<double>(ns) * static_cast<double>(parts) /
                                                   static_cast<double>(span_ns_));
        return near == 0 ? 0 : std::min(near - 1, parts - 1);
    }

    const std::int64_t span_ns_;
    std::array<std::int64_t, parts> work_ns_{};
};

// Under the mutex of the records. Not on the stack, which may be a fiber's.
constinit open_slices found_open;

class trace_writer {
public:
    trace_writer(std::FILE* to, timeline_records& all, std::int64_t begun) noexcept
        : to_(to), records_(all), begun_(begun), start_ns_(ns_between(begun, all.start_cycles)),
          now_(cycle_count()), now_ns_(ns_between(begun, now_)) {}

    // Returns false if there is no memory.
    bool find_names() noexcept {
        bool has_memory = true;
        const auto add = [&](const traced_event& each) {
            if (is_written(each))
                has_memory = names_.add(each.what, is_label(each.kind)) && has_memory;
        };
        for_each_thread([&](thread_record& record, long) {
            const scoped_lock lock(record.events.guard());
            record.events.for_each_open(add);
            record.events.for_each_event(records_.number, add);
            record.events.for_each_event(records_.number, [&](const traced_event&) { ++event_count_; });
            dropped_ += record.events.dropped(records_.number);
        });
        names_.find_all();
        return has_memory;
    }
    void write_head() noexcept {
        const configuration& options = process_configuration();
        const std::string_view scheduler = options.text("scheduler");
        json_buffer program;
        write_json_text(program.data(), program.size(), ::program_invocation_short_name);
        std::fprintf(to_,
                     "{\"displayTimeUnit\":\"ms\",\n\"otherData\":{\"version\":\"Teff %s\",\"program\":\"%s\","
                     "\"scheduler\":\"%.*s\",\"threads\":%u,\"events\":%llu,\"dropped_events\":%llu},\n",
                     TEFF_VERSION_STRING, program.data(), static_cast<int>(scheduler.size()), scheduler.data(),
                     thread_count(options), event_count_, dropped_);
        std::fprintf(to_, "\"teff\":{\"span_ns\":%lld,\"threads_left_out\":%ld,\"threads\":[",
                     static_cast<long long>(now_ns_ - start_ns_), records_.left_out);
        for_each_thread([&](thread_record& record, long thread) { write_sums(record, thread); });
        std::fprintf(to_,
                     "\n]},\n\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"process_name\","
                     "\"args\":{\"name\":\"%s\"}}",
                     pid_, program.data());
    }
    void write_events() noexcept {
        work_over_time work(now_ns_ - start_ns_);
        for_each_thread([&](thread_record& record, long thread) {
            write_thread_names(record, thread);
            bool has_slices = false;
            std::int64_t outline_from_ns = start_ns_;
            if (events_are_on()) {
                const scoped_lock lock(record.events.guard());
                found_open.read(record.events);
                has_slices = record.events.dropped(records_.number) == 0;
                std::int64_t full = 0;  // the log is complete up to this time
                record.events.for_each_event(records_.number, [&](const traced_event& each) {
                    full = std::max(full, each.end);
                    found_open.remove(each);
                    write(each, thread);
                });
                outline_from_ns = std::max(start_ns_, ns_between(begun_, full));
                for (traced_event& each : found_open.left()) {
                    each.end = now_;
                    if (has_slices || each.begin <= full)
                        write(each, thread);
                }
            }
            const scoped_lock lock(record.guard);
            if (!has_slices)
                write_outline(record, thread, outline_from_ns);
            else
                write_present_activity(record, thread);
            for_each_stretch(record, [&](activity what, std::int64_t begin_ns, std::int64_t end_ns) {
                if (what == activity::work)
                    work.add(begin_ns - start_ns_, end_ns - start_ns_);
            });
        });
        work.write(to_);
        std::fprintf(to_, "\n]}\n");
    }

private:
    // Room for a file's name: an escape of JSON makes at most six bytes of one.
    using json_buffer = std::array<char, 6 * NAME_MAX + 1>;

    template <class F>
    void for_each_thread(F&& f) noexcept {
        long thread = records_.count;
        for (thread_record* each = records_.newest; each != nullptr; each = each->next, --thread)
            f(*each, thread);
    }
    template <class F>
    void for_each_stretch(const thread_record& record, F&& f) const noexcept {
        for (std::size_t place = 0; place < record.done.size(); ++place) {
            // The thread may have begun further stretches while other threads were written.
            const std::int64_t end_ns = std::min(
                place + 1 < record.done.size() ? record.done[place + 1].begin_ns : now_ns_, now_ns_);
            if (end_ns > record.done[place].begin_ns)
                f(record.done[place].what, record.done[place].begin_ns, end_ns);
        }
    }

    // The log may have events from before a restart, by threads that noticed it late, and events from after now_.
    bool is_written(const traced_event& each) const noexcept {
        return each.begin <= now_ && (each.end == 0 || each.end >= records_.start_cycles);
    }

    void write_name(const thread_record& record) noexcept {
        if (record.worker == 0)
            std::fprintf(to_, "\"caller\"");
        else
            std::fprintf(to_, "\"worker %u\"", record.worker);
    }
    void write_sums(thread_record& record, long thread) noexcept {
        std::fprintf(to_, "%s{\"thread\":%ld,\"order\":%ld,\"name\":", thread == records_.count ? "\n" : ",\n", thread,
                     sort_key(record, thread));
        write_name(record);
        {
            const scoped_lock lock(record.guard);
            for (const activity each : written_activities)
                std::fprintf(to_, ",\"%s_ns\":%lld", name_of_activity(each),
                             static_cast<long long>(record.done.sum(each, now_ns_)));
            std::fprintf(to_, ",\"merged\":%llu,\"merged_below_ns\":%lld",
                         static_cast<unsigned long long>(record.done.merged()),
                         static_cast<long long>(record.done.merged_below_ns()));
        }
        const scoped_lock lock(record.events.guard());
        // relaxed, both: statistics.
        std::fprintf(to_, ",\"steals_tried\":%llu,\"steals\":%llu,\"dropped\":%llu}",
                     static_cast<unsigned long long>(record.steals_tried.load(std::memory_order_relaxed)),
                     static_cast<unsigned long long>(record.steals.load(std::memory_order_relaxed)),
                     static_cast<unsigned long long>(record.events.dropped(records_.number)));
    }

    void begin_event(const char* phase, long thread, const char* category) noexcept {
        std::fprintf(to_, ",\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%ld,\"cat\":\"%s\"", phase, pid_, thread, category);
    }
    // As microseconds since the start.
    void write_time(const char* key, std::int64_t ns) noexcept {
        std::fprintf(to_, ",\"%s\":%lld.%03lld", key, static_cast<long long>(ns / 1000),
                     static_cast<long long>(ns % 1000));
    }
    void write_slice(long thread, const char* category, std::int64_t begin_ns, std::int64_t end_ns,
                     const char* name) noexcept {
        begin_event("X", thread, category);
        write_time("ts", begin_ns - start_ns_);
        write_time("dur", end_ns - begin_ns);
        std::fprintf(to_, ",\"name\":\"%s\"}", name);
    }
    // The label of a fiber that was left belongs to no thread, so it gets a line of its own.
    void write_moving_label(long thread, std::int64_t begin_ns, std::int64_t end_ns, const char* name) noexcept {
        ++moving_labels_;
        for (const bool is_end : {false, true}) {
            begin_event(is_end ? "e" : "b", thread, "label");
            write_time("ts", (is_end ? end_ns : begin_ns) - start_ns_);
            std::fprintf(to_, ",\"id\":%lu,\"name\":\"%s\"}", moving_labels_, name);
        }
    }
    void write(const traced_event& each, long thread) noexcept {
        if (!is_written(each))
            return;
        const std::int64_t begin_ns = std::max(ns_between(begun_, each.begin), start_ns_);
        const std::int64_t end_ns = std::clamp(ns_between(begun_, each.end), begin_ns, std::max(begin_ns, now_ns_));
        const char* const category = category_of(each.kind);
        if (each.kind == slice_kind::steal) {
            begin_event("i", thread, category);
            write_time("ts", begin_ns - start_ns_);
            std::fprintf(to_, ",\"s\":\"t\",\"name\":\"steal\"}");
        } else if (each.kind == slice_kind::moving_label) {
            write_moving_label(thread, begin_ns, end_ns, names_.of(each.what));
        } else {
            write_slice(thread, category, begin_ns, end_ns,
                        each.kind == slice_kind::activity ? name_of_activity(static_cast<activity>(each.detail))
                                                          : names_.of(each.what));
        }
    }
    void write_thread_names(const thread_record& record, long thread) noexcept {
        std::fprintf(to_,
                     ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%ld,\"name\":\"thread_name\","
                     "\"args\":{\"name\":",
                     pid_, thread);
        write_name(record);
        std::fprintf(to_,
                     "}},\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%ld,\"name\":\"thread_sort_index\","
                     "\"args\":{\"sort_index\":%ld}}",
                     pid_, thread, sort_key(record, thread));
    }
    void write_outline(const thread_record& record, long thread, std::int64_t from_ns) noexcept {
        for_each_stretch(record, [&](activity what, std::int64_t begin_ns, std::int64_t end_ns) {
            begin_ns = std::max(begin_ns, from_ns);
            if (what != activity::outside && end_ns > begin_ns)
                write_slice(thread, "activity", begin_ns, end_ns, name_of_activity(what));
        });
    }
    // Writes the present activity, which has no event yet, since it has not ended.
    void write_present_activity(const thread_record& record, long thread) noexcept {
        const activity what = record.done.now();
        const std::int64_t begin_ns = std::max(ns_between(begun_, record.activity_begin), start_ns_);
        if (what != activity::outside && what != activity::work && begin_ns < now_ns_)
            write_slice(thread, "activity", begin_ns, now_ns_, name_of_activity(what));
    }

    std::FILE* const to_;
    timeline_records& records_;
    const std::int64_t begun_, start_ns_, now_, now_ns_;
    const int pid_ = static_cast<int>(::getpid());
    traced_names names_;
    unsigned long long event_count_ = 0, dropped_ = 0;
    unsigned long moving_labels_ = 0;
};

}  // namespace

bool write_trace(std::FILE* to, timeline_records& all, std::int64_t begun) noexcept {
    trace_writer writer(to, all, begun);
    if (!writer.find_names()) {
        errno = ENOMEM;
        return false;
    }
    writer.write_head();
    writer.write_events();
    return true;
}

}  // namespace teff
