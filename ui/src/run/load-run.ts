import { ApiError, ask } from "../api.ts";
import type { RunJson, SpanJson } from "../types.ts";

/** A run with its spans. */
export interface WholeRun {
  readonly run: RunJson;
  readonly spans: readonly SpanJson[];
}

/** Loads a run and its spans. Rejects with `ApiError` if the run cannot be loaded. */
export async function loadRun(id: string): Promise<WholeRun> {
  const path = `/api/v1/runs/${encodeURIComponent(id)}`;
  const [run, spans] = await Promise.all([ask<RunJson>(path), spansOf(path)]);
  return { run, spans };
}

/** Resolves to the spans; empty if telemetry is not stored. */
async function spansOf(path: string): Promise<readonly SpanJson[]> {
  try {
    return (await ask<{ spans: SpanJson[] }>(`${path}/spans`)).spans;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
