import type { SpansWithoutAgent } from "../../pipeline/lifecycle/trace-beginning.ts";
import type { ConfigReload } from "../settings/options.ts";

export interface Listening {
  readonly http: string | null;
  readonly grpc: string | null;
  readonly admin: string | null;
  /** Address for model calls; absent if `models` is not configured. */
  readonly models?: string;
}

/** State from which a message explains to a new user why there are no runs. */
export interface FirstStepsState {
  /** Number of runs found since the start. */
  readonly runs: number;
  /** Number of specs that judge runs now. */
  readonly specs: number;
  /** The spans of recently closed traces in which no agent was found. */
  readonly withoutAgent: readonly SpansWithoutAgent[];
}

export interface Collector {
  readonly listening: Listening;
  /** Number of traces that wait for more spans. */
  openTraces(): number;
  /** Returns the values for hints to a new user. */
  firstSteps(): FirstStepsState;
  /**
   * Resolves when no trace is open, no run waits for further traces, and every run is judged; or when the collector stops. Does not wait
   * for open conversations.
   */
  whenIdle(): Promise<void>;
  /** Resolves when no run waits for judge models. */
  whenJudged(): Promise<void>;
  /**
   * Prepares new specs, judge models, credentials, certificates and redaction. Returns a function that activates all new settings together
   * and never throws. Runs that already wait for evaluation use the previous judge models.
   * @throws SecurityError if a security file cannot be used, Error if a change needs a restart; the previous settings then stay active
   */
  prepare(configReload: ConfigReload): () => void;
  /** Counts a successful or failed reload. */
  noteReload(outcome: "done" | "failed"): void;
  /** Token, password and certificate files of `security`. If one of these files changes, the collector reloads. */
  readonly securityFiles: readonly string[];
  /**
   * Stops accepting telemetry, and sends waiting verdicts until the time-out. Open traces stay in the journal for the next start; without a
   * journal, they are closed with the reason `shutdown`.
   */
  stop(timeoutMs: number): Promise<void>;
}
