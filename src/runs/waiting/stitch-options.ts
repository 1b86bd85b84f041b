import type { Fragment } from "../fragment.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { RunOptions } from "../assembled-run.ts";

export interface StitchOptions extends RunOptions {
  /** How long a pending fragment waits for further fragments of its run, in ms. */
  readonly quietMs: number;
  /** Longest pause within a run, in ms. */
  readonly maxPauseMs: number;
  /** How long fragments of an emitted run are retained for late spans, in ms. */
  readonly lateMs: number;
  /**
   * Maximum number of fragments of one service, pending or retained. Above it, the oldest pending ones are emitted without waiting for
   * more.
   */
  readonly maxFragments: number;
  /** Estimated memory of a span in bytes. Without `memoryOfSpan`, all spans count equally. */
  readonly memoryOfSpan?: ((span: SpanView) => number) | undefined;
  /**
   * Receives each fragment that may belong to other traces, and each error-only fragment, instead of joining it here. With several parallel
   * readers, one reader joins the fragments of all readers.
   */
  readonly setAside?: ((fragment: Fragment) => void) | undefined;
  /**
   * Whether more log records of a service's session may follow. Spans of the session without an agent wait for these records. If the
   * function is absent, no records follow.
   */
  readonly isSessionOpen?: ((service: string | null, session: string) => boolean) | undefined;
  /** What several parallel readers found. If present, this stitcher joins what they set aside, and does not emit their complete runs. */
  readonly elsewhere?: { readonly isAnyRun: boolean } | undefined;
}
