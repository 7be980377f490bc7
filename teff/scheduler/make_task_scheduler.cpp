// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that knows all task schedulers.
#include <teff/scheduler/make_task_scheduler.hpp>

#include <teff/base/allocation.hpp>
#include <teff/scheduler/distrib.hpp>
#include <teff/scheduler/fifo.hpp>
#include <teff/scheduler/nemesis.hpp>
#include <teff/scheduler/ompi.hpp>
#include <teff/scheduler/sherwood.hpp>

#include <new>

namespace teff {
namespace {

template <class Scheduler>
task_scheduler* make(const scheduler_settings& settings, hunger& idle, std::size_t payload_size,
                     std::size_t payload_alignment) {
    task_scheduler* const made = create<Scheduler>(settings, idle, payload_size, payload_alignment);
    if (made == nullptr)
        throw std::bad_alloc();
    return made;
}

}  // namespace

task_scheduler* make_task_scheduler(const scheduler_settings& settings, hunger& idle, std::size_t payload_size,
                                    std::size_t payload_alignment) {
    switch (settings.kind) {
    case task_scheduler_kind::fifo: return make<fifo_scheduler>(settings, idle, payload_size, payload_alignment);
    case task_scheduler_kind::sherwood:
        return make<sherwood_scheduler>(settings, idle, payload_size, payload_alignment);
    case task_scheduler_kind::nemesis: return make<nemesis_scheduler>(settings, idle, payload_size, payload_alignment);
    case task_scheduler_kind::distrib: return make<distrib_scheduler>(settings, idle, payload_size, payload_alignment);
    case task_scheduler_kind::ompi: break;
    }
    return make<ompi_scheduler>(settings, idle, payload_size, payload_alignment);
}

void destroy_task_scheduler(task_scheduler* made) noexcept { delete made; }

}  // namespace teff
