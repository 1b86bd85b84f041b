import type { Config } from "../../../config/config.ts";
import type { Playback } from "../../../model/playback.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CallReceiver } from "../../../replay/agent/call-receiver.ts";
import type { Io } from "../../../support/process/io.ts";

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

export interface TestModelsOptions {
  /** Sources of answers, in the form of the option `--models` of `test`. */
  readonly names: readonly string[];
  /** Fault to inject, in the form of the option `--fault` of `test`. */
  readonly fault?: string | undefined;
  readonly receiver: CallReceiver;
  readonly config: Config;
  readonly io: Io;
}
