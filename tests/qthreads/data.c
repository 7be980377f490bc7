/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Pools, queues of pointers, dictionaries, and memory in files.
 */
#define _GNU_SOURCE
#include <qthread/dictionary.h>
#include <qthread/hash.h>
#include <qthread/qalloc.h>
#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qloop.h>
#include <qthread/qpool.h>
#include <qthread/qswsrqueue.h>
#include <qthread/qthread.h>

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* ---- Pools ------------------------------------------------------------------------------------------------------- */

static void use_items(size_t first, size_t last, void *pool) {
    (void)last;
    unsigned char *items[20];
    for (int i = 0; i < 20; ++i) {
        items[i] = qpool_alloc(pool);
        memset(items[i], (int)first, 24);
    }
    qthread_yield();
    for (int i = 0; i < 20; ++i) {
        for (int k = 0; k < 24; ++k)
            CHECK(items[i][k] == (unsigned char)first);
        qpool_free(pool, items[i]);
    }
}
static void pools(void) {
    qpool *pool = qpool_create(24), *aligned = qpool_create_aligned(1, 256);
    void *first = qpool_alloc(aligned), *second = qpool_alloc(aligned);
    CHECK((uintptr_t)first % 256 == 0 && (uintptr_t)second % 256 == 0 && first != second);
    qpool_free(aligned, second);
    CHECK(qpool_alloc(aligned) == second);
    CHECK((uintptr_t)qpool_alloc(pool) % 16 == 0);
    qt_loop(0, 100, use_items, pool);
    CHECK(qpool_create_aligned(8, 24) == NULL);
    qpool_destroy(pool);
    qpool_destroy(aligned);
}

/* ---- Queues of pointers ------------------------------------------------------------------------------------------ */

enum { per_task = 200 };
static char values[per_task];

static aligned_t fill_free(void *queue) {
    for (int i = 0; i < per_task; ++i)
        CHECK(qlfqueue_enqueue(queue, &values[i]) == QTHREAD_SUCCESS);
    return 0;
}
static aligned_t drain_free(void *queue) {
    for (int i = 0; i < per_task; ++i)
        while (qlfqueue_dequeue(queue) == NULL)
            qthread_yield();
    return 0;
}
static aligned_t fill_parts(void *queue) {
    for (int i = 0; i < per_task; ++i)
        CHECK(qdqueue_enqueue(queue, &values[i]) == QTHREAD_SUCCESS);
    return 0;
}
static aligned_t drain_parts(void *queue) {
    for (int i = 0; i < per_task; ++i)
        while (qdqueue_dequeue(queue) == NULL)
            qthread_yield();
    return 0;
}
static aligned_t fill_limited(void *queue) {
    for (int i = 0; i < per_task; ++i)
        CHECK(qswsrqueue_enqueue_blocking(queue, &values[i]) == QTHREAD_SUCCESS);
    return 0;
}
static aligned_t drain_limited(void *queue) {
    for (int i = 0; i < per_task; ++i)
        CHECK(qswsrqueue_dequeue_blocking(queue) == &values[i]);
    return 0;
}
static void run_both(qthread_f fill, qthread_f drain, void *queue, int pairs) {
    aligned_t rets[8];
    for (int i = 0; i < pairs; ++i) {
        CHECK(qthread_fork(drain, queue, &rets[2 * i]) == QTHREAD_SUCCESS);
        CHECK(qthread_fork(fill, queue, &rets[2 * i + 1]) == QTHREAD_SUCCESS);
    }
    for (int i = 0; i < 2 * pairs; ++i)
        qthread_readFF(NULL, &rets[i]);
}

static void pointer_queues(void) {
    qlfqueue_t *queue = qlfqueue_create();
    qdqueue_t *parts = qdqueue_create();
    qswsrqueue_t *limited = qswsrqueue_create(3);
    const qthread_shepherd_id_t count = qthread_num_shepherds();
    for (int i = 0; i < 5; ++i)
        CHECK(qlfqueue_enqueue(queue, &values[i]) == QTHREAD_SUCCESS);
    CHECK(qlfqueue_empty(queue) == 0);
    for (int i = 0; i < 5; ++i)
        CHECK(qlfqueue_dequeue(queue) == &values[i]);
    CHECK(qlfqueue_empty(queue) == 1 && qlfqueue_dequeue(queue) == NULL);
    CHECK(qlfqueue_enqueue(queue, NULL) == QTHREAD_BADARGS && qlfqueue_enqueue(NULL, values) == QTHREAD_BADARGS);
    run_both(fill_free, drain_free, queue, 4);
    CHECK(qlfqueue_empty(queue) == 1 && qlfqueue_destroy(queue) == QTHREAD_SUCCESS);
    CHECK(qlfqueue_destroy(NULL) == QTHREAD_BADARGS);

    CHECK(qdqueue_enqueue_there(parts, &values[0], (qthread_shepherd_id_t)(count - 1)) == QTHREAD_SUCCESS);
    CHECK(qdqueue_enqueue_there(parts, &values[1], count) == QTHREAD_BADARGS);
    CHECK(qdqueue_empty(parts) == 0 && qdqueue_dequeue(parts) == &values[0]);
    CHECK(qdqueue_empty(parts) == 1 && qdqueue_dequeue(parts) == NULL);
    run_both(fill_parts, drain_parts, parts, 4);
    CHECK(qdqueue_empty(parts) == 1 && qdqueue_destroy(parts) == QTHREAD_SUCCESS);

    for (int i = 0; i < 3; ++i)
        CHECK(qswsrqueue_enqueue(limited, &values[i]) == QTHREAD_SUCCESS);
    CHECK(qswsrqueue_enqueue(limited, &values[3]) == QTHREAD_OPFAIL);
    for (int i = 0; i < 3; ++i)
        CHECK(qswsrqueue_dequeue(limited) == &values[i]);
    CHECK(qswsrqueue_dequeue(limited) == NULL && qswsrqueue_empty(limited) == 1);
    run_both(fill_limited, drain_limited, limited, 1);
    CHECK(qswsrqueue_destroy(limited) == QTHREAD_SUCCESS && qswsrqueue_create(0) == NULL);
}

/* ---- Dictionaries ------------------------------------------------------------------------------------------------ */

static int same(void *a, void *b) { return *(int *)a == *(int *)b; }
static int few_hashes(void *key) { return *(int *)key % 3; } /* so that unequal keys have one hash */
static int cleaned = 0;
static void count_clean(void *key, void *value) {
    CHECK(key == value);
    ++cleaned;
}

static int keys[300];
static void put_part(size_t first, size_t last, void *dictionary) {
    for (size_t i = first; i < last; ++i)
        CHECK(qt_dictionary_put_if_absent(dictionary, &keys[i], &keys[i]) == &keys[i]);
}

static void dictionaries(void) {
    int seen[300] = {0}, count = 0, other = 5;
    qt_dictionary *dictionary = qt_dictionary_create(same, few_hashes, count_clean);
    for (int i = 0; i < 300; ++i)
        keys[i] = i;
    qt_loop_balance(0, 300, put_part, dictionary);
    CHECK(qt_dictionary_put_if_absent(dictionary, &other, &other) == &keys[5]);
    CHECK(qt_dictionary_get(dictionary, &other) == &keys[5]);
    CHECK(qt_dictionary_put(dictionary, &other, &other) == &other);
    CHECK(qt_dictionary_get(dictionary, &keys[5]) == &other);
    CHECK(qt_dictionary_delete(dictionary, &other) == &other);
    CHECK(qt_dictionary_delete(dictionary, &other) == NULL && qt_dictionary_get(dictionary, &other) == NULL);

    qt_dictionary_iterator *at = qt_dictionary_iterator_create(dictionary);
    qt_dictionary_iterator *end = qt_dictionary_end(dictionary);
    CHECK(qt_dictionary_iterator_get(at) == NULL);
    for (list_entry *each; (each = qt_dictionary_iterator_next(at)) != NULL; ++count) {
        CHECK(qt_dictionary_iterator_get(at) == each);
        ++seen[*(int *)each->key];
    }
    CHECK(count == 299 && seen[5] == 0 && seen[0] == 1 && seen[299] == 1);
    CHECK(qt_dictionary_iterator_equals(at, end) == 1);
    qt_dictionary_iterator_destroy(at);

    /* An entry that is deleted under an iterator is passed over. */
    at = qt_dictionary_iterator_create(dictionary);
    int *first = qt_dictionary_iterator_next(at)->key;
    qt_dictionary_iterator *copy = qt_dictionary_iterator_copy(at);
    CHECK(qt_dictionary_iterator_equals(at, copy) == 1 && qt_dictionary_iterator_equals(at, end) == 0);
    CHECK(qt_dictionary_delete(dictionary, first) == first);
    CHECK(qt_dictionary_iterator_get(at) == NULL);
    CHECK(qt_dictionary_iterator_next(at)->key != first);
    CHECK(qt_dictionary_iterator_next(NULL) == ERROR && qt_dictionary_iterator_create(NULL) == ERROR);
    qt_dictionary_iterator_destroy(at);
    qt_dictionary_iterator_destroy(copy);
    qt_dictionary_iterator_destroy(end);
    qt_dictionary_printbuckets(dictionary);
    qt_dictionary_destroy(dictionary);
    CHECK(cleaned == 298);
}

static void hashes(void) {
    char text[] = "a text of some length";
    CHECK(qt_hash64(1) != qt_hash64(2));
    for (size_t length = 1; length < sizeof text; ++length)
        CHECK(qt_hash_bytes(text, length, GOLDEN_RATIO) != qt_hash_bytes(text, length - 1, GOLDEN_RATIO));
    CHECK(qt_hash_bytes(text, 9, 0) != qt_hash_bytes(text, 9, 1));
}

/* ---- Memory in files --------------------------------------------------------------------------------------------- */

static void static_map(const char *file) {
    char *items[10];
    mapinfo_t *map = qalloc_makestatmap(4096, NULL, file, 300, 2);
    CHECK(map != NULL);
    CHECK(qalloc_makestatmap(4096, NULL, file, 300, 2) == NULL); /* it is in use */
    for (int i = 0; i < 10; ++i) {
        items[i] = qalloc_statmalloc(map);
        memset(items[i], i, 300);
    }
    for (int i = 0; i < 10; ++i)
        CHECK(items[i][0] == i && items[i][299] == i);
    qalloc_statfree(items[3], map);
    CHECK(qalloc_malloc(map, 1) == items[3]);
    int more = 0;
    while (qalloc_statmalloc(map) != NULL)
        ++more;
    CHECK(10 + more <= 4096 / 300);
    strcpy(items[5], "stays");
    qalloc_cleanup();
    CHECK(qalloc_loadmap(file) == map);
    CHECK(strcmp(items[5], "stays") == 0 && qalloc_statmalloc(map) == NULL);
    qalloc_free(items[5], map);
    CHECK(qalloc_statmalloc(map) == items[5]);
    qalloc_cleanup();
}

static void dynamic_map(const char *file) {
    char *items[20];
    dynmapinfo_t *map = qalloc_makedynmap(65536, NULL, file, 2);
    CHECK(map != NULL);
    for (size_t i = 0; i < 20; ++i) {
        items[i] = qalloc_dynmalloc(map, 100 * (i + 1));
        CHECK((uintptr_t)items[i] % 16 == 0);
        memset(items[i], (int)i, 100 * (i + 1));
    }
    for (size_t i = 0; i < 20; ++i)
        CHECK(items[i][0] == (char)i && items[i][100 * (i + 1) - 1] == (char)i);
    CHECK(qalloc_dynmalloc(map, 65536) == NULL);
    qalloc_checkpoint();
    /* In an order that joins pieces with those before and behind. */
    for (int i = 0; i < 20; i += 2)
        qalloc_dynfree(items[i], map);
    for (int i = 1; i < 20; i += 2)
        qalloc_free(items[i], map);
    qalloc_cleanup();
    CHECK(qalloc_loadmap(file) == map);
    char *all = qalloc_malloc(map, 65000);
    CHECK(all != NULL && qalloc_malloc(map, 1000) == NULL);
    qalloc_cleanup();
}

static void files(void) {
    char name[] = "qalloc_test_XXXXXX", other[] = "qalloc_test_XXXXXX", text[] = "qalloc_test_XXXXXX";
    const int file = mkstemp(name), second = mkstemp(other), third = mkstemp(text);
    CHECK(file >= 0 && second >= 0 && third >= 0);
    static_map(name);
    dynamic_map(other);
    CHECK(write(third, "no map", 6) == 6);
    CHECK(qalloc_loadmap(text) == NULL && errno == EINVAL);
    CHECK(qalloc_loadmap("qalloc_test_none") == NULL && errno == ENOENT);
    CHECK(qalloc_makedynmap(10, NULL, "qalloc_test_small", 1) == NULL);
    unlink("qalloc_test_small");
    close(file);
    close(second);
    close(third);
    unlink(name);
    unlink(other);
    unlink(text);
}

int main(void) {
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    pools();
    pointer_queues();
    dictionaries();
    hashes();
    files();
    qthread_finalize();
    return failed;
}
