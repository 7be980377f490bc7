/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' dictionary: a hash table from pointers to pointers, which the program compares and hashes. Any thread may
 * call any function of a dictionary at any time, but qt_dictionary_destroy(); one thread at a time uses an iterator.
 * The program's functions are called under a lock of the dictionary and must not use it.
 */
#ifndef TEFF_QTHREAD_DICTIONARY_H
#define TEFF_QTHREAD_DICTIONARY_H

#include <inttypes.h>
#include <stdlib.h>

#include "common.h"

Q_STARTCXX

#define ERROR ((void *)(-1)) /* what functions of an iterator that is NULL return */

typedef int (*qt_dict_key_equals_f)(void *, void *);   /* whether two keys are equal: 1 or 0 */
typedef int (*qt_dict_hash_f)(void *);                 /* a hash of a key; equal for equal keys */
typedef void (*qt_dict_cleanup_f)(void *, void *);     /* is given key and value of an entry that is destroyed */
/* An entry. Valid until it is deleted. */
typedef struct list_entry {
    void *value;             /* as it was put */
    void *key;               /* as it was put first */
    uint64_t hashed_key;     /* the hash of the key */
    struct list_entry *next; /* NULL */
} list_entry;
typedef struct qt_dictionary qt_dictionary;                   /* a dictionary */
typedef struct qt_dictionary_iterator qt_dictionary_iterator; /* a place in a dictionary */

/* Makes an empty dictionary; NULL: there is no memory. cleanup: called for the entries that are left at the end; may be
 * NULL. */
qt_dictionary *qt_dictionary_create(qt_dict_key_equals_f equals, qt_dict_hash_f hash, qt_dict_cleanup_f cleanup);
void qt_dictionary_destroy(qt_dictionary *dictionary); /* calls cleanup for each entry, and frees the dictionary */
/* Puts a value for a key; replaces the value if there is one. Returns the value; NULL: there is no memory. */
void *qt_dictionary_put(qt_dictionary *dictionary, void *key, void *value);
/* The same, but a value that is there stays. Returns the value that is there now; NULL: there is no memory. */
void *qt_dictionary_put_if_absent(qt_dictionary *dictionary, void *key, void *value);
void *qt_dictionary_get(qt_dictionary *dictionary, void *key);    /* the value of the key; NULL: there is none */
void *qt_dictionary_delete(qt_dictionary *dictionary, void *key); /* deletes the entry; its value, or NULL: none */

/* Makes an iterator in front of the first entry. It visits entries in the order in which their keys were put first,
 * within each of the parts of the dictionary. ERROR: `dictionary` is NULL; NULL: there is no memory. */
qt_dictionary_iterator *qt_dictionary_iterator_create(qt_dictionary *dictionary);
void qt_dictionary_iterator_destroy(qt_dictionary_iterator *iterator); /* frees an iterator */
/* Goes to the next entry, and returns it; NULL: there is none. An entry that was deleted meanwhile is passed over. */
list_entry *qt_dictionary_iterator_next(qt_dictionary_iterator *iterator);
/* The entry at the iterator; NULL: it is in front of the first, behind the last, or the entry was deleted. */
list_entry *qt_dictionary_iterator_get(const qt_dictionary_iterator *iterator);
/* Makes an iterator behind the last entry; NULL: there is no memory, or `dictionary` is NULL. */
qt_dictionary_iterator *qt_dictionary_end(qt_dictionary *dictionary);
/* 1: both are of the same dictionary and at the same place; 0: they are not. */
int qt_dictionary_iterator_equals(qt_dictionary_iterator *a, qt_dictionary_iterator *b);
qt_dictionary_iterator *qt_dictionary_iterator_copy(qt_dictionary_iterator *iterator); /* a copy; NULL: no memory */
void qt_dictionary_printbuckets(qt_dictionary *dictionary); /* prints to stdout how many entries each part has */

Q_ENDCXX

#endif
