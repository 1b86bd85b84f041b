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
   * Maximum number of fragments of one service, pending and retained. Above this number, the oldest pending fragments are emitted without
   * waiting.
   */
  readonly maxFragments: number;
  /** Returns the estimated memory of a span in bytes. Without this function, each span has the same estimate. */
  readonly memoryOfSpan?: ((span: SpanView) => number) | undefined;
  /**
   * Receives each fragment that may belong to other traces, and each error-only fragment; this stitcher then does not join them. Used by
   * parallel readers, whose set-aside fragments one reader joins.
   */
  readonly setAside?: ((fragment: Fragment) => void) | undefined;
  /**
   * Whether further log records of a service's session may follow. Spans of the session without an agent wait for such records. Without
   * this function, no records follow.
   */
  readonly isSessionOpen?: ((service: string | null, session: string) => boolean) | undefined;
  /**
   * Results of several parallel readers. If present, this stitcher joins the fragments that they set aside, and does not emit their
   * complete runs.
   */
  readonly elsewhere?: { readonly isAnyRun: boolean } | undefined;
}
