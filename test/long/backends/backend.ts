import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { gunzipSync } from "node:zlib";
import { decodeSpans } from "../../support/otlp-sink.ts";

/** A backend that can be put into trouble. */
export interface Backend {
  readonly protocol: "http" | "grpc";
  readonly endpoint: string;
  readonly taken: Taken;
  listen(): Promise<void>;
  /** Closes its port, and every connection. */
  stop(): Promise<void>;
  /** From now on every request is answered so; null: as it should be. */
  fall(into: string | null): void;
}

/** What a backend has taken. */
export class Taken {
  readonly spans = new Set<string>();
  /** Of the bytes that came, as they came. */
  readonly digests = new Set<string>();
  /** All attempts, whatever they were answered. */
  requests = 0;

  add(type: string | undefined, coding: string | undefined, sent: Buffer): void {
    this.digests.add(digest(sent));
    const body = coding === "gzip" ? gunzipSync(sent) : sent;
    if (type?.includes("json") === true) {
      for (const [, traceId, spanId] of body.toString().matchAll(/"traceId":"(\w+)","spanId":"(\w+)"/g))
        this.spans.add(`${traceId}${spanId}`);
      return;
    }
    for (const { traceId, spanId } of decodeSpans(body)) this.spans.add(traceId + spanId);
  }
}

export function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64");
}

/** Connections, so that all of them can be cut. */
export class Connections {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket)).on("error", ignore);
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

export const GIB = 2 ** 30;

/** Writes a GiB as fast as it is read, and ends. */
export function pourGib(answer: Writable): void {
  const piece = Buffer.alloc(1 << 20);
  let left = GIB;
  const more = (): void => {
    while (left > 0 && !answer.destroyed) {
      left -= piece.length;
      if (!answer.write(piece)) return void answer.once("drain", more);
    }
    answer.end();
  };
  more();
}

export function ignore(): void {
  // a connection that was cut is part of the trouble
}
