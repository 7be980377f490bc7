/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Calls that block: the worker goes on meanwhile, also with one worker, and with more calls than threads for them.
 */
#define _GNU_SOURCE
#include <qthread/io.h>
#include <qthread/qt_syscalls.h>
#include <qthread/qthread.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { readers = 8 };
static int pipes[readers][2];

static aligned_t reads(void *argument) {
    char letter = 0;
    const ssize_t read = qt_read(*(int *)argument, &letter, 1);
    CHECK(read == 1);
    return (aligned_t)letter;
}
/* A compiler takes the address of errno to be the same all along a function, and a call that blocks may end on another
 * thread; so errno is read by a function that is not inlined. */
static __attribute__((noinline)) int error_now(void) { return errno; }

/* They wait for what is written after they have begun; not by such a call, which might wait for a thread until a read
 * has ended. */
static void pipe_reads(void) {
    aligned_t rets[readers];
    for (int i = 0; i < readers; ++i) {
        CHECK(pipe(pipes[i]) == 0);
        CHECK(qthread_fork(reads, &pipes[i][0], &rets[i]) == QTHREAD_SUCCESS);
    }
    qthread_yield();
    for (int i = 0; i < readers; ++i)
        CHECK(write(pipes[i][1], &"abc"[i % 3], 1) == 1);
    for (int i = 0; i < readers; ++i) {
        qthread_readFF(&rets[i], &rets[i]);
        CHECK(rets[i] == (aligned_t) "abc"[i % 3]);
        close(pipes[i][0]);
        close(pipes[i][1]);
    }
    /* Not a file that was closed: a thread of the runtime may open one of the same number meanwhile. */
    CHECK(qt_read(-1, rets, 1) == -1 && error_now() == EBADF);
}

static aligned_t connects(void *argument) {
    char text[4] = "";
    const int file = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(qt_connect(file, argument, sizeof(struct sockaddr_in)) == 0);
    struct pollfd ready = {file, POLLIN, 0};
    CHECK(qt_poll(&ready, 1, -1) == 1 && (ready.revents & POLLIN) != 0);
    CHECK(qt_read(file, text, 4) == 4 && strcmp(text, "hey") == 0);
    close(file);
    return 0;
}
static void sockets(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    aligned_t done;
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(server, (struct sockaddr *)&address, sizeof address) == 0 && listen(server, 1) == 0);
    CHECK(getsockname(server, (struct sockaddr *)&address, &length) == 0);
    CHECK(qthread_fork(connects, &address, &done) == QTHREAD_SUCCESS);
    const int client = qt_accept(server, NULL, NULL);
    CHECK(client >= 0);
    CHECK(qt_write(client, "hey", 4) == 4);
    qthread_readFF(NULL, &done);
    close(client);
    close(server);
}

static aligned_t others(void *argument) {
    char name[] = "calls_test_XXXXXX", text[6] = "";
    const int file = mkstemp(name);
    struct timeval now = {0, 0};
    struct rusage usage;
    fd_set set;
    int status = 0;
    (void)argument;
    CHECK(qt_pwrite(file, "hello", 6, 100) == 6 && qt_pread(file, text, 6, 100) == 6 && strcmp(text, "hello") == 0);
    FD_ZERO(&set);
    FD_SET(file, &set);
    CHECK(qt_select(file + 1, &set, NULL, NULL, &now) == 1);
    CHECK(WEXITSTATUS(qt_system("exit 3")) == 3);
    const pid_t child = fork();
    if (child == 0)
        _exit(4);
    CHECK(qt_wait4(child, &status, 0, &usage) == child && WEXITSTATUS(status) == 4);
    close(file);
    unlink(name);

    CHECK(qthread_shep() != NO_SHEPHERD);
    qt_begin_blocking_action();
    CHECK(qthread_shep() == NO_SHEPHERD && qthread_id() != QTHREAD_NON_TASK_ID);
    qt_end_blocking_action();
    CHECK(qthread_shep() != NO_SHEPHERD);
    return 0;
}

int main(void) {
    int before[2];
    char letter = 0;
    aligned_t done;
    CHECK(pipe(before) == 0 && qt_write(before[1], "x", 1) == 1 && qt_read(before[0], &letter, 1) == 1);
    CHECK(letter == 'x');
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    pipe_reads();
    pipe_reads();
    sockets();
    CHECK(qthread_fork(others, NULL, &done) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &done);
    qthread_finalize();
    return failed;
}
