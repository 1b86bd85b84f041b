import { join } from "node:path";
import { isSourceAddress } from "../pull/address.ts";
import { isCollectorAddress } from "./reports/collector-address.ts";
import type { Detail } from "../report/render/terminal/console.ts";
import type { Format } from "../report/render/formats/format-names.ts";
import type { Part } from "../report/render/findings/part.ts";
import { type Findings, testResult } from "../report/render/json/result.ts";
import { holdsVerdicts } from "./reports/result-kind.ts";
import { reportCall } from "../report/json/reported-call.ts";
import { attributesNeeded } from "../match/rules/where.ts";
import { addSpends, isSpent, type JudgeSpend, noSpend } from "../model/judge-spend.ts";
import { DEFAULT_DATA_DIR } from "../config/config.ts";
import { hiddenFromGit } from "../support/process/hidden-from-git.ts";
import {
  type JudgingOptions,
  judgeInto,
  openFound,
  prepare,
  type TestSetup,
  findingsOf,
} from "./judging/preparing.ts";
import { replacedDumps } from "./reports/replaced-dumps.ts";
import { openOutputs, writeReports } from "./reports/write-reports.ts";
import { printable } from "../report/render/terminal/printable.ts";
import { notAmong } from "./replay.ts";
import { withKeptReplies } from "./judging/kept-replies.ts";
import type { AgentCalls } from "./judging/agent-calls.ts";
import type { EnoughRuns } from "./agent/enough-runs.ts";
import type { AgentModels } from "./agent/models/agent-models.ts";
import { faultBetween } from "./agent/models/fault-option.ts";
import { modelChoice } from "./agent/models/model-option.ts";
import type { OnDivergence } from "./agent/models/playback-server.ts";
import type { ReplayModelsOptions } from "./agent/models/replay-models.ts";
import { ExitCode, type Io, UserError, write } from "../support/process/io.ts";

export interface TestOptions extends JudgingOptions {
  readonly format: Format;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  /** Whether to test again when a file changes, until the process is stopped. */
  readonly watch?: boolean;
  readonly output: readonly string[];
  /** File with the saved result of an earlier test, for `--fail-on new`. */
  readonly known?: string;
  /** Shell command that runs the agent for one query. */
  readonly exec?: string;
  /** URL to which queries for a running agent are posted. */
  readonly url?: string;
  readonly body: string;
  /** Number of runs of each query. With `auto`, each query runs until its gate is decided. */
  readonly runs: number | "auto";
  /** Maximum number of runs of each query, with `runs: auto`. */
  readonly maxRuns?: number;
  /** Budget in US dollars for agent and judges together, with `runs: auto`. */
  readonly budgetUsd?: number;
  /** Number of threads for a replay, or of concurrent calls of the agent. */
  readonly workers: number;
  /** Source of answers for the agent's model calls. Default: the agent's provider. */
  readonly models?: readonly string[];
  readonly onDivergence?: OnDivergence;
  /** Port of the model server, if the agent is a `url`. */
  readonly modelsPort?: number;
  /** Fault to inject at a model call of each run: `KIND@N`. */
  readonly fault?: string;
  /** Whether to replace the cassettes of diverged queries by runs with the live model. */
  readonly updateRecordings?: boolean;
  /** Time-out of one call in seconds. */
  readonly timeout: number;
  /** Folder for the received telemetry of the agent. */
  readonly keep?: string;
  /** False to neither read nor write the cache of judge replies. */
  readonly judgeCache?: boolean;
}

/** Default maximum number of runs of a query, with `--runs auto`. */
const DEFAULT_MAX_RUNS = 100;

/** Judges the runs of dumps, or of calls of an agent, against specs. Writes the reports, and returns the exit code. */
export async function test(names: readonly string[], options: TestOptions, io: Io): Promise<ExitCode> {
  if (options.watch !== true) return (await testOnce(names, options, io)).code;
  if (options.exec !== undefined || options.url !== undefined || names.includes("-"))
    throw new UserError("--watch needs dumps that can change: add files or folders");
  const { untilStopped } = await import("./watching.ts");
  return untilStopped(() => testOnce(names, options, io), io);
}

/** Whether the name of a dump is a file, which can be watched. */
function isFile(name: string): boolean {
  return !isSourceAddress(name) && !isCollectorAddress(name);
}

/** Result of one pass of `test`. */
interface Tested {
  readonly code: ExitCode;
  /** Input files: dumps, specs with the files that they include, and the configuration. */
  readonly files: readonly string[];
}

async function testOnce(names: readonly string[], options: TestOptions, io: Io): Promise<Tested> {
  const { dumps, known } = withoutKnown(names, options);
  const loaded = await prepare({ ...options, isSequential: options.runs === "auto" }, known, io);
  const prepared = { ...loaded, config: withKeptReplies(loaded.config, options) };
  const files = [...dumps.filter(isFile), ...prepared.files, ...options.config];
  const { config, references, rules } = prepared;
  const hideData = hiddenFromGit(config.dataDir, io.cwd, config.dataDir === DEFAULT_DATA_DIR);
  const outputs = openOutputs(options.output, [
    ...files,
    ...(await replacedDumps(options.output, dumps.filter(isFile))),
  ]);
  for (const problem of references.problems) await write(io.stderr, `warning: ${problem}\n`);
  const { shard } = options;
  let judging: JudgeSpend = noSpend;
  const onJudgeSpend = (spend: JudgeSpend): void => {
    judging = addSpends(judging, spend);
  };
  const keep = options.keep ?? callsFolder(config.dataDir);
  const agent = await calledAgent(dumps, { ...options, keep }, { ...prepared, onJudgeSpend, io });
  const isShared = agent === null && options.workers > 1;
  const pool = isShared
    ? await (await import("./workers/worker-pool.ts")).openWorkerPool(dumps, prepared, options, known, io)
    : null;
  const found = openFound(prepared, options, shard === undefined || pool !== null);
  try {
    const { invalid } =
      pool === null
        ? await judgeInto(found, prepared, options, {
            dumps,
            ...agent,
            onJudgeSpend,
            io,
          })
        : await pool.judgeInto(found);
    const findings: Findings = {
      ...findingsOf(found, prepared, [...prepared.invalid, ...notAmong(prepared.invalid, invalid)]),
      ...(agent === null ? {} : { agentCalls: agent.calls.map(reportCall) }),
      ...(isSpent(judging) ? { judging } : {}),
      ...(agent?.saving === undefined ? {} : { models: agent.saving }),
      dumps: agent === null ? dumps.filter((name) => name !== "-") : [keep],
    };
    if (shard !== undefined)
      return { code: await writePart({ ...shard, seen: found.seen, findings }, io), files };
    const result = testResult(findings, rules);
    await writeReports(result, options.format, outputs, io, detailOf(options));
    await sayLike(options, io);
    for (const line of found.misspelt.warnings()) await write(io.stderr, `warning: ${line}\n`);
    (await import("./reports/last-failed.ts")).saveLastFailed(result, config.dataDir);
    return { code: result.exit.code, files };
  } finally {
    hideData();
    found.close();
    pool?.close();
  }
}

/** Prints where a spec from `--like` comes from: below the report in format `console`, otherwise on stderr. */
async function sayLike({ like = [], format }: TestOptions, io: Io): Promise<void> {
  if (like.length === 0) return;
  const { likeNote } = await import("./judging/like-specs.ts");
  await write(format === "console" ? io.stdout : io.stderr, `\n${likeNote(like)}`);
}

function detailOf({ verbose, quiet }: TestOptions): Detail | undefined {
  return verbose === true ? "full" : quiet === true ? "quiet" : undefined;
}

/** Writes the results of one shard. `tracejury merge` combines the results of all shards. */
async function writePart(part: Part, io: Io): Promise<ExitCode> {
  const { partLines } = await import("../report/render/findings/part.ts");
  for (const line of partLines(part)) await write(io.stdout, line);
  const { index, count, findings } = part;
  await write(
    io.stderr,
    `shard ${index} of ${count}: ${findings.runs} ${findings.runs === 1 ? "run" : "runs"}\n`,
  );
  return ExitCode.passed;
}

/** With `--fail-on new`, separates the saved result of an earlier test from the dumps. */
function withoutKnown(
  names: readonly string[],
  options: TestOptions,
): { readonly dumps: readonly string[]; readonly known: string | null } {
  if (options.failOn !== "new") return { dumps: names, known: null };
  const results = names.filter((name) => name !== "-" && holdsVerdicts(name));
  const [file, ...others] = options.known === undefined ? results : [options.known, ...results];
  if (file === undefined || others.length > 0) {
    throw new UserError(
      "--fail-on new needs one saved result to compare with",
      "save a result with `--output json=result.json`, and pass the file: --fail-on new result.json",
    );
  }
  return { dumps: names.filter((name) => !results.includes(name)), known: file };
}

interface CallingOptions extends Pick<TestSetup, "config" | "specs" | "selected"> {
  /** Receives the cost of judges, and adds the cost of simulated users. */
  readonly onJudgeSpend: (spend: JudgeSpend) => void;
  readonly io: Io;
}

/** Returns a folder for the telemetry of calls, with the current time in its name. */
function callsFolder(dataDir: string): string {
  return join(dataDir, "calls", new Date().toISOString().replaceAll(/[:.]/g, "-"));
}

/** Calls the agent that `--exec` or `--url` names. Resolves to null for a replay of dumps. */
async function calledAgent(
  dumps: readonly string[],
  options: TestOptions & { readonly keep: string },
  { config, specs, selected, onJudgeSpend, io }: CallingOptions,
): Promise<AgentCalls | EnoughRuns | null> {
  const { exec, url, body, runs } = options;
  if (options.shard !== undefined && dumps.length === 0) {
    throw new UserError("--shard needs recorded runs", "add dump files, or remove --shard");
  }
  const given = [dumps.length > 0, exec !== undefined, url !== undefined].filter(Boolean).length;
  if (given !== 1) {
    throw new UserError(
      given === 0 ? "there is nothing to test" : "dumps, --exec and --url exclude each other",
      "add dump files, or start the agent with --exec 'python agent.py {query}', or call a running agent with --url",
    );
  }
  if (url !== undefined && !isHttp(url)) {
    throw new UserError(
      `--url ${url} is not an HTTP address`,
      "write the complete URL, such as http://127.0.0.1:8080/ask",
    );
  }
  const agent = exec !== undefined ? { exec } : url !== undefined ? { url, body } : null;
  if (agent === null) {
    if (options.models !== undefined && options.models.length > 0)
      throw new UserError(
        "--models answers the model calls of an agent, and there is no agent",
        "add --exec or --url",
      );
    if (options.fault !== undefined)
      throw new UserError(
        "--fault injects faults into the model calls of an agent, and there is no agent",
        "add --exec and --models",
      );
    refuseWithoutRecordings(options);
    if (runs === "auto")
      throw new UserError("--runs auto calls an agent, and there is no agent", "add --exec or --url");
    return null;
  }
  if (runs !== "auto" && options.budgetUsd !== undefined)
    throw new UserError(
      "--budget-usd applies only to --runs auto",
      "write --runs auto, or remove --budget-usd",
    );
  if (runs !== "auto" && options.maxRuns !== undefined)
    throw new UserError(
      "--max-runs applies only to --runs auto",
      "write --runs auto, or --runs with the number",
    );
  const calling = {
    agent,
    selected,
    workers: options.workers,
    timeoutMs: options.timeout * 1000,
    keep: options.keep,
    config,
    attributes: [...config.attributes, ...attributesNeeded(specs)],
    openSimulator: async (onCost?: (costUsd: number | null) => void) => {
      const { openSimulator } = await import("./agent/simulator.ts");
      return openSimulator({ config, selected, mode: options.judge, onCost, onSpend: onJudgeSpend, io });
    },
    models: await modelsOf(options, { config, specs, selected, io }),
    io,
  };
  if (runs !== "auto") return (await import("./judging/agent-calls.ts")).callAgent({ ...calling, runs });
  const { callUntilDecided } = await import("./agent/enough-runs.ts");
  return callUntilDecided({
    ...calling,
    maxRuns: options.maxRuns ?? DEFAULT_MAX_RUNS,
    budgetUsd: options.budgetUsd ?? null,
  });
}

type ModelOptions = Pick<CallingOptions, "config" | "specs" | "selected" | "io">;

/** Returns a function that replaces the cassette of a query whose requests have diverged, by the run with the live model. */
function updateCassette({ config, io }: ModelOptions): NonNullable<ReplayModelsOptions["onLive"]> {
  return async (before, { runs, outcome, reason }) => {
    const [run, ...others] = runs;
    if (before === null || before.cassette === null || run === undefined || others.length > 0) return;
    const { cassette, redacted } = before;
    const { rewriteRecording } = await import("./agent/models/write-recording.ts");
    const updated =
      outcome === "ok"
        ? rewriteRecording({ cassette, redacted }, run, config)
        : { problem: printable(reason, 300) };
    const what =
      "problem" in updated
        ? `not written: ${updated.problem}`
        : updated.isWritten
          ? "written anew"
          : "not changed: with the real model, the agent made the same model calls as in the recording";
    await write(io.stderr, `${cassette}: ${what}\n`);
  };
}

/** @throws UserError if an option is given that needs recorded answers */
function refuseWithoutRecordings(
  { onDivergence, updateRecordings, modelsPort }: TestOptions,
  hasModelServer = false,
): void {
  const given = {
    "--on-divergence": onDivergence,
    "--update-recordings": updateRecordings,
    "--models-port": hasModelServer ? undefined : modelsPort,
  };
  const [idle] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (idle !== undefined)
    throw new UserError(`${idle} has an effect only with recorded model answers`, "add --models replay:DUMP");
}

/** Returns the source of answers for the agent's model calls; null if the agent calls its provider. */
async function modelsOf(options: TestOptions, given: ModelOptions): Promise<AgentModels | null> {
  const choice = modelChoice(options.models ?? []);
  const between = faultBetween(options.fault);
  const hasFault = between !== undefined;
  if (hasFault && (choice === null || choice.kind === "record"))
    throw new UserError(
      "--fault needs a model server between the agent and its model",
      "add --models replay:DUMP, or --models live",
    );
  const isRunning = options.exec === undefined;
  const isShared = isRunning && (choice?.kind === "record" || hasFault);
  if (choice?.kind !== "replay") refuseWithoutRecordings(options, isShared);
  const faults = hasFault ? { between } : {};
  if (choice === null || (choice.kind === "live" && !hasFault)) return null;
  if (choice.kind !== "replay") {
    const { io, config } = given;
    const recording = await import("./agent/recording/open-recording.ts");
    const file = choice.kind === "record" ? choice.file : null;
    const how = { env: io.env, config, file, ...faults };
    if (!isRunning) return recording.openProviders(how);
    const shared = await recording.openSharedRecording({ ...how, port: options.modelsPort ?? 0 });
    await sayAddresses(shared.variables, io);
    const { openModels, close } = shared;
    return { call: (plan, start) => start(plan, io.env, openModels), isSerial: true, close };
  }
  if (options.runs !== 1)
    throw new UserError(
      "--runs cannot be used with recorded answers, which are the same each time",
      "remove --runs, or call the model: --models live",
    );
  const { openReplayModels } = await import("./agent/models/replay-models.ts");
  return openReplayModels({
    ...given,
    paths: choice.dumps,
    attributes: [...given.config.attributes, ...attributesNeeded(given.specs)],
    onDivergence: options.updateRecordings === true ? "live" : (options.onDivergence ?? "incomplete"),
    ...(options.updateRecordings === true ? { onLive: updateCassette(given) } : {}),
    port: options.modelsPort ?? 0,
    isStarted: options.exec !== undefined,
    ...faults,
  });
}

/** Prints the base URLs that a running agent must use for its model calls. */
async function sayAddresses(variables: Readonly<Record<string, string>>, io: Io): Promise<void> {
  const named = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "AZURE_OPENAI_ENDPOINT"];
  const lines = named.flatMap((name) =>
    variables[name] === undefined ? [] : [`  ${name}=${variables[name]}\n`],
  );
  await write(io.stderr, `the agent's model calls are expected at:\n${lines.join("")}`);
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
