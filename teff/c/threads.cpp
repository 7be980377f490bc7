// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface of the threads: each function calls the C++ function of the same name, and turns its exceptions into
// error codes.
#include <teff/c/threads.h>

#include <teff/fork_join.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/threads.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

struct teff_fiber {
    teff::fiber handle;
};

static_assert(TEFF_NO_SHEPHERD == teff::no_shepherd);

struct teff_task_list {
    struct task {
        teff_function function;
        void* argument;
    };
    std::vector<task> tasks;
};

struct teff_channel {
    explicit teff_channel(std::size_t capacity) : values(capacity) {}

    teff::channel<void*> values;
};

struct teff_key {
    // A fiber's value, with the function that destroys it.
    struct slot {
        explicit slot(void (*how)(void*)) noexcept : destroy(how) {}
        slot(const slot& initial) noexcept : destroy(initial.destroy) {}
        slot& operator=(const slot&) = delete;
        ~slot() {
            if (value != nullptr && destroy != nullptr)
                destroy(value);
        }

        void* value = nullptr;
        void (*destroy)(void*);
    };

    explicit teff_key(void (*destroy)(void*)) : slots(slot(destroy)) {}

    teff::fiber_local<slot> slots;
};

namespace {

using sync_var = teff::sync_var<std::uint64_t>;

// The C++ object that lies in a structure of the C interface.
template <class Object, class Structure>
struct object_in {
    static_assert(sizeof(Object) <= sizeof(Structure) && alignof(Object) <= alignof(Structure));

    static Object& of(Structure* structure) noexcept {
        return *std::launder(reinterpret_cast<Object*>(structure->opaque));
    }
    static const Object& of(const Structure* structure) noexcept {
        return *std::launder(reinterpret_cast<const Object*>(structure->opaque));
    }
    // A call in C does not pass its place in the source.
    static void make(Structure* structure) noexcept { ::new (structure->opaque) Object(teff::site()); }
    static void destroy(Structure* structure) noexcept { of(structure).~Object(); }
};
using variable_in = object_in<sync_var, teff_sync_var>;
using mutex_in = object_in<teff::fiber_mutex, teff_mutex>;
using condition_in = object_in<teff::fiber_condition_variable, teff_condition>;

// Calls `call`, and returns the status for the exception that it throws.
template <class Call>
teff_status status_of(Call&& call) noexcept {
    try {
        call();
        return TEFF_OK;
    } catch (const std::bad_alloc&) {
        return TEFF_NO_MEMORY;
    } catch (const teff::stack_exhausted&) {
        return TEFF_NO_STACK;
    } catch (const std::length_error&) {
        return TEFF_NO_MEMORY;
    } catch (const std::invalid_argument&) {
        return TEFF_BAD_ARGUMENT;
    } catch (const std::out_of_range&) {
        return TEFF_BAD_ARGUMENT;
    } catch (const teff::not_on_fiber&) {
        return TEFF_NO_FIBER;
    } catch (const teff::thread_exits&) {
        return TEFF_THREAD_EXITS;
    } catch (...) {
        return TEFF_EXCEPTION;
    }
}

}  // namespace

extern "C" {

const char* teff_status_text(teff_status status) {
    switch (status) {
    case TEFF_OK:
        return "no error";
    case TEFF_NO_MEMORY:
        return "there is no memory";
    case TEFF_NO_STACK:
        return "the calling thread has used up its stack";
    case TEFF_BAD_ARGUMENT:
        return "an option or an argument cannot be used";
    case TEFF_THREAD_EXITS:
        return "the calling thread is exiting";
    case TEFF_CLOSED:
        return "the channel is closed";
    case TEFF_EXCEPTION:
        return "a function that was passed in has thrown an exception";
    case TEFF_NO_FIBER:
        return "the caller runs on no fiber that can be left there";
    }
    return "no status has this number";
}

teff_status teff_execute(long threads, const char* scheduler, teff_function function, void* argument) {
    return status_of([&] {
        teff::options call;
        if (threads != 0)
            call.threads = threads;
        if (scheduler != nullptr)
            call.scheduler = scheduler;
        teff::execute(call, [&] { function(argument); });
    });
}

teff_status teff_fiber_start(teff_fiber** made, teff_function function, void* argument) {
    return status_of([&] {
        *made = new teff_fiber{teff::fiber([function, argument] { function(argument); }, teff::site())};
    });
}
teff_status teff_fiber_join(teff_fiber* fiber) {
    const std::unique_ptr<teff_fiber> ending(fiber);
    return status_of([&] { ending->handle.join(); });
}
void teff_fiber_detach(teff_fiber* fiber) {
    const std::unique_ptr<teff_fiber> ending(fiber);
    ending->handle.detach();
}

teff_status teff_count_shepherds(unsigned* count) {
    return status_of([&] { *count = teff::shepherd_count(); });
}
teff_status teff_count_workers(unsigned shepherd, unsigned* count) {
    return status_of([&] { *count = teff::workers_of_shepherd(shepherd); });
}
unsigned teff_shepherd(void) { return teff::this_fiber::shepherd(); }
unsigned teff_bound_to(void) { return teff::this_fiber::bound_to(); }
teff_status teff_fiber_start_on(unsigned shepherd, teff_fiber** made, teff_function function, void* argument) {
    return status_of([&] {
        *made = new teff_fiber{teff::fiber(
            teff::on_shepherd{shepherd}, [function, argument] { function(argument); }, teff::site())};
    });
}
teff_status teff_begin_on(unsigned shepherd, teff_function function, void* argument) {
    return status_of([&] { teff::begin(teff::on_shepherd{shepherd}, [function, argument] { function(argument); }); });
}
teff_status teff_migrate_to(unsigned shepherd) {
    return status_of([&] { teff::this_fiber::migrate_to(shepherd); });
}
void teff_unbind(void) { teff::this_fiber::unbind(); }

teff_status teff_task_list_create(teff_task_list** made) {
    return status_of([&] { *made = new teff_task_list; });
}
void teff_task_list_destroy(teff_task_list* list) { delete list; }
teff_status teff_task_list_add(teff_task_list* list, teff_function function, void* argument) {
    return status_of([&] { list->tasks.push_back({function, argument}); });
}
teff_status teff_task_list_run(const teff_task_list* list) {
    return status_of([&] {
        teff::coforall(std::size_t{0}, list->tasks.size(), [list](std::size_t i) {
            const teff_task_list::task& task = list->tasks[i];
            task.function(task.argument);
        });
    });
}

teff_status teff_begin(teff_function function, void* argument) {
    return status_of([&] { teff::begin([function, argument] { function(argument); }); });
}
teff_status teff_sync(teff_function body, void* argument) {
    return status_of([&] { teff::sync([&] { body(argument); }); });
}
teff_status teff_coforall(std::int64_t first, std::int64_t last, void (*body)(std::int64_t index, void* argument),
                          void* argument) {
    return status_of([&] {
        teff::coforall(first, last, [&](std::int64_t index) { body(index, argument); });
    });
}
teff_status teff_serial(teff_function body, void* argument) {
    return status_of([&] { teff::serial([&] { body(argument); }); });
}

void teff_yield(void) { teff::this_fiber::yield(); }
void teff_sleep_ns(std::uint64_t nanoseconds) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t limited = nanoseconds < most ? nanoseconds : most;
    teff::this_fiber::sleep_for(std::chrono::nanoseconds(static_cast<std::int64_t>(limited)));
}
bool teff_on_fiber(void) { return teff::threads::fiber_state::that_can_wait() != nullptr; }
std::uint64_t teff_fiber_id(void) {
    const teff::threads::fiber_state* const own_fiber = teff::threads::fiber_state::that_can_wait();
    return own_fiber != nullptr ? own_fiber->number() : 0;
}
void teff_fiber_set_name(const char* name) { teff::this_fiber::set_name(name); }
bool teff_is_serial(void) { return teff::threads::surroundings_here().is_serial; }
void teff_set_serial(bool is_serial) {
    if (teff_on_fiber())
        teff::running_strand().around.is_serial = is_serial;
}

void teff_count_fibers(teff_counts* counts) {
    const teff::fiber_counts now = teff::count_fibers();
    *counts = {now.fibers, now.running, now.ready, now.blocked, now.workers, now.idle_workers};
}

teff_status teff_with_stack(std::size_t size, teff_function function, void* argument) {
    return status_of([&] { teff::with_stack(size, [&] { function(argument); }); });
}

void teff_sync_var_init(teff_sync_var* variable) { variable_in::make(variable); }
void teff_sync_var_destroy(teff_sync_var* variable) { variable_in::destroy(variable); }
void teff_sync_var_write_ef(teff_sync_var* variable, std::uint64_t value) { variable_in::of(variable).write_ef(value); }
void teff_sync_var_write_ff(teff_sync_var* variable, std::uint64_t value) { variable_in::of(variable).write_ff(value); }
void teff_sync_var_write_xf(teff_sync_var* variable, std::uint64_t value) { variable_in::of(variable).write_xf(value); }
std::uint64_t teff_sync_var_read_fe(teff_sync_var* variable) { return variable_in::of(variable).read_fe(); }
std::uint64_t teff_sync_var_read_ff(teff_sync_var* variable) { return variable_in::of(variable).read_ff(); }
std::uint64_t teff_sync_var_read_xx(const teff_sync_var* variable) { return variable_in::of(variable).read_xx(); }
void teff_sync_var_reset(teff_sync_var* variable) { variable_in::of(variable).reset(); }
bool teff_sync_var_is_full(const teff_sync_var* variable) { return variable_in::of(variable).is_full(); }

teff_status teff_write_ef(std::uint64_t* word, std::uint64_t value) {
    return status_of([&] { teff::write_ef(*word, value); });
}
teff_status teff_write_ff(std::uint64_t* word, std::uint64_t value) {
    return status_of([&] { teff::write_ff(*word, value); });
}
teff_status teff_write_xf(std::uint64_t* word, std::uint64_t value) {
    return status_of([&] { teff::write_xf(*word, value); });
}
teff_status teff_read_fe(std::uint64_t* word, std::uint64_t* value) {
    return status_of([&] {
        const std::uint64_t read = teff::read_fe(*word);
        if (value != nullptr)
            *value = read;
    });
}
teff_status teff_read_ff(std::uint64_t* word, std::uint64_t* value) {
    return status_of([&] {
        const std::uint64_t read = teff::read_ff(*word);
        if (value != nullptr)
            *value = read;
    });
}
teff_status teff_fill(std::uint64_t* word) {
    return status_of([&] { teff::fill(*word); });
}
teff_status teff_empty(std::uint64_t* word) {
    return status_of([&] { teff::empty(*word); });
}
teff_status teff_is_full(const std::uint64_t* word, bool* is_full) {
    return status_of([&] { *is_full = teff::is_full(*word); });
}

void teff_mutex_init(teff_mutex* mutex) { mutex_in::make(mutex); }
void teff_mutex_destroy(teff_mutex* mutex) { mutex_in::destroy(mutex); }
void teff_mutex_lock(teff_mutex* mutex) { mutex_in::of(mutex).lock(); }
bool teff_mutex_try_lock(teff_mutex* mutex) { return mutex_in::of(mutex).try_lock(); }
void teff_mutex_unlock(teff_mutex* mutex) { mutex_in::of(mutex).unlock(); }

void teff_condition_init(teff_condition* condition) { condition_in::make(condition); }
void teff_condition_destroy(teff_condition* condition) { condition_in::destroy(condition); }
void teff_condition_wait(teff_condition* condition, teff_mutex* mutex) {
    std::unique_lock held(mutex_in::of(mutex), std::adopt_lock);
    condition_in::of(condition).wait(held);
    held.release();
}
void teff_condition_notify_one(teff_condition* condition) { condition_in::of(condition).notify_one(); }
void teff_condition_notify_all(teff_condition* condition) { condition_in::of(condition).notify_all(); }

teff_status teff_channel_create(teff_channel** made, std::size_t capacity) {
    return status_of([&] { *made = new teff_channel(capacity); });
}
void teff_channel_destroy(teff_channel* channel) { delete channel; }
teff_status teff_channel_send(teff_channel* channel, void* value) {
    teff::sanitizers::happens_before(channel);
    const bool is_sent = channel->values.send(value);
    teff::sanitizers::happens_after(channel);
    return is_sent ? TEFF_OK : TEFF_CLOSED;
}
teff_status teff_channel_receive(teff_channel* channel, void** value) {
    teff::sanitizers::happens_before(channel);
    const std::optional<void*> received = channel->values.receive();
    teff::sanitizers::happens_after(channel);
    if (!received.has_value())
        return TEFF_CLOSED;
    *value = *received;
    return TEFF_OK;
}
void teff_channel_close(teff_channel* channel) {
    teff::sanitizers::happens_before(channel);
    channel->values.close();
}

teff_status teff_key_create(teff_key** made, void (*destroy)(void* value)) {
    return status_of([&] { *made = new teff_key(destroy); });
}
void teff_key_destroy(teff_key* key) { delete key; }
teff_status teff_key_set(teff_key* key, void* value) {
    return status_of([&] { key->slots->value = value; });
}
void* teff_key_get(teff_key* key) {
    void* value = nullptr;
    [[maybe_unused]] const teff_status status = status_of([&] { value = key->slots->value; });
    return value;
}

}  // extern "C"
