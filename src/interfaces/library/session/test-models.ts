import type { Config } from "../../../config/config.ts";
import type { Playback } from "../../../model/playback.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CallReceiver } from "../../../replay/agent/call-receiver.ts";
import type { Io } from "../../../support/process/io.ts";

/**
 * Model server between agents in tests and their models: with recorded answers, or with the agents'
 * providers. The agents have one base URL.
 */
export interface TestModels {
  /** Environment variables that the agent needs. */
  readonly variables: Readonly<Record<string, string>>;
  /** Begins a call of the agent. */
  restart(): void;
  /**
   * Returns how the run was played, and ends its call; its recording is played from the beginning afterwards.
   * Null for a run that was not played.
   */
  playbackOf(run: Pick<AgentRun, "query">): Playback | null;
  /** Adds the model calls to the received telemetry, if that shows none of its own. */
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
