import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UserError } from "../exit-code.ts";

export interface Telemetry {
  readonly dumps: readonly string[];
  /** The trace that was asked for by its id; undefined for dumps. */
  readonly traceId: string | undefined;
  /** Removes what was made for the time being. */
  readonly remove: () => void;
}

/** Dumps as they are named; for the id of a trace, what a running `serve` has kept of it. */
export async function telemetryOf(names: readonly string[], admin: string): Promise<Telemetry> {
  const [name] = names;
  const asked = names.length === 1 && name !== undefined && isTraceId(name);
  if (!asked) return { dumps: names, traceId: undefined, remove: () => undefined };
  const lines = await served(name.toLowerCase(), admin);
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const file = join(folder, "telemetry.jsonl");
  writeFileSync(file, lines);
  return { dumps: [file], traceId: name, remove: () => rmSync(folder, { recursive: true }) };
}

function isTraceId(name: string): boolean {
  return /^[0-9a-f]{32}$/i.test(name) && statSync(name, { throwIfNoEntry: false }) === undefined;
}

async function served(traceId: string, admin: string): Promise<string> {
  const runs = (await get(`http://${admin}/api/v1/runs?trace=${traceId}`, traceId).then((answer) =>
    answer.json(),
  )) as {
    readonly runs?: readonly { readonly run_id?: unknown }[];
  };
  const ids = (runs.runs ?? []).flatMap(({ run_id: id }) => (typeof id === "string" ? [id] : []));
  if (ids.length === 0) {
    throw new UserError(
      `serve at ${admin} has no run of trace ${traceId}`,
      "it keeps telemetry in its store for a while: give the dump instead",
    );
  }
  const parts = await Promise.all(
    ids.map((id) =>
      get(`http://${admin}/api/v1/runs/${encodeURIComponent(id)}/telemetry`, traceId).then((answer) =>
        answer.text(),
      ),
    ),
  );
  return parts.join("");
}

async function get(url: string, traceId: string): Promise<Response> {
  const advice = "start serve, name its address with --set admin=HOST:PORT, or give the dump instead";
  const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch((error: unknown) => {
    throw new UserError(
      `trace ${traceId}: no answer from ${url}: ${String((error as Error).cause ?? error)}`,
      advice,
    );
  });
  if (answer.ok) return answer;
  throw new UserError(`trace ${traceId}: ${url} answered ${answer.status}`, advice);
}
