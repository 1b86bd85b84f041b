import type { DumpPath } from "../../receive/dump/files/paths.ts";
import type { SharedIndex } from "../../receive/dump/index/trace-index.ts";
import type { HandedOver } from "../judging/found.ts";
import type { JudgingOptions } from "../judging/preparing.ts";
import type { Replayed } from "../replay.ts";
import type { Range } from "./ranges.ts";

/** Message that starts a worker. */
export interface Task {
  readonly options: JudgingOptions;
  /** Saved result for `--fail-on new`. */
  readonly known: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly today: string;
  /** Hashes of the specs in the main thread. A worker detects changed specs by them. */
  readonly specHashes: readonly string[];
  readonly files: readonly DumpPath[];
  /** Start offset of each file, and finally the end of the last file. */
  readonly bases: readonly number[];
  /** Whether records of each file may be skipped without decoding. */
  readonly cuttable: readonly boolean[];
  readonly index: SharedIndex;
  readonly range: Range;
}

/** Traces that a worker leaves to the main thread, which stitches runs over several traces. */
export interface Aside {
  /** Numbers of traces whose fragments may belong to runs of other traces. */
  readonly traces: readonly number[];
  /**
   * Numbers of the first traces that contain only a failed span. A trace with only a failed span is a run
   * only if no trace contains any other run.
   */
  readonly errorOnly: readonly number[];
  /** Whether a trace contains a run or a fragment of a run. */
  readonly isAnyRun: boolean;
  /** Whether a run was judged. */
  readonly isAnyWhole: boolean;
  /** Whether a trace is a single model call. The call may be a copy of a call in another trace. */
  readonly isAnyLone: boolean;
}

/** Messages from a worker. */
export type Message =
  | { readonly kind: "progress"; readonly at: number; readonly runs: number }
  | { readonly kind: "done"; readonly found: HandedOver; readonly read: Replayed; readonly aside: Aside }
  /** Message that the dumps cannot be shared. */
  | { readonly kind: "spoiled"; readonly why: string }
  /** Message about an error that the user can fix. */
  | { readonly kind: "failed"; readonly message: string; readonly hint: string | undefined };
