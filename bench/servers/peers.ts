import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { createReceiver } from "../../src/receive/receiver.ts";
import { ObjectTraces, type ObjectRequest } from "../data/object-runs.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import { judgeAll } from "../engine.ts";

export interface Ports {
  readonly http: number;
  /** 0 where it is not spoken. */
  readonly grpc: number;
}

/** Reads bodies and drops them. */
export function discard(): Promise<Ports> {
  return listen((request, response) => {
    request.resume().on("end", () => response.end());
  });
}

/** Our receiver, with nothing behind it. */
export async function receive(): Promise<Ports> {
  const { listening } = await createReceiver({
    http: "127.0.0.1:0",
    grpc: "127.0.0.1:0",
    accept: () => ({ kind: "accepted", rejected: 0, message: "" }),
    log: { warn: () => undefined, error: () => undefined },
  });
  const portOf = (address: string | null): number => Number(address?.slice(address.lastIndexOf(":") + 1));
  return { http: portOf(listening.http), grpc: portOf(listening.grpc) };
}

/** Makes objects of the bodies, groups them by trace and asks the same checks once a root is there. */
export function objects(): Promise<Ports> {
  const traces = new ObjectTraces();
  const judge = judgeAll();
  setInterval(() => traces.take(false).forEach(judge), 500);
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    traces.add(decodeToObjects(await buffer(request)) as ObjectRequest);
    response.end();
  };
  return listen((request, response) => void take(request, response));
}

/** The usual library's receiver, which decodes nothing and drops what it gets. */
export async function grpcJs(): Promise<Ports> {
  const server = new Server({ "grpc.max_receive_message_length": 64 << 20 });
  const asItIs = (bytes: Buffer): Buffer => bytes;
  const definition = {
    path: "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    requestStream: false,
    responseStream: false,
    requestSerialize: asItIs,
    requestDeserialize: asItIs,
    responseSerialize: asItIs,
    responseDeserialize: asItIs,
  };
  server.addService(
    { export: definition },
    { export: (_: unknown, done: (error: null, answer: Buffer) => void) => done(null, Buffer.alloc(0)) },
  );
  const grpc = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
  return { http: 0, grpc };
}

function listen(answer: RequestListener): Promise<Ports> {
  const server = createServer(answer);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ http: (server.address() as AddressInfo).port, grpc: 0 }));
  });
}
