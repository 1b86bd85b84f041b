import { Readable } from "node:stream";
import { loadSettings } from "../../config/command-settings.ts";
import type { AgentRun } from "../../model/run.ts";
import { called, type CommonOptions } from "./settings.ts";

/** What a dump holds. */
export interface ReadRuns {
  /** In order of start. Each holds on to the telemetry it came from. */
  readonly runs: readonly AgentRun[];
  /** What could not be read; null where lines mean nothing. */
  readonly invalid: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly reason: string;
  }[];
}

/**
 * Assembles the agent runs in dump files, folders or globs, before any spec.
 * @throws TracejuryError for files that are not there and invalid configurations
 */
export async function readRuns(dumps: readonly string[], options: CommonOptions = {}): Promise<ReadRuns> {
  const { replay } = await import("../../replay/replay.ts");
  const runs: AgentRun[] = [];
  const { result } = await called(options, async (io) => {
    const { config } = await loadSettings({ config: options.config ?? [], set: options.set ?? [] }, io);
    return replay(dumps, { config, stdin: Readable.from([]), env: io.env, onRun: (run) => runs.push(run) });
  });
  runs.sort((a, b) => a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : 1));
  return { runs, invalid: result.invalid };
}
