// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of views, and the unique numbers that identify reducers and threads.
#include <teff/frontends/fork_join/views.hpp>

#include <teff/base/thread.hpp>

#include <new>
#include <utility>

namespace teff::forking {

namespace {

constinit atomic<std::uint64_t> last_number{0};

const end_of_main_thread drops_at_exit;
void drop_unclaimed_views() noexcept { drop_views(std::exchange(running_strand().views, nullptr)); }

}  // namespace

std::uint64_t unique_number() noexcept {
    // relaxed: it only matters that the numbers differ.
    return last_number.fetch_add(1, std::memory_order_relaxed) + 1;
}

view::~view() = default;

view& add_view(std::unique_ptr<view> made) {
    if (!call_at_thread_end<drop_unclaimed_views>())
        throw std::bad_alloc();
    strand& own_strand = running_strand();
    made->next = own_strand.views;
    own_strand.views = made.release();
    return *own_strand.views;
}

void drop_view(std::uint64_t key) noexcept {
    for (view** link = &running_strand().views; *link != nullptr; link = &(*link)->next) {
        if ((*link)->key != key)
            continue;
        const std::unique_ptr<view> found(std::exchange(*link, (*link)->next));
        return;
    }
}

void drop_views(view* list) noexcept {
    while (list != nullptr) {
        const std::unique_ptr<view> first(std::exchange(list, list->next));
    }
}

void append_views(view* list) {
    struct rest {
        view* list;
        ~rest() { drop_views(list); }
    } left{list};
    while (left.list != nullptr) {
        std::unique_ptr<view> right(std::exchange(left.list, left.list->next));
        if (view* const found = find_view(right->key))
            found->append(*right);
        else
            add_view(std::move(right));
    }
}

}  // namespace teff::forking
