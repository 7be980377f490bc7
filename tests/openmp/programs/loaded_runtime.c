// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked into every program of this folder: proves, before main(), which OpenMP runtime the process has. If the
// variable EXPECTED_OPENMP_RUNTIME names a file, the OpenMP functions must come from that file, and no other runtime
// may be mapped. Otherwise the process ends with status 97.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void refuse(const char *what, const char *file) {
    fprintf(stderr, "%s: %s\n", what, file);
    _exit(97);
}

__attribute__((constructor)) static void check_loaded_runtime(void) {
    char expected[PATH_MAX], actual[PATH_MAX], line[PATH_MAX + 128];
    const char *wanted = getenv("EXPECTED_OPENMP_RUNTIME");
    if (!wanted)
        return;
    if (!realpath(wanted, expected))
        refuse("EXPECTED_OPENMP_RUNTIME names no file", wanted);
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "omp_get_thread_num");
    if (!function || !dladdr(function, &info) || !realpath(info.dli_fname, actual))
        refuse("no OpenMP runtime is loaded instead of", expected);
    if (strcmp(actual, expected) != 0)
        refuse("another OpenMP runtime is loaded", actual);

    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps)
        refuse("cannot be opened", "/proc/self/maps");
    while (fgets(line, sizeof line, maps)) {
        char *path = strchr(line, '/');
        if (!path)
            continue;
        path[strcspn(path, "\n")] = 0;
        const char *name = strrchr(path, '/') + 1;
        int is_runtime = !strncmp(name, "libgomp", 7) || !strncmp(name, "libomp", 6) || !strncmp(name, "libiomp", 7);
        if (is_runtime && strcmp(path, expected) != 0)
            refuse("a second OpenMP runtime is loaded", path);
    }
    fclose(maps);
}
