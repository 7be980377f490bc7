// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usage: program LIBRARY [first] [now] [deep] [fork]
// A program with OpenMP inside (loading/library.c) that loads a library with OpenMP inside, and uses both in turn.
//   first  the library is loaded and used before the program's own first region, and not after it
//   now    all of the library's functions are found while it is loaded, and not each at its first call
//   deep   the library's own dependencies come first in this search, and not those of the program
//   fork   a child goes on with both, and exits
// Prints "both work" at the end of each process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int use_openmp_in_program(void);

static int has_word(int count, char **words, const char *word) {
    for (int each = 2; each < count; each++)
        if (!strcmp(words[each], word))
            return 1;
    return 0;
}

static void check(int failed, const char *where) {
    if (failed) {
        printf("check %d failed in the %s\n", failed, where);
        exit(1);
    }
}

int main(int count, char **words) {
    if (count < 2)
        return 2;
    if (!has_word(count, words, "first"))
        check(use_openmp_in_program(), "program");
    const int when = has_word(count, words, "now") ? RTLD_NOW : RTLD_LAZY;
    void *library = dlopen(words[1], when | (has_word(count, words, "deep") ? RTLD_DEEPBIND : 0));
    int (*use_library)(void) = library ? (int (*)(void))dlsym(library, "use_openmp") : NULL;
    if (!use_library) {
        puts(dlerror());
        return 1;
    }
    for (int round = 0; round < 3; round++) {
        check(use_library(), "library");
        check(use_openmp_in_program(), "program");
    }
    int status = 0;
    if (has_word(count, words, "fork")) {
        const pid_t child = fork();
        if (child != 0 && (child < 0 || waitpid(child, &status, 0) != child))
            return 1;
    }
    puts("both work");
    return status != 0;
}
