import type { SpansWithoutAgent } from "../../pipeline/lifecycle/trace-beginning.ts";
import type { ConfigReload } from "../settings/options.ts";

export interface Listening {
  readonly http: string | null;
  readonly grpc: string | null;
  readonly admin: string | null;
  /** Address for model calls; absent if `models` is not configured. */
  readonly models?: string;
}

/** Values that explain why a new user may see no runs. */
export interface FirstStepsState {
  /** Number of runs found since the start. */
  readonly runs: number;
  /** Number of specs that judge runs now. */
  readonly specs: number;
  /** Spans without an agent in the most recently closed traces. */
  readonly withoutAgent: readonly SpansWithoutAgent[];
}

export interface Collector {
  readonly listening: Listening;
  /** Number of traces that wait for more spans. */
  openTraces(): number;
  /** Returns the values for the hints to a new user. */
  firstSteps(): FirstStepsState;
  /** Resolves when no trace is open. */
  whenIdle(): Promise<void>;
  /** Resolves when no run waits for judges. */
  whenJudged(): Promise<void>;
  /**
   * Prepares new specs, judges, credentials, certificates and redaction. The returned function activates all
   * new settings at once, and cannot fail. Runs that already wait for judges finish with the previous judges.
   * @throws SecurityError, or Error if a change needs a restart; nothing changes in either case
   */
  prepare(configReload: ConfigReload): () => void;
  /** Counts a successful or failed reload. */
  noteReload(outcome: "done" | "failed"): void;
  /** Files besides the configuration that trigger a reload when they change. */
  readonly securityFiles: readonly string[];
  /**
   * Stops accepting telemetry, and sends pending verdicts until the time-out. Open traces stay in the journal
   * for the next start. Without a journal, open traces are closed with the reason `shutdown`.
   */
  stop(timeoutMs: number): Promise<void>;
}
