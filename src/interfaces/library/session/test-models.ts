import type { Config } from "../../../config/config.ts";
import { sentence } from "../../../evaluate/result/played-back.ts";
import { normaliseText } from "../../../match/rules/normalise.ts";
import type { Playback } from "../../../model/playback.ts";
import type { AgentRun } from "../../../model/run.ts";
import { modelChoice } from "../../../replay/agent/models/model-option.ts";
import {
  effectOf,
  type OpenPlayback,
  openPlaybackServer,
  type PlaybackServer,
} from "../../../replay/agent/models/playback-server.ts";
import type { Recording } from "../../../replay/agent/models/recording.ts";
import { loadRecordings, sayUnplayable } from "../../../replay/agent/models/recordings.ts";
import { UserError } from "../../../support/process/exit-code.ts";
import type { Io } from "../../../support/process/io.ts";

interface Played {
  readonly recording: Recording;
  readonly playback: OpenPlayback;
}

/**
 * Recorded answers for agents in tests. All agents use one base URL; each request is answered from the
 * recorded run that matches best.
 */
export class TestModels {
  readonly #server: PlaybackServer;
  readonly #played: Played[];

  private constructor(server: PlaybackServer, recordings: readonly Recording[]) {
    this.#server = server;
    this.#played = recordings.map((recording) => ({ recording, playback: server.begin(recording) }));
  }

  /**
   * @param names values of `--models` of `test`; null if there are none
   * @throws UserError for values other than `replay:DUMP`, or if no recorded run can be played back
   */
  static async open(names: readonly string[], config: Config, io: Io): Promise<TestModels | null> {
    const choice = modelChoice(names);
    if (choice === null || choice.kind === "live") return null;
    if (choice.kind === "record")
      throw new UserError(
        "a test plays recordings back, and records none",
        "record with tracejury test --models record:FILE, and write replay:FILE here",
      );
    const { attributes } = config;
    const given = { paths: choice.dumps, config, attributes, specs: [], selected: [], io };
    const recordings = await loadRecordings(given);
    await sayUnplayable(recordings, io);
    if (recordings.all.length === 0)
      throw new UserError(`${choice.dumps.join(", ")}: no recorded run can be played back`);
    const server = await openPlaybackServer({ recordings: recordings.all, config, env: io.env });
    return new TestModels(server, recordings.all);
  }

  /** Environment variables that the agent needs. */
  get variables(): Readonly<Record<string, string>> {
    return this.#server.variables;
  }

  /** Restarts the playback of all recorded runs. */
  restart(): void {
    for (const at of this.#played.keys()) this.#end(at);
  }

  /**
   * Returns how the run was played back, and restarts its recording. Returns null for a run that matches no
   * recording.
   */
  playbackOf({ query }: Pick<AgentRun, "query">): Playback | null {
    const text = normaliseText(query ?? "");
    const isSame = ({ recording }: Played): boolean => normaliseText(recording.query) === text;
    const hasAnswered = ({ playback }: Played): boolean => playback.calls() > 0;
    const all = this.#played;
    const found =
      all.find((one) => isSame(one) && hasAnswered(one)) ?? all.find(isSame) ?? all.find(hasAnswered);
    if (found === undefined) return null;
    const divergences = this.#end(all.indexOf(found));
    return { runId: found.recording.id, effect: effectOf(divergences, "incomplete"), divergences };
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #end(at: number): Playback["divergences"] {
    const played = this.#played[at];
    if (played === undefined) return [];
    const { recording, playback } = played;
    const divergences = playback.end();
    this.#played[at] = { recording, playback: this.#server.begin(recording) };
    return divergences;
  }
}

/**
 * Returns why a run decides nothing: its model requests differ from the recorded ones. Returns null for a run
 * that was played as recorded.
 */
export function notAsRecorded(playback: Playback | null): string | null {
  if (playback === null || playback.effect !== "incomplete") return null;
  return playback.divergences.map((one) => `not as recorded: ${sentence(one)}`).join("\n");
}
