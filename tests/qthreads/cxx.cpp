// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The headers for C++, compiled as C++11, and all headers of C in a program in C++.
#include <qthread/qthread.hpp>  // alone first

#include <qthread/allpairs.h>
#include <qthread/barrier.h>
#include <qthread/cacheline.h>
#include <qthread/common.h>
#include <qthread/dictionary.h>
#include <qthread/hash.h>
#include <qthread/io.h>
#include <qthread/macros.h>
#include <qthread/qalloc.h>
#include <qthread/qarray.h>
#include <qthread/qdqueue.h>
#include <qthread/qlfqueue.h>
#include <qthread/qloop.hpp>
#include <qthread/qpool.h>
#include <qthread/qswsrqueue.h>
#include <qthread/qt_syscalls.h>
#include <qthread/qtimer.h>
#include <qthread/qutil.h>
#include <qthread/sinc.h>
#include <qthread/syncvar.hpp>
#include <qthread/wavefront.h>

#include <cstddef>

#include "check.h"

namespace {

struct doubles {
    void operator()(std::size_t first, std::size_t last) const {
        for (std::size_t i = first; i < last; ++i)
            numbers[i] *= 2;
    }
    aligned_t* numbers;
};

struct adds {
    typedef aligned_t acctype;
    static const acctype identity = 0;
    static void accumulate(void* a, const void* b) {
        *static_cast<acctype*>(a) += *static_cast<const acctype*>(b);
    }
    acctype operator()(std::size_t first, std::size_t last) const {
        acctype sum = 0;
        for (std::size_t i = first; i < last; ++i)
            sum += numbers[i];
        return sum;
    }
    aligned_t* numbers;
};
const adds::acctype adds::identity;

void loops() {
    aligned_t numbers[100];
    for (std::size_t i = 0; i < 100; ++i)
        numbers[i] = i;
    qt_loop(0, 100, doubles{numbers});
    qt_loop_balance(0, 100, doubles{numbers});
    qt_loop_balance_simple(0, 100, doubles{numbers});
    for (std::size_t i = 0; i < 100; ++i)
        CHECK(numbers[i] == 8 * i);
    CHECK(qt_loopaccum_balance(0, 100, adds{numbers}) == 8 * 4950);
    CHECK(qt_loopaccum_balance(5, 5, adds{numbers}) == 0);
}

aligned_t echo(void* argument) {
    syncvar* const both = static_cast<syncvar*>(argument);
    for (int i = 0; i < 50; ++i)
        both[1].writeEF(both[0].readFE() + 1);
    return 0;
}

void variables() {
    syncvar both[2];
    both[0].empty();
    both[1].empty();
    CHECK(both[0].status() == 0);
    CHECK(qthread_fork(echo, both, nullptr) == QTHREAD_SUCCESS);
    for (std::uint64_t i = 0; i < 50; ++i) {
        CHECK(both[0].writeEF(i) == QTHREAD_SUCCESS);
        CHECK(both[1].readFE() == i + 1);
    }
    CHECK(both[0].fill() == QTHREAD_SUCCESS && both[1].fill() == QTHREAD_SUCCESS);
    syncvar number(7);
    CHECK(number.status() == 1 && number.readFF() == 7 && number.read() == 7);
    CHECK(number.incr() == 8 && number.incr(-3) == 5);
    number.write(9);
    const syncvar copy(number);
    CHECK(copy.read() == 9);
    CHECK(number.writeF(10) == QTHREAD_SUCCESS && number.readFF() == 10);
    const syncvar_t plain = SYNCVAR_STATIC_INITIALIZE_TO(11);
    CHECK(syncvar(plain).read() == 11);
}

}  // namespace

int main() {
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    loops();
    variables();
    qthread_finalize();
    return failed;
}
