// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes that users make with the public headers, one for each value of MISTAKE, and what the compiler's first error
// must say: a regular expression beside the number. With 0 there is no mistake, and the program compiles without a
// warning. check_mistakes.sh compiles each of them, with mistakes.hpp in front.
using namespace mistakes;

int main() {
    std::vector<int> values(10);
    std::vector<std::string> words(10);
    std::list<int> list(10);
    teff::task_group group;
    teff::object<int> object(1);
    int n = 0;
    const auto own = [held = std::make_unique<int>(1)] { return *held; };
#if MISTAKE == 0
    const auto sums = teff::fork_join([] { return 1; }, [] { return std::string(); }, [] {});
    n += std::get<0>(sums);
    n += teff::execute({.threads = 2, .scheduler = "demand"}, [] { return 1; });
    n += teff::reduce_tasks({.threads = 2}, [](auto&, int task) { return task; }, 1);
    n += teff::execute_tasks(2, [](auto&, int task) { return task; }, 1);
    teff::reduce_tasks({}, [](auto&, int) {}, teff::from_range, values);
    group.run([&n] { ++n; });
    group.run(std::ref(own));
    group.wait();
    n += teff::spawn([] { return 1; }).get();
    teff::spawn(takes_int, teff::inout(object));
    teff::spawn([](const int&, int) {}, teff::in(object), 1);
    teff::sync();
    teff::parallel_for(0, 10, [](int) {});
    teff::parallel_for(0, 10, 2, [](long) {});
    teff::parallel_for(values.begin(), values.end(), [](auto) {});
    teff::parallel_for(teff::blocked_range(0, 10), [](const auto&) {}, teff::simple_partitioner());
    teff::parallel_for_each(values, [](int& each) { each = 1; });
    n += teff::parallel_reduce(values, 0, std::plus<>());
    n += teff::parallel_reduce(teff::blocked_range(0, 10), 0, [](auto, int sum) { return sum; }, std::plus<>());
    teff::parallel_inclusive_scan(values, values.begin());
    teff::parallel_transform(values, values.begin(), [](int i) { return i; });
    teff::parallel_sort(values, std::greater<>());
    teff::parallel_stable_sort(values.begin(), values.end());
    teff::parallel_invoke([] {}, [] { return 1; });
    teff::fiber([] {}).join();
    teff::sync([] { teff::begin([] {}); });
    teff::cobegin([] {}, [] {});
    teff::coforall(0, 2, [](int) {});
    teff::serial(true, [] {});
    n += teff::with_stack(1 << 20, [] { return 1; });
    teff::reducer<int> total;
    *total += 1;
    n += total.get();
    teff::channel<std::string> texts(1);
    teff::sync_var<int> variable(1);
    n += variable.read_fe();
    teff::arena arena({.threads = 2});
    n += arena.execute([&]() -> int& { return n; });
    arena.enqueue([] {});
    arena.enqueue(group, std::ref(own));
    n += arena.spawn([] { return 1; }).get();
    arena.wait();
    teff::suspend([](teff::resume_handle handle) { handle.resume(); });
    const auto [left, right] = teff::sync_wait(teff::when_all(number(1), number(2)));
    n += left + right;
    std::vector<teff::object<int>> objects;
    objects.emplace_back(1);
    objects.push_back(teff::object<int>(2));
    std::vector<teff::object<immovable>> in_place(3);
    std::vector<teff::task_group> groups;
    groups.emplace_back();

// A name that is no option. GCC names it, Clang says which there are.
#elif MISTAKE == 1  // num_threads|must be teff::options, as in
    n += teff::execute({.num_threads = 2}, [] { return 1; });
#elif MISTAKE == 2  // num_threads|must be teff::options, as in
    n += teff::reduce_tasks({.num_threads = 2}, [](auto&, int task) { return task; }, 1);
#elif MISTAKE == 3  // must be teff::options, as in
    teff::execute([] {});
#elif MISTAKE == 4  // must be teff::options, as in
    n += teff::reduce_tasks(4, [](auto&, int task) { return task; }, 1);
#elif MISTAKE == 5  // braces_name_what_is_no_option|must be teff::options, as in
    teff::execute({.threads = 2, .shedule = "demand"}, [&words] { words.clear(); });

// The function of a wrong form.
#elif MISTAKE == 6  // each function given to fork_join\(\) must be callable without arguments
    [[maybe_unused]] const auto both = teff::fork_join([] { return 1; }, [](int i) { return i; });
#elif MISTAKE == 7  // each function given to fork_join\(\) must be callable without arguments
    teff::fork_join([] {}, [] {}, n);
#elif MISTAKE == 8  // isolate\(\) or with_stack\(\) must be callable without arguments
    teff::execute({.threads = 2}, [](int) {});
#elif MISTAKE == 9  // isolate\(\) or with_stack\(\) must be callable without arguments
    n += teff::with_stack(1 << 20, [](int i) { return i; });
#elif MISTAKE == 10  // the body of a reduction must be callable as body\(pool, task\)
    n += teff::reduce_tasks({.threads = 2}, [](int task) { return task; }, 1);
#elif MISTAKE == 11  // the body of a reduction must be callable as body\(pool, task\)
    n += teff::execute_tasks(2, [](auto&, std::string) { return 1; }, 1);
#elif MISTAKE == 12  // the function given to task_group::run\(\) must be callable without arguments
    group.run([](int) {});
#elif MISTAKE == 13  // the function given to task_group::run\(\) cannot be copied
    group.run(own);
#elif MISTAKE == 14  // the function given to spawn\(\) must be callable without arguments
    [[maybe_unused]] auto made = teff::spawn([](int i) { return i; });
#elif MISTAKE == 15  // the function given to spawn\(\) is not callable with the arguments
    teff::spawn(takes_int, teff::in(object));
#elif MISTAKE == 16  // the function given to spawn\(\) is not callable with the arguments
    teff::spawn(takes_text, teff::inout(object));
#elif MISTAKE == 17  // the function given to parallel_for\(first, last, f\) must be callable through const as f\(i\)
    teff::parallel_for(0, 10, [] {});
#elif MISTAKE == 18  // the function given to parallel_for\(first, last, f\) must be callable through const as f\(i\)
    teff::parallel_for(0, 10, [n](int) mutable { ++n; });
#elif MISTAKE == 19  // the body given to parallel_for\(range, body\) must be callable through const with a part
    teff::parallel_for(teff::blocked_range(0, 10), [](int) {});
#elif MISTAKE == 20  // the function given to parallel_for_each\(\) must be callable through const with an element
    teff::parallel_for_each(words, [](int) {});
#elif MISTAKE == 21  // the operator given to parallel_reduce\(\) must be callable through const with two
    n += teff::parallel_reduce(values, 0, [](int) { return 1; });
#elif MISTAKE == 22  // the body given to parallel_reduce\(range, identity, body, join\) must be callable
    n += teff::parallel_reduce(teff::blocked_range(0, 10), 0, [](int) { return 1; }, std::plus<>());
#elif MISTAKE == 23  // the body given to parallel_reduce\(range, body\) must be an object with body\(part\)
    auto body = [](auto) {};
    teff::parallel_reduce(teff::blocked_range(0, 10), body);
#elif MISTAKE == 24  // the function given to parallel_scan\(range, identity, scan, join\) must be callable
    n += teff::parallel_scan(teff::blocked_range(0, 10), 0, [](int) { return 1; }, std::plus<>());
#elif MISTAKE == 25  // the operator given to parallel_inclusive_scan\(\) or parallel_exclusive_scan\(\) must be
    teff::parallel_inclusive_scan(values, values.begin(), [](int) { return 1; });
#elif MISTAKE == 26  // the order given to parallel_sort\(\) or parallel_stable_sort\(\) must be callable through const
    teff::parallel_sort(values, [](int) { return true; });
#elif MISTAKE == 27  // the function given to parallel_transform\(\) must be callable through const
    teff::parallel_transform(values, values.begin(), [](std::string) { return 1; });
#elif MISTAKE == 28  // the function given to parallel_transform\(\) returns a type that cannot be assigned
    teff::parallel_transform(values, words.begin(), [](int) { return without_sum(); });
#elif MISTAKE == 29  // each function given to parallel_invoke\(\) must be callable without arguments
    teff::parallel_invoke([] {}, [](int) {});
#elif MISTAKE == 30  // the function of a fiber must be callable without arguments
    teff::fiber worker([](int) {});
#elif MISTAKE == 31  // the function of a fiber cannot be copied
    teff::begin(own);
#elif MISTAKE == 32  // each function given to cobegin\(\) must be callable without arguments
    teff::cobegin([] {}, [](int) {});
#elif MISTAKE == 33  // the body given to coforall\(first, last, body\) must be callable with an index
    teff::coforall(0, 10, [] {});
#elif MISTAKE == 34  // the body given to sync\(\) must be callable without arguments
    teff::sync([](int) {});
#elif MISTAKE == 35  // the body given to serial\(\) must be callable without arguments
    teff::serial([](int) {});

#elif MISTAKE == 59  // isolate\(\) or with_stack\(\) must be callable without arguments
    n += teff::arena().execute([](int i) { return i; });
#elif MISTAKE == 60  // the function given to arena::enqueue\(\) or arena::spawn\(\) must be callable without arguments
    teff::arena().enqueue([](int) {});
#elif MISTAKE == 61  // the function given to arena::enqueue\(\) or arena::spawn\(\) must be callable without arguments
    teff::arena().enqueue(group, [](int) {});
#elif MISTAKE == 62  // the function given to arena::enqueue\(\) or arena::spawn\(\) cannot be copied
    teff::arena().enqueue(own);
#elif MISTAKE == 63  // the function given to arena::enqueue\(\) or arena::spawn\(\) must be callable without arguments
    [[maybe_unused]] auto made = teff::arena().spawn([](int i) { return i; });
#elif MISTAKE == 64  // the callback given to suspend\(\) must be callable with a resume_handle
    teff::suspend([] {});
#elif MISTAKE == 65  // when_all\(\) takes teff::task objects
    teff::sync_wait([]() -> teff::task<> { co_await teff::when_all([] { return 1; }, number(1)); }());
#elif MISTAKE == 66  // when_all\(\) takes teff::task objects
    auto first = number(1), second = number(2);
    teff::sync_wait(teff::when_all(first, second));
#elif MISTAKE == 67  // sync_wait\(\) takes one teff::task
    n += teff::sync_wait([] { return 1; });
#elif MISTAKE == 68  // sync_wait\(\) takes one teff::task
    auto made = number(1);
    n += teff::sync_wait(made);

// A result or a value of a type that does not fit.
#elif MISTAKE == 36  // a function given to fork_join\(\) returns a type that cannot be moved
    [[maybe_unused]] const auto both = teff::fork_join([] { return immovable(); }, [] { return 1; });
#elif MISTAKE == 37  // returns a type that cannot be moved to the caller
    teff::execute({.threads = 2}, [] { return immovable(); });
#elif MISTAKE == 38  // the body of a reduction returns a type without \+=
    [[maybe_unused]] const auto sum = teff::reduce_tasks({.threads = 2}, [](auto&, int) { return without_sum(); }, 1);
#elif MISTAKE == 39  // the body of a reduction returns a type that cannot be moved
    [[maybe_unused]] const auto sum = teff::execute_tasks(2, [](auto&, int) { return immovable(); }, 1);
#elif MISTAKE == 40  // the function given to spawn\(\) returns a type that cannot be moved into its handle
    [[maybe_unused]] auto made = teff::spawn([] { return immovable(); });
#elif MISTAKE == 41  // the T of a sync_var<T> or single_var<T> must be trivially copyable
    teff::sync_var<std::string> variable;
#elif MISTAKE == 42  // the T of a channel<T> must have a move constructor and a destructor that are noexcept
    teff::channel<throws_on_move> line(1);
#elif MISTAKE == 43  // the Op of a reducer<T, Op> must be callable
    teff::reducer<without_sum> sum;
#elif MISTAKE == 44  // the T of a reducer<T, Op> must be copyable
    teff::ordered_reducer<std::unique_ptr<int>> sum;
#elif MISTAKE == 45  // the T of a fiber_local<T> must be copyable
    teff::fiber_local<std::unique_ptr<int>> local;

// Arguments that fit no form.
#elif MISTAKE == 46  // parallel_for\(first, last, f\) needs two integers or random-access iterators
    teff::parallel_for(list.begin(), list.end(), [](auto) {});
#elif MISTAKE == 47  // parallel_for_each\(range, f\) and parallel_for_each\(first, last, f\) need elements of a range
    teff::parallel_for_each(10, [](int) {});
#elif MISTAKE == 48  // parallel_sort\(\) and parallel_stable_sort\(\) are called as
    teff::parallel_stable_sort(list);
#elif MISTAKE == 49  // parallel_reduce\(\) is called as
    n += teff::parallel_reduce(list, 0, std::plus<>());
#elif MISTAKE == 50  // parallel_transform\(\) is called as
    teff::parallel_transform(list, values.begin(), [](int i) { return i; });

#elif MISTAKE == 69  // the function given to arena::spawn\(\) returns a type that cannot be moved into its handle
    [[maybe_unused]] auto made = teff::arena().spawn([] { return immovable(); });
#elif MISTAKE == 70  // isolate\(\) or with_stack\(\) returns a type that cannot be moved to the caller
    teff::arena().execute([] { return immovable(); });

// Objects that a container moves, and that cannot be moved.
#elif MISTAKE == 73  // this T cannot be moved; keep the objects in a std::deque
    std::vector<teff::object<immovable>> objects;
    objects.emplace_back();
#elif MISTAKE == 74  // this T cannot be moved; keep the objects in a std::deque
    std::vector<teff::object<std::mutex>> objects(1);
    objects.resize(2);
#elif MISTAKE == 75  // an object<T> is assigned with its value, and this T cannot be assigned
    std::vector<teff::object<constant>> objects(3);
    objects.erase(objects.begin());
#elif MISTAKE == 76  // a label cannot be moved, since it is the scope that it stands in
    std::vector<teff::label> labels;
    labels.reserve(2);
#elif MISTAKE == 77  // use of deleted function|deleted copy constructor
    teff::object<int> copied = object;
    n += copied.value();
#elif MISTAKE == 78  // the function given to parallel_for_each\(\) must be callable through const with an element
    teff::parallel_for_each(values, [](int, teff::feeder<int>) {});

// Dropped values.
#elif MISTAKE == 51  // handle waits for (the|its) function when it is destroyed
    teff::spawn([] { return 1; });
#elif MISTAKE == 52  // the handle waits for the fiber when it is destroyed
    teff::fiber([] {});
#elif MISTAKE == 53  // the sum is lost
    teff::reduce_tasks({.threads = 2}, [](auto&, int task) { return task; }, 1);
#elif MISTAKE == 54  // the sum is lost
    teff::execute_tasks(2, [](auto&, int task) { return task; }, 1);
#elif MISTAKE == 55  // the sum is all that the call is for
    teff::parallel_reduce(values, 0, std::plus<>());
#elif MISTAKE == 56  // an access is an argument for teff::spawn
    teff::inout(object);
#elif MISTAKE == 57  // the mutex is held only if this is true
    teff::fiber_mutex mutex;
    mutex.try_lock();
#elif MISTAKE == 58  // get\(\) only computes the result
    teff::reducer<int> total;
    total.get();
#elif MISTAKE == 71  // handle waits for (the|its) function when it is destroyed
    teff::arena().spawn([] { return 1; });
#elif MISTAKE == 72  // a task does nothing until it is awaited
    number(1);
#endif
    return n == 0 ? 0 : static_cast<int>(own() + list.size());
}
