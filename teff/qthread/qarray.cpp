// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Qthreads' distributed arrays. All segments lie in one piece of memory, and a separate table has the shepherd of each
// segment. In Qthreads a segment of a DIST array has its shepherd inside.
//
// On each shepherd that has segments of its range, a loop starts as many fibers as the shepherd has workers. Each fiber
// takes one of these segments after the other.
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/qarray.h>
#include <teff/qthread/qtimer.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <unistd.h>
#include <vector>

namespace {

using namespace teff::qthreads;

std::size_t segments_of(const qarray& array) noexcept {
    return (array.count + array.segment_size - 1) / array.segment_size;
}

// The number of segments of each shepherd, over all arrays.
class segment_counts {
public:
    void add(const qarray& array, std::ptrdiff_t sign) {
        const std::lock_guard locked(guard_);
        for (std::size_t i = 0; i < segments_of(array); ++i)
            of(array.shepherds[i]) += static_cast<std::size_t>(sign);
    }
    // The shepherd with the fewest, and those that `beside` has got already.
    qthread_shepherd_id_t least(const std::vector<std::size_t>& beside) {
        const std::lock_guard locked(guard_);
        std::size_t found = 0;
        for (std::size_t i = 1; i < beside.size(); ++i)
            if (of(i) + beside[i] < of(found) + beside[found])
                found = i;
        return static_cast<qthread_shepherd_id_t>(found);
    }

private:
    std::size_t& of(std::size_t shepherd) {
        if (counts_.size() <= shepherd)
            counts_.resize(shepherd + 1);
        return counts_[shepherd];
    }

    std::mutex guard_;
    std::vector<std::size_t> counts_;  // under the guard
};
segment_counts& counts() {
    static auto& of_process = *new segment_counts;  // lives as long as the process
    return of_process;
}

qthread_shepherd_id_t random_shepherd(std::size_t shepherds) noexcept {
    return static_cast<qthread_shepherd_id_t>(qtimer_fastrand() % shepherds);
}

void distribute(qarray& array, distribution_t distribution) {
    const std::size_t shepherds = qthread_num_shepherds();
    const std::size_t segments = segments_of(array);
    const auto all = [&](qthread_shepherd_id_t same) {
        array.dist_type = ALL_SAME;
        std::fill_n(array.shepherds, segments, same);
    };
    const auto each = [&](distribution_t type, auto&& of_segment) {
        array.dist_type = type;
        for (std::size_t i = 0; i < segments; ++i)
            array.shepherds[i] = static_cast<qthread_shepherd_id_t>(of_segment(i));
    };
    const auto field = [&](std::size_t i) { return i * shepherds / segments; };
    const auto stripe = [&](std::size_t i) { return i % shepherds; };
    std::vector<std::size_t> given(shepherds);
    switch (distribution) {
    case FIXED_HASH:
        // Segments lie one behind the other, so turns are the round-robin by their addresses.
        return each(FIXED_HASH, stripe);
    case FIXED_FIELDS:
        return each(FIXED_FIELDS, field);
    case DIST_STRIPES:
        return each(DIST, stripe);
    case DIST_FIELDS:
        return each(DIST, field);
    case DIST:
    case DIST_RAND:
        return each(DIST, [&](std::size_t) { return random_shepherd(shepherds); });
    case DIST_LEAST:
        return each(DIST, [&](std::size_t) {
            const qthread_shepherd_id_t found = counts().least(given);
            ++given[found];
            return found;
        });
    case ALL_SAME:
    case ALL_LOCAL: {
        const qthread_shepherd_id_t own_shepherd = qthread_shep();
        return all(own_shepherd < shepherds ? own_shepherd : qthread_shepherd_id_t{0});
    }
    case ALL_RAND:
        return all(random_shepherd(shepherds));
    case ALL_LEAST:
        return all(counts().least(given));
    }
    throw std::out_of_range("no such distribution");
}

struct freeing {
    void operator()(qarray* array) const noexcept {
        std::free(array->base_ptr);
        delete[] array->shepherds;
        delete array;
    }
};
using owned_array = std::unique_ptr<qarray, freeing>;

// Throws std::bad_alloc; std::out_of_range: it is too large, or there is no such distribution.
qarray* make_array(std::size_t count, std::size_t unit_size, distribution_t distribution, bool tight,
                   std::size_t pages) {
    constexpr std::size_t usual_pages = 16;
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (count == 0 || unit_size == 0 || unit_size > most || pages > most / page)
        throw std::out_of_range("a size of the array");
    const std::size_t stride = tight ? unit_size : (unit_size + 7) / 8 * 8;
    const std::size_t needed = (stride + page - 1) / page;
    const std::size_t segment_bytes = std::max(pages != 0 ? pages : usual_pages, needed) * page;
    owned_array made(new qarray{stride, count, segment_bytes / stride, segment_bytes, nullptr, distribution, nullptr});
    const std::size_t segments = segments_of(*made);
    if (segments > most / segment_bytes)
        throw std::out_of_range("a size of the array");
    made->base_ptr = static_cast<char*>(std::aligned_alloc(page, segments * segment_bytes));
    if (made->base_ptr == nullptr)
        throw std::bad_alloc();
    std::memset(made->base_ptr, 0, segments * segment_bytes);
    made->shepherds = new qthread_shepherd_id_t[segments];
    distribute(*made, distribution);
    counts().add(*made, 1);
    return made.release();
}

// Calls body(first, last, worker) for the parts of the range, each on the shepherd of its segment; `worker` is a number
// below the return value of worker_count(). Throws what starting a fiber throws.
struct segment_loop {
    segment_loop(const qarray& looped, std::size_t first, std::size_t last)
        : array(looped), begin(std::min(first, looped.count)), end(std::min(last, looped.count)) {
        if (begin >= end)
            return;
        std::vector<std::vector<std::size_t>> by_shepherd(qthread_num_shepherds());
        for (std::size_t i = begin / looped.segment_size; i <= (end - 1) / looped.segment_size; ++i)
            by_shepherd[usable_shepherd(looped.shepherds[i])].push_back(i);
        for (std::size_t i = 0; i < by_shepherd.size(); ++i)
            if (!by_shepherd[i].empty())
                places.push_back(std::make_unique<place>(static_cast<qthread_shepherd_id_t>(i),
                                                         std::move(by_shepherd[i])));
    }
    std::size_t worker_count() const noexcept {
        std::size_t count = 0;
        for (const auto& each : places)
            count += each->workers;
        return count;
    }
    template <class Body>
    void run(const Body& body) {
        task_team_record* const team = is_on_fiber() ? own().team : nullptr;
        const scoped_asleep asleep;
        std::vector<teff::fiber> started;
        started.reserve(worker_count());
        for (const auto& each : places) {
            for (std::size_t i = 0; i < each->workers; ++i) {
                const std::size_t number = started.size();
                started.push_back(start_on(each->shepherd, [&, number, here = each.get()] {
                    be_in_team(team);
                    for (std::size_t segment; here->take(segment);) {
                        const std::size_t low = segment * array.segment_size;
                        body(std::max(low, begin), std::min(low + array.segment_size, end), number);
                    }
                }));
            }
        }
        for (teff::fiber& each : started)
            each.join();
    }

private:
    struct place {
        place(qthread_shepherd_id_t at, std::vector<std::size_t> has)
            : shepherd(at), segments(std::move(has)),
              workers(std::clamp<std::size_t>(qthread_num_workers_local(at), 1, segments.size())) {}

        bool take(std::size_t& segment) noexcept {
            // relaxed: only decides which fiber gets which segment.
            const std::size_t turn = next.fetch_add(1, std::memory_order_relaxed);
            if (turn >= segments.size())
                return false;
            segment = segments[turn];
            return true;
        }

        const qthread_shepherd_id_t shepherd;
        const std::vector<std::size_t> segments;
        const std::size_t workers;
        std::atomic<std::size_t> next{0};
    };

    const qarray& array;
    const std::size_t begin, end;
    std::vector<std::unique_ptr<place>> places;
};

struct background_loop {
    qarray* array;
    std::size_t first, last;
    qa_loop_f function;
    void* argument;
};
aligned_t run_in_background(void* argument) {
    const auto& loop = *static_cast<const background_loop*>(argument);
    qarray_iter_loop(loop.array, loop.first, loop.last, loop.function, loop.argument);
    return 0;
}

}  // namespace

extern "C" {

qarray* qarray_create(std::size_t count, std::size_t unit_size) {
    return qarray_create_configured(count, unit_size, FIXED_HASH, 0, 0);
}
qarray* qarray_create_tight(std::size_t count, std::size_t unit_size) {
    return qarray_create_configured(count, unit_size, FIXED_HASH, 1, 0);
}
qarray* qarray_create_configured(std::size_t count, std::size_t unit_size, distribution_t distribution, char tight,
                                 int segment_pages) {
    qarray* made = nullptr;
    const std::size_t pages = segment_pages > 0 ? static_cast<std::size_t>(segment_pages) : 0;
    code_of([&] { made = make_array(count, unit_size, distribution, tight != 0, pages); });
    return made;
}
void qarray_destroy(qarray* array) {
    if (array == nullptr)
        return;
    const owned_array freed(array);
    counts().add(*array, -1);
}

void qarray_iter(qarray* array, std::size_t first, std::size_t last, qthread_f function) {
    segment_loop(*array, first, last).run([=](std::size_t begin, std::size_t end, std::size_t) {
        for (std::size_t i = begin; i < end; ++i)
            function(qarray_elem_nomigrate(array, i));
    });
}
void qarray_iter_loop(qarray* array, std::size_t first, std::size_t last, qa_loop_f function, void* argument) {
    segment_loop(*array, first, last).run([=](std::size_t begin, std::size_t end, std::size_t) {
        function(begin, end, array, argument);
    });
}
void qarray_iter_loop_nb(qarray* array, std::size_t first, std::size_t last, qa_loop_f function, void* argument,
                         aligned_t* ret) {
    const background_loop loop{array, first, last, function, argument};
    // If there is no memory for the qthread, the caller runs the whole loop.
    if (qthread_fork_copyargs(run_in_background, &loop, sizeof loop, ret) != QTHREAD_SUCCESS) {
        qarray_iter_loop(array, first, last, function, argument);
        if (ret != nullptr)
            qthread_writeF_const(ret, 0);
    }
}
void qarray_iter_constloop(const qarray* array, std::size_t first, std::size_t last, qa_cloop_f function,
                           void* argument) {
    segment_loop(*array, first, last).run([=](std::size_t begin, std::size_t end, std::size_t) {
        function(begin, end, array, argument);
    });
}
void qarray_iter_loopaccum(qarray* array, std::size_t first, std::size_t last, qa_loopr_f function, void* argument,
                           void* ret, std::size_t ret_size, qt_accum_f accumulate) {
    segment_loop loop(*array, first, last);
    // Two values for each worker, its sum and the latest one. Values may need any alignment.
    const std::size_t stride = (ret_size + alignof(std::max_align_t) - 1) / alignof(std::max_align_t);
    const std::size_t workers = loop.worker_count();
    std::vector<std::max_align_t> values(2 * workers * stride);
    std::vector<unsigned char> has_sum(workers, 0);
    loop.run([&](std::size_t begin, std::size_t end, std::size_t worker) {
        std::max_align_t* const sum = values.data() + 2 * worker * stride;
        std::max_align_t* const latest = sum + stride;
        function(begin, end, array, argument, has_sum[worker] != 0 ? latest : sum);
        if (has_sum[worker] != 0)
            accumulate(sum, latest);
        has_sum[worker] = 1;
    });
    bool is_first = true;
    for (std::size_t i = 0; i < workers; ++i) {
        if (has_sum[i] == 0)
            continue;
        const std::max_align_t* const sum = values.data() + 2 * i * stride;
        if (is_first)
            std::memcpy(ret, sum, ret_size);
        else
            accumulate(ret, sum);
        is_first = false;
    }
}

void qarray_set_shepof(qarray* array, std::size_t index, qthread_shepherd_id_t shepherd) {
    if (array == nullptr || index >= array->count || array->dist_type != DIST || shepherd >= qthread_num_shepherds())
        return;
    counts().add(*array, -1);
    array->shepherds[index / array->segment_size] = shepherd;
    counts().add(*array, 1);
}
qthread_shepherd_id_t qarray_shepof(const qarray* array, std::size_t index) {
    return array != nullptr && index < array->count ? array->shepherds[index / array->segment_size] : NO_SHEPHERD;
}
void qarray_dist_like(const qarray* like, qarray* changed) {
    if (like == nullptr || changed == nullptr || changed->dist_type != DIST ||
        segments_of(*like) != segments_of(*changed))
        return;
    counts().add(*changed, -1);
    std::copy_n(like->shepherds, segments_of(*like), changed->shepherds);
    counts().add(*changed, 1);
}

void* qarray_elem_migrate(const qarray* array, std::size_t index) {
    void* const element = qarray_elem_nomigrate(array, index);
    if (element != nullptr && is_on_fiber())
        qthread_migrate_to(qarray_shepof(array, index));
    return element;
}

}  // extern "C"
