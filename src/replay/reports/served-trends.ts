import { z } from "zod";
import type { GroupTrend } from "../../report/render/changes/trend-console.ts";
import { askCollector, STORE_PORT } from "./ask-collector.ts";
import { trendSchema } from "../../report/render/changes/trend-json.ts";

const queriesSchema = z.object({
  queries: z.array(z.object({ spec: z.string(), query_id: z.string() })),
});

/**
 * Reads the trend of each query from a running collector's store, through its admin port.
 * @param since a date, or a duration before now, in the format of the API
 * @throws UserError if no server responds, or the server is not a collector
 */
export async function servedTrends(
  url: string,
  since: string,
  token: string | undefined,
): Promise<readonly GroupTrend[]> {
  return askCollector({ url, token, what: STORE_PORT }, async ({ json: ask }) => {
    const { queries } = await ask(`/api/v1/queries?${new URLSearchParams({ since })}`, queriesSchema);
    const specs = new Set(queries.map(({ spec }) => spec));
    const trends: GroupTrend[] = [];
    for (const { spec, query_id: query } of queries) {
      const parameters = new URLSearchParams({ spec, query, since });
      const trend = await ask(`/api/v1/change-points?${parameters}`, trendSchema);
      trends.push({ key: specs.size > 1 ? `${spec}/${query}` : query, trend });
    }
    return trends;
  });
}
