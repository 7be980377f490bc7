// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread executes a region after its end has begun: in the destructor of a value of its own that runs last.
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;
static int members = 0;

static void count(void) {
#pragma omp parallel num_threads(2)
    __atomic_fetch_add(&members, 1, __ATOMIC_RELAXED);
}
static void at_end(void* unused) {
    (void)unused;
    count();
}
static void* run(void* unused) {
    (void)unused;
    count();
    // A later key than the runtime's.
    pthread_key_create(&key, at_end);
    pthread_setspecific(key, &key);
    return NULL;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0)
        return 1;
    if (members != 4) {
        printf("%d members\n", members);
        return 1;
    }
    return 0;
}
