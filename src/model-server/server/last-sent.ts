import type { ServerResponse } from "node:http";

/**
 * Returns a function that returns the time (by `performance.now`) at which data of the response was last written to the connection; null if
 * none was written. This is more exact than the end event of the response, which a busy machine can report long after the client has the
 * answer.
 */
export function lastSentOf(response: ServerResponse): () => number | null {
  let lastMs: number | null = null;
  const noting =
    <Args extends readonly unknown[], Result>(send: (...args: Args) => Result) =>
    (...args: Args): Result => {
      const [data] = args;
      if (typeof data === "string" || data instanceof Uint8Array) lastMs = performance.now();
      return send(...args);
    };
  Object.assign(response, {
    write: noting(response.write.bind(response)),
    end: noting(response.end.bind(response)),
  });
  return () => lastMs;
}
