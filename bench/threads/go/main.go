// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The runner of Go's goroutines for kind threads. It speaks the protocol of the other runners
// (harness/command_line.hpp) and does the work of their kernels: the same inputs, the same threads, the same checks. It
// has no `stream`, `ssca2` and `graph500`, whose times are mostly those of loops as a compiler makes them.
//
// A full/empty variable is a channel with room for one value, an event is a closed channel. Go chooses the size of
// stacks itself. It has no exceptions to cross a join, and a join is a wait for a group.
package main

import (
	"encoding/json"
	"math"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The generator of all generated inputs (harness/random.hpp).
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	bits := r.state
	bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9
	bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb
	return bits ^ (bits >> 31)
}

func (r *random) below(bound uint64) uint64 { return r.next() % bound }

// Calls each function on a goroutine of its own; returns when all have ended.
func all(functions ...func()) {
	var ends sync.WaitGroup
	ends.Add(len(functions))
	for _, each := range functions {
		go func(call func()) {
			call()
			ends.Done()
		}(each)
	}
	ends.Wait()
}

func each(count int, body func(int)) {
	var ends sync.WaitGroup
	ends.Add(count)
	for index := 0; index < count; index++ {
		go func(index int) {
			body(index)
			ends.Done()
		}(index)
	}
	ends.Wait()
}

// What was asked for, and what came out.
type request struct {
	size    uint64
	variant string
	threads int
}

type result struct {
	seconds  float64
	tasks    uint64
	answer   string
	expected string
	given    string
	found    string
}

// A JSON string, whatever the text is.
func quoted(text string) string {
	made, _ := json.Marshal(text)
	return string(made)
}

func number(value uint64) string { return strconv.FormatUint(value, 10) }
func real(value float64) string  { return strconv.FormatFloat(value, 'g', 12, 64) }
func member(name string, value float64) string {
	return quoted(name) + ":" + real(value)
}

func timed(run func()) float64 {
	start := time.Now()
	run()
	return time.Since(start).Seconds()
}

// Of a program whose tasks are the goroutines that it has started.
func threadMeasures(made result, sizeName string, size uint64) result {
	made.given = member(sizeName, float64(size))
	made.found = member("thread_ns", made.seconds*1e9/math.Max(float64(made.tasks), 1))
	return made
}

func sortAll(elements []uint32) {
	if len(elements) < 2 {
		return
	}
	pivot := elements[(len(elements)-1)/2]
	low, high := 0, len(elements)-1
	for ; ; low, high = low+1, high-1 {
		for elements[low] < pivot {
			low++
		}
		for pivot < elements[high] {
			high--
		}
		if low >= high {
			break
		}
		elements[low], elements[high] = elements[high], elements[low]
	}
	middle := high + 1
	all(func() { sortAll(elements[:middle]) }, func() { sortAll(elements[middle:]) })
}

func checksum(elements []uint32) uint64 {
	sum := uint64(0)
	for _, each := range elements {
		of := random{uint64(each)}
		sum += of.next()
	}
	return sum
}

func quicksort(asked request) result {
	source := random{1962}
	elements := make([]uint32, asked.size)
	for index := range elements {
		elements[index] = uint32(source.next())
	}
	before := checksum(elements)
	made := result{tasks: 2 * (asked.size - 1)}
	made.seconds = timed(func() { all(func() { sortAll(elements) }) })
	made.answer = "out of order"
	if sort.SliceIsSorted(elements, func(i, j int) bool { return elements[i] < elements[j] }) {
		made.answer = "in order, checksum " + number(checksum(elements))
	}
	made.expected = "in order, checksum " + number(before)
	return threadMeasures(made, "elements", asked.size)
}

type node struct {
	number      uint64
	left, right *node
}

func makeTree(nodes []node, first uint64, count uint64, source *random) {
	root := &nodes[first]
	root.number = first + 1
	below := count - 1
	onLeft := uint64(0)
	if below != 0 {
		onLeft = source.below(below + 1)
	}
	if onLeft != 0 {
		root.left = &nodes[first+1]
		makeTree(nodes, first+1, onLeft, source)
	}
	if onLeft != below {
		root.right = &nodes[first+1+onLeft]
		makeTree(nodes, first+1+onLeft, below-onLeft, source)
	}
}

func sum(of *node) uint64 {
	left, right := uint64(0), uint64(0)
	sumLeft := func() { left = sum(of.left) }
	sumRight := func() { right = sum(of.right) }
	if of.left != nil && of.right != nil {
		all(sumLeft, sumRight)
	} else if of.left != nil {
		all(sumLeft)
	} else if of.right != nil {
		all(sumRight)
	}
	return of.number + left + right
}

func tree(asked request) result {
	nodes := make([]node, asked.size)
	makeTree(nodes, 0, asked.size, &random{2017})
	found := uint64(0)
	made := result{tasks: asked.size - 1}
	made.seconds = timed(func() { all(func() { found = sum(&nodes[0]) }) })
	made.answer = number(found)
	made.expected = number(asked.size * (asked.size + 1) / 2)
	return threadMeasures(made, "nodes", asked.size)
}

func operations(asked request, name string, seconds float64, done uint64, wanted uint64) result {
	perOperation := seconds * 1e9 * float64(asked.threads) / float64(wanted)
	return result{seconds: seconds, tasks: done, answer: number(done), expected: number(wanted),
		found: member(name, perOperation)}
}

func spawnJoin(asked request) result {
	count := asked.size / uint64(asked.threads)
	var done atomic.Uint64
	seconds := timed(func() {
		each(asked.threads, func(int) {
			var own atomic.Uint64
			switch asked.variant {
			case "one":
				for round := uint64(0); round < count; round++ {
					all(func() { own.Add(1) })
				}
			case "hundred":
				for left := count; left != 0; {
					now := uint64(100)
					if now > left {
						now = left
					}
					each(int(now), func(int) { own.Add(1) })
					left -= now
				}
			case "blocked":
				value := make(chan uint64, 1)
				for round := uint64(0); round < count; round++ {
					var end sync.WaitGroup
					end.Add(1)
					go func() {
						own.Add(<-value)
						end.Done()
					}()
					runtime.Gosched()
					value <- 1
					end.Wait()
				}
			}
			done.Add(own.Load())
		})
	})
	return operations(asked, "thread_ns", seconds, done.Load(), count*uint64(asked.threads))
}

func yield(asked request) result {
	threads := 2 * asked.threads
	count := asked.size / uint64(threads)
	var done atomic.Uint64
	seconds := timed(func() {
		each(threads, func(int) {
			own := uint64(0)
			for ; own < count; own++ {
				runtime.Gosched()
			}
			done.Add(own)
		})
	})
	return operations(asked, "yield_ns", seconds, done.Load(), count*uint64(threads))
}

func pingPong(asked request) result {
	rounds := asked.size / uint64(2*asked.threads)
	var done atomic.Uint64
	seconds := timed(func() {
		each(asked.threads, func(int) {
			ping, pong := make(chan uint64, 1), make(chan uint64, 1)
			value := uint64(0)
			all(func() {
				for round := uint64(0); round < rounds; round++ {
					ping <- value + 1
					value = <-pong
				}
			}, func() {
				for round := uint64(0); round < rounds; round++ {
					pong <- <-ping + 1
				}
			})
			done.Add(value)
		})
	})
	return operations(asked, "hand_over_ns", seconds, done.Load(), 2*rounds*uint64(asked.threads))
}

func mutex(asked request) result {
	threads := 4 * asked.threads
	count := asked.size / uint64(threads)
	var lock sync.Mutex
	done := uint64(0)
	seconds := timed(func() {
		each(threads, func(int) {
			for round := uint64(0); round < count; round++ {
				lock.Lock()
				done++
				if asked.variant == "held" {
					runtime.Gosched()
				}
				lock.Unlock()
			}
		})
	})
	return operations(asked, "lock_ns", seconds, done, count*uint64(threads))
}

func residentBytes() uint64 {
	text, _ := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(fields[1], 10, 64)
	return pages * uint64(os.Getpagesize())
}

func live(asked request) result {
	var begun, ended atomic.Uint64
	bytes := uint64(0)
	seconds := timed(func() {
		goOn := make(chan struct{})
		var ends sync.WaitGroup
		ends.Add(int(asked.size))
		before := residentBytes()
		for started := uint64(0); started < asked.size; started++ {
			go func() {
				begun.Add(1)
				<-goOn
				ended.Add(1)
				ends.Done()
			}()
		}
		for begun.Load() < asked.size {
			runtime.Gosched()
		}
		bytes = residentBytes() - before
		close(goOn)
		ends.Wait()
	})
	count := float64(asked.size)
	return result{seconds: seconds, tasks: asked.size, answer: number(ended.Load()), expected: number(asked.size),
		found: member("live", count) + "," + member("thread_ns", seconds*1e9/count) + "," +
			member("resident_bytes", float64(bytes)/count)}
}

// A kernel as the other runners describe it: the sizes and variants are those of bench/threads/*.cpp.
type kernel struct {
	name         string
	variants     string
	check        string
	quick, paper string
	tiny         uint64
	headline     string
	title        string
	isMicro      bool
	threadBytes  uint64
	run          func(request) result
}

var kernels = []kernel{
	{"quicksort", "threads", "500", "1000,10000,50000", "10000,100000,1000000", 100, "thread_ns", "ns/thread", false,
		2 * 4096, quicksort},
	{"tree", "threads", "500", "1024,8192,65536", "8,64,512,1024,2048,4096,65536,1048576", 100, "thread_ns",
		"ns/thread", false, 4096, tree},
	{"spawn_join", "one,hundred,blocked", "1000", "20000", "1000000", 400, "thread_ns", "ns/thread", true, 0, spawnJoin},
	{"yield", "threads", "1000", "500000", "10000000", 400, "yield_ns", "ns/yield", true, 0, yield},
	{"ping_pong", "threads", "1000", "200000", "2000000", 400, "hand_over_ns", "ns/hand-over", true, 0, pingPong},
	{"mutex", "short,held", "1000", "200000", "2000000", 400, "lock_ns", "ns/lock", true, 0, mutex},
	{"live", "threads", "1000", "20000,100000", "1000000", 400, "live", "live", false, 4096, live},
}

func (k kernel) described() string {
	names := strings.Split(k.variants, ",")
	var listed, ratios []string
	for _, each := range names {
		listed = append(listed, quoted(each))
		ratios = append(ratios, quoted(each)+":"+strconv.FormatBool(k.name != "live"))
	}
	return `{"kernel":` + quoted(k.name) + `,"variants":[` + strings.Join(listed, ",") + `],"check":"` + k.check +
		`","ratio":{` + strings.Join(ratios, ",") + `},"sizes":{"quick":"` + k.quick + `","paper":"` + k.paper +
		`"},"cutoff":false,"input":false,"kind":"threads","variants_differ":` + strconv.FormatBool(len(names) > 1) +
		`,"by_threads":` + strconv.FormatBool(k.isMicro) + `,"own_threads":false,"paced":false,"compared":"","headline":"` +
		k.headline + `","headline_title":"` + k.title + `","figures":[]}`
}

func refuse(message string) {
	os.Stderr.WriteString("teff-bench: " + message + "\n")
	os.Exit(2)
}

func main() {
	options := map[string]string{"--threads": "1"}
	describe := false
	for index := 1; index < len(os.Args); index++ {
		name, value, hasValue := strings.Cut(os.Args[index], "=")
		if name == "--describe" || name == "--counters" || name == "--hardware-counters" {
			describe = describe || name == "--describe"
			continue
		}
		if !hasValue && index+1 < len(os.Args) {
			index++
			value = os.Args[index]
		}
		options[name] = value
	}
	if describe && options["--kernel"] == "" {
		var list []string
		for _, each := range kernels {
			list = append(list, each.described())
		}
		os.Stdout.WriteString("[" + strings.Join(list, ",") + "]\n")
		return
	}
	of := kernel{}
	for _, each := range kernels {
		if each.name == options["--kernel"] {
			of = each
		}
	}
	if of.run == nil {
		refuse("--kernel " + options["--kernel"] + ": there is no such kernel")
	}
	size := options["--size"]
	switch size {
	case "", "quick":
		size = of.quick
	case "paper":
		size = of.paper
	}
	size, _, _ = strings.Cut(strings.TrimPrefix(size, of.name+":"), ",")
	asked := request{variant: options["--variant"]}
	var sizeError, threadsError error
	asked.size, sizeError = strconv.ParseUint(size, 10, 40)
	asked.threads, threadsError = strconv.Atoi(options["--threads"])
	if sizeError != nil || asked.size < 1 || (of.isMicro && asked.size < 400) {
		refuse("--size " + size + ": " + of.name + " takes quick, paper or a number")
	}
	if threadsError != nil || asked.threads < 1 {
		refuse("--threads " + options["--threads"] + ": takes a positive number")
	}
	if asked.variant == "" {
		asked.variant, _, _ = strings.Cut(of.variants, ",")
	}
	if !strings.Contains(","+of.variants+",", ","+asked.variant+",") {
		refuse("--variant " + asked.variant + ": " + of.name + " has " + of.variants)
	}
	if describe {
		bytes := uint64(64<<20) + asked.size*of.threadBytes
		os.Stdout.WriteString(`{"kernel":"` + of.name + `","memory_bytes":` + number(bytes) + "}\n")
		return
	}
	runtime.GOMAXPROCS(asked.threads)
	tiny := asked
	tiny.size = of.tiny
	of.run(tiny)
	made := of.run(asked)
	verified := made.answer == made.expected
	os.Stdout.WriteString(`{"kernel":` + quoted(of.name) + `,"size":` + quoted(options["--size"]) + `,"variant":` +
		quoted(asked.variant) + `,"seconds":` + strconv.FormatFloat(made.seconds, 'f', 9, 64) +
		`,"tasks":` + number(made.tasks) + `,"answer":` + quoted(made.answer) + `,"expected":` + quoted(made.expected) +
		`,"verified":` + strconv.FormatBool(verified) + `,"given":{` + made.given + `},"found":{` + made.found + "}}\n")
	if !verified {
		os.Exit(3)
	}
}
