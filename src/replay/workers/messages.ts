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
  /** Hashes of the specs in the main thread, so that a worker detects changed specs. */
  readonly specHashes: readonly string[];
  readonly files: readonly DumpPath[];
  /** Offset at which each file starts, if all files were joined into one, and the end of the last file. */
  readonly bases: readonly number[];
  /** For each file, whether its records can be skipped without decoding. */
  readonly cuttable: readonly boolean[];
  readonly index: SharedIndex;
  readonly range: Range;
}

/** Traces that a worker leaves to the main thread, which can join runs over several traces. */
export interface Aside {
  /** Index numbers of traces that may contain a part of a run whose other parts are in other traces. */
  readonly traces: readonly number[];
  /**
   * Index numbers of traces that contain only a failed span, at most the first thousand. A trace with only a failed span is a run only if
   * there is no other run at all.
   */
  readonly errorOnly: readonly number[];
  /** Whether any trace contains a run or a part of a run. */
  readonly isAnyRun: boolean;
  /** Whether the worker assembled and judged at least one run itself. */
  readonly isAnyWhole: boolean;
  /** Whether any trace is a single model call, which may be a copy of a call in another trace. */
  readonly isAnyLone: boolean;
}

export type Message =
  | { readonly kind: "progress"; readonly at: number; readonly runs: number }
  | { readonly kind: "done"; readonly found: HandedOver; readonly read: Replayed; readonly aside: Aside }
  /** Reports that the dumps cannot be divided among several threads. */
  | { readonly kind: "spoiled"; readonly why: string }
  /** Reports an error that the user can fix. */
  | { readonly kind: "failed"; readonly message: string; readonly hint: string | undefined };
