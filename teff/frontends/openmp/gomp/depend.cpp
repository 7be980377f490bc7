// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's depend clauses: an array of pointers, of which the first ones are numbers.
//
//   old form    total | out | addresses: `out` of out and inout, then of in
//   new form    0 | total | out | mutexinoutset | in | addresses in this order, then depend objects
//
// A depend object is two words: the address, and the kind of dependence. Later compilers write inoutset as such an
// object, too, and omp_all_memory as an out with a null address.
#include <teff/frontends/openmp/gomp/task_call.hpp>

namespace teff::openmp::gomp {
namespace {

using depend::access_kind;

std::size_t number(const void* word) noexcept { return reinterpret_cast<std::size_t>(word); }

struct depend_object {
    void* address;
    void* kind;
};
access_kind kind_of(const depend_object& object) noexcept {
    switch (number(object.kind)) {
    case 1:
        return access_kind::in;
    case 4:
        return access_kind::commutative;
    case 5:
        return access_kind::concurrent;
    default:
        return access_kind::inout;
    }
}

}  // namespace

unsigned count_dependences(void* const* depend) noexcept {
    return static_cast<unsigned>(number(depend[0] != nullptr ? depend[0] : depend[1]));
}

dependence_list read_dependences(void* const* depend, dependence* items) noexcept {
    const bool is_old = depend[0] != nullptr;
    const std::size_t total = count_dependences(depend);
    const std::size_t out_end = number(depend[is_old ? 1 : 2]);
    const std::size_t exclusive_end = out_end + (is_old ? 0 : number(depend[3]));
    const std::size_t in_end = is_old ? total : exclusive_end + number(depend[4]);
    void* const* const addresses = depend + (is_old ? 2 : 5);
    dependence_list made{.items = items};
    for (std::size_t each = 0; each != total; ++each) {
        dependence item{addresses[each], access_kind::in};
        if (each < out_end) {
            item.kind = access_kind::inout;
        } else if (each < exclusive_end) {
            item.kind = access_kind::commutative;
        } else if (each >= in_end) {
            const auto& object = *static_cast<const depend_object*>(addresses[each]);
            item = {object.address, kind_of(object)};
        }
        if (item.address == nullptr && item.kind == access_kind::inout)
            made.has_all_memory = true;
        else
            items[made.count++] = item;
    }
    merge(made);
    return made;
}

}  // namespace teff::openmp::gomp
