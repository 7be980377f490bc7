// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a watcher when the timed region of a run begins and ends, so that it can leave out the preparation of the input
// and the check of the answer. time_seconds() (kernel.hpp) marks the region. A kernel may have several regions in one
// run; one that times itself in another way has none.
#pragma once

namespace bench {

// Both functions are called outside the time that is measured, by the thread that measures it.
class region_watcher {
public:
    virtual void region_begins() = 0;
    virtual void region_ends() = 0;

protected:
    ~region_watcher() = default;
};

// Null: nothing watches. Set it while no region is open.
inline region_watcher* watching_regions = nullptr;

// A region, from construction to destruction.
class timed_region {
public:
    timed_region() {
        if (watching_regions != nullptr) watching_regions->region_begins();
    }
    ~timed_region() {
        if (watching_regions != nullptr) watching_regions->region_ends();
    }
    timed_region(const timed_region&) = delete;
    timed_region& operator=(const timed_region&) = delete;
};

}  // namespace bench
