import type { Fragment } from "../fragment.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { RunOptions } from "../assembled-run.ts";

export interface StitchOptions extends RunOptions {
  /** How long an open fragment waits for the next one, in ms. */
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
  /** Whether more log records of the session of a service may follow. Its spans without an agent wait for them. If absent, none follow. */
  readonly isSessionOpen?: ((service: string | null, session: string) => boolean) | undefined;
  /** State of the other parallel readers, which emitted the complete runs. */
  readonly elsewhere?: { readonly isAnyRun: boolean } | undefined;
}
