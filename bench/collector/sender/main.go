// Sends the bodies in a folder to an OTLP endpoint, under new trace ids each time, and says what that cost the server in CPU.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// cpu gives the seconds of CPU a process has used, rss its resident bytes.
func cpu(pid int) float64 {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	check(err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+2:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

func rss(pid int) int64 {
	statm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	check(err)
	pages, _ := strconv.ParseInt(strings.Fields(string(statm))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func check(err error) {
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

// watchPeak keeps the most resident bytes seen until done is closed.
func watchPeak(pid int, peak *atomic.Int64, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(50 * time.Millisecond):
			if now := rss(pid); now > peak.Load() {
				peak.Store(now)
			}
		}
	}
}

// waitUntilIdle returns when the process has held what it holds for long enough and then worked no more for a second and a half.
func waitUntilIdle(pid int, hold time.Duration) {
	time.Sleep(hold)
	for quiet := 0; quiet < 3; {
		was := cpu(pid)
		time.Sleep(500 * time.Millisecond)
		if quiet++; cpu(pid)-was > 0.05 {
			quiet = 0
		}
	}
}

// quantile gives the milliseconds that a share of the answers took at most.
func quantile(sorted []float64, share float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

func main() {
	url := flag.String("url", "", "base address of the server")
	folder := flag.String("bodies", "", "folder of bodies: *.pb, or *.json for -form json")
	form := flag.String("form", "protobuf", "protobuf, json or gzip (of protobuf)")
	protocol := flag.String("protocol", "http", "http or grpc")
	pid := flag.Int("pid", 0, "process whose CPU and memory are told")
	connections := flag.Int("connections", 4, "requests at once")
	count := flag.Int("count", 100, "requests")
	rate := flag.Float64("rate", 0, "requests a second; 0 for as many as are answered")
	settle := flag.Bool("settle", false, "wait until the server works no more")
	hold := flag.Duration("hold", 0, "how long the server holds what it got before it goes on with it")
	seed := flag.Uint("seed", 1, "trace ids differ between seeds")
	flag.Parse()
	bodies := read(*folder, *form == "json")
	post := poster(*url, *form, *protocol)
	clients := clientsFor(*protocol, *connections)
	var taken, spans, refused atomic.Int64
	before, idle := cpu(*pid), rss(*pid)
	begun := time.Now()
	var lanes sync.WaitGroup
	var peak atomic.Int64
	var lock sync.Mutex
	var took []float64
	done := make(chan struct{})
	go watchPeak(*pid, &peak, done)
	for lane := 0; lane < *connections; lane++ {
		client := clients[lane%len(clients)]
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			for {
				turn := taken.Add(1)
				if turn > int64(*count) {
					return
				}
				one := bodies[int(turn)%len(bodies)]
				sent := one.renumbered(uint32(turn)/uint32(len(bodies)) + uint32(*seed)<<20)
				due := time.Now()
				if *rate > 0 {
					due = begun.Add(time.Duration(float64(turn) / *rate * float64(time.Second)))
					time.Sleep(time.Until(due))
				}
				isTaken := post(client, sent)
				lock.Lock()
				took = append(took, float64(time.Since(due).Microseconds())/1000) // what waited for its turn was late as well
				lock.Unlock()
				if isTaken {
					spans.Add(int64(one.spans))
				} else {
					refused.Add(1)
				}
			}
		}()
	}
	lanes.Wait()
	wall := time.Since(begun).Seconds()
	if *settle {
		waitUntilIdle(*pid, *hold)
	}
	close(done)
	used := cpu(*pid) - before
	sort.Float64s(took)
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"spans": spans.Load(), "refused": refused.Load(), "cpu": used, "wall": wall, "idle": idle, "peak": peak.Load(),
		"p50": quantile(took, 0.5), "p99": quantile(took, 0.99),
	})
}

func drain(answer *http.Response) {
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}
