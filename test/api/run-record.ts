import type { JudgedRecord } from "../../src/store/read/stored.ts";

/** A run of agent `a` of which little is known, as the store gets it. */
export function runRecord(id: string, query: string, startUnixMs: number): JudgedRecord["run"] {
  return {
    runId: id,
    traceIds: [id],
    agent: "a",
    service: null,
    conversationId: null,
    query,
    answer: null,
    complete: true,
    startUnixMs,
    durationMs: 1,
    totalTokens: null,
    costUsd: null,
    models: [],
    json: `{"run_id":"${id}"}`,
  };
}
