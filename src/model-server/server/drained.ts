import type { ServerResponse } from "node:http";

/** Resolves when the client has read the written data, or when the exchange has ended, even if it ended before this call. */
export function drained(response: ServerResponse, over: AbortSignal): Promise<void> {
  if (over.aborted || response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.removeListener("drain", done);
      over.removeEventListener("abort", done);
      resolve();
    };
    response.once("drain", done);
    over.addEventListener("abort", done);
  });
}
