import { randomUUID } from "node:crypto";
import type { Config } from "../../../config/config.ts";
import type { Divergence, PlaybackEffect } from "../../../model/playback.ts";
import { noting } from "../../../model-server/record/answered-call.ts";
import { createMask } from "../../../model-server/replay/mask.ts";
import type { Mask } from "../../../model-server/replay/reduce-request.ts";
import { ReplayResponder } from "../../../model-server/replay/replay-responder.ts";
import { ReplaySession } from "../../../model-server/replay/replay-session.ts";
import { freshId } from "../../../model-server/server/fresh-values.ts";
import { startModelServer } from "../../../model-server/server/model-server.ts";
import { assigning, type Responder } from "../../../model-server/server/responder.ts";
import { counted } from "../../../report/render/terminal/printable.ts";
import { UserError } from "../../../support/process/exit-code.ts";
import { messageOf } from "../../../support/structures/error-message.ts";
import { fixtureRedactor } from "../../judging/redaction.ts";
import { KeptCalls } from "../recording/kept-calls.ts";
import { playbackVariables } from "./playback-variables.ts";
import type { Recording } from "./recording.ts";

/** `live`: the run is made again with the real model. */
export type OnDivergence = "incomplete" | "nearest" | "live" | "fail";

/** A model server that plays recorded runs to an agent. */
export interface PlaybackServer {
  readonly baseUrl: string;
  /** For an agent with one base URL for all its calls. */
  readonly variables: Readonly<Record<string, string>>;
  /** The model calls of all calls of the agent. */
  readonly calls: KeptCalls;
  /** Begins a call of the agent that a recorded run answers. */
  readonly begin: (recording: Recording) => OpenPlayback;
  readonly close: () => Promise<void>;
}

/** One call of the agent, which a recorded run answers. */
export interface OpenPlayback {
  readonly callId: string;
  /** For the agent's process, where it is started for this call. */
  readonly variables: Readonly<Record<string, string>>;
  /** Model calls so far. */
  readonly calls: () => number;
  /** Answers no further request; gives where the agent's requests were not those recorded. */
  readonly end: () => readonly Divergence[];
}

export interface PlaybackServerOptions {
  readonly recordings: readonly Recording[];
  readonly config: Pick<Config, "recordedModels" | "redact">;
  readonly env: NodeJS.ProcessEnv;
  /** Any free one when absent. */
  readonly port?: number;
  /** Puts something between the agent and the recorded answers, such as faults. */
  readonly between?: ((responder: Responder) => Responder) | undefined;
}

/** @throws UserError for a port that cannot be listened on, and for a pattern of `models.ignore` that is none */
export async function openPlaybackServer(options: PlaybackServerOptions): Promise<PlaybackServer> {
  const { recordings, config, env, port = 0, between } = options;
  const mask = maskOf(config.recordedModels.ignore);
  // What was taken out of a recording is taken out of the requests that are compared with it.
  const maskFor = ({ redacted }: Recording): Mask => {
    const redactor = fixtureRedactor(redacted, config.redact);
    return redactor === null ? mask : (text) => mask(redactor.text(text));
  };
  const replaying = new ReplayResponder(freshId);
  const calls = new KeptCalls();
  const noted = noting(between?.(replaying) ?? replaying, (call, origin) => calls.add(call, origin));
  const responder = assigning(noted, (received) => replaying.likeliestCall(received));
  const models = modelsIn(recordings);
  const server = await startModelServer({ responder, port, models: () => models }).catch((error: unknown) => {
    throw new UserError(`--models-port ${port}: ${messageOf(error)}`, "name another port");
  });
  return {
    baseUrl: server.baseUrl(),
    variables: playbackVariables(env, server.baseUrl()),
    calls,
    begin: (recording) => {
      const callId = randomUUID();
      const session = new ReplaySession(recording, maskFor(recording));
      replaying.open(callId, session);
      calls.begin(callId);
      return {
        callId,
        variables: playbackVariables(env, server.baseUrl(callId)),
        calls: () => session.calls,
        end: () => {
          replaying.close(callId);
          return divergencesOf(session);
        },
      };
    },
    close: () => server.close(),
  };
}

function maskOf(ignore: readonly string[]): Mask {
  try {
    return createMask(ignore);
  } catch (error) {
    throw new UserError(messageOf(error));
  }
}

/** The names of all models that were asked. */
export function modelsIn(recordings: readonly Recording[]): readonly string[] {
  const names = recordings.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request }) => request.model ?? []),
  );
  return [...new Set(names)].sort();
}

/** An agent that makes no call at all does not heed the address that it was given. */
function divergencesOf(session: ReplaySession): readonly Divergence[] {
  const found = session.divergences();
  if (session.calls > 0 || found.length === 0) return found;
  const diff = `all ${counted(found.length, "call")}: the agent sent nothing to the address in OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL and the like`;
  return [{ call: null, what: "one call fewer", where: "", recorded: null, now: null, diff }];
}

export function effectOf(divergences: readonly Divergence[], mode: OnDivergence): PlaybackEffect {
  if (divergences.length === 0) return "none";
  if (mode === "fail") return "fail";
  const isResultsOnly = divergences.every(({ what }) => what.startsWith("result of "));
  return mode === "nearest" || isResultsOnly ? "warn" : "incomplete";
}
