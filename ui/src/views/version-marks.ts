import { ApiError, ask } from "../api.ts";

/** A version, and the start of its first run with a query. */
export interface VersionMark {
  readonly version: string;
  readonly atUnixMs: number;
}

const mostVersions = 5;

/** Resolves to the most frequent versions among the runs of a query, each with the start of its first run. The oldest version is first. */
export async function versionMarks(queryId: string): Promise<readonly VersionMark[]> {
  try {
    const { facets } = await ask<{ facets: { version: readonly { value: string }[] } }>("/api/v1/facets", {
      parameters: { query: queryId },
    });
    const marks = await Promise.all(
      facets.version.slice(0, mostVersions).map(async ({ value }) => {
        const parameters = { query: queryId, version: value, sort: "began", order: "asc", limit: "1" };
        const { runs } = await ask<{ runs: { start_unix_ms: number }[] }>("/api/v1/runs", { parameters });
        return runs.map(({ start_unix_ms: atUnixMs }) => ({ version: value, atUnixMs }));
      }),
    );
    return marks.flat().sort((a, b) => a.atUnixMs - b.atUnixMs);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}
