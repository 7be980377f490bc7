// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the facts of recorded_graph.hpp, in one pass over the tasks in program order: when it reaches a task, it has
// completed all predecessors of the task, including the tasks of its earlier siblings.
//
// The span is the longest path through points in time: the progress of a function, the begin of a task, and its end.
// Each point stores its predecessor on the longest path, so the critical path is found by going back from the last
// point.
#include <teff/dataflow/recorded_graph.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace teff::dataflow {
namespace {

using depend::access_kind;

constexpr std::uint32_t no_point = no_task;

struct point {
    std::int64_t time_ns;
    std::uint32_t before;           // its predecessor on the longest path
    std::uint32_t by;               // the task whose own time separates them; no_task: none
    std::uint32_t begins = no_task;  // the task that begins here
};

// The predecessors of the next access to an object of a graph.
struct object_state {
    std::uint32_t object = 0;
    std::uint32_t version = 0, generation = 0;
    access_kind kind = access_kind::in;
    const void* operation = nullptr;
    std::vector<std::uint32_t> before, youngest;  // tasks of the last two generations
    std::uint32_t before_end = no_point, youngest_end = no_point;
    std::uint32_t before_depth = 0, youngest_depth = 0;  // one more than the greatest of each
};

struct object_key {
    std::uint64_t object;
    bool is_address;
    friend bool operator==(const object_key&, const object_key&) = default;
};
struct key_hash {
    std::size_t operator()(const object_key& key) const noexcept {
        return static_cast<std::size_t>((key.object * 2 + (key.is_address ? 1 : 0)) * 0x9E3779B97F4A7C15U);
    }
};

// The state of a function while its tasks are visited.
struct frame {
    std::uint32_t self = no_task;
    std::uint32_t next_child = no_task;
    std::uint32_t here = no_point;      // the point that the function has reached
    std::int64_t own_ns = 0;            // its own time up to this point
    std::uint32_t syncs = 0;
    std::uint32_t tasks_end = no_point;  // the end of the last of its tasks
    std::uint32_t least_depth = 0;      // of its next tasks
    std::uint32_t end_depth = 0;        // one more than the greatest so far
    std::vector<object_state> objects;
    std::unordered_map<object_key, std::size_t, key_hash> places;
};

class pass {
public:
    explicit pass(const recorded_graph& graph) : graph_(graph) {
        facts_.tasks.resize(graph.tasks.size());
        facts_.accesses.resize(graph.accesses.size());
        first_child_.assign(graph.tasks.size(), no_task);
        next_sibling_.assign(graph.tasks.size(), no_task);
        ends_.assign(graph.tasks.size(), {no_point, 0});
        link_children();
    }

    graph_facts run() {
        for (std::uint32_t each = 0; each != graph_.tasks.size(); ++each) {
            if (graph_.tasks[each].spawner == no_task)
                run_function(each);
        }
        mark_critical_path();
        return std::move(facts_);
    }

private:
    struct end_of_function {
        std::uint32_t at;
        std::uint32_t depth;
    };

    void link_children() {
        std::vector<std::uint32_t> last(graph_.tasks.size(), no_task);
        for (std::uint32_t each = 0; each != graph_.tasks.size(); ++each) {
            const std::uint32_t by = graph_.tasks[each].spawner;
            if (by == no_task)
                continue;
            (last[by] == no_task ? first_child_[by] : next_sibling_[last[by]]) = each;
            last[by] = each;
        }
    }

    std::int64_t time_of(std::uint32_t at) const { return at == no_point ? 0 : points_[at].time_ns; }
    std::uint32_t later(std::uint32_t a, std::uint32_t b) const {
        return a == no_point || (b != no_point && time_of(b) > time_of(a)) ? b : a;
    }
    std::uint32_t add(const point& made) {
        points_.push_back(made);
        return static_cast<std::uint32_t>(points_.size() - 1);
    }

    // Visits an outermost function, and all tasks below it.
    void run_function(std::uint32_t self) {
        const std::uint32_t follows = graph_.tasks[self].follows;
        const end_of_function before = follows == no_task ? end_of_function{no_point, 0} : ends_[follows];
        open(self, add({time_of(before.at), before.at, no_task}), before.depth);
        while (!frames_.empty()) {
            frame& top = frames_.back();
            if (const std::uint32_t child = top.next_child; child != no_task) {
                top.next_child = next_sibling_[child];
                begin(child);
            } else {
                end();
            }
        }
    }

    void open(std::uint32_t self, std::uint32_t at, std::uint32_t depth) {
        frame& made = frames_.emplace_back();
        made.self = self;
        made.next_child = first_child_[self];
        made.here = at;
        made.least_depth = made.end_depth = depth;
    }

    // The function advances until its own time has reached this value.
    void advance(frame& function, std::int64_t own_ns) {
        if (own_ns <= function.own_ns)
            return;
        function.here = add({time_of(function.here) + own_ns - function.own_ns, function.here, function.self});
        function.own_ns = own_ns;
    }

    void sync(frame& function, std::int64_t own_ns) {
        advance(function, own_ns);
        function.here = later(function.here, function.tasks_end);
        function.least_depth = std::max(function.least_depth, function.end_depth);
    }

    object_state& state_of(frame& function, const recorded_access& access) {
        const auto [found, is_new] =
            function.places.try_emplace({access.object, access.is_address}, function.objects.size());
        if (is_new) {
            object_state& made = function.objects.emplace_back();
            const auto [number, is_first] = object_numbers_.try_emplace(
                found->first, static_cast<std::uint32_t>(facts_.objects.size()));
            if (is_first)
                facts_.objects.push_back({access.is_address ? access.object : 0});
            made.object = number->second;
        }
        return function.objects[found->second];
    }

    void keep_dependence(object_state& state) {
        if (!state.before.empty() && !state.youngest.empty())
            facts_.dependences.push_back({state.object, state.before, state.youngest});
    }

    // The task enters the youngest generation of the object, or begins a new one.
    void enter(object_state& state, std::uint32_t task, const recorded_access& access) {
        const bool is_first = state.youngest.empty() && state.before.empty();
        if (access.makes_version && !is_first) {
            keep_dependence(state);
            const std::uint32_t object = state.object, version = state.version + 1;
            state = object_state();
            state.object = object;
            state.version = version;
        } else if (!is_first && !(depend::joins(state.kind, access.kind) && state.operation == access.operation)) {
            keep_dependence(state);
            state.before = std::exchange(state.youngest, {});
            state.before_end = std::exchange(state.youngest_end, no_point);
            state.before_depth = std::exchange(state.youngest_depth, 0);
            ++state.generation;
        }
        state.kind = access.kind;
        state.operation = access.operation;
        state.youngest.push_back(task);
    }

    void begin(std::uint32_t self) {
        const recorded_task& task = graph_.tasks[self];
        frame& function = frames_.back();
        if (task.syncs_before != function.syncs) {
            sync(function, task.sync_offset_ns);
            function.syncs = task.syncs_before;
        }
        advance(function, task.offset_ns);
        std::uint32_t after = function.here;
        std::uint32_t depth = function.least_depth;
        for (std::uint32_t i = task.first_access; i != task.first_access + task.access_count; ++i) {
            const recorded_access& access = graph_.accesses[i];
            object_state& state = state_of(function, access);
            enter(state, self, access);
            facts_.accesses[i] = {state.object, state.version, state.generation};
            after = later(after, state.before_end);
            depth = std::max(depth, state.before_depth);
        }
        task_facts& facts = facts_.tasks[self];
        facts_.program_order.push_back(self);
        facts.number = static_cast<std::uint32_t>(facts_.program_order.size());
        facts.depth = depth;
        facts_.work_ns += task.own_ns;
        open(self, add({time_of(after), after, no_task, self}), depth + 1);
    }

    // Ends the youngest function.
    void end() {
        frame& function = frames_.back();
        const std::uint32_t self = function.self;
        const recorded_task& task = graph_.tasks[self];
        if (task.syncs != function.syncs)
            sync(function, task.last_sync_ns);
        advance(function, task.own_ns);
        const std::uint32_t at = later(function.here, function.tasks_end);
        const std::uint32_t depth = function.end_depth;
        for (object_state& each : function.objects)
            keep_dependence(each);
        ends_[self] = {at, depth};
        last_ = later(last_, at);
        frames_.pop_back();
        if (frames_.empty())
            return;
        frame& spawner = frames_.back();
        spawner.tasks_end = later(spawner.tasks_end, at);
        spawner.end_depth = std::max(spawner.end_depth, depth);
        for (std::uint32_t i = task.first_access; i != task.first_access + task.access_count; ++i) {
            object_state& state = state_of(spawner, graph_.accesses[i]);
            state.youngest_end = later(state.youngest_end, at);
            state.youngest_depth = std::max(state.youngest_depth, depth);
        }
    }

    void mark_critical_path() {
        facts_.span_ns = time_of(last_);
        for (std::uint32_t at = last_; at != no_point; at = points_[at].before) {
            const point& each = points_[at];
            if (each.by != no_task)
                facts_.tasks[each.by].critical_ns += each.time_ns - time_of(each.before);
            if (each.begins == no_task)
                continue;
            facts_.tasks[each.begins].is_critical = true;
            facts_.critical_path.push_back(each.begins);
        }
        std::reverse(facts_.critical_path.begin(), facts_.critical_path.end());
    }

    const recorded_graph& graph_;
    graph_facts facts_;
    std::vector<std::uint32_t> first_child_, next_sibling_;
    std::vector<end_of_function> ends_;
    std::vector<point> points_;
    std::vector<frame> frames_;
    std::unordered_map<object_key, std::uint32_t, key_hash> object_numbers_;
    std::uint32_t last_ = no_point;
};

}  // namespace

graph_facts facts_of(const recorded_graph& graph) { return pass(graph).run(); }

}  // namespace teff::dataflow
