import type { Usage } from "../model/run.ts";

/** Cost of a call; null if the model has no price. */
export type Price = (
  provider: string | null,
  model: string,
  usage: Usage,
  atUnixMs: number,
  tier?: string | null,
) => { usd: number; source: string; unpriced?: readonly string[] } | null;
