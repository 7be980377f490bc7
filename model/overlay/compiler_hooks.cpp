// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the compiler calls before every access to ordinary memory in the checked sources.
//
// The checked sources are compiled with -fsanitize=thread but linked without ThreadSanitizer's library: these
// functions take its place. (Their names and signatures are the interface between GCC and that library.) The sources of
// the checker and of the simulator are compiled without the option, so that they do not observe themselves.
#include <model/operations.hpp>

#define MODEL_READ_HOOK(name, size) \
    extern "C" void name(const void* address) { \
        model::ordinary_access(address, size, model::access::read, __builtin_return_address(0)); \
    }
#define MODEL_WRITE_HOOK(name, size) \
    extern "C" void name(const void* address) { \
        model::ordinary_access(address, size, model::access::write, __builtin_return_address(0)); \
    }

MODEL_READ_HOOK(__tsan_read1, 1)
MODEL_READ_HOOK(__tsan_read2, 2)
MODEL_READ_HOOK(__tsan_read4, 4)
MODEL_READ_HOOK(__tsan_read8, 8)
MODEL_READ_HOOK(__tsan_read16, 16)
MODEL_READ_HOOK(__tsan_unaligned_read2, 2)
MODEL_READ_HOOK(__tsan_unaligned_read4, 4)
MODEL_READ_HOOK(__tsan_unaligned_read8, 8)
MODEL_READ_HOOK(__tsan_unaligned_read16, 16)
MODEL_WRITE_HOOK(__tsan_write1, 1)
MODEL_WRITE_HOOK(__tsan_write2, 2)
MODEL_WRITE_HOOK(__tsan_write4, 4)
MODEL_WRITE_HOOK(__tsan_write8, 8)
MODEL_WRITE_HOOK(__tsan_write16, 16)
MODEL_WRITE_HOOK(__tsan_unaligned_write2, 2)
MODEL_WRITE_HOOK(__tsan_unaligned_write4, 4)
MODEL_WRITE_HOOK(__tsan_unaligned_write8, 8)
MODEL_WRITE_HOOK(__tsan_unaligned_write16, 16)

extern "C" void __tsan_read_range(const void* address, std::size_t size) {
    model::ordinary_access(address, size, model::access::read, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(const void* address, std::size_t size) {
    model::ordinary_access(address, size, model::access::write, __builtin_return_address(0));
}
extern "C" void __tsan_vptr_update(void** pointer, void*) {
    model::ordinary_access(pointer, sizeof *pointer, model::access::write, __builtin_return_address(0));
}
extern "C" void __tsan_vptr_read(void** pointer) {
    model::ordinary_access(pointer, sizeof *pointer, model::access::read, __builtin_return_address(0));
}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}
extern "C" void __tsan_init() {}
// For the compiler's guards of function-local static variables.
extern "C" char __tsan_atomic8_load(const char* address, int) { return __atomic_load_n(address, __ATOMIC_ACQUIRE); }
// For atomics of the standard library, those of stop tokens. They are performed at once and order nothing in the
// model.
extern "C" int __tsan_atomic32_load(const int* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
extern "C" int __tsan_atomic32_fetch_add(int* at, int value, int) {
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}
extern "C" int __tsan_atomic32_fetch_sub(int* at, int value, int) {
    return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);
}
extern "C" bool __tsan_atomic32_compare_exchange_strong(int* at, int* seen, int value, int, int) {
    return __atomic_compare_exchange_n(at, seen, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
extern "C" bool __tsan_atomic32_compare_exchange_weak(int* at, int* seen, int value, int, int) {
    return __atomic_compare_exchange_n(at, seen, value, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
// For a sum of a reduction of OpenMP, which GCC combines by an atomic operation: an operation of the program.
extern "C" long __tsan_atomic64_fetch_add(long* at, long value, int) {
    return static_cast<long>(model::atomic_modify(at, sizeof *at, model::modification::add,
                                                  static_cast<std::uint64_t>(value), std::memory_order_relaxed,
                                                  model::site::current()));
}
