// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading a trace; see trace_file.hpp.
#include <cli/report/trace/trace_file.hpp>

#include <cli/report/trace/sort_stably.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/shown_text.hpp>

namespace teff::cli {

namespace {

constexpr const char* trace_time_members[] = {"work_ns", "search_ns", "pool_ns", "wait_ns", "sleep_ns"};

// The rest of the line after this text; nothing if it is not there.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view mark) {
    const std::size_t found = line.find(mark);
    if (found == std::string_view::npos)
        return std::nullopt;
    return line.substr(found + mark.size());
}

std::string_view text_after(std::string_view line, std::string_view mark) {
    const auto rest = rest_after(line, mark);
    if (!rest)
        throw std::runtime_error(fmt::format("an event lacks {}", mark));
    std::size_t end = 0;
    while (end < rest->size() && (*rest)[end] != '"')
        end += (*rest)[end] == '\\' ? 2 : 1;
    return rest->substr(0, end);
}

double number_after(std::string_view line, std::string_view mark) {
    double value = 0;
    const auto rest = rest_after(line, mark);
    if (!rest || std::from_chars(rest->data(), rest->data() + rest->size(), value).ec != std::errc())
        throw std::runtime_error(fmt::format("an event lacks {}", mark));
    return value;
}

// Numbers for texts, as they come.
class numbered_texts {
public:
    explicit numbered_texts(std::vector<std::string>& all) : all_(all) {}

    // `written`: as in the file, between the quotes.
    std::uint32_t number_of(std::string_view written) {
        const auto found = numbers_.find(written);
        if (found != numbers_.end())
            return found->second;
        all_.push_back(nlohmann::json::parse("\"" + std::string(written) + "\"").get<std::string>());
        const auto number = static_cast<std::uint32_t>(all_.size() - 1);
        numbers_.emplace(std::string(written), number);
        return number;
    }

private:
    std::vector<std::string>& all_;
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

// How long slices last, and which contain which.
void nest(std::vector<recorded_trace::slice>& slices) {
    sort_stably(slices, [](const auto& one, const auto& other) {
        return one.begin_us != other.begin_us ? one.begin_us < other.begin_us : one.end_us > other.end_us;
    });
    std::vector<recorded_trace::slice*> around;
    for (auto& each : slices) {
        // Times have three digits behind the point.
        constexpr double digit_us = 0.0005;
        while (!around.empty() && around.back()->end_us < each.end_us - digit_us)
            around.pop_back();
        while (!around.empty() && around.back()->end_us <= each.begin_us)
            around.pop_back();
        each.depth = static_cast<std::uint32_t>(around.size());
        each.own_us = each.end_us - each.begin_us;
        if (!around.empty())
            around.back()->own_us -= each.own_us;
        around.push_back(&each);
    }
}

recorded_trace::thread read_traced_thread(const nlohmann::json& object, double span_us) {
    recorded_trace::thread thread;
    thread.name = object.at("name").get<std::string>();
    double known_us = 0;
    for (std::size_t i = 0; i < std::size(trace_time_members); ++i)
        known_us += thread.times_us[i] = object.at(trace_time_members[i]).get<double>() / 1000;
    thread.times_us[static_cast<std::size_t>(thread_state::outside)] = std::max(span_us - known_us, 0.0);
    thread.steals_tried = object.at("steals_tried").get<std::uint64_t>();
    thread.steals = object.at("steals").get<std::uint64_t>();
    thread.dropped = object.at("dropped").get<std::uint64_t>();
    return thread;
}

class trace_reader {
public:
    void read_head(const nlohmann::json& head) {
        const nlohmann::json& told = head.at("otherData");
        made_.version = told.at("version").get<std::string>();
        made_.program = told.at("program").get<std::string>();
        made_.scheduler = told.at("scheduler").get<std::string>();
        made_.threads_wished = told.at("threads").get<unsigned>();
        made_.events = told.at("events").get<std::uint64_t>();
        made_.dropped = told.at("dropped_events").get<std::uint64_t>();
        made_.span_us = head.at("teff").at("span_ns").get<double>() / 1000;
        made_.threads_left_out = head.at("teff").at("threads_left_out").get<std::uint64_t>();
        std::map<long, long> tid_by_order;
        for (const nlohmann::json& object : head.at("teff").at("threads")) {
            const long tid = object.at("thread").get<long>();
            by_tid_[tid] = read_traced_thread(object, made_.span_us);
            tid_by_order[object.at("order").get<long>()] = tid;
        }
        for (const auto& [order, tid] : tid_by_order)
            tids_.push_back(tid);
    }
    void read_event(std::string_view line) {
        const std::string_view phase = text_after(line, "\"ph\":\"");
        if (phase == "X")
            add_slice(line);
        else if (phase == "i")
            thread_of(line).steals_us.push_back(number_after(line, "\"ts\":"));
        else if (phase == "C")
            made_.running.emplace_back(number_after(line, "\"ts\":"), number_after(line, "\"threads\":"));
        else if (phase == "b")
            begun_us_ = number_after(line, "\"ts\":");
        else if (phase == "e")
            made_.moving_labels.push_back({begun_us_, number_after(line, "\"ts\":"), name_of(line)});
    }
    recorded_trace result() {
        for (const long tid : tids_) {
            made_.threads.push_back(std::move(by_tid_.at(tid)));
            nest(made_.threads.back().slices);
            std::sort(made_.threads.back().steals_us.begin(), made_.threads.back().steals_us.end());
        }
        std::sort(made_.moving_labels.begin(), made_.moving_labels.end(),
                  [](const auto& one, const auto& other) { return one.begin_us < other.begin_us; });
        return std::move(made_);
    }

private:
    recorded_trace::thread& thread_of(std::string_view line) {
        const auto found = by_tid_.find(static_cast<long>(number_after(line, "\"tid\":")));
        if (found == by_tid_.end())
            throw std::runtime_error("an event has no thread");
        return found->second;
    }
    std::uint32_t name_of(std::string_view line) { return names_.number_of(text_after(line, "\"name\":\"")); }
    void add_slice(std::string_view line) {
        const double begin_us = number_after(line, "\"ts\":");
        thread_of(line).slices.push_back({begin_us, begin_us + number_after(line, "\"dur\":"), name_of(line),
                                          categories_.number_of(text_after(line, "\"cat\":\"")), 0, 0});
    }

    recorded_trace made_;
    std::map<long, recorded_trace::thread> by_tid_;
    std::vector<long> tids_;  // in the order in which the threads are shown
    numbered_texts names_{made_.names};
    numbered_texts categories_{made_.categories};
    double begun_us_ = 0;     // of the label whose end is on the next line
};

}  // namespace

recorded_trace read_trace(const std::string& written) {
    // Older versions wrote what is no UTF-8 as it was.
    const std::string text = repaired(written);
    constexpr std::string_view mark = ",\n\"traceEvents\":[\n", end = "\n]}\n";
    const std::size_t events = text.find(mark);
    if (text.empty())
        throw std::runtime_error("it is empty");
    if (events == std::string::npos || !text.ends_with(end))
        throw std::runtime_error("it is no trace of Teff, or not all of it");
    trace_reader made;
    try {
        made.read_head(nlohmann::json::parse(text.substr(0, events) + "}"));
        std::string_view rest = std::string_view(text).substr(events + mark.size());
        rest.remove_suffix(end.size());
        while (!rest.empty()) {
            const std::size_t size = std::min(rest.find('\n'), rest.size());
            made.read_event(rest.substr(0, size));
            rest.remove_prefix(std::min(size + 1, rest.size()));
        }
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(fmt::format("it is no trace of Teff ({})", error.what()));
    }
    return made.result();
}

}  // namespace teff::cli
