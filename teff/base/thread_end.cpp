// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of a thread's calls, and the key that makes them; see thread_end.hpp.
#include <teff/base/thread_end.hpp>

#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace teff {
namespace {

constinit thread_local thread_end_call* last_registered = nullptr;

// A function may register others, and itself again.
void make_all_calls() noexcept {
    while (last_registered != nullptr) {
        thread_end_call& call = *std::exchange(last_registered, last_registered->next);
        call.is_registered = false;
        call.function();
    }
}

// Made at the first use, which may be in a constructor of another object.
class end_key {
public:
    end_key() noexcept : is_made_(::pthread_key_create(&key_, [](void*) { make_all_calls(); }) == 0) {}
    static const end_key& instance() noexcept {
        static const end_key only;
        return only;
    }

    // Any value but nullptr makes the thread's exit call the function.
    bool set() const noexcept { return is_made_ && ::pthread_setspecific(key_, &last_registered) == 0; }

private:
    pthread_key_t key_{};
    bool is_made_ = false;
};

}  // namespace

end_of_main_thread::end_of_main_thread() noexcept {
    // The library's only thread-local variable with a destructor.
    struct at_exit {
        ~at_exit() { make_all_calls(); }
        void use() const noexcept {}
    };
    static thread_local const at_exit of_main_thread;
    if (::getpid() == ::gettid())
        of_main_thread.use();
}

bool register_thread_end(thread_end_call& call) noexcept {
    if (!end_key::instance().set())
        return false;
    call.is_registered = true;
    call.next = std::exchange(last_registered, &call);
    return true;
}

}  // namespace teff
