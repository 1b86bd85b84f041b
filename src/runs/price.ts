import type { Usage } from "../model/run.ts";

/** What a call costs; null where the model has no price. */
export type Price = (
  provider: string | null,
  model: string,
  usage: Usage,
  atUnixMs: number,
  tier?: string | null,
) => { usd: number; source: string; unpriced?: readonly string[] } | null;
