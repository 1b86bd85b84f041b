import { byStart } from "../../../../model/by-start.ts";
import { themeOf } from "../../../../replay/reports/print-report.ts";
import { isExplained } from "../../../../runs/explain/explained.ts";
import { explainConsole, explainJson } from "../../../../report/render/commands/explain.ts";
import { runJson } from "../../../../report/json/run-json.ts";
import { runTree } from "../../../../report/render/commands/run-tree.ts";
import type { AgentRun } from "../../../../model/run.ts";
import { replay, replayIo, writeInvalid } from "../../../../replay/replay.ts";
import { ExitCode, type Io, write } from "../../../../support/process/io.ts";
import { type ConfigFlags, loadSettings } from "../../../../config/command-settings.ts";

export interface InspectOptions extends ConfigFlags {
  readonly format: "json" | "tree";
  readonly full?: boolean;
  /** Id of a run, or the beginning of an id. */
  readonly run?: string;
  readonly explain?: boolean;
}

/** Prints the runs in dumps, ordered by start time. */
export async function inspect(dumps: readonly string[], options: InspectOptions, io: Io): Promise<ExitCode> {
  const { config } = await loadSettings(options, io);
  const theme = themeOf(io);
  const print = (run: AgentRun): string => {
    const explanations = options.explain === true && isExplained(run) ? run.explain() : undefined;
    if (options.format === "json") {
      const explain = explanations && { explain: explainJson(explanations) };
      return `${JSON.stringify({ ...runJson(run, options.full === true), ...explain })}\n`;
    }
    const details = explanations === undefined ? "" : `${explainConsole(explanations, run.missing, theme)}\n`;
    return `${runTree(run, theme)}\n${details}`;
  };
  const printed: (Pick<AgentRun, "startUnixMs" | "runId"> & { readonly text: string })[] = [];
  let runs = 0;
  // An id copied from a report may be truncated, with an ellipsis at its end.
  const idStart = options.run?.toLowerCase().replace("…", "");
  const onRun = (run: AgentRun): void => {
    runs++;
    if (idStart !== undefined && !run.runId.startsWith(idStart)) return;
    printed.push({ startUnixMs: run.startUnixMs, runId: run.runId, text: print(run) });
  };
  const { invalid } = await replay(dumps, { config, ...replayIo(io), onRun });
  printed.sort(byStart);
  for (const { text } of printed) await write(io.stdout, text);
  await writeInvalid(io, invalid);
  if (printed.length === 0) {
    const nothing =
      runs === 0
        ? "no agent run in the input"
        : `none of ${runs} runs has an id that begins with ${options.run}`;
    await write(io.stderr, `${nothing}\n`);
  }
  return invalid.length > 0 || printed.length === 0 ? ExitCode.undecided : ExitCode.passed;
}
