import type { Outcome } from "../model/outcome.ts";

/** Which verdicts are asked for; a field that is absent does not narrow. */
export interface VerdictFilter {
  readonly outcome?: Outcome;
  readonly agent?: string;
  readonly query?: string;
  readonly spec?: string;
  /** Any of the run's traces. */
  readonly trace?: string;
  readonly run?: string;
}

/** A verdict with what a list shows of it. */
export interface StoredVerdict {
  readonly verdictId: string;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly agent: string | null;
  readonly queryId: string;
  readonly spec: string;
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly judgedUnixMs: number;
  /** The verdict object, as JSON text. */
  readonly json: string;
}

export interface VerdictPage {
  /** Newest first. */
  readonly verdicts: readonly StoredVerdict[];
  /** Where the next page begins; null on the last. */
  readonly next: string | null;
}

/** What the API reads: verdicts and runs, as far back as the store remembers. */
export interface VerdictStore {
  /** `cursor` is the `next` of the page before; undefined when it is none. */
  verdicts(filter: VerdictFilter, limit: number, cursor: string | null): Promise<VerdictPage | undefined>;
  /** The newest revision, or the one asked for. */
  verdict(verdictId: string, revision: number | null): Promise<StoredVerdict | undefined>;
  /** The run in the shape of `inspect`, with its verdicts. */
  run(
    runId: string,
  ): Promise<{ readonly json: string; readonly verdicts: readonly StoredVerdict[] } | undefined>;
}
