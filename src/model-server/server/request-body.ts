import type { IncomingMessage } from "node:http";

/** Why a body is not there: too large, or its sender is gone. */
export type BodyProblem = "too_large" | "over_budget" | "gone";

/** Bounds of bodies: of each, and of all that are being read or answered at a time. */
export interface BodyBounds {
  readonly largestBytes: number;
  readonly budgetBytes: number;
}

/** Reads bodies within bounds. What a body takes of the budget is free again when it is released. */
export class BodyReader {
  readonly #bounds: BodyBounds;
  #usedBytes = 0;

  constructor(bounds: BodyBounds) {
    this.#bounds = bounds;
  }

  /** A body, and the function that frees what it takes; the problem where there is none. The rest of a refused one is discarded. */
  async read(
    request: IncomingMessage,
  ): Promise<{ readonly body: Buffer; readonly release: () => void } | BodyProblem> {
    const { largestBytes, budgetBytes } = this.#bounds;
    if (Number(request.headers["content-length"] ?? 0) > largestBytes) return "too_large";
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const release = (): void => {
      this.#usedBytes -= sizeBytes;
      sizeBytes = 0;
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
      request.once("end", () => resolve({ body: Buffer.concat(chunks), release }));
      request.once("close", () => {
        if (!request.complete) refuse("gone");
      });
      request.once("error", () => refuse("gone"));
    });
  }
}

const MOST_DISCARDED_BYTES = 256 * 2 ** 20;

/** Discards what is left of a refused body, so that its sender gets to read why; one that never ends is cut off. */
export function discardRest(request: IncomingMessage): void {
  let sizeBytes = 0;
  request.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > MOST_DISCARDED_BYTES) request.destroy();
  });
  request.on("error", () => undefined);
  request.resume();
}
