// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters that do not fit into their pipeline, one for each value of MISFIT. The compiler must say why in one message;
// with 0 there is none, and the program compiles.
#include <teff/parallel_pipeline.hpp>

#include <memory>
#include <mutex>
#include <string>

namespace {

int count(teff::flow_control& flow) {
    flow.stop();
    return 1;
}
[[maybe_unused]] std::mutex immovable(int) { return std::mutex(); }

}  // namespace

int main() {
    constexpr auto parallel = teff::filter_mode::parallel;
#if MISFIT == 0
    teff::parallel_pipeline(1, count, [](auto n) { return n; });
#elif MISFIT == 1
    teff::parallel_pipeline(1, [] { return 1; }, [](int) {});
#elif MISFIT == 2
    teff::parallel_pipeline(1, count, [](const std::string&) {});
#elif MISFIT == 3
    teff::parallel_pipeline(1, count, [](int) {}, [](auto n) { return n; });
#elif MISFIT == 4
    teff::parallel_pipeline(1, count, teff::make_filter<long, void>(parallel, [](long) {}));
#elif MISFIT == 5
    teff::parallel_pipeline(1, count, immovable, [](const std::mutex&) {});
#elif MISFIT == 6
    teff::make_filter<int, std::string>(parallel, [](int n) { return n; });
#elif MISFIT == 7
    const auto own = [held = std::unique_ptr<int>()](int n) { return n; };
    teff::make_filter<int, int>(parallel, own);
#elif MISFIT == 8
    const auto own = [held = std::unique_ptr<int>()](int n) { return n; };
    teff::parallel_pipeline(1, count, teff::make_filter(parallel, own));
#endif
    static_cast<void>(parallel);
}
