import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { DEMO_ATTRIBUTE } from "../../model/demo-attribute.ts";
import { counted } from "../../report/render/terminal/printable.ts";
import { ToolError } from "../../interfaces/mcp/tool.ts";
import type { DumpPath } from "../../receive/dump/files/paths.ts";
import type { Spool } from "../../receive/dump/files/spool.ts";
import { UserError } from "../../support/process/io.ts";
import { type AskedCollector, askCollector, MOST_RUNS, pagesOf, STORE_PORT } from "./ask-collector.ts";

const AT_ONCE = 8;

const page = z.object({ runs: z.array(z.object({ run_id: z.string() })), next: z.string().nullable() });

export interface ServedToSpoolOptions {
  readonly token: string | undefined;
  /** Stream for messages, for example that older runs were not read. */
  readonly stderr: Pick<NodeJS.WriteStream, "write"> | undefined;
}

/** `WAIT_MS`: maximum milliseconds to wait for open traces. `LOOK_EVERY_MS`: pause in milliseconds between two requests. */
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 500;
/**
 * If the number of open traces, divided by the number of read runs, is at least this, the command waits for open traces. Below this ratio,
 * it waits only while no run of the user's own agent was read.
 */
const OPEN_SHARE = 0.1;

/**
 * Writes the stored telemetry of a running collector's newest runs (at most 10,000) to a temporary file, to be read as a dump. Reports runs
 * without stored telemetry as invalid input. Waits for open traces if there are many of them compared with the runs that were read, or if
 * all read runs are examples of `npm start`. Reads example runs only if there are no other runs.
 * @throws UserError if no collector responds at the URL, or the collector has no run
 */
export async function servedToSpool(
  url: string,
  spool: Spool,
  { token, stderr }: ServedToSpoolOptions,
): Promise<readonly DumpPath[]> {
  const file = spool.open();
  try {
    const missing = await askCollector({ url, token, what: STORE_PORT }, async (collector) => {
      const read = await readServed(collector, url, (lines) => file.write(lines), stderr);
      if (read.runs === 0)
        throw new UserError(
          `the collector at ${url} has no run yet`,
          `tracejury doctor ${url} shows received telemetry; runs are listed after their traces are complete`,
        );
      return read.missing;
    });
    const invalid = missing === 0 ? {} : { invalid: [{ line: 1, reason: notStored(missing) }] };
    return [{ name: url, path: file.path, size: file.size, named: true, ...invalid }];
  } finally {
    file.close();
  }
}

interface ServedRead {
  readonly runs: number;
  /** Number of runs without stored telemetry. */
  readonly missing: number;
}

async function readServed(
  collector: AskedCollector,
  url: string,
  write: (lines: string) => void,
  stderr: ServedToSpoolOptions["stderr"],
): Promise<ServedRead> {
  const say = (text: string): void => void stderr?.write(`${url}: ${text}\n`);
  const seen = new Set<string>();
  const examples: string[] = [];
  let missing = 0;
  const readNew = async (): Promise<boolean> => {
    const { ids, areAll } = await newestRuns(collector);
    const fresh = ids.filter((id) => !seen.has(id));
    if (!areAll) say(`only the newest ${ids.length} runs are read`);
    for (let at = 0; at < fresh.length; at += AT_ONCE) {
      const some = fresh.slice(at, at + AT_ONCE);
      for (const id of some) seen.add(id);
      for (const lines of await Promise.all(some.map((id) => telemetryOfRun(collector, id)))) {
        if (lines === "") missing++;
        else if (isExample(lines)) examples.push(lines);
        else write(lines);
      }
    }
    return seen.size > examples.length;
  };
  let hasOwn = await readNew();
  let open = await openTraces(collector);
  // With steady traffic, some traces are always open. Waiting for them would add only a few runs.
  const isWorthWaiting = (): boolean => open > 0 && (!hasOwn || open >= OPEN_SHARE * seen.size);
  if (isWorthWaiting()) {
    const expected = seen.size + open;
    say(
      `waiting up to ${WAIT_MS / 1000} s for ${counted(open, "trace")} that ${open === 1 ? "is" : "are"} still open`,
    );
    // The collector lists a run shortly after its trace was closed. So a few more requests follow after the last trace was closed.
    for (let looks = WAIT_MS / LOOK_EVERY_MS, idle = 0; looks > 0 && idle < 4; looks--) {
      await sleep(LOOK_EVERY_MS);
      open = await openTraces(collector);
      idle = open > 0 ? 0 : idle + 1;
      hasOwn = await readNew();
      if (hasOwn && (open === 0 ? seen.size >= expected : !isWorthWaiting())) break;
    }
  }
  if (open > 0)
    say(
      `${counted(open, "trace")} still open, so ${open === 1 ? "its" : "their"} runs were not read: repeat the command in some seconds (init then needs --force)`,
    );
  if (!hasOwn) for (const lines of examples) write(lines);
  if (examples.length > 0) {
    const named = `${counted(examples.length, "example run")} of npm start`;
    say(hasOwn ? `${named} left out` : `found only ${named}, and no run of your own agent`);
  }
  return { runs: seen.size, missing };
}

/** Whether a run's telemetry has the attribute of demo runs. */
function isExample(lines: string): boolean {
  return lines.includes(`"${DEMO_ATTRIBUTE}"`);
}

/** A collector of another version may not return `open_traces`. */
const openTracesSchema = z.object({ open_traces: z.number().default(0) });

async function openTraces({ json }: AskedCollector): Promise<number> {
  return (await json("/api/v1/status", openTracesSchema)).open_traces;
}

/** Returns the ids of stored runs that the collector judged as failed. */
export async function failedRuns(url: string, token: string | undefined): Promise<ReadonlySet<string>> {
  return await askCollector({ url, token, what: STORE_PORT }, async (collector) => {
    const { ids } = await newestRuns(collector, { outcome: "fail" });
    return new Set(ids);
  });
}

/** Whether a collector with at least one run responds at the URL. */
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
  collector: AskedCollector,
  filter: Readonly<Record<string, string>> = {},
): Promise<{ ids: readonly string[]; areAll: boolean }> {
  const ids: string[] = [];
  for await (const { runs, next } of pagesOf(collector, "/api/v1/runs", page, filter)) {
    for (const { run_id: id } of runs) ids.push(id);
    if (next !== null && ids.length >= MOST_RUNS) return { ids, areAll: false };
  }
  return { ids, areAll: true };
}

/** Returns the telemetry of a run as OTLP/JSON lines; empty if the telemetry is not stored, or not stored any more. */
async function telemetryOfRun({ text }: AskedCollector, id: string): Promise<string> {
  try {
    const lines = await text(`/api/v1/runs/${encodeURIComponent(id)}/telemetry`);
    return lines === "" || lines.endsWith("\n") ? lines : `${lines}\n`;
  } catch (error) {
    if (error instanceof ToolError && error.status === 404) return "";
    throw error;
  }
}
