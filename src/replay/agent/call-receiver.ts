import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "../../support/process/private-files.ts";
import { decodeRequest } from "../../receive/body/decode-request.ts";
import type { Encoding, Signal } from "../../otlp/signal.ts";
import type { Acceptance, ReceivedRequest, RequestOutcome } from "../../receive/ports.ts";
import { createReceiver, type Receiver } from "../../receive/receiver.ts";

/** What a receiver has counted. */
export interface Received {
  /** Number of accepted requests with traces or logs. */
  readonly requests: number;
  readonly spans: number;
  readonly logRecords: number;
  readonly metricRequests: number;
  /** Number of refused requests by outcome. */
  readonly refused: ReadonlyMap<RequestOutcome, number>;
}

/**
 * An OTLP receiver on a free port. It writes the body of each request with traces or logs to a file in a folder, which `replay` can read.
 */
export interface CallReceiver {
  /** Endpoint `http://127.0.0.1:PORT`, for both OTLP/HTTP and OTLP/gRPC. */
  readonly endpoint: string;
  readonly received: Received;
  /** Paths of all stored request bodies in order of arrival, including bodies with Tracejury's own spans. */
  readonly kept: readonly string[];
  /** Paths of the request bodies that the agent sent. */
  readonly sent: readonly string[];
  /** Stores an OTLP/JSON request with spans that Tracejury created. */
  keepOwn(body: string): void;
  /**
   * Replaces the stored model calls of one agent call. If `lines` is null, removes them.
   * @param lines one OTLP/JSON request in each line
   */
  keepModelCalls(callId: string, lines: Iterable<string> | null): void;
  /** Resolves when the next request with traces or logs is stored. */
  next(): Promise<void>;
  close(graceMs: number): Promise<void>;
}

export interface CallReceiverOptions {
  /** Address to listen on. Default: a free port on the loopback address. */
  readonly address?: string;
  /** Receives the path of each stored request body that the agent sent. */
  readonly onSent?: (path: string) => void;
}

/** Matches the names of body files that an earlier receiver stored in the folder. */
const OURS = /^\d{4,}-(?:traces|logs)\.(?:pb|jsonl?)$/;

/**
 * Opens a receiver that stores request bodies in `folder`. Deletes the bodies that an earlier receiver stored there.
 * @throws AddressError if the address cannot be used
 */
export async function openCallReceiver(
  folder: string,
  { address = "127.0.0.1:0", onSent }: CallReceiverOptions = {},
): Promise<CallReceiver> {
  makePrivateFolder(folder);
  for (const name of readdirSync(folder)) if (OURS.test(name)) rmSync(join(folder, name));
  const refused = new Map<RequestOutcome, number>();
  const received = { requests: 0, spans: 0, logRecords: 0, metricRequests: 0, refused };
  const kept: string[] = [];
  const sent: string[] = [];
  let count = 0;
  const pathOf = (signal: Signal, ending: string): string => {
    const path = join(folder, `${String(++count).padStart(4, "0")}-${signal}.${ending}`);
    kept.push(path);
    return path;
  };
  const write = (body: Uint8Array | string, signal: Signal, encoding: Encoding): string => {
    const path = pathOf(signal, encoding === "json" ? "json" : "pb");
    writePrivateFile(path, body);
    return path;
  };
  const modelCalls = new Map<string, string>();
  const remove = (path: string): void => {
    rmSync(path);
    kept.splice(kept.indexOf(path), 1);
  };
  let listeners: (() => void)[] = [];
  const keep = (body: Uint8Array, { signal, encoding }: ReceivedRequest): Acceptance => {
    // Decoding transfers the body's memory to the batch, so the file is written from a copy.
    const copy = Buffer.from(body);
    const decoded = decodeRequest(body, signal, encoding);
    if (!decoded.ok) return { kind: "malformed", message: `${decoded.message} (at byte ${decoded.offset})` };
    const { batch } = decoded;
    if (batch === null) {
      received.metricRequests++;
      return { kind: "accepted", rejected: 0, message: "" };
    }
    received.requests++;
    received.spans += batch.spanCount;
    received.logRecords += batch.logCount;
    const path = write(copy, signal, encoding);
    sent.push(path);
    onSent?.(path);
    const waiting = listeners;
    listeners = [];
    for (const resolve of waiting) resolve();
    return { kind: "accepted", rejected: batch.rejected.count, message: batch.rejected.reason };
  };
  const receiver: Receiver = await createReceiver({
    http: address,
    grpc: "off",
    accept: keep,
    log: { warn: () => undefined, error: () => undefined },
    events: {
      request: (_, __, outcome) => {
        if (outcome !== "accepted") refused.set(outcome, (refused.get(outcome) ?? 0) + 1);
      },
      connectionCut: () => undefined,
    },
  });
  return {
    endpoint: `http://${receiver.listening.http ?? ""}`,
    received,
    kept,
    sent,
    keepOwn: (body) => void write(body, "traces", "json"),
    keepModelCalls: (callId, lines) => {
      const known = modelCalls.get(callId);
      if (lines === null) {
        if (known !== undefined) remove(known);
        modelCalls.delete(callId);
        return;
      }
      const path = known ?? pathOf("traces", "jsonl");
      modelCalls.set(callId, path);
      writePrivateFile(path, "");
      for (const line of lines) appendFileSync(path, `${line}\n`);
    },
    next: () =>
      new Promise((resolve) => {
        listeners.push(resolve);
      }),
    close: (graceMs) => receiver.close(graceMs),
  };
}
