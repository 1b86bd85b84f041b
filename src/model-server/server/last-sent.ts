import type { ServerResponse } from "node:http";

/**
 * Returns a function that returns when data of the response was last given to the connection, by `performance.now`; null if there was none.
 * The client has its answer at this time or later. On a busy machine, the server can notice the end of the response long after the client.
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
