import type { SpansWithoutAgent } from "../../pipeline/lifecycle/trace-beginning.ts";
import type { ConfigReload } from "../settings/options.ts";

export interface Listening {
  readonly http: string | null;
  readonly grpc: string | null;
  readonly admin: string | null;
  /** Absent where no model calls are passed on. */
  readonly models?: string;
}

/** Possible reasons why a new user sees no runs. */
export interface FirstStepsState {
  /** Found since the start. */
  readonly runs: number;
  /** That runs are judged by now. */
  readonly specs: number;
  /** The traces that closed last. */
  readonly withoutAgent: readonly SpansWithoutAgent[];
}

export interface Collector {
  readonly listening: Listening;
  /** Traces that wait for more spans. */
  openTraces(): number;
  /** Received telemetry so far, for the hints on the first screen. */
  firstSteps(): FirstStepsState;
  /** Settles once no trace is open. */
  whenIdle(): Promise<void>;
  /** Settles once no run waits for judges. */
  whenJudged(): Promise<void>;
  /**
   * Makes ready for other specs, judges, credentials, certificates and redaction; the function given makes them count, all at once,
   * and cannot fail. Runs that are before their judges are finished by what they were begun with.
   * @throws SecurityError, or Error where something needs another start; all stays as it was
   */
  prepare(configReload: ConfigReload): () => void;
  /** Counts a renewal, or one that was refused. */
  noteReload(outcome: "done" | "failed"): void;
  /** Files besides the configuration whose change calls for a renewal. */
  readonly securityFiles: readonly string[];
  /**
   * Takes nothing more and sends verdicts out; gives up when the time is over. What is open waits in the journal for the next start;
   * without a journal it is closed as `shutdown`.
   */
  stop(timeoutMs: number): Promise<void>;
}
