// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of the user's program (user_program.cpp) that is in C: fibers that pass data through plain memory, and
// fibers that write one variable.
#include "user_program_c.h"

#include <teff/c/threads.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { cells = 64 };

static void expect(int holds, const char* what) {
    if (holds)
        return;
    fprintf(stderr, "wrong result: %s\n", what);
    exit(1);
}

static void (*note_thread)(void);
static long memory[cells];
long user_c_last;
static teff_sync_var ready[cells];
static teff_mutex mutex;
static teff_condition changed;
static teff_channel* channel;
static int64_t turn;
static long sum;
static uint64_t words[cells];

static void fill(int64_t i, void* argument) {
    (void)argument;
    note_thread();
    for (volatile int pause = 0; pause < 1000; pause = pause + 1) {
    }
    memory[i] = (long)i + (i == 0 ? 0 : (long)teff_sync_var_read_fe(&ready[i]) + memory[i - 1]);
    if (i + 1 < cells)
        teff_sync_var_write_ef(&ready[i + 1], 0);
}
static void take_turn(int64_t i, void* argument) {
    (void)argument;
    teff_mutex_lock(&mutex);
    while (turn != i)
        teff_condition_wait(&changed, &mutex);
    ++turn;
    sum += memory[i];
    teff_condition_notify_all(&changed);
    teff_mutex_unlock(&mutex);
}
static void send_all(void* argument) {
    (void)argument;
    for (int i = 0; i < cells; ++i) {
        long* const sent = malloc(sizeof *sent);
        expect(sent != NULL, "memory");
        *sent = memory[i];
        teff_channel_send(channel, sent);
    }
    teff_channel_close(channel);
}
static void receive_all(void* argument) {
    (void)argument;
    void* received = NULL;
    while (teff_channel_receive(channel, &received) == TEFF_OK) {
        sum -= *(long*)received;
        free(received);
        teff_yield();
    }
}
static void pass_words(int64_t i, void* argument) {
    (void)argument;
    if (i != 0) {
        uint64_t before = 0;
        teff_read_fe(&words[i - 1], &before);
        memory[i] = memory[i - 1] + 1;
    }
    teff_write_ef(&words[i], (uint64_t)i);
}
static void two_fibers(void* argument) {
    teff_begin(&send_all, argument);
    teff_begin(&receive_all, argument);
}
static void race(int64_t i, void* argument) {
    (void)argument;
    for (int times = 0; times < 100; ++times) {
        note_thread();
        for (volatile int pause = 0; pause < 100; pause = pause + 1) {
        }
        user_c_last = (long)i;
    }
    teff_yield();
}

void user_c_race(void (*note)(void)) {
    note_thread = note;
    teff_coforall(0, 8, &race, NULL);
}

void user_c_correct(void (*note)(void)) {
    note_thread = note;
    for (int i = 0; i < cells; ++i)
        teff_sync_var_init(&ready[i]);
    expect(teff_coforall(0, cells, &fill, NULL) == TEFF_OK && memory[2] == 3, "sync variables");
    teff_mutex_init(&mutex);
    teff_condition_init(&changed);
    turn = 0;
    sum = 0;
    teff_coforall(0, cells, &take_turn, NULL);
    expect(sum > memory[cells - 1], "mutex and condition");
    teff_channel_create(&channel, 2);
    teff_sync(&two_fibers, NULL);
    teff_channel_destroy(channel);
    expect(sum == 0, "channel");
    for (int i = 0; i < cells; ++i)
        teff_empty(&words[i]);
    memory[0] = 7;
    teff_coforall(0, cells, &pass_words, NULL);
    expect(memory[cells - 1] == 7 + cells - 1, "words");
    for (int i = 0; i < cells; ++i)
        teff_fill(&words[i]);
}
