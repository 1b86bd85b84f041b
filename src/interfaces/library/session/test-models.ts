import type { Config } from "../../../config/config.ts";
import type { Playback } from "../../../model/playback.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CallReceiver } from "../../../replay/agent/call-receiver.ts";
import type { Io } from "../../../support/process/io.ts";

/**
 * Model server between agents in tests and their models. The server answers from recordings, or forwards calls to the agents' providers.
 * All agents use the same base URL.
 */
export interface TestModels {
  /** Environment variables that direct an agent to the model server. */
  readonly variables: Readonly<Record<string, string>>;
  /** Must be called before each call of the agent. */
  restart(): void;
  /**
   * Ends the playback of the run, and returns how recorded answers were used. Answers for the next run start at the beginning of the
   * recording. Returns null if the run's model calls were not answered from a recording.
   */
  playbackOf(run: Pick<AgentRun, "query">): Playback | null;
  /** If the received telemetry contains no model calls, adds the recorded ones. */
  keepCalls(): Promise<void>;
  close(): Promise<void>;
}

export interface TestModelsOptions {
  /** Sources of answers, as for the option `--models` of `test`. */
  readonly names: readonly string[];
  /** Fault to inject, as for the option `--fault` of `test`. */
  readonly fault?: string | undefined;
  readonly receiver: CallReceiver;
  readonly config: Config;
  readonly io: Io;
}
