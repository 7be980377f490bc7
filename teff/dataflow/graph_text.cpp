// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the record of a task graph as JSON and for Graphviz; see graph_text.hpp.
#include <teff/dataflow/graph_text.hpp>

#include <teff/base/escaped_text.hpp>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace teff::dataflow {
namespace {

constexpr const char* kind_names[] = {"in", "out", "inout", "commutative", "reduction"};
constexpr const char* outcome_names[] = {"waiting", "running", "ended", "failed", "not_called"};

// The functions of the tasks, numbered from 0 in program order.
class used_functions {
public:
    explicit used_functions(const graph_text_input& input) : numbers_(input.names.size(), no_task) {
        for (const std::uint32_t each : input.facts.program_order) {
            const std::uint32_t name = input.graph.tasks[each].name;
            if (numbers_[name] != no_task)
                continue;
            numbers_[name] = static_cast<std::uint32_t>(names_.size());
            names_.push_back(input.names[name]);
        }
    }
    std::uint32_t number_of(const recorded_task& task) const { return numbers_[task.name]; }
    std::string_view name_of(const recorded_task& task) const { return names_[number_of(task)]; }
    const std::vector<std::string_view>& names() const { return names_; }

private:
    std::vector<std::uint32_t> numbers_;
    std::vector<std::string_view> names_;
};

void write_json_string(std::FILE* to, std::string_view text) {
    std::fputc('"', to);
    escape_json(text, [to](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), to); });
    std::fputc('"', to);
}

void write_graphviz_string(std::FILE* to, std::string_view text) {
    std::fputc('"', to);
    escape_graphviz(text, [to](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), to); });
    std::fputc('"', to);
}

std::int64_t elapsed_ns(const recorded_graph& graph) {
    std::int64_t first = 0, last = 0;
    bool is_first = true;
    for (const recorded_task& each : graph.tasks) {
        if (each.spawner == no_task || each.outcome == task_outcome::waiting)
            continue;
        first = is_first ? each.begin_ns : std::min(first, each.begin_ns);
        last = std::max(last, each.end_ns);
        is_first = false;
    }
    return last - first;
}

// The number of the outermost function of each entry, from 1.
std::vector<std::uint32_t> outermost_numbers(const recorded_graph& graph) {
    std::vector<std::uint32_t> numbers(graph.tasks.size());
    std::uint32_t last = 0;
    for (std::size_t i = 0; i != graph.tasks.size(); ++i) {
        const std::uint32_t by = graph.tasks[i].spawner;
        numbers[i] = by == no_task ? ++last : numbers[by];
    }
    return numbers;
}

void write_accesses(std::FILE* to, const graph_text_input& input, const recorded_task& task) {
    std::fprintf(to, ",\"accesses\":[");
    for (std::uint32_t i = task.first_access; i != task.first_access + task.access_count; ++i) {
        const access_facts& facts = input.facts.accesses[i];
        const char* const kind = kind_names[static_cast<std::size_t>(input.graph.accesses[i].kind)];
        std::fprintf(to,
                     "%s{\"object\":%" PRIu32 ",\"kind\":\"%s\",\"version\":%" PRIu32 ",\"generation\":%" PRIu32 "}",
                     i == task.first_access ? "" : ",", facts.object, kind, facts.version, facts.generation);
    }
    std::fputc(']', to);
}

void write_task(std::FILE* to, const graph_text_input& input, std::uint32_t entry, std::uint32_t outermost,
                std::uint32_t function) {
    const recorded_task& task = input.graph.tasks[entry];
    const task_facts& facts = input.facts.tasks[entry];
    std::fprintf(to,
                 "{\"task\":%" PRIu32 ",\"parent\":%" PRIu32 ",\"outermost\":%" PRIu32 ",\"function\":%" PRIu32
                 ",\"thread\":%ld,\"outcome\":\"%s\"",
                 facts.number, input.facts.tasks[task.spawner].number, outermost, function,
                 task.thread == no_task || task.outcome == task_outcome::waiting ? -1L : static_cast<long>(task.thread),
                 outcome_names[static_cast<std::size_t>(task.outcome)]);
    std::fprintf(to,
                 ",\"begin_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"own_ns\":%" PRId64 ",\"depth\":%" PRIu32
                 ",\"syncs_before\":%" PRIu32 ",\"critical_ns\":%" PRId64,
                 task.begin_ns, task.end_ns, task.own_ns, facts.depth, task.syncs_before, facts.critical_ns);
    write_accesses(to, input, task);
    std::fputc('}', to);
}

// A list of numbers of tasks in brackets.
void write_numbers(std::FILE* to, const graph_text_input& input, const std::vector<std::uint32_t>& entries) {
    const char* separator = "[";
    for (const std::uint32_t each : entries) {
        std::fprintf(to, "%s%" PRIu32, separator, input.facts.tasks[each].number);
        separator = ",";
    }
    std::fputs(entries.empty() ? "[]" : "]", to);
}

void write_names(std::FILE* to, const graph_text_input& input, const used_functions& functions) {
    std::fprintf(to, "\"threads\":[");
    const char* separator = "";
    for (const unsigned worker : input.workers) {
        if (worker == 0)
            std::fprintf(to, "%s\"caller\"", separator);
        else
            std::fprintf(to, "%s\"worker %u\"", separator, worker);
        separator = ",";
    }
    std::fprintf(to, "],\n\"functions\":[");
    separator = "";
    for (const std::string_view name : functions.names()) {
        std::fputs(separator, to);
        write_json_string(to, name);
        separator = ",";
    }
    std::fprintf(to, "],\n\"addresses\":[");
    separator = "";
    for (const object_facts& each : input.facts.objects) {
        if (each.address == 0)
            std::fprintf(to, "%snull", separator);
        else
            std::fprintf(to, "%s\"0x%" PRIx64 "\"", separator, each.address);
        separator = ",";
    }
    std::fprintf(to, "],\n");
}

// The tasks between two syncs of their spawner.
using stretch = std::pair<std::uint32_t, std::uint32_t>;  // spawner, number of syncs before

class dot_writer {
public:
    dot_writer(std::FILE* to, const graph_text_input& input)
        : to_(to), input_(input), functions_(input), is_source_(input.graph.tasks.size(), true), is_sink_(is_source_),
          is_spawner_(input.graph.tasks.size(), false) {
        for (const recorded_task& each : input.graph.tasks) {
            if (each.spawner != no_task)
                is_spawner_[each.spawner] = true;
        }
        for (const dependence& each : input.facts.dependences)
            add_dependence(each);
    }

    void write() {
        write_heading();
        write_tasks();
        const auto critical = critical_edges();
        for (const auto& [from, to] : edges_)
            std::fprintf(to_, "t%" PRIu32 " -> t%" PRIu32 "%s;\n", number(from), number(to),
                         critical.contains({from, to}) ? " [color=\"#c8102e\", penwidth=2]" : "");
        for (std::size_t i = 0; i != junctions_.size(); ++i)
            write_junction(i);
        for (const std::uint32_t each : input_.facts.program_order)
            write_order(each);
        std::fprintf(to_, "}\n");
    }

private:
    const recorded_task& task(std::uint32_t entry) const { return input_.graph.tasks[entry]; }
    std::uint32_t number(std::uint32_t entry) const { return input_.facts.tasks[entry].number; }
    bool is_critical(std::uint32_t entry) const { return input_.facts.tasks[entry].is_critical; }
    stretch stretch_of(std::uint32_t entry) const { return {task(entry).spawner, task(entry).syncs_before}; }

    // From each task on the critical path to the next one that the same function spawned.
    std::set<std::pair<std::uint32_t, std::uint32_t>> critical_edges() const {
        std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
        std::unordered_map<std::uint32_t, std::uint32_t> last;  // by spawner
        for (const std::uint32_t each : input_.facts.critical_path) {
            const auto [found, is_first] = last.try_emplace(task(each).spawner, each);
            if (!is_first)
                edges.emplace(std::exchange(found->second, each), each);
        }
        return edges;
    }

    // Adds the pairs of the dependence that no sync separates. One function has spawned all of these tasks in this
    // order, so only the last ones of `from` and the first ones of `to` can be in the same stretch.
    void add_dependence(const dependence& all) {
        const auto is_here = [this, here = stretch_of(all.to.front())](std::uint32_t each) {
            return stretch_of(each) == here;
        };
        const auto first = std::find_if(all.from.begin(), all.from.end(), is_here);
        if (first == all.from.end())
            return;
        const auto end = std::find_if_not(all.to.begin(), all.to.end(), is_here);
        add_edges({all.object, {first, all.from.end()}, {all.to.begin(), end}});
    }

    void add_edges(dependence part) {
        for (const std::uint32_t each : part.from)
            is_sink_[each] = false;
        for (const std::uint32_t each : part.to)
            is_source_[each] = false;
        if (part.from.size() * part.to.size() > part.from.size() + part.to.size()) {
            junctions_.push_back(std::move(part));
            return;
        }
        for (const std::uint32_t from : part.from)
            for (const std::uint32_t to : part.to)
                edges_.emplace(from, to);
    }

    void write_heading() {
        std::fprintf(to_,
                     "// %zu tasks, %lu left out\ndigraph dataflow {\nrankdir=LR;\n"
                     "node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];\n"
                     "edge [color=\"#667079\", arrowsize=0.6];\nfontname=\"sans-serif\";\nlabelloc=t;\n"
                     "label=\"work %.3f ms, span %.3f ms, parallelism %.2f\";\n",
                     input_.facts.program_order.size(), input_.left_out,
                     static_cast<double>(input_.facts.work_ns) / 1e6, static_cast<double>(input_.facts.span_ns) / 1e6,
                     input_.facts.parallelism());
    }

    void write_tasks() {
        std::vector<std::uint32_t> open;
        for (const std::uint32_t each : input_.facts.program_order) {
            while (!open.empty() && open.back() != task(each).spawner) {
                open.pop_back();
                std::fprintf(to_, "}\n");
            }
            if (is_spawner_[each]) {
                std::fprintf(to_, "subgraph cluster_%" PRIu32 " {\nlabel=\"\";\ncolor=\"#c3c9cf\";\n", number(each));
                open.push_back(each);
            }
            if (task(each).syncs_before != 0 && syncs_.insert(stretch_of(each)).second)
                std::fprintf(to_, "s%" PRIu32 "_%" PRIu32 " [label=\"sync\", shape=plaintext, style=\"\"];\n",
                             task(each).spawner, task(each).syncs_before);
            write_task(each);
        }
        for (std::size_t i = 0; i != open.size(); ++i)
            std::fprintf(to_, "}\n");
    }

    void write_task(std::uint32_t entry) {
        // Light colours that differ also for the colour-blind.
        static constexpr std::array<const char*, 8> colours = {"#a6d5f2", "#f7c99b", "#b5e2cf", "#f2c6dd",
                                                               "#f5eea6", "#9cc3df", "#eec2ad", "#dcdfe3"};
        const std::string_view name = functions_.name_of(task(entry));
        constexpr std::size_t longest = 40;
        const std::string_view shown = cut_utf8(name, longest);
        std::fprintf(to_, "t%" PRIu32 " [tooltip=", number(entry));
        write_graphviz_string(to_, name);
        std::fprintf(to_, ", label=");
        write_graphviz_string(to_, std::string(shown) + (shown.size() < name.size() ? "..." : ""));
        std::fprintf(to_, "+\"\\n%" PRIu32 ": %.1f us%s\", fillcolor=\"%s\"%s];\n", number(entry),
                     static_cast<double>(task(entry).own_ns) / 1e3, outcome_of(entry),
                     colours[functions_.number_of(task(entry)) % colours.size()],
                     is_critical(entry) ? ", color=\"#c8102e\", penwidth=2.5" : "");
    }

    const char* outcome_of(std::uint32_t entry) const {
        switch (task(entry).outcome) {
        case task_outcome::waiting:
            return ", waiting";
        case task_outcome::running:
            return ", running";
        case task_outcome::ended:
            break;
        case task_outcome::failed:
            return ", failed";
        case task_outcome::not_called:
            return ", not called";
        }
        return "";
    }

    void write_junction(std::size_t place) {
        std::fprintf(to_, "j%zu [shape=point, width=0.06];\n", place);
        for (const std::uint32_t each : junctions_[place].from)
            std::fprintf(to_, "t%" PRIu32 " -> j%zu [arrowhead=none];\n", number(each), place);
        for (const std::uint32_t each : junctions_[place].to)
            std::fprintf(to_, "j%zu -> t%" PRIu32 ";\n", place, number(each));
    }

    // A task comes after the sync before it, or after the spawn by its parent; and before the next sync.
    void write_order(std::uint32_t entry) {
        const auto [spawner, syncs] = stretch_of(entry);
        if (is_source_[entry] && syncs != 0)
            std::fprintf(to_, "s%" PRIu32 "_%" PRIu32 " -> t%" PRIu32 " [style=dotted];\n", spawner, syncs,
                         number(entry));
        else if (is_source_[entry] && number(spawner) != 0)
            std::fprintf(to_, "t%" PRIu32 " -> t%" PRIu32 " [style=dashed];\n", number(spawner), number(entry));
        if (is_sink_[entry] && syncs_.contains({spawner, syncs + 1}))
            std::fprintf(to_, "t%" PRIu32 " -> s%" PRIu32 "_%" PRIu32 " [style=dotted, arrowhead=none];\n",
                         number(entry), spawner, syncs + 1);
    }

    std::FILE* const to_;
    const graph_text_input& input_;
    const used_functions functions_;
    // within their stretch
    std::vector<bool> is_source_, is_sink_;
    std::vector<bool> is_spawner_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges_;
    std::vector<dependence> junctions_;
    std::set<stretch> syncs_;
};

}  // namespace

void write_json(std::FILE* to, const graph_text_input& input) {
    std::fprintf(to,
                 "{\"teff_dataflow_graph\":1,\n\"work_ns\":%" PRId64 ",\"span_ns\":%" PRId64
                 ",\"parallelism\":%.4f,\"elapsed_ns\":%" PRId64 ",\"tasks_left_out\":%lu,\n",
                 input.facts.work_ns, input.facts.span_ns, input.facts.parallelism(), elapsed_ns(input.graph),
                 input.left_out);
    const used_functions functions(input);
    write_names(to, input, functions);
    std::fprintf(to, "\"tasks\":[");
    const std::vector<std::uint32_t> outermost = outermost_numbers(input.graph);
    const char* separator = "\n";
    for (const std::uint32_t each : input.facts.program_order) {
        std::fputs(separator, to);
        write_task(to, input, each, outermost[each], functions.number_of(input.graph.tasks[each]));
        separator = ",\n";
    }
    std::fprintf(to, "],\n\"dependences\":[");
    separator = "\n";
    for (const dependence& each : input.facts.dependences) {
        std::fprintf(to, "%s{\"object\":%" PRIu32 ",\"from\":", separator, each.object);
        write_numbers(to, input, each.from);
        std::fprintf(to, ",\"to\":");
        write_numbers(to, input, each.to);
        std::fputc('}', to);
        separator = ",\n";
    }
    std::fprintf(to, "],\n\"critical_path\":");
    write_numbers(to, input, input.facts.critical_path);
    std::fprintf(to, "}\n");
}

void write_dot(std::FILE* to, const graph_text_input& input) { dot_writer(to, input).write(); }

}  // namespace teff::dataflow
