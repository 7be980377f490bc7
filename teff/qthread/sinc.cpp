// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sincs: a count under a mutex, and a condition variable for the qthreads that wait for zero.
#include <teff/qthread/own_data.hpp>
#include <teff/qthread/sinc.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace {

struct sinc_state {
    sinc_state(std::size_t size, const void* first, qt_sinc_op_f reduce, std::size_t count)
        : op(reduce), expected(count) {
        if (first == nullptr || op == nullptr)
            return;
        const auto* const bytes = static_cast<const unsigned char*>(first);
        initial.assign(bytes, bytes + size);
        value = initial;
    }

    const qt_sinc_op_f op;
    std::vector<unsigned char> initial;  // empty: submissions have no values

    teff::fiber_mutex mutex;
    teff::fiber_condition_variable all_came;
    // under the mutex
    std::size_t expected;
    std::vector<unsigned char> value;
};

sinc_state& state_of(qt_sinc_t* sinc) noexcept { return *static_cast<sinc_state*>(sinc->opaque[0]); }

}  // namespace

extern "C" {

void qt_sinc_init(qt_sinc_t* sinc, std::size_t size, const void* initial, qt_sinc_op_f op, std::size_t expected) {
    sinc->opaque[0] = new sinc_state(size, initial, op, expected);
}
qt_sinc_t* qt_sinc_create(std::size_t size, const void* initial, qt_sinc_op_f op, std::size_t expected) {
    auto made = std::make_unique<qt_sinc_t>();
    qt_sinc_init(made.get(), size, initial, op, expected);
    return made.release();
}
void qt_sinc_reset(qt_sinc_t* sinc, std::size_t expected) {
    sinc_state& state = state_of(sinc);
    const std::lock_guard lock(state.mutex);
    state.expected = expected;
    state.value = state.initial;
}
void qt_sinc_fini(qt_sinc_t* sinc) { delete &state_of(sinc); }
void qt_sinc_destroy(qt_sinc_t* sinc) {
    qt_sinc_fini(sinc);
    delete sinc;
}
void qt_sinc_expect(qt_sinc_t* sinc, std::size_t count) {
    sinc_state& state = state_of(sinc);
    const std::lock_guard lock(state.mutex);
    state.expected += count;
}
void qt_sinc_submit(qt_sinc_t* sinc, const void* value) {
    sinc_state& state = state_of(sinc);
    const std::lock_guard lock(state.mutex);
    if (value != nullptr && !state.value.empty())
        state.op(state.value.data(), value);
    if (--state.expected == 0)
        state.all_came.notify_all();
}
void qt_sinc_wait(qt_sinc_t* sinc, void* target) {
    sinc_state& state = state_of(sinc);
    const teff::qthreads::scoped_asleep asleep;
    std::unique_lock lock(state.mutex);
    state.all_came.wait(lock, [&] { return state.expected == 0; });
    if (target != nullptr && !state.value.empty())
        std::memcpy(target, state.value.data(), state.value.size());
}

}  // extern "C"
