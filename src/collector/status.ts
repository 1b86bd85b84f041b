import type { RouteOptions } from "../interfaces/api/routes.ts";
import type { Archive } from "../store/archive.ts";
import type { CompiledSpec } from "../evaluate/query/compiled.ts";
import { version } from "../support/process/version.ts";
import type { Engine } from "../replay/engine.ts";
import { queryTexts } from "./query-text.ts";
import { doctorOfStore } from "./evaluation/doctor-of-store.ts";
import type { CollectorOptions } from "./settings/options.ts";

/** What the page shows of the process: its specs, its configuration, what its producers leave out. */
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
    doctor: archive === null ? undefined : () => doctorOfStore(archive, specs(), engine.dialects),
  };
}

/** The body of `/api/v1/status`, but for readiness. */
export function statusOf(engine: Engine, specs: readonly CompiledSpec[]): object {
  return {
    version,
    open_traces: engine.assembler.openTraces,
    open_bytes: engine.assembler.openBytes,
    spans: engine.assembler.counts,
    specs: specs.map(({ name, file, hash, agent, queries }) => ({
      name,
      file,
      hash,
      agent,
      queries: queries.length,
    })),
  };
}
