import { readFileSync } from "node:fs";
import type { RouteOptions } from "../interfaces/api/routes.ts";
import type { Archive } from "../store/archive.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { version } from "../support/process/version.ts";
import type { Engine } from "../replay/engine.ts";
import type { SpansWithoutAgent } from "../pipeline/lifecycle/trace-beginning.ts";
import { proposedSpecs } from "./evaluation/proposed-specs.ts";
import { doctorOfStore } from "./evaluation/doctor-of-store.ts";
import type { CollectorOptions } from "./settings/options.ts";

/** Returns what the page shows about the process: specs, configuration, and the contents of the telemetry. */
export function systemOf(
  specs: () => readonly CompiledSpec[],
  shownConfig: CollectorOptions["shownConfig"],
  archive: Archive | null,
  engine: Pick<Engine, "dialects">,
): NonNullable<RouteOptions["system"]> {
  return {
    specs: () =>
      specs().map(({ name, file, hash, agent, queries }) => {
        const texts = queryTexts(queries);
        return {
          name,
          file,
          hash,
          agent,
          queries: queries.map(({ id, text, source, row }, at) => ({
            id,
            query: text,
            line: source.line,
            yaml: texts[at] ?? null,
            ...(row === undefined ? {} : { row: { file: row.file, line: row.line } }),
          })),
        };
      }),
    config: shownConfig,
    proposedSpecs: archive === null ? undefined : () => proposedSpecs(archive, engine.dialects),
    doctor: archive === null ? undefined : () => doctorOfStore(archive, specs(), engine.dialects),
  };
}

/** Returns the body of `/api/v1/status`, without the fields about readiness. */
export function statusOf(
  engine: Engine,
  specs: readonly CompiledSpec[],
  withoutAgent: readonly SpansWithoutAgent[],
): object {
  return {
    version,
    open_traces: engine.assembler.openTraces,
    open_bytes: engine.assembler.openBytes,
    spans: engine.assembler.counts,
    spans_without_agent: withoutAgent,
    specs: specs.map(({ name, file, hash, agent, queries }) => ({
      name,
      file,
      hash,
      agent,
      queries: queries.length,
    })),
  };
}

/**
 * Returns the YAML block of each query from its spec file, without indentation; null if the file cannot be read or the query comes from a
 * table.
 */
export function queryTexts(queries: readonly CompiledQuery[]): readonly (string | null)[] {
  const files = new Map<string, readonly string[] | null>();
  return queries.map(({ source: { file, line, column } }) => {
    if (!files.has(file)) files.set(file, /\.ya?ml$/.test(file) ? linesOf(file) : null);
    const lines = files.get(file) ?? null;
    return lines === null ? null : blockAt(lines, line, column);
  });
}

function linesOf(file: string): readonly string[] | null {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return null;
  }
}

/**
 * @param line line of the block's first character, from 1
 * @param column column of the block's first character, from 1
 */
function blockAt(lines: readonly string[], line: number, column: number): string {
  const indent = column - 1;
  const first = lines[line - 1]?.slice(indent) ?? "";
  const rest = lines.slice(line);
  const end = rest.findIndex((text) => text.trim() !== "" && text.search(/\S/) < indent);
  const block = [first, ...rest.slice(0, end === -1 ? rest.length : end).map((text) => text.slice(indent))];
  return block.join("\n").trimEnd();
}
