import { z } from "zod";
import { ToolError } from "../../interfaces/mcp/tool.ts";
import type { DumpPath } from "../../receive/dump/files/paths.ts";
import type { Spool } from "../../receive/dump/files/spool.ts";
import { UserError } from "../../support/process/exit-code.ts";
import { type AskedCollector, askCollector, STORE_PORT } from "./ask-collector.ts";

/** Maximum number of runs to read, newest first. */
const MOST_RUNS = 10_000;
const PAGE = 500;
const AT_ONCE = 8;

const page = z.object({ runs: z.array(z.object({ run_id: z.string() })), next: z.string().nullable() });

export interface ServedToSpoolOptions {
  readonly token: string | undefined;
  /** Stream for the message that not all runs were read. */
  readonly stderr: Pick<NodeJS.WriteStream, "write"> | undefined;
}

/**
 * Reads the stored telemetry of a running collector's newest runs, at most 10,000, into a temporary file,
 * which is read as a dump. Runs without telemetry are reported as invalid input.
 * @throws UserError if no collector responds at the URL, or it has no run
 */
export async function servedToSpool(
  url: string,
  spool: Spool,
  { token, stderr }: ServedToSpoolOptions,
): Promise<readonly DumpPath[]> {
  const file = spool.open();
  try {
    const missing = await askCollector({ url, token, what: STORE_PORT }, async (collector) => {
      const { ids, areAll } = await newestRuns(collector);
      if (ids.length === 0)
        throw new UserError(
          `the collector at ${url} has no run yet`,
          `tracejury doctor ${url} shows received telemetry; runs are listed after their traces are complete`,
        );
      if (!areAll) stderr?.write(`${url}: the newest ${ids.length} runs are read, older ones are not\n`);
      let withoutTelemetry = 0;
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const read = ids.slice(at, at + AT_ONCE).map((id) => telemetryOfRun(collector, id));
        for (const lines of await Promise.all(read)) {
          if (lines === "") withoutTelemetry++;
          else file.write(lines);
        }
      }
      return withoutTelemetry;
    });
    const invalid = missing === 0 ? {} : { invalid: [{ line: 1, reason: notStored(missing) }] };
    return [{ name: url, path: file.path, size: file.size, named: true, ...invalid }];
  } finally {
    file.close();
  }
}

/** Returns ids of the stored runs that the collector judged as failed. */
export async function failedRuns(url: string, token: string | undefined): Promise<ReadonlySet<string>> {
  return await askCollector({ url, token, what: STORE_PORT }, async (collector) => {
    const { ids } = await newestRuns(collector, { outcome: "fail" });
    return new Set(ids);
  });
}

/** Whether a collector with a run responds at the URL. */
export async function hasRuns(url: string, token: string | undefined): Promise<boolean> {
  try {
    return await askCollector({ url, token, what: STORE_PORT }, async ({ json }) => {
      const { runs } = await json("/api/v1/runs?limit=1", page);
      return runs.length > 0;
    });
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

function notStored(runs: number): string {
  return `${runs} ${runs === 1 ? "run" : "runs"} left out: no telemetry is stored, because store.telemetry is off or the telemetry has expired`;
}

async function newestRuns(
  { json }: AskedCollector,
  filter: Readonly<Record<string, string>> = {},
): Promise<{ ids: readonly string[]; areAll: boolean }> {
  const ids: string[] = [];
  let next: string | null = "";
  while (next !== null && ids.length < MOST_RUNS) {
    const asked = new URLSearchParams({
      ...filter,
      limit: `${PAGE}`,
      ...(next === "" ? {} : { cursor: next }),
    });
    const found: z.output<typeof page> = await json(`/api/v1/runs?${asked}`, page);
    for (const { run_id: id } of found.runs) ids.push(id);
    next = found.next;
  }
  return { ids, areAll: next === null };
}

/** Returns OTLP/JSON lines; empty for a run whose telemetry is not stored, or not any more. */
async function telemetryOfRun({ text }: AskedCollector, id: string): Promise<string> {
  try {
    const lines = await text(`/api/v1/runs/${encodeURIComponent(id)}/telemetry`);
    return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
  } catch (error) {
    if (error instanceof ToolError && error.status === 404) return "";
    throw error;
  }
}
