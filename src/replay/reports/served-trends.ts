import { z } from "zod";
import { createCollector } from "../../interfaces/mcp/collector.ts";
import { ToolError } from "../../interfaces/mcp/tool.ts";
import { UserError } from "../../support/process/exit-code.ts";
import type { GroupTrend } from "../../report/render/changes/trend-console.ts";
import { parseTrend, trendSchema } from "../../report/render/changes/trend-json.ts";

const queriesSchema = z.object({
  queries: z.array(z.object({ spec: z.string(), query_id: z.string() })),
});

/**
 * The trend of each query in the store of a running collector, asked at its admin port.
 * @param since as the API takes it: a date, or a duration counted back from now
 * @throws UserError when no server answers there, or not a collector
 */
export async function servedTrends(
  url: string,
  since: string,
  token: string | undefined,
): Promise<readonly GroupTrend[]> {
  const collector = createCollector(url, token);
  const ask = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> =>
    schema.parse(JSON.parse(await collector.get(path)));
  try {
    const { queries } = await ask(`/api/v1/queries?${new URLSearchParams({ since })}`, queriesSchema);
    const specs = new Set(queries.map(({ spec }) => spec));
    const trends: GroupTrend[] = [];
    for (const { spec, query_id: query } of queries) {
      const asked = new URLSearchParams({ spec, query, since });
      const trend = parseTrend(await ask(`/api/v1/change-points?${asked}`, trendSchema));
      trends.push({ key: specs.size > 1 ? `${spec}/${query}` : query, trend });
    }
    return trends;
  } catch (error) {
    // What the tool's message goes on to say is for coding agents.
    if (error instanceof ToolError) throw new UserError(error.message.replace(/: start `[^]*$/, ""), hint);
    throw new UserError(`${url} does not answer like a collector's admin port with a store`, hint);
  }
}

const hint = "give the address that `admin` has in its configuration, such as http://127.0.0.1:4319";
