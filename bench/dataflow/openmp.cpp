// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dataflow kernels with OpenMP's clause `depend`.
#include <bench/dataflow/programs.hpp>
#include <bench/harness/openmp.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace bench {
namespace {

enum class access_kind { in, inout, commutative };

template <class T, access_kind Kind> struct access {
    static constexpr access_kind kind = Kind;
    T* of;
};

// `depend` takes lvalues, and only their addresses matter.
template <class T> char* address(T* of) { return reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(of)); }

// The addresses of one kind of access, for the iterators of `depend`.
template <std::size_t Count> struct addresses {
    int count = 0;
    std::array<char*, Count> of{};

    void add(char* next) { of[static_cast<std::size_t>(count++)] = next; }
};

// Clang warns of the conversions that it makes itself for iterators.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconversion"
#pragma clang diagnostic ignored "-Wsign-conversion"
#endif

template <class F> void make_task(const F& call) {
#pragma omp task default(none) firstprivate(call)
    call();
}

// One access, or up to two that read and one that writes: the clauses that a program would have.
template <class F> void make_in_task(const F& call, char* a) {
#pragma omp task default(none) firstprivate(call) depend(in : *a)
    call();
}
template <class F> void make_inout_task(const F& call, char* a) {
#pragma omp task default(none) firstprivate(call) depend(inout : *a)
    call();
}
template <class F> void make_commutative_task(const F& call, char* a) {
#pragma omp task default(none) firstprivate(call) depend(mutexinoutset : *a)
    call();
}
template <class F> void make_task(const F& call, char* a, char* to) {
#pragma omp task default(none) firstprivate(call) depend(in : *a) depend(inout : *to)
    call();
}
template <class F> void make_task(const F& call, char* a, char* b, char* to) {
#pragma omp task default(none) firstprivate(call) depend(in : *a, *b) depend(inout : *to)
    call();
}

template <class F, std::size_t Count>
void make_task(const F& call, const addresses<Count>& in, const addresses<Count>& inout,
               const addresses<Count>& commutative) {
    char* const* const a = in.of.data();
    char* const* const b = inout.of.data();
    char* const* const c = commutative.of.data();
#pragma omp task default(none) firstprivate(call) depend(iterator(int i = 0 : in.count), in : *a[i])                  \
    depend(iterator(int j = 0 : inout.count), inout : *b[j])                                                           \
    depend(iterator(int k = 0 : commutative.count), mutexinoutset : *c[k])
    call();
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

struct openmp_face {
    static constexpr bool has_reductions = false;
    [[maybe_unused]] static constexpr bool has_nested_tasks = true;

    template <class T> class data {
    public:
        T& value() { return value_; }

    private:
        T value_{};
    };

    template <class F> static void run(const parameters& p, const F& f) { run_in_region(p.threads, f); }

    template <class F, class... Accesses> static void spawn(const F& f, Accesses... accesses) {
        constexpr std::size_t count = sizeof...(accesses);
        const auto call = [f, accesses...] { f(*accesses.of...); };
        constexpr std::array<access_kind, count> kinds = {Accesses::kind...};
        [[maybe_unused]] const std::array<char*, count> all = {address(accesses.of)...};
        if constexpr (count == 0) {
            make_task(call);
        } else if constexpr (count == 1) {
            if constexpr (kinds[0] == access_kind::in)
                make_in_task(call, all[0]);
            else if constexpr (kinds[0] == access_kind::inout)
                make_inout_task(call, all[0]);
            else
                make_commutative_task(call, all[0]);
        } else if constexpr (is<Accesses...>(access_kind::in, access_kind::inout)) {
            make_task(call, all[0], all[1]);
        } else if constexpr (is<Accesses...>(access_kind::in, access_kind::in, access_kind::inout)) {
            make_task(call, all[0], all[1], all[2]);
        } else {
            std::array<addresses<count>, 3> by_kind;
            for (std::size_t each = 0; each < count; ++each)
                by_kind[static_cast<std::size_t>(kinds[each])].add(all[each]);
            make_task(call, by_kind[0], by_kind[1], by_kind[2]);
        }
    }

    static void sync() {
#pragma omp taskwait
    }
    template <class F> static void nested(const F& f) {
        f();
        sync();
    }

    template <class T> static access<const T, access_kind::in> in(data<T>& of) { return {&of.value()}; }
    template <class T> static access<T, access_kind::inout> out(data<T>& of) { return {&of.value()}; }
    template <class T> static access<T, access_kind::inout> inout(data<T>& of) { return {&of.value()}; }
    template <class T> static access<T, access_kind::commutative> commutative(data<T>& of) { return {&of.value()}; }

private:
    // Whether these are the kinds of the accesses.
    template <class... Accesses> static consteval bool is(std::same_as<access_kind> auto... kinds) {
        if constexpr (sizeof...(Accesses) == sizeof...(kinds))
            return ((Accesses::kind == kinds) && ...);
        else
            return false;
    }
};

}  // namespace

#define TEFF_BENCH_KERNEL(name) \
    outcome run_##name(const parameters& p) { return name::measured<openmp_face>(p); }
#include <bench/dataflow/kernels.inc>
#undef TEFF_BENCH_KERNEL

}  // namespace bench
