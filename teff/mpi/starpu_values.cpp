// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as StarPU keeps and sends them; see starpu_values.hpp.
#include <teff/mpi/starpu_values.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace teff::mpi {
namespace {

parcel_interface& interface_on(starpu_data_handle_t handle, unsigned node) {
    return interface_of(starpu_data_get_interface_on_node(handle, node));
}

void register_parcel(starpu_data_handle_t handle, unsigned home, void* given) {
    for (unsigned node = 0; node < STARPU_MAXNODES; ++node) {
        parcel_interface& here = interface_on(handle, node);
        here = interface_of(given);
        if (node != home)
            here.held = nullptr;
    }
}

starpu_ssize_t allocate_parcel(void* data, unsigned) {
    parcel_interface& here = interface_of(data);
    here.held = new (std::nothrow) parcel(here.act);
    return here.held == nullptr ? -ENOMEM : static_cast<starpu_ssize_t>(sizeof(parcel));
}

void free_parcel(void* data, unsigned) { delete std::exchange(interface_of(data).held, nullptr); }

// Of a value that has failed the mark is sent alone: ranks that wait for it go on.
parcel::message packed_value(parcel& from) {
    if (from.has_failed)
        return {true, {}};
    try {
        writer bytes;
        from.act(parcel_action::serialise, from.made(), &bytes);
        return {false, std::move(bytes.bytes())};
    } catch (...) {
        failure().keep(std::current_exception());
        return {true, {}};
    }
}

// StarPU calls it twice for each message: first, with `to` null, for the number of bytes. The value is serialised once,
// since a second time might fail, or give another length.
int pack_parcel(starpu_data_handle_t handle, unsigned node, void** to, starpu_ssize_t* count) {
    parcel& from = *interface_on(handle, node).held;
    if (to == nullptr || !from.packed)
        from.packed = packed_value(from);
    const auto& [has_failed, bytes] = *from.packed;
    *count = static_cast<starpu_ssize_t>(sizeof(has_failed) + bytes.size());
    if (to != nullptr) {
        *to = reinterpret_cast<void*>(starpu_malloc_on_node_flags(node, sizeof(has_failed) + bytes.size(), 0));
        std::memcpy(*to, &has_failed, sizeof(has_failed));
        if (!bytes.empty())
            std::memcpy(static_cast<std::byte*>(*to) + sizeof(has_failed), bytes.data(), bytes.size());
        from.packed.reset();
    }
    return 0;
}

int unpack_parcel(starpu_data_handle_t handle, unsigned node, void* from, size_t count) {
    parcel& to = *interface_on(handle, node).held;
    try {
        reader bytes(static_cast<const std::byte*>(from), count);
        to.has_failed = bytes.get<bool>();
        if (!to.has_failed)
            to.reset(to.act(parcel_action::restore, nullptr, &bytes));
    } catch (...) {
        failure().keep(std::current_exception());
        to.has_failed = true;
    }
    starpu_free_on_node_flags(node, reinterpret_cast<uintptr_t>(from), count, 0);
    return 0;
}

}  // namespace

first_failure& failure() noexcept {
    static first_failure of_process;
    return of_process;
}

starpu_data_interface_ops& parcel_operations() {
    // There is one memory node, so no copies are made.
    static starpu_data_copy_methods no_copies = {};
    static starpu_data_interface_ops made = [] {
        starpu_data_interface_ops of = {};
        of.register_data_handle = register_parcel;
        of.allocate_data_on_node = allocate_parcel;
        of.free_data_on_node = free_parcel;
        of.copy_methods = &no_copies;
        of.to_pointer = [](void* data, unsigned) -> void* { return interface_of(data).held; };
        of.get_size = [](starpu_data_handle_t) { return sizeof(parcel); };
        of.footprint = [](starpu_data_handle_t) -> uint32_t { return 1; };
        of.compare = [](void* left, void* right) { return interface_of(left).act == interface_of(right).act ? 1 : 0; };
        of.interfaceid = static_cast<starpu_data_interface_id>(starpu_data_interface_get_next_id());
        of.interface_size = sizeof(parcel_interface);
        of.dontcache = 1;
        of.pack_data = pack_parcel;
        of.unpack_data = unpack_parcel;
        return of;
    }();
    return made;
}

}  // namespace teff::mpi
