import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { Agent, request } from "node:http";
import { gzipSync } from "node:zlib";
import { LONGEST_WAIT_MS, simulatedDelay } from "../support/eventually.ts";
import { type PlainSpan, requestAsJson, requestAsProtobuf } from "./agent-trace.ts";

/** What an exporter does with one batch: true when it was acknowledged. */
export interface Sender {
  send(spans: readonly PlainSpan[]): Promise<boolean>;
  close(): void;
}

/** OTLP/HTTP: protobuf and JSON in turn, every third body compressed. */
export function httpSender(port: number): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let sent = 0;
  return {
    send(spans) {
      const isJson = sent++ % 2 === 0;
      const plain = isJson ? requestAsJson(spans) : requestAsProtobuf(spans);
      const isZipped = sent % 3 === 0;
      const headers = {
        "content-type": isJson ? "application/json" : "application/x-protobuf",
        ...(isZipped ? { "content-encoding": "gzip" } : {}),
      };
      return post(agent, port, headers, isZipped ? gzipSync(plain) : plain);
    },
    close: () => agent.destroy(),
  };
}

function post(
  agent: Agent,
  port: number,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<boolean> {
  return new Promise((resolve) => {
    const options = {
      agent,
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/v1/traces",
      headers,
      timeout: LONGEST_WAIT_MS,
    };
    const call = request(options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode === 200));
      answer.on("error", () => resolve(false));
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(false));
    call.end(body);
  });
}

/** OTLP/gRPC, with the client library that exporters use. */
export function grpcSender(port: number): Sender {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 300,
  });
  const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
  const asIs = (message: Buffer): Buffer => message;
  return {
    send: (spans) =>
      new Promise((resolve) => {
        const deadline = Date.now() + LONGEST_WAIT_MS;
        const message = Buffer.from(requestAsProtobuf(spans));
        client.makeUnaryRequest(path, asIs, asIs, message, new Metadata(), { deadline }, (error) =>
          resolve(error === null),
        );
      }),
    close: () => client.close(),
  };
}

/** Sends a batch again until it is acknowledged, as exporters do. Gives how often it was refused; null when `stopped` says so. */
export async function sendUntilTaken(
  sender: Sender,
  spans: readonly PlainSpan[],
  stopped: () => boolean,
): Promise<number | null> {
  for (let refused = 0; !stopped(); refused++) {
    if (await sender.send(spans)) return refused;
    await simulatedDelay(50);
  }
  return null;
}
