// Measures golang.org/x/time/rate and Go's own timers. Each line is a name, a value and a unit.
package main

import (
	"fmt"
	"runtime"
	"sort"
	"sync"
	"syscall"
	"time"

	"golang.org/x/time/rate"
)

// measure prints the time of one operation in the fastest of some batches.
func measure(name string, count int, batch func(int)) {
	best := time.Duration(1 << 62)
	for round := 0; round < 24; round++ {
		start := time.Now()
		batch(count)
		if elapsed := time.Since(start); elapsed < best {
			best = elapsed
		}
	}
	fmt.Printf("%s\t%.1f\tns\n", name, float64(best.Nanoseconds())/float64(count))
}

// keys asks one of a hundred thousand limiters in a map behind a mutex, as a service writes it.
func keys(number int) {
	var lock sync.Mutex
	limiters := make(map[string]*rate.Limiter)
	key := func(index int) string { return fmt.Sprintf("a key of a client, number %d", index) }
	picked := make([]string, number)
	for i := range picked {
		limiters[key(i)] = rate.NewLimiter(1e9, 1e9)
		picked[i] = key(i * 7919 % number)
	}
	measure("Go map + x/time/rate Allow, 100k string keys", number, func(count int) {
		for _, key := range picked[:count] {
			lock.Lock()
			limiter := limiters[key]
			lock.Unlock()
			limiter.Allow()
		}
	})
}

// processors is the time that the process has spent on processors.
func processors() time.Duration {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// fire sets timers evenly over a second, and waits for all of them.
func fire(count int) {
	var all sync.WaitGroup
	all.Add(count)
	start := processors()
	for i := 0; i < count; i++ {
		time.AfterFunc(time.Duration(i)*10*time.Microsecond, all.Done)
	}
	all.Wait()
	cost := float64((processors() - start).Nanoseconds()) / float64(count)
	fmt.Printf("schedule + fire Go AfterFunc\t%.1f\tns CPU\n", cost)
}

// lateness sets one timer after the other.
func lateness(count int) {
	const wait = 5 * time.Millisecond
	late := make([]float64, count)
	for i := range late {
		fired := make(chan time.Duration)
		start := time.Now()
		time.AfterFunc(wait, func() { fired <- time.Since(start) })
		late[i] = float64((<-fired - wait).Nanoseconds()) / 1000
	}
	sort.Float64s(late)
	for _, share := range []int{1, 10, 25, 50, 75, 90, 99} {
		fmt.Printf("lateness Go AfterFunc, p%d\t%.1f\tµs\n", share, late[count*share/100])
	}
}

// growth sets a timer and stops it while others are pending.
func growth(others int, name string) {
	timers := make([]*time.Timer, others)
	for i := range timers {
		timers[i] = time.AfterFunc(24*time.Hour+time.Duration(i)*time.Microsecond, func() {})
	}
	measure("Go AfterFunc + Stop, "+name, 20000, func(count int) {
		for i := 0; i < count; i++ {
			time.AfterFunc(24*time.Hour+time.Duration(i*7919%others)*time.Microsecond, func() {}).Stop()
		}
	})
	for _, timer := range timers {
		timer.Stop()
	}
}

// memory holds a crowd of pending timers.
func memory(count int) {
	var before, after runtime.MemStats
	timers := make([]*time.Timer, count)
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range timers {
		timers[i] = time.AfterFunc(24*time.Hour, func() {})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := float64(after.HeapAlloc-before.HeapAlloc) / float64(count)
	fmt.Printf("Go AfterFunc pending, memory\t%.1f\tB\n", each)
	for _, timer := range timers {
		timer.Stop()
	}
}

func main() {
	open := rate.NewLimiter(1e9, 1e9)
	measure("Go x/time/rate Allow, allowed", 20000, func(count int) {
		for i := 0; i < count; i++ {
			open.Allow()
		}
	})
	empty := rate.NewLimiter(rate.Every(24*time.Hour), 1)
	empty.Allow()
	measure("Go x/time/rate Allow, denied", 20000, func(count int) {
		for i := 0; i < count; i++ {
			empty.Allow()
		}
	})
	keys(100000)
	measure("Go AfterFunc + Stop", 20000, func(count int) {
		for i := 0; i < count; i++ {
			time.AfterFunc(24*time.Hour, func() {}).Stop()
		}
	})
	growth(1000, "1k")
	growth(10000, "10k")
	growth(100000, "100k")
	growth(1000000, "1M")
	fire(100000)
	lateness(100)
	memory(200000)
}
