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
	marks  []int // of the last four digits of each mark in the texts and ids of a copied recording
	spans  int
	isJSON bool
}

// mark ends each text and id of a copied recording; the eight digits behind it say which copy it is.
const mark = "e0e1"

// renumbered gives a copy with other trace ids, whose first four bytes say the number, and other marks.
func (one body) renumbered(number uint32) []byte {
	sent := append([]byte(nil), one.bytes...)
	for _, at := range one.places {
		if one.isJSON {
			copy(sent[at:], fmt.Sprintf("%08x", number))
		} else {
			binary.BigEndian.PutUint32(sent[at:], number)
		}
	}
	digits := fmt.Sprintf("%04x", (number>>20&0xff)<<8|number&0xff)
	for _, at := range one.marks {
		copy(sent[at:], digits)
	}
	return sent
}

// marksIn finds the digits of marks that may be overwritten.
func marksIn(all []byte) []int {
	var found []int
	for at := 0; ; {
		next := bytes.Index(all[at:], []byte(mark))
		if next < 0 {
			return found
		}
		at += next + len(mark)
		if isHex(all, at, at+8) {
			found = append(found, at+4)
		}
	}
}

func isHex(all []byte, from, to int) bool {
	if to > len(all) {
		return false
	}
	for _, one := range all[from:to] {
		if (one < '0' || one > '9') && (one < 'a' || one > 'f') {
			return false
		}
	}
	return true
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
		bodies = append(bodies, body{all, at, marksIn(all), len(at), isJSON})
	}
	return bodies
}
