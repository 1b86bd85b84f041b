import { z } from "zod";
import type { JudgedSample, SampleFilter } from "../../../store/archive.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";

const savedVersion = z.strictObject({
  version: z.string(),
  runs: z.number().describe("Saved runs of queries of the served specs"),
  captured_at: z
    .string()
    .nullable()
    .describe("Time of the newest saved run in RFC 3339; null if no file has a time"),
});
export type SavedVersion = z.infer<typeof savedVersion>;

/** Runs that `tracejury save` stored for the specs that `serve` uses. */
export interface SavedRuns {
  /** Returns the saved versions, newest first. */
  versions(): Promise<readonly SavedVersion[]>;
  /** Returns the runs saved under a version. Returns an empty list for an unknown version. */
  samples(
    version: string,
    filter: Pick<SampleFilter, "spec" | "query" | "agent">,
  ): Promise<readonly JudgedSample[]>;
}

/** Returns the endpoint that lists the saved versions for `/api/v1/compare`. */
export function baselineEndpoints(saved: SavedRuns): Endpoint[] {
  return [
    endpoint({
      path: "/api/v1/baselines",
      summary: "Versions of saved baselines (`tracejury save --version`) for the served specs, newest first",
      answer: z.strictObject({ baselines: z.array(savedVersion) }),
      handle: async () => ({ json: { baselines: await saved.versions() } }),
    }),
  ];
}
