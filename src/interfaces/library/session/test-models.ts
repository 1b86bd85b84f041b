import type { Config } from "../../../config/config.ts";
import { sentence } from "../../../evaluate/result/played-back.ts";
import type { Playback } from "../../../model/playback.ts";
import type { AgentRun } from "../../../model/run.ts";
import { faultBetween } from "../../../replay/agent/models/fault-option.ts";
import { modelChoice } from "../../../replay/agent/models/model-option.ts";
import type { CallReceiver } from "../../../replay/agent/call-receiver.ts";
import { UserError } from "../../../support/process/exit-code.ts";
import type { Io } from "../../../support/process/io.ts";
import { openPlayedModels } from "./played-models.ts";
import { openProviderModels } from "./provider-models.ts";

/** What stands between agents in tests and their models: recorded answers, or their providers. The agents have one base URL. */
export interface TestModels {
  /** What the agent needs in its environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** Begins a call of the agent. */
  restart(): void;
  /** How the run was played, and the end of its call: its recording is played from the beginning afterwards. Null for a run that was not. */
  playbackOf(run: Pick<AgentRun, "query">): Playback | null;
  /** Puts the model calls among the received telemetry, where it shows none of its own. */
  keepCalls(): Promise<void>;
  close(): Promise<void>;
}

<<<<<<< HEAD
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
=======
export interface TestModelsOptions {
  /** As `--models` of `test` takes them. */
  readonly names: readonly string[];
  /** As `--fault` of `test` takes it. */
  readonly fault?: string | undefined;
  readonly receiver: CallReceiver;
  readonly config: Config;
  readonly io: Io;
}

/**
 * Opens what stands between agents and models; null where nothing does.
 * @throws UserError for values that mean nothing, and where nothing can be played back
 */
export async function openTestModels(options: TestModelsOptions): Promise<TestModels | null> {
  const choice = modelChoice(options.names);
  const between = faultBetween(options.fault);
  if (between !== undefined && (choice === null || choice.kind === "record"))
    throw new UserError(
      "a fault stands between the agent and its model",
      "add models replay:DUMP, or models live",
    );
  if (choice === null || (choice.kind === "live" && between === undefined)) return null;
  return choice.kind === "replay"
    ? openPlayedModels({ ...options, dumps: choice.dumps, between })
    : openProviderModels({ ...options, file: choice.kind === "record" ? choice.file : null, between });
>>>>>>> verdicts
}

/**
 * Returns why a run decides nothing: its model requests differ from the recorded ones. Returns null for a run
 * that was played as recorded.
 */
export function notAsRecorded(playback: Playback | null): string | null {
  if (playback === null || playback.effect !== "incomplete") return null;
  return playback.divergences.map((one) => `not as recorded: ${sentence(one)}`).join("\n");
}
