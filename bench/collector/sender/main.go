// Sends the bodies in a folder to an OTLP/HTTP endpoint, under new trace ids each time, and says what that cost the server in CPU.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type body struct {
	bytes  []byte
	places []int // of the trace ids
	spans  int
}

// places finds where field 1 of each span begins: request → resource spans (1) → scope spans (2) → span (2) → trace id (1).
func places(all []byte, from, to int, path []int, found *[]int) {
	for at := from; at < to; {
		tag, n := binary.Uvarint(all[at:])
		at += n
		switch tag & 7 {
		case 0:
			_, n := binary.Uvarint(all[at:])
			at += n
		case 1:
			at += 8
		case 5:
			at += 4
		default:
			length, n := binary.Uvarint(all[at:])
			at += n
			if int(tag>>3) == path[0] {
				if len(path) == 1 {
					*found = append(*found, at)
				} else {
					places(all, at, at+int(length), path[1:], found)
				}
			}
			at += int(length)
		}
	}
}

func read(folder string) []body {
	names, err := filepath.Glob(filepath.Join(folder, "*.pb"))
	check(err)
	sort.Strings(names)
	var bodies []body
	for _, name := range names {
		all, err := os.ReadFile(name)
		check(err)
		var at []int
		places(all, 0, len(all), []int{1, 2, 2, 1}, &at)
		bodies = append(bodies, body{all, at, len(at)})
	}
	return bodies
}

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

func main() {
	url := flag.String("url", "", "where to send")
	folder := flag.String("bodies", "", "folder of protobuf bodies")
	pid := flag.Int("pid", 0, "process whose CPU and memory are told")
	connections := flag.Int("connections", 4, "requests at once")
	count := flag.Int("count", 100, "requests")
	rate := flag.Float64("rate", 0, "requests a second; 0 for as many as are answered")
	settle := flag.Bool("settle", false, "wait until the server works no more")
	seed := flag.Uint("seed", 1, "trace ids differ between seeds")
	flag.Parse()
	bodies := read(*folder)
	var taken, spans, refused atomic.Int64
	before, idle := cpu(*pid), rss(*pid)
	begun := time.Now()
	var lanes sync.WaitGroup
	var peak atomic.Int64
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
				if now := rss(*pid); now > peak.Load() {
					peak.Store(now)
				}
			}
		}
	}()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *connections}}
	for lane := 0; lane < *connections; lane++ {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			for {
				turn := taken.Add(1)
				if turn > int64(*count) {
					return
				}
				if *rate > 0 {
					time.Sleep(time.Until(begun.Add(time.Duration(float64(turn) / *rate * float64(time.Second)))))
				}
				one := bodies[int(turn)%len(bodies)]
				sent := append([]byte(nil), one.bytes...)
				for _, at := range one.places {
					binary.BigEndian.PutUint32(sent[at:], uint32(turn)/uint32(len(bodies))+uint32(*seed)<<20)
				}
				answer, err := client.Post(*url, "application/x-protobuf", bytes.NewReader(sent))
				check(err)
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				if answer.StatusCode == 200 {
					spans.Add(int64(one.spans))
				} else {
					refused.Add(1)
				}
			}
		}()
	}
	lanes.Wait()
	wall := time.Since(begun).Seconds()
	for quiet := 0; *settle && quiet < 3; {
		was := cpu(*pid)
		time.Sleep(500 * time.Millisecond)
		if quiet++; cpu(*pid)-was > 0.05 {
			quiet = 0
		}
	}
	close(done)
	used := cpu(*pid) - before
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"spans": spans.Load(), "refused": refused.Load(), "cpu": used, "wall": wall, "idle": idle, "peak": peak.Load(),
	})
}
