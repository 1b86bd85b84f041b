import type { Trace } from "../../assemble/trace.ts";
import { proposeSpec } from "../../authoring/agreement/proposed-spec.ts";
import { goodRuns } from "../../authoring/observed.ts";
import { notLiteral } from "../../authoring/query-text/literal-query.ts";
import { type AgentQuestions, questionsOf } from "../../authoring/questions.ts";
import { parseSpec } from "../../config/command-settings.ts";
import type { Config } from "../../config/config.ts";
import type { CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { AgentRun } from "../../model/run.ts";
import { counted } from "../../report/render/terminal/printable.ts";
import { derivedSpecName } from "../../spec/derived-name.ts";
import { type Io, UserError, write } from "../../support/process/io.ts";
import { replay, type Replayed, replayIo, writeInvalid } from "../replay.ts";
import { isCollectorAddress } from "../reports/collector-address.ts";

/** Queries of recorded runs, by agent. */
export interface RecordedQuestions extends Pick<Replayed, "invalid"> {
  readonly agents: readonly AgentQuestions[];
}

/**
 * Returns the queries of the runs in dumps, by agent. Prints a warning for each unreadable line.
 * @param onTrace receives each trace of the dumps
 * @throws UserError if no run has a query
 */
export async function recordedQuestions(
  dumps: readonly string[],
  config: Config,
  io: Io,
  onTrace: (trace: Trace) => void = () => undefined,
): Promise<RecordedQuestions> {
  const runs: AgentRun[] = [];
  const onRun = (run: AgentRun): void => void runs.push(run);
  const { invalid } = await replay(dumps, { config, ...replayIo(io), onTrace, onRun });
  await writeInvalid(io, invalid, "warning: ");
  const failed = await failedThere(dumps, io);
  const passed = failed.size === 0 ? runs : runs.filter(({ runId }) => !failed.has(runId));
  if (passed.length < runs.length) {
    const text = `${counted(runs.length - passed.length, "run")} skipped (judged as failed by the collector); ${passed.length} used\n`;
    await write(io.stderr, text);
  }
  const { agents, unknown, wildcards } = questionsOf(passed);
  if (unknown > 0) {
    await write(io.stderr, `${counted(unknown, "run")} ignored: the telemetry lacks the query\n`);
  }
  if (wildcards > 0) {
    await write(
      io.stderr,
      `${counted(wildcards, "run")} left out, because the query or the agent is "*": ${notLiteral}\n`,
    );
  }
  if (agents.length === 0) {
    throw new UserError(
      runs.length === 0
        ? "there is no agent run in the input"
        : passed.length === 0
          ? "the collector judged every run in the input as failed"
          : "no run in the input has a query text and an agent name, so no query can be made",
      runs.length > 0 && passed.length === 0
        ? "add runs that passed, or correct the spec"
        : "`tracejury doctor` shows what the telemetry lacks",
    );
  }
  return { agents, invalid };
}

/** Returns the ids of the runs that a running collector judged as failed, for each collector among `dumps`. */
async function failedThere(dumps: readonly string[], io: Io): Promise<ReadonlySet<string>> {
  const addresses = dumps.filter(isCollectorAddress);
  const ids = new Set<string>();
  if (addresses.length === 0) return ids;
  const { failedRuns } = await import("../reports/served-dump.ts");
  for (const address of addresses) {
    for (const id of await failedRuns(address, io.env["TRACEJURY_TOKEN"])) ids.add(id);
  }
  return ids;
}

export interface LikeSpecs extends Pick<Replayed, "invalid"> {
  readonly specs: readonly CompiledSpec[];
}

/**
 * Returns specs with the common behaviour of the good runs in dumps, one for each agent. The specs are not saved.
 * @throws UserError if an agent has no good run
 */
export async function likeSpecs(dumps: readonly string[], config: Config, io: Io): Promise<LikeSpecs> {
  const { agents, invalid } = await recordedQuestions(dumps, config, io);
  for (const { agent, questions } of agents) {
    const bad = questions.filter(({ runs }) => goodRuns(runs).length === 0);
    if (bad.length === questions.length)
      throw new UserError(
        `no run of ${agent} in ${dumps.join(", ")} is good: each run failed or is incomplete`,
        "use a dump with a run in which the agent succeeded",
      );
    if (bad.length > 0)
      await write(
        io.stderr,
        `warning: ${counted(bad.length, "query", "queries")} of ${agent} ${bad.length === 1 ? "has" : "have"} no good run, so only the status of their runs is checked\n`,
      );
  }
  const specs = agents.map((one) => {
    const file = derivedSpecName(dumps, one.agent);
    const loaded = parseSpec({ file, text: proposeSpec(one) }, config);
    if (!loaded.ok) {
      throw new UserError(
        `no valid spec can be made of the runs of ${one.agent} in ${dumps.join(", ")}`,
        "write a spec with tracejury init --from, and check it with tracejury validate",
      );
    }
    return loaded.spec;
  });
  return { specs, invalid };
}

/** Returns the note below a report with `--like`: from which runs the spec was derived, and how to save it. */
export function likeNote(dumps: readonly string[]): string {
  const from = dumps.map((dump) => `--from ${dump}`).join(" ");
  return `The spec is derived from the good runs in ${dumps.join(", ")}; it was not saved. To save it: tracejury init ${from}\n`;
}
