import { randomUUID } from "node:crypto";
import type { Config } from "../../../config/config.ts";
import type { Divergence, PlaybackEffect } from "../../../model/playback.ts";
import { NotingResponder } from "../../../model-server/record/answered-call.ts";
import { createMask } from "../../../model-server/replay/mask.ts";
import {
  type Mask,
  type RequestReducer,
  requestReducer,
} from "../../../model-server/replay/reduce-request.ts";
import { ReplayResponder } from "../../../model-server/replay/replay-responder.ts";
import { ReplaySession } from "../../../model-server/replay/replay-session.ts";
import { freshId } from "../../../model-server/server/fresh-values.ts";
import { startModelServer } from "../../../model-server/server/model-server.ts";
import { assigning, type Responder } from "../../../model-server/server/responder.ts";
import { counted } from "../../../report/render/terminal/printable.ts";
import { UserError } from "../../../support/process/io.ts";
import { messageOf } from "../../../support/structures/error-message.ts";
import { fixtureRedactor } from "../../judging/redaction.ts";
import { KeptCalls } from "../recording/kept-calls.ts";
import type { Recording } from "./recording.ts";
import { replayVariables } from "../../../model-server/base-urls.ts";

/** Environment variables with API keys that SDKs require when they start. Each list contains the alternative names of one key. */
const keys: readonly (readonly string[])[] = [
  ["OPENAI_API_KEY"],
  ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  ["GOOGLE_GENERATIVE_AI_API_KEY"],
  ["AZURE_OPENAI_API_KEY"],
];
const PLACEHOLDER = "tracejury-recorded";

/** What to do if a request differs from the recording. `live` repeats the run with the real model. */
export type OnDivergence = "incomplete" | "nearest" | "live" | "fail";

/** A model server that answers an agent's model calls from recorded runs. */
export interface PlaybackServer {
  readonly baseUrl: string;
  /** Environment variables for an agent with one base URL for all its calls. */
  readonly variables: Readonly<Record<string, string>>;
  /** The model calls that the agent made in all its calls, as recorded by this server. */
  readonly calls: KeptCalls;
  /** Resolves when `calls` contains all model calls that were answered in one call of the agent. */
  readonly settled: (callId: string) => Promise<void>;
  /**
   * Starts a call of the agent whose model calls are answered from a recorded run.
   * @param resource resource attributes of the spans of model calls
   */
  readonly begin: (recording: Recording, resource: Readonly<Record<string, string>>) => OpenPlayback;
  readonly close: () => Promise<void>;
}

/** A call of the agent whose model calls are answered from a recorded run. */
export interface OpenPlayback {
  readonly callId: string;
  /** Environment variables for the agent process of this call. */
  readonly variables: Readonly<Record<string, string>>;
  /** Returns the number of model calls that the agent has made in this call. */
  readonly calls: () => number;
  /** Answers no further requests. Returns the differences between the agent's requests and the recorded requests. */
  readonly end: () => readonly Divergence[];
}

export interface PlaybackServerOptions {
  readonly recordings: readonly Recording[];
  readonly config: Pick<Config, "recordedModels" | "redact">;
  readonly env: NodeJS.ProcessEnv;
  /** Default: a free port. */
  readonly port?: number;
  /** Whether Tracejury starts the agent, with the base URLs in its environment. Default: true. */
  readonly isStarted?: boolean;
  /** Wraps the responder that gives recorded answers, for example to inject faults. */
  readonly between?: ((responder: Responder) => Responder) | undefined;
}

/**
 * Opens a model server that answers from recordings.
 * @throws UserError if the port cannot be used, or a pattern of `models.ignore` is invalid
 */
export async function openPlaybackServer(options: PlaybackServerOptions): Promise<PlaybackServer> {
  const { recordings, config, env, port = 0, isStarted = true, between } = options;
  const mask = maskOf(config.recordedModels.ignore);
  const reduce = requestReducer(mask);
  // Requests are redacted in the same way as the recording, so that both can be compared.
  const reducerFor = ({ redacted }: Recording): RequestReducer => {
    const redactor = fixtureRedactor(redacted, config.redact);
    return redactor === null ? reduce : requestReducer((text) => mask(redactor.text(text)));
  };
  const replaying = new ReplayResponder(freshId);
  const calls = new KeptCalls();
  const noted = new NotingResponder(between?.(replaying) ?? replaying, (call, origin) =>
    calls.add(call, origin),
  );
  const responder = assigning(noted, (received) => replaying.likeliestCall(received));
  const models = modelsIn(recordings);
  const server = await startModelServer({ responder, port, models: () => models }).catch((error: unknown) => {
    throw new UserError(`--models-port ${port}: ${messageOf(error)}`, "choose another port");
  });
  return {
    baseUrl: server.baseUrl(),
    variables: playbackVariables(env, server.baseUrl()),
    calls,
    settled: (callId) => noted.settled(callId),
    begin: (recording, resource) => {
      const callId = randomUUID();
      const session = new ReplaySession(recording, reducerFor(recording));
      replaying.open(callId, session);
      calls.begin(callId, resource);
      return {
        callId,
        variables: playbackVariables(env, server.baseUrl(callId)),
        calls: () => session.calls,
        end: () => {
          replaying.close(callId);
          return divergencesOf(session, isStarted ? null : server.baseUrl());
        },
      };
    },
    close: async () => {
      await server.close();
      calls.close();
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

/** Returns the names of all models in the recordings. */
export function modelsIn(recordings: readonly Recording[]): readonly string[] {
  const names = recordings.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ request }) => request.model ?? []),
  );
  return [...new Set(names)].sort();
}

/**
 * Returns the differences between a run's model calls and the recording. If the agent made no model call, returns a single difference,
 * because the agent may ignore the base URL.
 * @param address base URL with which the user must start the agent; null if Tracejury starts the agent
 */
function divergencesOf(session: ReplaySession, address: string | null): readonly Divergence[] {
  const found = session.divergences();
  if (session.calls > 0 || found.length === 0) return found;
  const where =
    address === null
      ? "the address in OPENAI_BASE_URL, ANTHROPIC_BASE_URL, GOOGLE_GEMINI_BASE_URL or the variable of the agent's provider"
      : `${address}: start the agent with OPENAI_BASE_URL=${address}/v1, ANTHROPIC_BASE_URL=${address} and the like`;
  const diff = `all ${counted(found.length, "call")}: the agent sent nothing to ${where}`;
  return [{ call: null, what: "one call fewer", where: "", recorded: null, now: null, diff }];
}

export function effectOf(divergences: readonly Divergence[], mode: OnDivergence): PlaybackEffect {
  if (divergences.length === 0) return "none";
  if (mode === "fail") return "fail";
  return mode === "nearest" || divergences.every(isJudged) ? "warn" : "incomplete";
}

/**
 * Whether a run with this difference can still be judged. True if a tool returned another result, or if the tool definitions are in another
 * order. Python frameworks list hand-off tools from a set, whose order differs in each process.
 */
function isJudged({ what, where }: Divergence): boolean {
  return what.startsWith("result of ") || (what === "tool definitions" && where === "order");
}

/**
 * Returns environment variables for an agent, so that its model calls go to `baseUrl`: base URLs, and placeholders for missing API keys.
 */
function playbackVariables(env: NodeJS.ProcessEnv, baseUrl: string): Readonly<Record<string, string>> {
  const own: Record<string, string> = { ...replayVariables(env, baseUrl) };
  for (const [name, ...others] of keys)
    if (name !== undefined && ![name, ...others].some((one) => isSet(env[one]))) own[name] = PLACEHOLDER;
  return own;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
