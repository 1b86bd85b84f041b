import { sentence } from "../../../evaluate/result/played-back.ts";
import type { Playback } from "../../../model/playback.ts";
import { faultBetween } from "../../../replay/agent/models/fault-option.ts";
import { modelChoice } from "../../../replay/agent/models/model-option.ts";
import { UserError } from "../../../support/process/io.ts";
import type { TestModels, TestModelsOptions } from "./test-models.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { AgentRun } from "../../../model/run.ts";
import {
  effectOf,
  type OpenPlayback,
  openPlaybackServer,
  type PlaybackServer,
  type PlaybackServerOptions,
} from "../../../replay/agent/models/playback-server.ts";
import type { Recording } from "../../../replay/agent/models/recording.ts";
import { loadRecordings, sayUnplayable } from "../../../replay/agent/models/recordings.ts";
import { keepModelCalls } from "../../../replay/agent/recording/kept-telemetry.ts";
import { processResource } from "../../../replay/agent/recording/resource.ts";
import {
  openSharedRecording,
  type RecordingOptions,
  type SharedRecording,
} from "../../../replay/agent/recording/open-recording.ts";

/** Forwards the model calls of agents in tests to the agents' providers. Records the calls, and can inject a fault. */
class ProviderModels implements TestModels {
  readonly #options: ProviderOptions;
  readonly #recording: SharedRecording;

  constructor(options: ProviderOptions, recording: SharedRecording) {
    this.#options = options;
    this.#recording = recording;
    this.restart();
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#recording.variables;
  }

  restart(): void {
    const { receiver, io } = this.#options;
    this.#recording.begin(receiver, processResource(io.env, "agent"));
  }

  playbackOf(): null {
    this.restart();
    return null;
  }

  keepCalls(): Promise<void> {
    return this.#recording.keepAll();
  }

  close(): Promise<void> {
    return this.#recording.close();
  }
}

/** Answers the model calls of agents in tests from recorded runs. Each request is answered from the recorded run that is most similar. */
class PlayedModels implements TestModels {
  readonly #options: PlayedOptions;
  readonly #server: PlaybackServer;
  readonly #played: Played[];
  /** Ended playbacks. If an agent sends no telemetry, its runs are made from the model calls of these playbacks. */
  readonly #ended: Played[] = [];

  constructor(options: PlayedOptions, server: PlaybackServer, recordings: readonly Recording[]) {
    this.#options = options;
    this.#server = server;
    this.#played = recordings.map((recording) => this.#begin(recording));
  }

  #begin(recording: Recording): Played {
    const { service, agent } = recording;
    const resource = processResource(this.#options.io.env, service ?? agent ?? "agent");
    return { recording, playback: this.#server.begin(recording, resource) };
  }

  get variables(): Readonly<Record<string, string>> {
    return this.#server.variables;
  }

  /** Restarts the playback of all recorded runs, so that the next request gets an answer from the beginning. */
  restart(): void {
    for (const at of this.#played.keys()) this.#end(at);
    this.#ended.length = 0;
  }

  playbackOf({ query }: Pick<AgentRun, "query">): Playback | null {
    const text = normaliseText(query ?? "");
    const isSame = ({ recording }: Played): boolean => normaliseText(recording.query) === text;
    const hasAnswered = ({ playback }: Played): boolean => playback.calls() > 0;
    const all = this.#played;
    const found =
      all.find((one) => isSame(one) && hasAnswered(one)) ?? all.find(isSame) ?? all.find(hasAnswered);
    if (found === undefined) return null;
    const divergences = this.#end(all.indexOf(found));
    // An injected fault changes the agent's later requests, so if a fault is injected, differences from the recording are accepted.
    const mode = this.#options.between === undefined ? "incomplete" : "nearest";
    return { runId: found.recording.id, effect: effectOf(divergences, mode), divergences };
  }

  async keepCalls(): Promise<void> {
    const { receiver, config } = this.#options;
    const { calls } = this.#server;
    for (const { playback } of [...this.#ended, ...this.#played]) {
      const { callId } = playback;
      await this.#server.settled(callId);
      await keepModelCalls({ calls, callId, receiver, config, isSubstitute: true });
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #end(at: number): Playback["divergences"] {
    const played = this.#played[at];
    if (played === undefined) return [];
    const { recording, playback } = played;
    const divergences = playback.end();
    if (playback.calls() > 0) this.#ended.push(played);
    this.#played[at] = this.#begin(recording);
    return divergences;
  }
}

/**
 * Opens a model server between agents and models. Returns null if the agents call their providers directly.
 * @throws UserError for invalid values, or if the recordings contain no model answers
 */
export async function openTestModels(options: TestModelsOptions): Promise<TestModels | null> {
  const choice = modelChoice(options.names);
  const between = faultBetween(options.fault);
  if (between !== undefined && (choice === null || choice.kind === "record"))
    throw new UserError(
      "a fault needs a model server between the agent and its model",
      "add models replay:DUMP, or models live",
    );
  if (choice === null || (choice.kind === "live" && between === undefined)) return null;
  return choice.kind === "replay"
    ? openPlayedModels({ ...options, dumps: choice.dumps, between })
    : openProviderModels({ ...options, file: choice.kind === "record" ? choice.file : null, between });
}

/** Describes the differences if a run is undecided because its model requests differ from the recording. Returns null for any other run. */
export function notAsRecorded(playback: Playback | null): string | null {
  if (playback === null || playback.effect !== "incomplete") return null;
  return playback.divergences
    .map((one) => `the agent's model call differs from the recording: ${sentence(one)}`)
    .join("\n");
}

interface Played {
  readonly recording: Recording;
  readonly playback: OpenPlayback;
}

interface PlayedOptions extends TestModelsOptions, Pick<PlaybackServerOptions, "between"> {
  readonly dumps: readonly string[];
}

/**
 * Opens a model server that answers from recordings.
 * @throws UserError if no recorded run can be played back
 */
async function openPlayedModels(options: PlayedOptions): Promise<TestModels> {
  const { dumps, between, config, io } = options;
  const given = { paths: dumps, config, attributes: config.attributes, specs: [], selected: [], io };
  const recordings = await loadRecordings(given);
  await sayUnplayable(recordings, io);
  if (recordings.all.length === 0)
    throw new UserError(`${dumps.join(", ")}: no recorded run can be played back`);
  const server = await openPlaybackServer({ recordings: recordings.all, config, env: io.env, between });
  return new PlayedModels(options, server, recordings.all);
}

interface ProviderOptions extends TestModelsOptions, Pick<RecordingOptions, "file" | "between"> {}

/**
 * Opens a model server that forwards model calls to the providers.
 * @throws UserError if the server cannot be started
 */
async function openProviderModels(options: ProviderOptions): Promise<TestModels> {
  const { io, config, file, between } = options;
  const recording = await openSharedRecording({ env: io.env, config, file, between, port: 0 });
  return new ProviderModels(options, recording);
}
