import { lstatSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDynamicPattern } from "tinyglobby";
import { z } from "zod";
import type { Config } from "../../../config/config.ts";
import { reachableUrl } from "../../../config/reachable-url.ts";
import { documentBounds, parseJson } from "../../../model/json.ts";
import { createCollector, withoutAdvice } from "../../mcp/collector.ts";
import { ToolError } from "../../mcp/tool.ts";
import { UserError } from "../../../support/process/io.ts";

/** Returns the URL of the configured collector's admin port. Returns null if the admin port is off. */
export function adminUrl({ admin, security }: Pick<Config, "admin" | "security">): string | null {
  return admin === "off" ? null : reachableUrl(admin, security.adminTls !== null);
}

export interface Telemetry {
  readonly dumps: readonly string[];
  /** Id of the requested trace or run. Undefined if dumps were named. */
  readonly id: string | undefined;
  readonly remove: () => void;
}

/**
 * Returns the dumps that `names` contains. If `names` is the id of a trace or run, returns the telemetry that a running `serve` has stored
 * for the id.
 */
export async function telemetryOf(
  names: readonly string[],
  collectorUrl: string | null,
  token: string | undefined,
): Promise<Telemetry> {
  const [name] = names;
  if (names.length !== 1 || name === undefined || !isId(name)) {
    if (names.length === 1 && name !== undefined) checkDump(name);
    return { dumps: names, id: undefined, remove: () => undefined };
  }
  const id = name.toLowerCase();
  const lines = await downloadTelemetry(id.slice(0, TRACE_ID_DIGITS), collectorUrl, token);
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const file = join(folder, "telemetry.jsonl");
  writeFileSync(file, lines);
  return { dumps: [file], id, remove: () => rmSync(folder, { recursive: true }) };
}

const TRACE_ID_DIGITS = 32;

/**
 * Whether the name is a trace id or run id.
 * @throws UserError if the id is truncated, as it is in reports
 */
function isId(name: string): boolean {
  if (!/^[0-9a-f]{6,32}(?:…|-[0-9a-f]{16})?$/i.test(name)) return false;
  if (statSync(name, { throwIfNoEntry: false }) !== undefined) return false;
  if (/^[0-9a-f]{32}(?:-|$)/i.test(name)) return true;
  throw new UserError(
    `${name} is neither a file nor a complete trace or run id`,
    "reports truncate ids; --format json, inspect and the page show complete ids",
  );
}

/** @throws UserError if the name is a plain name that is neither a file nor a folder */
function checkDump(name: string): void {
  if (name === "-" || name.includes("://") || isDynamicPattern(name)) return;
  if (lstatSync(name, { throwIfNoEntry: false }) !== undefined) return;
  throw new UserError(
    `${name} is neither a file nor a folder, nor the id of a trace or run`,
    "give a dump, or a complete id that inspect or the page shows; an id begins with 32 hexadecimal digits",
  );
}

const runsPage = z.object({ runs: z.array(z.object({ run_id: z.string() })) });

/**
 * Downloads stored telemetry from the collector.
 * @throws UserError if the collector does not respond, or has not stored the run
 */
async function downloadTelemetry(
  traceId: string,
  url: string | null,
  token: string | undefined,
): Promise<string> {
  if (url === null)
    throw new UserError(
      `trace ${traceId} cannot be downloaded: the admin port is off in the configuration`,
      "name the dump instead",
    );
  const collector = createCollector(url, token);
  const get = async (path: string): Promise<string> => {
    try {
      return await collector.get(path);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      throw new UserError(
        `trace ${traceId}: ${withoutAdvice(error.message)}`,
        "start serve, name its address with --set admin=HOST:PORT, or name the dump instead",
      );
    }
  };
  const page = runsPage.safeParse(parseJson(await get(`/api/v1/runs?trace=${traceId}`), documentBounds));
  const runs = page.data?.runs ?? [];
  if (runs.length === 0) {
    throw new UserError(
      `serve at ${url} has no run of trace ${traceId}`,
      "serve keeps telemetry for a limited time: use the dump instead",
    );
  }
  const parts = await Promise.all(
    runs.map(({ run_id: id }) => get(`/api/v1/runs/${encodeURIComponent(id)}/telemetry`)),
  );
  return parts.join("");
}
