// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of Teff, to be traced by tests of `teff trace`: sample_tasks [exit STATUS | wait | crash | strange]
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include <teff/fork_join.hpp>
#include <teff/label.hpp>
#include <teff/task_group.hpp>

namespace {

struct sample_task {
    void operator()() const { const teff::label inside("inside a task"); }
};

}  // namespace

int main(int argument_count, char** arguments) {
    const std::string_view order = argument_count > 1 ? arguments[1] : "";
    // With this scheduler each task is queued.
    teff::execute({.threads = 2, .scheduler = "fifo"}, [order] {
        const teff::label around("a \"quoted\" label");
        teff::task_group group;
        for (int i = 0; i < 20; ++i)
            group.run(sample_task());
        group.wait();
        if (order == "strange") {
            // The names of strange_text_test.cpp.
            const teff::label opened("<!-- <script>");
            const teff::label markup("<!-- <script>strange = 1</script>");
            const teff::label quotes("\"'&\\ \n\x1b[2J \xc2\x9b \xe2\x80\xa8 end");
            const teff::label broken("bytes \xff\xc3 end");
        }
    });
    std::puts("done");
    std::fflush(stdout);
    if (order == "wait")
        for (;;)
            ::pause();
    if (order == "crash")
        std::raise(SIGKILL);
    return order == "exit" ? std::atoi(arguments[2]) : 0;
}
