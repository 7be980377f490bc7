// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() inside of a region: the child has the calling thread alone, and may end or start another program; the region
// of the parent goes on. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int round = 0; round < 20; round++) {
        int statuses = 0, tasks = 0;
#pragma omp parallel shared(statuses, tasks)
        {
            const pid_t child = fork();
            if (child == 0) {
                if (omp_get_thread_num() % 2 == 0)
                    _exit(17);
                execl("/bin/sh", "sh", "-c", "exit 17", (char *)NULL);
                _exit(1);
            }
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
            int status = 0;
            EXPECT_EQUAL(waitpid(child, &status, 0), child);
            EXPECT(WIFEXITED(status));
#pragma omp atomic
            statuses += WEXITSTATUS(status);
        }
        EXPECT_EQUAL(statuses, 17 * omp_get_max_threads());
        EXPECT_EQUAL(tasks, omp_get_max_threads());
    }
    return expectations_failed;
}
