// Times of golang.org/x/time/rate and of Go's own timers, one line each: a name, a tab, nanoseconds.
package main

import (
	"fmt"
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
	fmt.Printf("%s\t%.1f\n", name, float64(best.Nanoseconds())/float64(count))
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
	measure("Go AfterFunc + Stop", 20000, func(count int) {
		for i := 0; i < count; i++ {
			time.AfterFunc(24*time.Hour, func() {}).Stop()
		}
	})
}
