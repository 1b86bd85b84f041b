import { startTimer } from "../../support/process/timer.ts";
import { byStart } from "../../model/by-start.ts";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import type { AgentRun } from "../../model/run.ts";
import { findConfig } from "../../config/find/find-config.ts";
import { type CallReceiver, openCallReceiver, type Received } from "../../replay/agent/call-receiver.ts";
import { missingTelemetryOf } from "../../replay/agent/process/missing-telemetry.ts";
import { difference, snapshot } from "./session/call-sequence.ts";
import { withFields } from "../../replay/agent/known-query.ts";
import { counted } from "../../report/render/terminal/printable.ts";
import type { TestModels } from "./session/test-models.ts";
import { called, type CommonOptions, TracejuryError } from "./settings.ts";
import { loadSettings } from "../../config/command-settings.ts";

/** Runs in dumps, and input that could not be read. */
export interface ReadRuns {
  /** Runs in order of start time. Each run retains its telemetry in memory. */
  readonly runs: readonly AgentRun[];
  /** Unreadable input. `line` is null if the file format has no lines. */
  readonly invalid: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly reason: string;
  }[];
}

/** A receiver for tests, which returns the received telemetry as runs. */
export interface TestReceiver {
  /** Endpoint `http://127.0.0.1:PORT` for OTLP/HTTP and OTLP/gRPC. */
  readonly endpoint: string;
  /** Environment variables for the agent's process. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns all runs received so far, including incomplete ones. */
  runs(): Promise<readonly AgentRun[]>;
  /**
   * Returns the next complete run that was not yet returned.
   * @throws TracejuryError if no complete run arrives in time; the message describes what arrived
   * @throws TracejuryError if the run cannot be judged, because the agent's model requests differ from the recorded requests
   */
  nextRun(timeoutMs?: number): Promise<AgentRun>;
  /** Discards all received telemetry. */
  clear(): void;
  /** Stops receiving, and writes the recording of `record:FILE`. Further calls of `close` return the same promise. */
  close(): Promise<void>;
}

const WAIT_MS = 10_000;
/** Milliseconds to wait for the agent's telemetry. After this time, the run is made from the recorded model calls. */
const SILENCE_MS = 6_000;

/** Options of a receiver. Without `config`, the project's `tracejury.yaml` is used, as `tracejury test` does. */
export interface ReceiverOptions extends CommonOptions {
  /**
   * Source of the answers to the agent's model calls. The receiver's `env` directs the agent to the model server. `replay:DUMP`: the
   * answers are recorded; several dumps are possible. `record:FILE`: the provider answers, and the recording is written when the receiver
   * is closed. `live`: the provider answers, and nothing is recorded; useful with `fault`.
   */
  readonly models?: string | readonly string[];
  /** Fault at the N-th model call of each run as `KIND@N`, such as `rate-limit@2`. */
  readonly fault?: string;
}

/**
 * Starts a receiver on a free port. The caller must close it.
 * @throws TracejuryError if an option is invalid, or if no recorded run can be played back
 */
export async function startReceiver(given: ReceiverOptions = {}): Promise<TestReceiver> {
  const found = given.config === undefined ? findConfig(process.cwd()) : undefined;
  const options = found === undefined ? given : { ...given, config: [resolve(found)] };
  const folder = mkdtempSync(join(tmpdir(), "tracejury-"));
  const receiver = await openCallReceiver(folder);
  const models = await modelsOf(options, receiver).catch(async (error: unknown) => {
    await receiver.close(0);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const returned = new Set<string>();
  /** Counts and run ids at the time when `nextRun` last returned a run. */
  let before: Before = { received: snapshot(receiver.received), runs: new Set() };
  const runs = async (): Promise<readonly AgentRun[]> =>
    readdirSync(folder).length === 0 ? [] : (await readRuns([folder], options)).runs;
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await receiver.close(1_000);
    await models?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    endpoint: receiver.endpoint,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      ...models?.variables,
    },
    runs,
    async nextRun(timeoutMs = WAIT_MS) {
      const over = startTimer(timeoutMs, "over");
      const silence = models === null ? null : startTimer(SILENCE_MS, "silence");
      let isSilent = false;
      try {
        for (;;) {
          const next = receiver.next();
          if (isSilent) await models?.keepCalls();
          const received = snapshot(receiver.received);
          const all = await runs();
          const found = all.find(({ complete, runId }) => complete && !returned.has(runId));
          if (found !== undefined) {
            returned.add(found.runId);
            before = { received, runs: new Set(all.map(({ runId }) => runId)) };
            return models === null ? found : playedRun(found, models);
          }
          const waited = [next, over.reached, ...(silence === null || isSilent ? [] : [silence.reached])];
          const what = await Promise.race(waited);
          if (what === "over")
            throw nothing(await runs(), receiver, before, timeoutMs, options.env ?? process.env);
          if (what === "silence") isSilent = true;
        }
      } finally {
        over.stop();
        silence?.stop();
      }
    },
    clear() {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      returned.clear();
    },
    close: () => (closed ??= close()),
  };
}

async function modelsOf(
  { models = [], fault, ...options }: ReceiverOptions,
  receiver: CallReceiver,
): Promise<TestModels | null> {
  const names = typeof models === "string" ? [models] : models;
  if (names.length === 0 && fault === undefined) return null;
  const { openTestModels } = await import("./session/open-test-models.ts");
  const { result } = await called(options, async (io) => {
    const { config } = await loadSettings({ config: options.config ?? [], set: options.set ?? [] }, io);
    return openTestModels({ names, fault, receiver, config, io });
  });
  return result;
}

/**
 * Returns the run. If its model calls were answered from a recording, the run contains how the recorded answers were used (`playback`).
 * @throws TracejuryError if the run cannot be judged, because the agent's model requests differ from the recorded requests
 */
async function playedRun(run: AgentRun, models: TestModels): Promise<AgentRun> {
  const { notAsRecorded } = await import("./session/open-test-models.ts");
  const playback = models.playbackOf(run);
  const problem = notAsRecorded(playback);
  if (problem !== null)
    throw new TracejuryError(`${problem}\nfix: run the test with the model, and record it again`);
  return playback === null ? run : withFields(run, { playback });
}

interface Before {
  readonly received: Received;
  readonly runs: ReadonlySet<string>;
}

/** Returns an error that describes what has arrived since `nextRun` last returned a run, or why no telemetry has arrived. */
function nothing(
  runs: readonly AgentRun[],
  { received, endpoint }: Pick<CallReceiver, "received" | "endpoint">,
  before: Before,
  ms: number,
  env: NodeJS.ProcessEnv,
): TracejuryError {
  const open = runs.filter(({ complete, runId }) => !complete && !before.runs.has(runId)).length;
  const since = difference(received, before.received);
  const { requests, spans } = since;
  const isOpen = open > 0 || (spans > 0 && before.runs.size > 0);
  const { reason, hint } = isOpen
    ? {
        reason:
          open > 0
            ? `${counted(open, "run")} ${open === 1 ? "has arrived and is" : "have arrived and are"} not complete`
            : `${counted(requests, "request")} with ${counted(spans, "span")} arrived, without a new run`,
        hint: "let the agent flush its exporter before it ends, and wait for its end",
      }
    : missingTelemetryOf(since, env, endpoint);
  return new TracejuryError(`no complete run arrived within ${ms} ms: ${reason}\nfix: ${hint}`);
}

/**
 * Reads the agent runs in dump files, folders or globs. Needs no spec.
 * @throws TracejuryError if a file is missing or a configuration is invalid
 */
export async function readRuns(dumps: readonly string[], options: CommonOptions = {}): Promise<ReadRuns> {
  const { runsIn } = await import("../../replay/replay.ts");
  const { result } = await called(options, async (io) => {
    const { config } = await loadSettings({ config: options.config ?? [], set: options.set ?? [] }, io);
    return runsIn(dumps, { config, stdin: Readable.from([]), env: io.env });
  });
  return { runs: result.runs.sort(byStart), invalid: result.invalid };
}
