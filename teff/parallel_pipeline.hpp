// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pipeline: a stream of values, each of which passes through a chain of filters; several values are under way at a
// time. Names and meaning are those of the oneTBB specification.
//
//   std::ifstream file("words.txt");
//   teff::parallel_pipeline(16,
//       teff::make_filter<void, std::string>(teff::filter_mode::serial_in_order, [&](teff::flow_control& flow) {
//           std::string word;
//           if (!(file >> word)) flow.stop();
//           return word;
//       }) &
//       teff::make_filter<std::string, long>(teff::filter_mode::parallel, count_letters) &
//       teff::make_filter<long, void>(teff::filter_mode::serial_in_order, [&](long n) { sum += n; }));
#pragma once

#include <teff/algorithms/pipeline_run.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace teff {

enum class filter_mode {
    parallel,             // several values at a time
    serial_in_order,      // one at a time, in the order in which they entered the pipeline
    serial_out_of_order,  // one at a time, in any order
};

// Passed to the first filter. The call that invokes stop() is the last one, and its result is dropped.
using flow_control = pipelines::flow_control;

// A chain of filters from values of type In to values of type Out. In is void if the chain contains the first filter of
// a pipeline, Out is void if it contains the last one. Cheap to copy; copies share the functions. A default-constructed
// chain is empty.
template <class In, class Out>
class filter {
public:
    // Connects two chains, this one first. Throws std::invalid_argument if one of them is empty.
    template <class Further>
    filter<In, Further> operator&(const filter<Out, Further>& second) const {
        if (stages_.empty() || second.stages_.empty())
            throw std::invalid_argument("teff: a filter joined by & is empty; make it with make_filter()");
        filter<In, Further> both;
        both.stages_ = stages_;
        both.stages_.insert(both.stages_.end(), second.stages_.begin(), second.stages_.end());
        return both;
    }

private:
    template <class, class>
    friend class filter;
    template <class I, class O, class F>
    friend filter<I, O> make_filter(filter_mode mode, F&& f);
    friend void parallel_pipeline(std::size_t max_tokens, const filter<void, void>& chain);

    std::vector<std::shared_ptr<pipelines::stage>> stages_;
};

// f: callable as Out(In), from several threads at once if the mode is parallel; the first filter of a pipeline as
// Out(flow_control&). In and Out: movable.
template <class In, class Out, class F>
filter<In, Out> make_filter(filter_mode mode, F&& f) {
    filter<In, Out> made;
    made.stages_.push_back(std::make_shared<pipelines::stage_of<In, Out, std::decay_t<F>>>(
        std::forward<F>(f), mode != filter_mode::parallel, mode == filter_mode::serial_in_order));
    return made;
}

// Runs the chain until its first filter stops it and all values have passed through. At most max_tokens values (1 or
// more) are in the pipeline at a time. Throws the first exception of a filter in time; values that are still in the
// pipeline then are destroyed. Throws std::bad_alloc if there is no memory, std::invalid_argument if max_tokens is 0 or
// the chain is empty, and stack_exhausted and stopped like fork_join(). Any thread may call it. A chain may be run
// again, but not twice at the same time unless its functions allow that.
inline void parallel_pipeline(std::size_t max_tokens, const filter<void, void>& chain) {
    pipelines::run(max_tokens, chain.stages_);
}

}  // namespace teff
