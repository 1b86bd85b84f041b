import type { SpansWithoutAgent } from "../../pipeline/lifecycle/trace-beginning.ts";
import type { ConfigReload } from "../settings/options.ts";

export interface Listening {
  readonly http: string | null;
  readonly grpc: string | null;
  readonly admin: string | null;
  /** Address for model calls; absent if `models` is not configured. */
  readonly models?: string;
}

/** Possible reasons why a new user sees no runs. */
export interface FirstStepsState {
  /** Runs found since the start. */
  readonly runs: number;
  /** Number of specs that judge runs now. */
  readonly specs: number;
  /** Spans of the most recently closed traces that have no agent. */
  readonly withoutAgent: readonly SpansWithoutAgent[];
}

export interface Collector {
  readonly listening: Listening;
  /** Number of traces that wait for more spans. */
  openTraces(): number;
  /** Counts of received telemetry since the start, for the hints on the first screen. */
  firstSteps(): FirstStepsState;
  /** Resolves when no trace is open. */
  whenIdle(): Promise<void>;
  /** Resolves when no run waits for judges. */
  whenJudged(): Promise<void>;
  /**
   * Prepares new specs, judges, credentials, certificates and redaction. The returned function activates all new settings at once and cannot fail. Runs whose judges were already asked finish with the previous judges.
   * @throws SecurityError, or Error if a change needs a restart; nothing changes in either case
   */
  prepare(configReload: ConfigReload): () => void;
  /** Counts a successful or failed reload. */
  noteReload(outcome: "done" | "failed"): void;
  /** Files besides the configuration whose change triggers a reload. */
  readonly securityFiles: readonly string[];
  /**
   * Stops accepting telemetry and sends pending verdicts until the time-out. Open traces stay in the journal
   * for the next start. Without a journal, open traces are closed with the reason `shutdown`.
   */
  stop(timeoutMs: number): Promise<void>;
}
