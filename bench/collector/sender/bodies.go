package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

type body struct {
	bytes  []byte
	places []int // of the trace ids
	spans  int
	isJSON bool
}

// renumbered gives a copy with other trace ids: their first four bytes say the number.
func (one body) renumbered(number uint32) []byte {
	sent := append([]byte(nil), one.bytes...)
	for _, at := range one.places {
		if one.isJSON {
			copy(sent[at:], fmt.Sprintf("%08x", number))
		} else {
			binary.BigEndian.PutUint32(sent[at:], number)
		}
	}
	return sent
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

// placesInJSON finds the trace ids of the spans; inside a text the quotes around the key would be escaped.
func placesInJSON(all []byte) []int {
	key := []byte(`"traceId":"`)
	var found []int
	for at := 0; ; {
		next := bytes.Index(all[at:], key)
		if next < 0 {
			return found
		}
		at += next + len(key)
		found = append(found, at)
	}
}

func read(folder string, isJSON bool) []body {
	pattern := "*.pb"
	if isJSON {
		pattern = "*.json"
	}
	names, err := filepath.Glob(filepath.Join(folder, pattern))
	check(err)
	sort.Strings(names)
	var bodies []body
	for _, name := range names {
		all, err := os.ReadFile(name)
		check(err)
		var at []int
		if isJSON {
			at = placesInJSON(all)
		} else {
			places(all, 0, len(all), []int{1, 2, 2, 1}, &at)
		}
		bodies = append(bodies, body{all, at, len(at), isJSON})
	}
	return bodies
}
