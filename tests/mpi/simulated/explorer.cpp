// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Depth-first and random exploration; see explorer.hpp.
#include "explorer.hpp"

#include <algorithm>
#include <random>
#include <unordered_map>
#include <utility>

namespace simulated {
namespace {

constexpr std::uint32_t none = 0xffffffffU;

class depth_first {
public:
    depth_first(const scenario& what, std::size_t most_states) : what_(what), most_states_(most_states) {}

    finding explore() {
        open_.push_back({none, {}});
        while (!open_.empty() && nodes_.size() < most_states_ && found_.violation.empty()) {
            const branch next = open_.back();
            open_.pop_back();
            execute(next);
        }
        found_.states = nodes_.size();
        found_.is_complete = open_.empty();
        if (found_.violation.empty() && found_.is_complete)
            require_ends();
        return std::move(found_);
    }

private:
    struct node {
        std::uint32_t parent;
        move from_parent;
        bool is_end = false;
    };
    struct branch {
        std::uint32_t node;  // none: the first state
        move next;
    };

    std::vector<move> path_to(std::uint32_t at) const {
        std::vector<move> path;
        for (; nodes_[at].parent != none; at = nodes_[at].parent)
            path.push_back(nodes_[at].from_parent);
        std::reverse(path.begin(), path.end());
        return path;
    }

    // Repeats the way to a state, takes one move, and goes on with first moves until it meets a state that is known.
    void execute(const branch& start) {
        network net(what_);
        if (start.node != none)
            for (const move& each : path_to(start.node))
                net.make(each);
        std::uint32_t at = start.node;
        move next = start.next;
        for (bool is_first = at == none;; is_first = false) {
            if (!is_first)
                net.make(next);
            if (!net.violation().empty()) {
                found_.violation = net.violation();
                if (at != none)
                    found_.moves = path_to(at);
                if (!is_first)
                    found_.moves.push_back(next);
                return;
            }
            const auto number = static_cast<std::uint32_t>(nodes_.size());
            const auto [entry, is_new] = known_.try_emplace(net.fingerprint(), number);
            if (at != none)
                edges_.push_back({entry->second, at});
            if (!is_new)
                return;
            nodes_.push_back({at, next, net.has_ended()});
            at = entry->second;
            const std::vector<move>& moves = net.moves();
            if (moves.empty())
                return;
            for (std::size_t i = moves.size() - 1; i > 0; --i)
                open_.push_back({at, moves[i]});
            next = moves[0];
        }
    }

    // From every state some end must be reachable.
    void require_ends() {
        std::sort(edges_.begin(), edges_.end());
        std::vector<bool> can_end(nodes_.size());
        std::vector<std::uint32_t> open;
        const auto add = [&](std::uint32_t which) {
            if (!can_end[which])
                open.push_back(which);
            can_end[which] = true;
        };
        for (std::uint32_t i = 0; i < nodes_.size(); ++i)
            if (nodes_[i].is_end)
                add(i);
        while (!open.empty()) {
            const std::uint32_t to = open.back();
            open.pop_back();
            for (auto each = std::lower_bound(edges_.begin(), edges_.end(), std::pair{to, std::uint32_t{0}});
                 each != edges_.end() && each->first == to; ++each)
                add(each->second);
        }
        for (std::uint32_t i = 0; i < nodes_.size(); ++i)
            if (!can_end[i]) {
                found_.violation = "deadlock: no moves lead to the end";
                found_.moves = path_to(i);
                return;
            }
    }

    const scenario& what_;
    const std::size_t most_states_;
    std::unordered_map<std::uint64_t, std::uint32_t> known_;
    std::vector<node> nodes_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;  // to, from
    std::vector<branch> open_;
    finding found_;
};

}  // namespace

finding every_state(const scenario& what, std::size_t most_states) { return depth_first(what, most_states).explore(); }

finding random_walk(const scenario& what, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&random](std::uint64_t bound) { return static_cast<unsigned>(random() % bound); };
    const auto one_of = [&](auto... values) {
        const int all[] = {values...};
        return static_cast<unsigned>(all[below(sizeof...(values))]);
    };
    // In percent: how often a rank sees nothing although there is something; how often the slow actors do not move.
    const unsigned sees_nothing = one_of(0, 30, 80, 97), is_slow = one_of(0, 50, 95);
    const unsigned slow = below(1U << (2 * what.ranks));
    // Messages from one rank to another may be seen late.
    const int slow_source = static_cast<int>(below(2 * static_cast<unsigned>(what.ranks)));
    const int slow_rank = static_cast<int>(below(static_cast<unsigned>(what.ranks)));
    const unsigned fair_from = one_of(200, 2000, 20000) * static_cast<unsigned>(what.ranks);
    const unsigned longest_in_vain = 200 * static_cast<unsigned>(what.ranks);
    const unsigned longest = fair_from + 400'000;

    finding found;
    network net(what);
    unsigned in_vain = 0;
    for (std::size_t step = 0;; ++step) {
        const std::vector<move>& moves = net.moves();
        if (moves.empty())
            break;
        const bool is_fair = step >= fair_from;
        move chosen = moves[below(moves.size())];
        if (!is_fair) {
            const auto waits = [&] { return ((slow >> (chosen.actor % (2 * what.ranks))) & 1) != 0; };
            for (int i = 0; i < 3 && waits() && below(100) < is_slow; ++i)
                chosen = moves[below(moves.size())];
            // A stop request from outside comes late, if at all.
            if (chosen.actor >= 2 * what.ranks && below(20) != 0)
                chosen = moves[0];
        }
        if (net.sees_nothing(chosen) && (is_fair || below(100) >= sees_nothing))
            for (const move& each : moves)
                if (each.actor == chosen.actor && !net.sees_nothing(each))
                    chosen = each;
        if (!is_fair && chosen.actor == slow_rank && chosen.choice == slow_source && net.is_probe(chosen) &&
            below(100) != 0)
            chosen.choice = -1;
        found.moves.push_back(chosen);
        in_vain = net.make(chosen) || !is_fair ? 0 : in_vain + 1;
        if (!net.violation().empty())
            break;
        if (in_vain > longest_in_vain || step > longest) {
            net.violate(in_vain > longest_in_vain ? "deadlock: no rank does anything" : "it does not end");
            break;
        }
    }
    found.violation = net.violation();
    found.states = found.moves.size();
    return found;
}

std::string told(const scenario& what, const std::vector<move>& moves) {
    network net(what);
    std::string text;
    for (const move& each : moves) {
        text += "  " + net.describe(each) + "\n";
        net.make(each);
    }
    return text;
}

}  // namespace simulated
