import type { IncomingMessage, ServerResponse } from "node:http";

/** Why a body is not there: too large, or its sender is gone. */
export type BodyProblem = "too_large" | "over_budget" | "gone";

/** Bounds of bodies: of each, and of all that are being read or answered at a time. */
export interface BodyBounds {
  readonly largestBytes: number;
  readonly budgetBytes: number;
}

/** A body that was read. */
export interface ReadBody {
  readonly body: Buffer;
  /** Takes bytes of the budget for an answer too; false when the budget has no more. */
  readonly reserve: (bytes: number) => boolean;
  /** Frees what the body and its answer take. */
  readonly release: () => void;
}

/** Reads bodies within bounds. What a body takes of the budget is free again when it is released. */
export class BodyReader {
  readonly #bounds: BodyBounds;
  #usedBytes = 0;

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  /** A body; the problem where there is none. The rest of a refused one is not read. */
  async read(request: IncomingMessage): Promise<ReadBody | BodyProblem> {
    const { largestBytes, budgetBytes } = this.#bounds;
    if (Number(request.headers["content-length"] ?? 0) > largestBytes) return "too_large";
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const release = (): void => {
      this.#usedBytes -= sizeBytes;
      sizeBytes = 0;
    };
    const reserve = (bytes: number): boolean => {
      if (this.#usedBytes + bytes > budgetBytes) return false;
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
 * Discards what is left of a refused body, and resolves when its sender is ready to read why: some senders read nothing
 * before they have sent everything. For a body that does not end, the connection is closed after the response.
 */
export async function discardRest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  const isWhole = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, LONGEST_DISCARD_MS, false);
    const finish = (whole: boolean): void => {
      clearTimeout(timer);
      resolve(whole);
    };
    let sizeBytes = 0;
    request.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > MOST_DISCARDED_BYTES) finish(false);
    });
    request.once("end", () => finish(true));
    request.once("close", () => finish(false));
    request.on("error", () => finish(false));
    request.resume();
  });
  if (!isWhole && !response.headersSent) response.setHeader("connection", "close");
}
