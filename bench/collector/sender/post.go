package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"net/http"
)

const export = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// clientsFor gives one connection for each lane over HTTP, and two that all lanes share over gRPC.
func clientsFor(protocol string, lanes int) []*http.Client {
	if protocol == "grpc" {
		lanes = 2
	}
	clients := make([]*http.Client, lanes)
	for at := range clients {
		clients[at] = clientFor(protocol)
	}
	return clients
}

func clientFor(protocol string) *http.Client {
	transport := &http.Transport{MaxIdleConnsPerHost: 1, DisableCompression: true}
	if protocol == "grpc" {
		transport.Protocols = new(http.Protocols)
		transport.Protocols.SetUnencryptedHTTP2(true)
	}
	return &http.Client{Transport: transport}
}

// poster gives what sends a body and says whether it was taken.
func poster(url, form, protocol string) func(*http.Client, []byte) bool {
	if protocol == "grpc" {
		return func(client *http.Client, sent []byte) bool { return postGRPC(client, url, sent) }
	}
	return func(client *http.Client, sent []byte) bool { return postHTTP(client, url, form, sent) }
}

func postHTTP(client *http.Client, url, form string, sent []byte) bool {
	contentType := "application/x-protobuf"
	if form == "json" {
		contentType = "application/json"
	}
	if form == "gzip" {
		sent = zipped(sent)
	}
	request, err := http.NewRequest("POST", url+"/v1/traces", bytes.NewReader(sent))
	check(err)
	request.Header.Set("Content-Type", contentType)
	if form == "gzip" {
		request.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := client.Do(request)
	check(err)
	drain(answer)
	return answer.StatusCode == 200
}

func postGRPC(client *http.Client, url string, sent []byte) bool {
	framed := make([]byte, 5+len(sent))
	binary.BigEndian.PutUint32(framed[1:], uint32(len(sent)))
	copy(framed[5:], sent)
	request, err := http.NewRequest("POST", url+export, bytes.NewReader(framed))
	check(err)
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("Te", "trailers")
	answer, err := client.Do(request)
	check(err)
	drain(answer)
	return answer.StatusCode == 200 && answer.Trailer.Get("Grpc-Status") == "0"
}

func zipped(plain []byte) []byte {
	var made bytes.Buffer
	writer := gzip.NewWriter(&made)
	_, err := writer.Write(plain)
	check(err)
	check(writer.Close())
	return made.Bytes()
}
