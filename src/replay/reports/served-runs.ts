import { inParallel } from "../../support/structures/in-parallel.ts";
import { z } from "zod";
import { type AskedCollector, askCollector, MOST_RUNS, pagesOf, STORE_PORT } from "./ask-collector.ts";

const AT_ONCE = 8;

const page = z.object({
  runs: z.array(z.object({ run_id: z.string(), verdicts: z.array(z.unknown()) })),
  next: z.string().nullable(),
});
const unjudgedPage = z.object({
  unjudged: z.array(z.object({ run_id: z.string(), candidates: z.array(z.string()) })),
  next: z.string().nullable(),
});
const name = z.string().nullable();
const detail = z.object({
  run_id: z.string(),
  agent: name,
  query: name,
  answer: name,
  status: name,
  error: name,
  tools: z.array(z.object({ name, executed: z.boolean().nullable().optional() })),
  handoffs: z.array(z.object({ from: name, to: name })),
  total_tokens: z.number().nullable(),
  duration_ms: z.number(),
  start_unix_ms: z.number(),
});

/**
 * A stored run of a running collector. `isCovered`: whether a query of the collector's specs matches the run.
 */
export type ServedRun = z.infer<typeof detail> & { readonly isCovered: boolean };

/**
 * Reads the newest stored runs of a running collector, at most 10,000, through its admin port.
 * @throws UserError if the URL does not respond or is not a collector
 */
export async function servedRuns(url: string, token: string | undefined): Promise<readonly ServedRun[]> {
  return askCollector({ url, token, what: STORE_PORT }, async (collector) => {
    const covered = await ambiguousRuns(collector);
    const ids: string[] = [];
    for await (const { runs } of pagesOf(collector, "/api/v1/runs", page)) {
      for (const { run_id: id, verdicts } of runs) {
        ids.push(id);
        if (verdicts.length > 0) covered.add(id);
      }
      if (ids.length >= MOST_RUNS) break;
    }
    const runs = await inParallel(ids, AT_ONCE, (id) =>
      collector.json(`/api/v1/runs/${encodeURIComponent(id)}`, detail),
    );
    return runs.map((run) => ({ ...run, isCovered: covered.has(run.run_id) }));
  });
}

/** Returns the ids of runs that several queries match. Such runs count as covered, because they need no new query. */
async function ambiguousRuns(collector: AskedCollector): Promise<Set<string>> {
  const ids = new Set<string>();
  let seen = 0;
  for await (const { unjudged } of pagesOf(collector, "/api/v1/unjudged", unjudgedPage)) {
    for (const { run_id: id, candidates } of unjudged) if (candidates.length > 0) ids.add(id);
    seen += unjudged.length;
    if (seen >= MOST_RUNS) break;
  }
  return ids;
}
