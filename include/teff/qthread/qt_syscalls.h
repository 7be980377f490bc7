/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Calls of the operating system that may block, for qthreads: the worker goes on with other qthreads meanwhile. Each
 * has the arguments, results and errors (errno) of the call without `qt_`. On a thread that is in no team it is that
 * call.
 *
 * A thread that the library starts makes the call. There are at most QT_MAX_IO_WORKERS of them, 10 unless the variable
 * says otherwise; calls beyond wait for one, so a call that is to end others must not be one of them. A thread without
 * calls ends after QT_IO_TIMEOUT microseconds.
 */
#ifndef TEFF_QTHREAD_QT_SYSCALLS_H
#define TEFF_QTHREAD_QT_SYSCALLS_H

#include <poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "common.h"

Q_STARTCXX

/* accept() */
int qt_accept(int socket, struct sockaddr *TEFF_RESTRICT address, socklen_t *TEFF_RESTRICT address_length);
int qt_connect(int socket, const struct sockaddr *address, socklen_t address_length);   /* connect() */
int qt_poll(struct pollfd files[], nfds_t count, int timeout);                          /* poll() */
ssize_t qt_pread(int file, void *buffer, size_t bytes, off_t offset);                   /* pread() */
ssize_t qt_pwrite(int file, const void *buffer, size_t bytes, off_t offset);            /* pwrite() */
ssize_t qt_read(int file, void *buffer, size_t bytes);                                  /* read() */
/* select() */
int qt_select(int count, fd_set *TEFF_RESTRICT read_files, fd_set *TEFF_RESTRICT write_files,
              fd_set *TEFF_RESTRICT error_files, struct timeval *TEFF_RESTRICT timeout);
int qt_system(const char *command);                                                     /* system() */
pid_t qt_wait4(pid_t process, int *status, int options, struct rusage *usage);          /* wait4() */
ssize_t qt_write(int file, const void *buffer, size_t bytes);                           /* write() */

Q_ENDCXX

#endif
