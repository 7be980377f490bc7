// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local pages are whole pages that no thread has touched, and lie on the node of the thread that maps or moves them.
#include <teff/machine/local_pages.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

namespace pages = teff::local_pages;

// How many of the pages have been touched. (mincore tells it of memory that lies in no file.)
std::size_t touched(void* memory, std::size_t bytes) {
    std::vector<unsigned char> resident((bytes + pages::page_size() - 1) / pages::page_size());
    EXPECT_EQ(::mincore(memory, bytes, resident.data()), 0);
    return static_cast<std::size_t>(
        std::count_if(resident.begin(), resident.end(), [](unsigned char each) { return (each & 1) != 0; }));
}

// The node of a page that was touched, or -1 where the kernel has no NUMA or does not tell.
int node_of(void* page) {
    int node = -1;
    return ::syscall(SYS_get_mempolicy, &node, nullptr, 0, page, MPOL_F_NODE | MPOL_F_ADDR) == 0 ? node : -1;
}

class local_pages : public testing::Test {
protected:
    static constexpr std::size_t bytes = 10'000;

    void SetUp() override {
        memory_ = pages::map(bytes);
        ASSERT_NE(memory_, nullptr);
    }
    void TearDown() override { pages::unmap(memory_, bytes); }
    void touch_all() const { std::fill_n(static_cast<volatile std::byte*>(memory_), bytes, std::byte{1}); }

    void* memory_ = nullptr;
};

TEST_F(local_pages, are_whole_pages) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory_) % pages::page_size(), 0U);
}

TEST_F(local_pages, are_first_touched_by_their_user) {
    EXPECT_EQ(touched(memory_, bytes), 0U);
    touch_all();
    EXPECT_GT(touched(memory_, bytes), 0U) << "this system does not tell";
    // What another thread has touched and given back is not handed out again.
    std::thread([] {
        void* const other = pages::map(bytes);
        std::fill_n(static_cast<volatile std::byte*>(other), bytes, std::byte{1});
        pages::unmap(other, bytes);
    }).join();
    void* const next = pages::map(bytes);
    EXPECT_EQ(touched(next, bytes), 0U);
    pages::unmap(next, bytes);
}

TEST_F(local_pages, keep_their_content_when_they_move) {
    touch_all();
    if (!pages::move_here(memory_, bytes)) {
        EXPECT_TRUE(errno == ENOSYS || errno == EPERM) << errno;
    }
    const auto* const first = static_cast<const std::byte*>(memory_);
    EXPECT_EQ(std::count(first, first + bytes, std::byte{1}), static_cast<std::ptrdiff_t>(bytes));
}

// Not checked where the kernel does not tell. A thread that is not bound may change its node in between, so this asks
// until it has stayed on one.
TEST_F(local_pages, lie_on_the_node_of_the_thread) {
    touch_all();
    int node = -1;
    unsigned before = 0;
    do {
        before = pages::current_node();
        if (!pages::move_here(memory_, bytes))
            GTEST_SKIP() << "mbind is not available";
        node = node_of(memory_);
    } while (before != pages::current_node());
    if (node < 0)
        GTEST_SKIP() << "the node of a page is not known";
    EXPECT_EQ(node, static_cast<int>(before));
}

}  // namespace
