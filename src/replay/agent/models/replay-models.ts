import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { Divergence, Playback, PlaybackEffect, PlaybackSaving } from "../../../model/playback.ts";
import { createMask } from "../../../model-server/replay/mask.ts";
import type { Mask } from "../../../model-server/replay/reduce-request.ts";
import { ReplayResponder } from "../../../model-server/replay/replay-responder.ts";
import { ReplaySession } from "../../../model-server/replay/replay-session.ts";
import { startModelServer } from "../../../model-server/server/model-server.ts";
import type { Responder } from "../../../model-server/server/responder.ts";
import { sentence } from "../../../evaluate/result/played-back.ts";
import { counted, printable } from "../../../report/render/terminal/printable.ts";
import { openRecording } from "../recording/open-recording.ts";
import { fixtureRedactor } from "../../judging/redaction.ts";
import { UserError } from "../../../support/process/exit-code.ts";
import { type Io, write } from "../../../support/process/io.ts";
import { messageOf } from "../../../support/structures/error-message.ts";
import { type AgentCall, type CallPlan, isConversation, textOfPlan } from "../call.ts";
import { withFields } from "../known-query.ts";
import type { AgentModels } from "./agent-models.ts";
import type { Recording } from "./recording.ts";
import { loadRecordings, type Recordings, type RecordingsOptions } from "./recordings.ts";
import { replayEnvironment } from "./replay-environment.ts";

export type OnDivergence = "incomplete" | "nearest" | "live" | "fail";

export interface ReplayModelsOptions extends RecordingsOptions {
  readonly onDivergence: OnDivergence;
  /** 0: any free one. */
  readonly port: number;
  /** Calls are made by a process that is started for each, and can be made again. */
  readonly isStarted: boolean;
  /** Puts something between the agent and the recorded answers, such as faults. */
  readonly between?: (responder: Responder) => Responder;
  /** Gets what a call that was made again with the model became. */
  readonly onLive?: (recording: Recording | null, call: AgentCall) => Promise<void>;
}

/** Answers the model calls of an agent with what was recorded. Says on stderr what cannot be played back. @throws UserError */
export async function openReplayModels(options: ReplayModelsOptions): Promise<AgentModels> {
  const { onDivergence, isStarted, config, io, port } = options;
  if (onDivergence === "live" && !isStarted)
    throw new UserError(
      "--on-divergence live starts the agent again, and --url asks one that runs already",
      "use --exec, or another --on-divergence",
    );
  const recordings = await loadRecordings(options);
  await sayUnplayable(recordings, io);
  const mask = maskOf(config.recordedModels.ignore);
  // Requests are redacted like the recording before they are compared.
  const maskFor = ({ redacted }: Recording): Mask => {
    const redactor = fixtureRedactor(redacted, config.redact);
    return redactor === null ? mask : (text) => mask(redactor.text(text));
  };
  const replaying = new ReplayResponder((prefix) => `${prefix}${randomBytes(12).toString("hex")}`);
  const responder = options.between?.(replaying) ?? replaying;
  const models = [...new Set(recordings.all.flatMap(modelsOf))].sort();
  const server = await startModelServer({ responder, port, models: () => models }).catch((error: unknown) => {
    throw new UserError(`--models-port ${port}: ${messageOf(error)}`, "name another port");
  });
  if (!isStarted) await write(io.stderr, `the agent's model calls are expected at ${server.baseUrl()}\n`);
  // A run that is made with the model can be recorded anew, also where the agent has no instrumentation.
  const recorder =
    onDivergence === "live" ? await openRecording({ env: io.env, config, file: null }) : undefined;
  const saved: Recording[] = [];
  const turns = new Map<string, number>();
  const recordingFor = (plan: CallPlan): Recording | undefined => {
    if (plan.recording !== undefined) return plan.recording;
    const known = recordings.byText.get(normaliseText(textOfPlan(plan))) ?? [];
    const key = `${normaliseText(textOfPlan(plan))} ${plan.number}`;
    const nth = turns.get(key) ?? 0;
    turns.set(key, nth + 1);
    return known[Math.min(nth, known.length - 1)];
  };
  return {
    plans: (questions, folderOf) =>
      questions.flatMap(({ spec, query, queries }) => {
        if (isConversation(query)) return [{ spec, query, number: 1, folder: folderOf(query, 1) }];
        const own = [...new Set(queries.flatMap((one) => recordings.byQuery.get(one.query) ?? []))];
        if (own.length === 0 && onDivergence === "live" && query.text !== "*")
          return [{ spec, query, number: 1, folder: folderOf(query, 1) }];
        return own.map((recording, at): CallPlan => {
          const number = at + 1;
          return { spec, query, number, folder: folderOf(query, number), recording };
        });
      }),
    call: async (plan, start) => {
      const recording = recordingFor(plan);
      const again = async (): Promise<AgentCall> => {
        const call = await start(
          { ...plan, folder: join(plan.folder, "live") },
          io.env,
          recorder?.openModels,
        );
        await options.onLive?.(recording ?? null, call);
        return call;
      };
      if (recording === undefined) return onDivergence === "live" ? again() : unrecorded(plan);
      const callId = randomUUID();
      const session = new ReplaySession(recording, maskFor(recording));
      replaying.open(callId, session);
      const call = await start(plan, replayEnvironment(io.env, server.baseUrl(callId))).finally(() =>
        replaying.close(callId),
      );
      const divergences = divergencesOf(session);
      const effect = effectOf(divergences, onDivergence);
      if (divergences.length > 0) await sayDiverged(plan, divergences, io);
      if (divergences.length > 0 && onDivergence === "live") return again();
      saved.push(recording);
      const playback: Playback = { runId: recording.id, effect, divergences };
      return { ...call, runs: call.runs.map((run) => withFields(run, { playback })) };
    },
    saving: () => savingOf(saved),
    close: async () => {
      await server.close();
      await recorder?.close();
    },
  };
}

function maskOf(ignore: readonly string[]): Mask {
  try {
    return createMask(ignore);
  } catch (error) {
    throw new UserError(messageOf(error));
  }
}

function modelsOf({ exchanges }: Recording): readonly string[] {
  return exchanges.flatMap(({ request }) => request.model ?? []);
}

/** Names each run that cannot be played back, and what to do about it. */
export async function sayUnplayable({ unplayable }: Recordings, io: Io): Promise<void> {
  for (const { runId, query, reasons, remedy } of unplayable) {
    const name = query === null ? runId : `${printable(query)} (${runId})`;
    await write(
      io.stderr,
      `cannot be played back: ${name}: ${reasons.map((reason) => printable(reason, 300)).join("; ")}\n    → ${remedy}\n`,
    );
  }
}

async function sayDiverged(plan: CallPlan, divergences: readonly Divergence[], io: Io): Promise<void> {
  const name = printable(plan.query.id);
  for (const divergence of divergences)
    await write(io.stderr, `${name}: not as recorded: ${printable(sentence(divergence), 600)}\n`);
}

/** An agent that makes no call at all does not heed the address that it was given. */
function divergencesOf(session: ReplaySession): readonly Divergence[] {
  const found = session.divergences();
  if (session.calls > 0 || found.length === 0) return found;
  const diff = `all ${counted(found.length, "call")}: the agent sent nothing to the address in OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and the like`;
  return [{ call: null, what: "one call fewer", where: "", recorded: null, now: null, diff }];
}

function effectOf(divergences: readonly Divergence[], mode: OnDivergence): PlaybackEffect {
  if (divergences.length === 0) return "none";
  if (mode === "fail") return "fail";
  const isResultsOnly = divergences.every(({ what }) => what.startsWith("result of "));
  return mode === "nearest" || isResultsOnly ? "warn" : "incomplete";
}

function unrecorded(plan: CallPlan): AgentCall {
  return {
    plan,
    outcome: "not_started",
    exitCode: null,
    signal: null,
    durationMs: 0,
    requests: 0,
    spans: 0,
    runs: [],
    reason: `no recorded run answers ${JSON.stringify(textOfPlan(plan))}`,
    hint: "name a dump that holds one, or run it with the model: --on-divergence live",
  };
}

function savingOf(saved: readonly Recording[]): PlaybackSaving {
  return {
    runs: saved.length,
    calls: saved.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
    tokens: sumOf(saved, ({ tokens }) => tokens),
    usd: sumOf(saved, ({ costUsd }) => costUsd),
  };
}

function sumOf(saved: readonly Recording[], of: (one: Recording) => number | null): number | null {
  let sum = 0;
  for (const one of saved) {
    const value = of(one);
    if (value === null) return null;
    sum += value;
  }
  return sum;
}
