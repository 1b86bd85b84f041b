import type { Fragment } from "../fragment.ts";
import type { SpanView } from "../../model/telemetry/span-view.ts";
import type { RunOptions } from "../assembled-run.ts";

export interface StitchOptions extends RunOptions {
  /** How long an open or bare node of a run waits for the next one, in ms. */
  readonly quietMs: number;
  /** What begins so long after the end of a fragment, or later, does not go on from it, in ms. */
  readonly maxPauseMs: number;
  /** How long the fragments of an emitted run are kept for late spans, in ms. */
  readonly lateMs: number;
  /** At most so many fragments are held; beyond, the oldest are emitted as they are. */
  readonly maxFragments: number;
  /** Bytes of a span in its body, for the account of memory; spans weigh the same when absent. */
  readonly bytesOfSpan?: ((span: SpanView) => number) | undefined;
  /** Gets every node that may belong with other traces, and every error-only one, in place of its being joined here: one of several readers of the same telemetry joins for all. */
  readonly setAside?: ((fragment: Fragment) => void) | undefined;
  /** What is known from elsewhere, where others have given out all runs that are whole in themselves. */
  readonly elsewhere?: { readonly isAnyRun: boolean } | undefined;
}
