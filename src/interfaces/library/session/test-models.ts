import type { Config } from "../../../config/config.ts";
import type { Playback } from "../../../model/playback.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CallReceiver } from "../../../replay/agent/call-receiver.ts";
import type { Io } from "../../../support/process/io.ts";

/**
 * Model server between agents in tests and their models. The server answers from recordings, or passes calls
 * to the agents' providers. The agents have one base URL.
 */
export interface TestModels {
  /** Environment variables with which the agent uses the model server. */
  readonly variables: Readonly<Record<string, string>>;
  /** Begins a call of the agent. */
  restart(): void;
  /**
   * Ends the playback of the run and returns its data. The recording starts from the beginning for the next
   * run. Null if the run's model calls were not answered from a recording.
   */
  playbackOf(run: Pick<AgentRun, "query">): Playback | null;
  /** Adds the recorded model calls to the received telemetry, if the telemetry contains no model calls. */
  keepCalls(): Promise<void>;
  close(): Promise<void>;
}

export interface TestModelsOptions {
  /** Sources of answers, in the form of the option `--models` of `test`. */
  readonly names: readonly string[];
  /** Fault to inject, in the form of the option `--fault` of `test`. */
  readonly fault?: string | undefined;
  readonly receiver: CallReceiver;
  readonly config: Config;
  readonly io: Io;
}
