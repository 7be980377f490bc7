// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared object that uses the library. plugin_test opens and closes it.
#include <teff/reduce.hpp>

namespace {

struct count_tree {
    template <class Pool>
    long operator()(Pool& pool, int depth) const {
        if (depth > 0) {
            pool.enq(depth - 1);
            pool.enq(depth - 1);
        }
        return 1;
    }
};

}  // namespace

// The number of tasks in a full binary tree.
extern "C" [[gnu::visibility("default")]] long plugin_count(const char* scheduler, int depth) {
    return teff::reduce_tasks({.threads = 4, .scheduler = scheduler}, count_tree{}, depth);
}
