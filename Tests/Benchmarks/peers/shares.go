// Prints the shares of their rates that limiters of golang.org/x/time/rate grant to goroutines that
// wait, one line each: the rate, the burst, the number of goroutines and the share in percent.
//
// usage: shares <milliseconds for each>
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

func share(perSecond, burst, waiting int, span time.Duration) float64 {
	limiter := rate.NewLimiter(rate.Limit(perSecond), burst)
	start := time.Now()
	limiter.AllowN(start, burst)
	over, end := context.WithCancel(context.Background())
	var all sync.WaitGroup
	var lock sync.Mutex
	var count int
	last := start
	for i := 0; i < waiting; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for limiter.Wait(over) == nil {
				lock.Lock()
				last = time.Now()
				count++
				lock.Unlock()
			}
		}()
	}
	time.Sleep(span)
	end()
	all.Wait()
	if count == 0 {
		return 0
	}
	return 100 * float64(count) / last.Sub(start).Seconds() / float64(perSecond)
}

func main() {
	milliseconds, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		fmt.Println("usage: shares <milliseconds for each>")
		return
	}
	span := time.Duration(milliseconds) * time.Millisecond
	for _, perSecond := range []int{10, 100, 1000, 10000, 100000} {
		for _, burst := range []int{1, 10, 100} {
			for _, waiting := range []int{1, 10, 1000} {
				share := share(perSecond, burst, waiting, span)
				fmt.Printf("%d\t%d\t%d\t%.1f\n", perSecond, burst, waiting, share)
			}
		}
	}
}
