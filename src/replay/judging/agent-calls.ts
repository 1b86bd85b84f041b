import { inParallel } from "../../support/structures/in-parallel.ts";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { Playback, PlaybackSaving } from "../../model/playback.ts";
import type { AgentRun } from "../../model/run.ts";
import { AddressError } from "../../support/security/addresses/address.ts";
import { counted, duration, printable } from "../../report/render/terminal/printable.ts";
import {
  type AgentCall,
  askablesOf,
  type CallPlan,
  isAskable,
  isConversation,
  plansOf,
  textOfPlan,
} from "../agent/call.ts";
import { type CallReceiver, openCallReceiver } from "../agent/call-receiver.ts";
import { converse, runsOfConversation } from "../agent/converse.ts";
import { type CallModels, execCall } from "../agent/process/exec-call.ts";
import { templateProblem } from "../agent/process/placeholders.ts";
import type { Simulator } from "../agent/simulator.ts";
import { otherQuestion, runsWithQuery, withFields } from "../agent/known-query.ts";
import type { AgentModels, StartCall } from "../agent/models/agent-models.ts";
import type { ProcessTree } from "../../support/process/process-tree.ts";
import { runsOfUrlCalls, type UrlCall, urlCall } from "../agent/url-call.ts";
import type { SpecQuery } from "../../match/selection.ts";
import { type Io, UserError, write } from "../../support/process/io.ts";
import { runsIn } from "../replay.ts";
import type { RunSource } from "./replay-judged.ts";

/** Milliseconds to wait at the end for telemetry that has not arrived yet. */
const GRACE_MS = 2_000;

export interface AgentCallOptions {
  /** Shell command, or URL of a running agent. */
  readonly agent: { readonly exec: string } | { readonly url: string; readonly body: string };
  readonly selected: readonly SpecQuery[];
  readonly workers: number;
  readonly timeoutMs: number;
  /** Folder for all received telemetry. */
  readonly keep: string;
  readonly config: Config;
  readonly attributes: readonly string[];
  /**
   * Opens the simulator of users; resolves to null if no query has a simulated user.
   * @param onCost receives the cost of each model call in US dollars, to add up costs; null if unknown
   */
  readonly openSimulator: (onCost?: (costUsd: number | null) => void) => Promise<Simulator | null>;
  /** Source of answers for the agent's model calls. Default: the agent's provider. */
  readonly models?: AgentModels | null;
  readonly io: Io;
}

export interface AgentCalls {
  readonly calls: readonly AgentCall[];
  /** Runs of the calls, as a source of runs to judge. */
  readonly source: RunSource;
  /** Cost that was saved by recorded answers; absent with live models. */
  readonly saving?: PlaybackSaving;
}

/** An agent that can be called. The caller must close the agent. */
export interface OpenAgent {
  /** Makes the calls and returns their runs. Prints the result of each call on stderr. */
  readonly ask: (plans: readonly CallPlan[]) => Promise<Answered>;
  /** Calls the agent for the last plans of the test, and then waits for telemetry that has not arrived yet. */
  readonly askLast: (plans: readonly CallPlan[]) => Promise<Answered>;
  readonly close: () => Promise<void>;
}

export interface Answered {
  readonly calls: readonly AgentCall[];
  readonly runs: readonly AgentRun[];
}

/** Returns a function that names the folder of each call, below `keep`. */
export function folderIn(keep: string): (query: SpecQuery["query"], number: number) => string {
  return (query, number) => join(keep, `${query.id.replaceAll(/[^\w.-]/g, "_")}-${number}`);
}

/** Sends each query to the agent `runs` times, or as often as `models.plans` returns calls for it. Collects the agent's telemetry. */
export async function callAgent(options: AgentCallOptions & { readonly runs: number }): Promise<AgentCalls> {
  const { runs } = options;
  const simulator = await options.openSimulator();
  const agent = await openAgent(options, simulator);
  try {
    const answered = await agent.askLast(plansFor(options, runs));
    const saving = options.models?.saving?.();
    return {
      calls: answered.calls,
      source: sourceOf(answered.runs),
      ...(saving === undefined ? {} : { saving }),
    };
  } finally {
    await agent.close();
    await simulator?.close();
    await options.models?.close();
  }
}

/** Returns the calls to make. With recorded model answers, queries without a text get the texts of the recorded runs. */
function plansFor({ selected, keep, models }: AgentCallOptions, runs: number): readonly CallPlan[] {
  const folderOf = folderIn(keep);
  return models?.plans === undefined
    ? plansOf(askablesOf(selected), runs, folderOf)
    : models.plans(
        askablesOf(selected, () => true),
        folderOf,
      );
}

/** Opens the agent. Prints on stderr how many queries are not sent because they have no text. */
export async function openAgent(options: AgentCallOptions, simulator: Simulator | null): Promise<OpenAgent> {
  const { selected, io, agent, models } = options;
  const problem =
    "exec" in agent ? templateProblem(agent.exec, "--exec") : templateProblem(agent.body, "--body");
  if (problem?.severity === "error") throw new UserError(problem.message, problem.fix);
  if (problem !== null) await write(io.stderr, `! ${problem.message}\n    → ${problem.fix}\n`);
  const left = models?.plans !== undefined ? 0 : selected.filter(({ query }) => !isAskable(query)).length;
  if (left > 0) {
    await write(
      io.stderr,
      `${counted(left, "query", "queries")} not run, because wildcard queries have no text to send\n`,
    );
  }
  return "exec" in agent
    ? startedAgent(agent.exec, options, simulator)
    : servedAgent(agent, options, simulator);
}

function startedAgent(command: string, options: AgentCallOptions, simulator: Simulator | null): OpenAgent {
  const { io, timeoutMs, workers, keep } = options;
  const trees = new Set<ProcessTree>();
  const interrupted = (): void => {
    void Promise.all([...trees].map((tree) => tree.end(500))).finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  const startIn: StartCall = (plan, env, openModels) =>
    execCall(plan, {
      ...(openModels === undefined ? {} : { openModels }),
      command,
      env,
      cwd: io.cwd,
      timeoutMs,
      readRuns: (folder) => readRuns([folder], folder, options),
      onStart: (tree) => {
        trees.add(tree);
        void tree.ended.then(() => trees.delete(tree));
      },
    });
  const start = (plan: CallPlan): Promise<AgentCall> =>
    options.models?.call(plan, startIn) ?? startIn(plan, io.env);
  const progress = new Progress(io);
  const ask = async (plans: readonly CallPlan[]): Promise<Answered> => {
    const calls = await inParallel(plans, workers, async (plan) => {
      const call = isConversation(plan.query) ? await converse(plan, start, simulator) : await start(plan);
      await progress.print(call);
      return call;
    });
    const runs = calls.flatMap((call) =>
      isConversation(call.plan.query) ? runsOfConversation(call) : runsWithQuery(call),
    );
    return { calls, runs };
  };
  return {
    ask,
    askLast: ask,
    close: async () => {
      process.removeListener("SIGINT", interrupted);
      process.removeListener("SIGTERM", interrupted);
      await progress.printFolder("each call's output.log", keep);
    },
  };
}

async function servedAgent(
  { url, body }: { readonly url: string; readonly body: string },
  options: AgentCallOptions,
  simulator: Simulator | null,
): Promise<OpenAgent> {
  const { config, io, timeoutMs, workers, keep } = options;
  const receiver = await openCallReceiver(keep, { address: config.receive.http }).catch((error: unknown) => {
    throw error instanceof AddressError ? new UserError(error.message) : error;
  });
  const read = async (files: readonly string[]): Promise<readonly AgentRun[]> =>
    files.length === 0 ? [] : readRuns(files, keep, options);
  const claimed = new Set<string>();
  const given = new Set<string>();
  /** Playbacks by run id and by trace id. At the end, all runs are read again from the telemetry, and get their playback from this map. */
  const playbacks = new Map<string, Playback>();
  const opened: CallModels[] = [];
  const progress = new Progress(io);
  const askOne = async (plan: CallPlan): Promise<UrlCalls> => {
    const how = { url, body, headers: {}, timeoutMs, receiver, readRuns: read, claimed };
    const turns: UrlCall[] = [];
    const putIn: StartCall = async (one, _, openModels) => {
      const models = openModels?.(one, receiver);
      if (models !== undefined) opened.push(models);
      const asked = await urlCall(one, { ...how, models });
      turns.push(asked);
      return asked.call;
    };
    const put = async (one: CallPlan): Promise<AgentCall> => {
      const call = await (options.models?.call(one, putIn) ?? putIn(one, io.env));
      for (const { runId, playback } of call.runs)
        if (playback !== undefined) {
          playbacks.set(runId, playback);
          const { traceId } = turns.at(-1) ?? {};
          if (traceId !== undefined) playbacks.set(traceId, playback);
        }
      return call;
    };
    const call = isConversation(plan.query) ? await converse(plan, put, simulator) : await put(plan);
    await progress.print(call);
    return { call, turns };
  };
  const collect = async (done: readonly UrlCalls[]): Promise<Answered> => {
    const runs = (await read(receiver.kept)).filter(({ runId }) => !given.has(runId));
    for (const { runId } of runs) given.add(runId);
    const marked = runs.map((run) => {
      const playback = [run.runId, ...run.traceIds]
        .map((id) => playbacks.get(id))
        .find((one) => one !== undefined);
      return playback === undefined ? run : withFields(run, { playback });
    });
    return { calls: done.map(({ call }) => call), runs: judgedRuns(done, marked) };
  };
  await write(io.stderr, `the agent's telemetry is expected at ${receiver.endpoint}\n`);
  let closing: Promise<void> | undefined;
  const closed = (): Promise<void> => (closing ??= concluded(receiver, opened));
  const atOnce = options.models?.isSerial === true ? 1 : workers;
  return {
    ask: async (plans) => collect(await inParallel(plans, atOnce, askOne)),
    askLast: async (plans) => {
      const done = await inParallel(plans, atOnce, askOne);
      await closed();
      return collect(done);
    },
    close: async () => {
      await closed();
      await progress.printFolder(null, keep);
    },
  };
}

/** Closes the receiver, and then selects the model calls to store once more: telemetry that arrived late may contain the same calls. */
async function concluded(receiver: CallReceiver, models: readonly CallModels[]): Promise<void> {
  await receiver.close(GRACE_MS);
  for (const { keep } of models) await keep(true);
}

/** Result of one planned call, with the request for each of its turns. */
interface UrlCalls {
  readonly call: AgentCall;
  readonly turns: readonly UrlCall[];
}

/**
 * Returns the runs to judge at the end. For a conversation, these are the runs of its turns and a run of the whole conversation. A run
 * outside of a conversation gets the id of its query.
 */
function judgedRuns(done: readonly UrlCalls[], runs: readonly AgentRun[]): readonly AgentRun[] {
  const inConversations = new Set<AgentRun>();
  const conversations = done.flatMap(({ call, turns }) => {
    if (!isConversation(call.plan.query)) return [];
    const traces = new Set(turns.map(({ traceId }) => traceId));
    const ids = new Set(call.runs.map(({ runId }) => runId));
    const own = runs.filter(({ runId, traceIds }) => ids.has(runId) || traceIds.some((id) => traces.has(id)));
    for (const run of own) inConversations.add(run);
    return runsOfConversation({ ...call, runs: own });
  });
  const single = done.filter(({ call }) => !isConversation(call.plan.query)).flatMap(({ turns }) => turns);
  return [
    ...conversations,
    ...runsOfUrlCalls(
      single,
      runs.filter((run) => !inConversations.has(run)),
    ),
  ];
}

/**
 * Reads the runs from files of a folder. The source of a run is the folder instead of a file, because the file in which a span arrives
 * depends on timing.
 */
async function readRuns(
  paths: readonly string[],
  folder: string,
  { config, attributes, io }: AgentCallOptions,
): Promise<readonly AgentRun[]> {
  const source = { file: `${folder}/`, line: 1 };
  const { stdin, env } = io;
  const { runs } = await runsIn(paths, { config: { ...config, attributes }, stdin, env });
  return runs.map((run) => withFields(run, { source, sources: undefined }));
}

/** Returns the runs as a `RunSource`. It reports no invalid input, because unreadable telemetry was rejected when it arrived. */
export function sourceOf(runs: readonly AgentRun[]): RunSource {
  return async (onRun, room) => {
    for (const run of runs) {
      onRun(run);
      await room();
    }
    return { invalid: [], skipped: [] };
  };
}

/** Whether a call's requests to the model differ from the recording. */
function isDiverged({ runs }: AgentCall): boolean {
  return runs.some(({ playback }) => playback !== undefined && playback.divergences.length > 0);
}

/** Prints the result of each call on stderr, and at the end the folder of the telemetry. */
class Progress {
  readonly #io: Io;
  /** Name of the first call with a reason, by reason. Each reason is printed in full only once. */
  readonly #reasons = new Map<string, string>();
  #hasCalls = false;
  #hasTelemetry = false;

  constructor(io: Io) {
    this.#io = io;
  }

  async print(call: AgentCall): Promise<void> {
    const { plan, outcome, durationMs, requests, runs } = call;
    this.#hasCalls = true;
    if (requests > 0 || runs.length > 0) this.#hasTelemetry = true;
    const name = `${printable(plan.query.id)} (run ${plan.number})`;
    const head = `${outcome === "ok" ? "✓" : "✗"} ${name}: ${duration(durationMs)}, ${counted(runs.length, "agent run")}${isDiverged(call) ? ", model calls differ from the recording" : ""}`;
    const why = outcome === "ok" ? "" : this.#whyOf(call, name);
    const other = isConversation(plan.query) ? null : otherQuestion(call);
    const note =
      other === null
        ? ""
        : `\n    ! the agent was sent "${printable(textOfPlan(plan), 200)}", but its telemetry contains the query "${printable(other, 200)}"`;
    await write(this.#io.stderr, `${head}${why}${note}\n`);
  }

  #whyOf({ reason, hint }: AgentCall, name: string): string {
    const before = this.#reasons.get(reason);
    if (before !== undefined) return `\n    the same as ${before}`;
    this.#reasons.set(reason, name);
    return `\n    ${printable(reason, 600)}${hint === "" ? "" : `\n    → ${printable(hint, 400)}`}`;
  }

  /** @param output names other files in the folder; null for none */
  async printFolder(output: string | null, folder: string): Promise<void> {
    const stored = [
      ...(this.#hasTelemetry ? ["the received telemetry"] : []),
      ...(output === null ? [] : [output]),
    ];
    if (this.#hasCalls && stored.length > 0)
      await write(this.#io.stderr, `${stored.join(" and ")}: ${folder}\n`);
  }
}
