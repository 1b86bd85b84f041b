import type { IncomingMessage } from "node:http";
import { collectAfter } from "./large-bodies.ts";

/** Why a body could not be read: the body is too large, there is no memory, or the sender has disconnected. */
export type BodyProblem = "too_large" | "over_budget" | "gone";

/** Size limits of each body, and of all bodies that are being read or answered. */
export interface BodyBounds {
  readonly largestBytes: number;
  readonly budgetBytes: number;
}

/** A complete body. */
export interface ReadBody {
  readonly body: Buffer;
  /** Reserves further memory in bytes, for decoded text and values or for the answer; returns false if there is not enough. */
  readonly reserve: (bytes: number) => boolean;
  /** Releases the memory of the body and its answer. */
  readonly release: () => void;
}

/** Reads bodies within limits. A body counts against the memory budget until it is released. */
export class BodyReader {
  readonly #bounds: BodyBounds;
  #usedBytes = 0;

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  /** Reads the body of a request. If the body is refused, stops reading. */
  async read(request: IncomingMessage): Promise<ReadBody | BodyProblem> {
    const { largestBytes, budgetBytes } = this.#bounds;
    if (Number(request.headers["content-length"] ?? 0) > largestBytes) return "too_large";
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const release = (): void => {
      this.#usedBytes -= sizeBytes;
      collectAfter(sizeBytes);
      sizeBytes = 0;
    };
    const reserve = (bytes: number): boolean => {
      // Memory is refused only while other requests use some, so a single request gets all the memory that it needs.
      if (this.#usedBytes + bytes > budgetBytes && this.#usedBytes > sizeBytes) return false;
      sizeBytes += bytes;
      this.#usedBytes += bytes;
      return true;
    };
    return new Promise((resolve) => {
      const refuse = (problem: BodyProblem): void => {
        release();
        chunks.length = 0;
        request.off("data", add);
        resolve(problem);
      };
      const add = (chunk: Buffer): void => {
        sizeBytes += chunk.length;
        this.#usedBytes += chunk.length;
        if (sizeBytes > largestBytes) refuse("too_large");
        else if (this.#usedBytes > budgetBytes) refuse("over_budget");
        else chunks.push(chunk);
      };
      request.on("data", add);
      request.once("end", () => resolve({ body: Buffer.concat(chunks), reserve, release }));
      request.once("close", () => {
        if (!request.complete) refuse("gone");
      });
      request.once("error", () => refuse("gone"));
    });
  }
}

const MOST_DISCARDED_BYTES = 256 * 2 ** 20;
const LONGEST_DISCARD_MS = 30_000;

/**
 * Reads and drops the unread part of a refused body. This is needed because some senders send the complete body before they read the
 * response. Resolves at the end of the body, or when the size or time limit is reached.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LONGEST_DISCARD_MS);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    let sizeBytes = 0;
    request.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > MOST_DISCARDED_BYTES) finish();
    });
    for (const event of ["end", "close", "error"]) request.once(event, finish);
    request.resume();
  });
}
