import { z } from "zod";
import { type AskedCollector, askCollector, STORE_PORT } from "./ask-collector.ts";

/** Maximum number of runs to read, newest first. */
const MOST_RUNS = 10_000;
const PAGE = 500;
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
  return askCollector({ url, token, what: STORE_PORT }, async ({ json: ask }) => {
    const covered = await ambiguousRuns(ask);
    const ids: string[] = [];
    for (let next: string | null = ""; next !== null && ids.length < MOST_RUNS;) {
      const asked = new URLSearchParams({ limit: `${PAGE}`, ...(next === "" ? {} : { cursor: next }) });
      const found: z.infer<typeof page> = await ask(`/api/v1/runs?${asked}`, page);
      for (const { run_id: id, verdicts } of found.runs) {
        ids.push(id);
        if (verdicts.length > 0) covered.add(id);
      }
      next = found.next;
    }
    const runs: ServedRun[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      const read = some.map((id) => ask(`/api/v1/runs/${encodeURIComponent(id)}`, detail));
      for (const run of await Promise.all(read)) runs.push({ ...run, isCovered: covered.has(run.run_id) });
    }
    return runs;
  });
}

/** Returns the ids of runs that several queries match. Runs that several queries match need no new query. */
async function ambiguousRuns(ask: AskedCollector["json"]): Promise<Set<string>> {
  const ids = new Set<string>();
  let seen = 0;
  for (let next: string | null = ""; next !== null && seen < MOST_RUNS;) {
    const asked = new URLSearchParams({ limit: `${PAGE}`, ...(next === "" ? {} : { cursor: next }) });
    const found: z.infer<typeof unjudgedPage> = await ask(`/api/v1/unjudged?${asked}`, unjudgedPage);
    seen += found.unjudged.length;
    for (const { run_id: id, candidates } of found.unjudged) if (candidates.length > 0) ids.add(id);
    next = found.next;
  }
  return ids;
}
