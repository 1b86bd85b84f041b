import { join } from "node:path";
import { normaliseText } from "../../../match/rules/normalise.ts";
import { addSavings, type Divergence, type Playback, type PlaybackSaving } from "../../../model/playback.ts";
import type { Responder } from "../../../model-server/server/responder.ts";
import { sentence } from "../../../evaluate/result/played-back.ts";
import { printable } from "../../../report/render/terminal/printable.ts";
import { keepModelCalls } from "../recording/kept-telemetry.ts";
import { openRecording, resourceOf } from "../recording/open-recording.ts";
import { type Io, UserError, write } from "../../../support/process/io.ts";
import { type AgentCall, type CallPlan, isConversation, notStarted, textOfPlan } from "../call.ts";
import { withFields } from "../known-query.ts";
import type { AgentModels } from "./agent-models.ts";
import type { Recording } from "./recording.ts";
import { loadRecordings, type Recordings, type RecordingsOptions, sayUnplayable } from "./recordings.ts";
import { effectOf, type OnDivergence, openPlaybackServer } from "./playback-server.ts";

export interface ReplayModelsOptions extends RecordingsOptions {
  readonly onDivergence: OnDivergence;
  /** Port of the server; 0 for a free port. */
  readonly port: number;
  /** Whether each call starts an agent process (`--exec`). Only such a call can be repeated. */
  readonly isStarted: boolean;
  readonly between?: (responder: Responder) => Responder;
  /** Called after a call was repeated with the real model, to replace the recording by the result. */
  readonly onLive?: (recording: Recording | null, call: AgentCall) => Promise<void>;
}

/**
 * Answers the model calls of an agent from recordings. Prints on stderr which runs cannot be played back.
 * @throws UserError if a recording cannot be read, or if calls of a `--url` agent would have to be repeated
 */
export async function openReplayModels(options: ReplayModelsOptions): Promise<AgentModels> {
  const { onDivergence, isStarted, config, io, port } = options;
  if (onDivergence === "live" && !isStarted)
    throw new UserError(
      `${options.onLive === undefined ? "--on-divergence live" : "--update-recordings"} calls the agent again, which needs an agent that Tracejury starts; --url names an agent that already runs`,
      "start the agent with --exec, or record it again with --models record:FILE",
    );
  const recordings = await loadRecordings(options);
  await sayUnplayable(recordings, io);
  if (onDivergence !== "live") await sayUnanswered(options, recordings);
  const { between } = options;
  const server = await openPlaybackServer({
    recordings: recordings.all,
    config,
    env: io.env,
    port,
    isStarted,
    between,
  });
  if (!isStarted) await write(io.stderr, `the agent's model calls are expected at ${server.baseUrl}\n`);
  // Records the model calls of runs that are repeated with the real model. They are needed if the agent has no instrumentation.
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
      if (recording === undefined) return onDivergence === "live" ? again() : unrecorded(plan, isStarted);
      const { callId, variables, end } = server.begin(recording, resourceOf(io.env, plan));
      const { calls } = server;
      const started = start(plan, io.env, (_, receiver) => ({
        variables,
        keep: async () => {
          await server.settled(callId);
          await keepModelCalls({ calls, callId, receiver, config, isSubstitute: true });
        },
      }));
      // Waits for the end of the agent before the playback ends, so that the agent's last requests are answered.
      await started.catch(() => undefined);
      const divergences = end();
      const call = await started;
      const effect = effectOf(divergences, onDivergence);
      // Otherwise the verdicts of the runs name the differences, and they are not printed here.
      if (onDivergence === "live" || call.runs.length === 0) await sayDiverged(plan, divergences, io);
      if (divergences.length > 0 && onDivergence === "live") return again();
      saved.push(recording);
      const remedy = isStarted ? {} : { remedy: recordRunning("Record this query again") };
      const playback: Playback = { runId: recording.id, effect, divergences, ...remedy };
      return { ...call, runs: call.runs.map((run) => withFields(run, { playback })) };
    },
    saving: () => savingOf(saved),
    close: async () => {
      await server.close();
      await recorder?.close();
    },
  };
}

/**
 * Prints each query without a recorded run. Skips conversations, because the recordings of their turns are looked up when a turn is sent.
 * Skips queries whose recorded run cannot be played back, because a message about this was printed before.
 */
async function sayUnanswered(
  { selected, io }: ReplayModelsOptions,
  { byQuery, unplayable, unmatched }: Recordings,
): Promise<void> {
  const asked = new Set(unplayable.map(({ query }) => normaliseText(query ?? "")));
  const why =
    unmatched.size === 0 ? "" : `; runs that match no query: ${printable([...unmatched].join(", "), 300)}`;
  for (const { query } of selected)
    if (!isConversation(query) && !byQuery.has(query) && !asked.has(normaliseText(query.text)))
      await write(io.stderr, `${printable(query.id)}: no recorded run answers this query${why}\n`);
}

async function sayDiverged(plan: CallPlan, divergences: readonly Divergence[], io: Io): Promise<void> {
  const name = printable(plan.query.id);
  for (const divergence of divergences)
    await write(
      io.stderr,
      `${name}: the agent's model call differs from the recording: ${printable(sentence(divergence), 600)}\n`,
    );
}

/** Returns the remedy for an agent that `--url` calls. Tracejury cannot start such an agent again with another model. */
function recordRunning(what: string): string {
  return `${what} with the model: --models record:FILE, with the same --models-port.`;
}

function unrecorded(plan: CallPlan, isStarted: boolean): AgentCall {
  return notStarted(
    plan,
    `no recorded run answers ${JSON.stringify(textOfPlan(plan))}`,
    isStarted
      ? "add a dump with a recording of this query, or call the model: --on-divergence live"
      : recordRunning("add a dump with a recording of this query, or record it"),
  );
}

function savingOf(saved: readonly Recording[]): PlaybackSaving {
  return saved
    .map(({ exchanges, tokens, costUsd: usd }) => ({ runs: 1, calls: exchanges.length, tokens, usd }))
    .reduce(addSavings, { runs: 0, calls: 0, tokens: 0, usd: 0 });
}
