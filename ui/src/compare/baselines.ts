import { ApiError, ask, useLoaded } from "../api.ts";

/** An item of `/api/v1/baselines`. */
export interface SavedVersion {
  readonly version: string;
  readonly runs: number;
  readonly captured_at: string | null;
}

/** Returns the versions of saved baselines, newest first; empty while they are being loaded, and if there are none. */
export function useBaselines(): readonly SavedVersion[] {
  const loading = useLoaded(loadBaselines, []);
  return loading.state === "ready" ? loading.value : [];
}

async function loadBaselines(): Promise<readonly SavedVersion[]> {
  try {
    return (await ask<{ baselines: readonly SavedVersion[] }>("/api/v1/baselines")).baselines;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
