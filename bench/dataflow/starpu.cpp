// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dataflow kernels with StarPU's implicit dependences: each value has a data handle, and tasks are ordered by the
// handles that they use. The thread that spawns is no worker of StarPU.
#include <bench/dataflow/programs.hpp>

#include <cstdlib>
#include <new>
#include <string>

#include <starpu.h>

namespace bench {
namespace {

// StarPU runs from the first use to the end of the process.
class starpu_process {
public:
    static void start(unsigned threads) { static const starpu_process started(threads); }

private:
    explicit starpu_process(unsigned threads) {
        ::setenv("STARPU_SILENT", "1", 1);
        starpu_conf conf;
        starpu_conf_init(&conf);
        conf.ncpus = static_cast<int>(threads);
        conf.ncuda = 0;
        conf.nopencl = 0;
        if (starpu_init(&conf) != 0) throw usage_error("StarPU does not start");
        if (starpu_cpu_worker_get_count() != threads) {
            starpu_shutdown();
            throw usage_error("--threads " + std::to_string(threads) + ": StarPU has one worker per CPU at most");
        }
    }
    ~starpu_process() { starpu_shutdown(); }
};

// A task's function, with its arguments.
struct task_call {
    void (*run)(task_call* self);        // also frees it
};

void run_call(void**, void* call) { static_cast<task_call*>(call)->run(static_cast<task_call*>(call)); }

starpu_codelet& codelet() {
    static starpu_codelet made = [] {
        starpu_codelet of;
        starpu_codelet_init(&of);
        of.cpu_funcs[0] = run_call;
        of.nbuffers = STARPU_VARIABLE_NBUFFERS;
        return of;
    }();
    return made;
}

template <class T> struct access {
    T* value;
    starpu_data_handle_t handle;
    starpu_data_access_mode mode;
};

struct starpu_face {
    static constexpr bool has_reductions = false;
    [[maybe_unused]] static constexpr bool has_nested_tasks = false;

    template <class T> class data {
    public:
        // Registering takes time, so that it happens here, outside of the timed region, once StarPU runs.
        data() {
            if (starpu_is_initialized() != 0) handle();
        }
        ~data() {
            if (handle_ != nullptr) starpu_data_unregister(handle_);
        }
        data(const data&) = delete;
        data& operator=(const data&) = delete;

        T& value() { return value_; }
        starpu_data_handle_t handle() {
            if (handle_ == nullptr)
                starpu_variable_data_register(&handle_, STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&value_),
                                              sizeof(T));
            return handle_;
        }

    private:
        T value_{};
        starpu_data_handle_t handle_ = nullptr;
    };

    template <class F> static void run(const parameters& p, const F& f) {
        starpu_process::start(p.threads);
        f();
        sync();
    }
    static void sync() { starpu_task_wait_for_all(); }

    template <class F, class... Accesses> static void spawn(const F& f, Accesses... accesses) {
        constexpr std::size_t count = sizeof...(accesses);
        starpu_task* const task = starpu_task_create();
        task->cl = &codelet();
        task->cl_arg = make_call([f, accesses...] { f(*accesses.value...); });
        task->nbuffers = static_cast<int>(count);
        starpu_data_handle_t* handles = task->handles;
        starpu_data_access_mode* modes = task->modes;
        if constexpr (count > STARPU_NMAXBUFS) {
            // StarPU frees both.
            task->dyn_handles = handles = allocated<starpu_data_handle_t>(count);
            task->dyn_modes = modes = allocated<starpu_data_access_mode>(count);
        }
        std::size_t next = 0;
        ((handles[next] = accesses.handle, modes[next] = accesses.mode, ++next), ...);
        if (starpu_task_submit(task) != 0) throw std::bad_alloc();
    }

    template <class T> static access<const T> in(data<T>& of) { return {&of.value(), of.handle(), STARPU_R}; }
    template <class T> static access<T> out(data<T>& of) { return {&of.value(), of.handle(), STARPU_W}; }
    template <class T> static access<T> inout(data<T>& of) { return {&of.value(), of.handle(), STARPU_RW}; }
    template <class T> static access<T> commutative(data<T>& of) {
        return {&of.value(), of.handle(), static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE)};
    }

private:
    template <class F> static task_call* make_call(F f) {
        struct made : task_call {
            F call;

            explicit made(F&& of) : task_call{&run}, call(std::move(of)) {}
            static void run(task_call* self) {
                made* const own = static_cast<made*>(self);
                own->call();
                delete own;
            }
        };
        return new made(std::move(f));
    }
    template <class T> static T* allocated(std::size_t count) {
        void* const memory = std::malloc(count * sizeof(T));
        if (memory == nullptr) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<starpu_face>(p); }
#include <bench/dataflow/kernels.inc>
#undef TEFF_BENCH_KERNEL

}  // namespace bench
