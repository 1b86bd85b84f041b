import type { DumpPath } from "../../receive/dump/files/paths.ts";
import type { SharedIndex } from "../../receive/dump/index/trace-index.ts";
import type { HandedOver } from "../judging/found.ts";
import type { JudgingOptions } from "../judging/preparing.ts";
import type { Replayed } from "../replay.ts";
import type { Range } from "./ranges.ts";

/** Start message of a worker. */
export interface Task {
  readonly options: JudgingOptions;
  /** Saved result for `--fail-on new`. */
  readonly known: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly today: string;
  /** Hashes of the specs in the main thread, to detect changed files. */
  readonly specHashes: readonly string[];
  readonly files: readonly DumpPath[];
  /** Start offset of each file, and end of the last one. */
  readonly bases: readonly number[];
  /** Whether records of each file may be skipped. */
  readonly cuttable: readonly boolean[];
  readonly index: SharedIndex;
  readonly range: Range;
}

/** Traces that a worker leaves to the thread that stitches runs. */
export interface Aside {
  /** Numbers of traces with fragments that may belong to runs of other traces. */
  readonly traces: readonly number[];
  /**
   * First traces that contain only a failed span. Traces with only a failed span are runs only if no trace
   * has any other run.
   */
  readonly errorOnly: readonly number[];
  /** Whether any trace has a run or a fragment of one. */
  readonly isAnyRun: boolean;
  /** Whether any run was judged. */
  readonly isAnyWhole: boolean;
  /** Whether any trace is a single model call, which may be a copy of a call in another trace. */
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
