import { normaliseText } from "../../../match/rules/normalise.ts";
import type { Playback } from "../../../model/playback.ts";
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
import { UserError } from "../../../support/process/exit-code.ts";
import type { TestModels, TestModelsOptions } from "./test-models.ts";

interface Played {
  readonly recording: Recording;
  readonly playback: OpenPlayback;
}

interface PlayedOptions extends TestModelsOptions, Pick<PlaybackServerOptions, "between"> {
  readonly dumps: readonly string[];
}

/**
 * Answers the model calls of agents in tests from recorded runs. Each request is answered from the recorded
 * run that matches best.
 */
class PlayedModels implements TestModels {
  readonly #options: PlayedOptions;
  readonly #server: PlaybackServer;
  readonly #played: Played[];
  /** Ended playbacks. If an agent sends no telemetry, its runs are made from their model calls. */
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

  /** Starts the playback of all recorded runs from the beginning. */
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
    // An injected fault changes the agent's later requests, so differences from the recording are accepted.
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
 * Opens a model server that answers from recordings.
 * @throws UserError if no recorded run can be played back
 */
export async function openPlayedModels(options: PlayedOptions): Promise<TestModels> {
  const { dumps, between, config, io } = options;
  const given = { paths: dumps, config, attributes: config.attributes, specs: [], selected: [], io };
  const recordings = await loadRecordings(given);
  await sayUnplayable(recordings, io);
  if (recordings.all.length === 0)
    throw new UserError(`${dumps.join(", ")}: no recorded run can be played back`);
  const server = await openPlaybackServer({ recordings: recordings.all, config, env: io.env, between });
  return new PlayedModels(options, server, recordings.all);
}
