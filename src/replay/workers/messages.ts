import type { DumpPath } from "../../receive/dump/files/paths.ts";
import type { SharedIndex } from "../../receive/dump/index/trace-index.ts";
import type { HandedOver } from "../judging/found.ts";
import type { JudgingOptions } from "../judging/preparing.ts";
import type { Replayed } from "../replay.ts";
import type { Range } from "./ranges.ts";

/** Start message of a worker. */
export interface Task {
  readonly options: JudgingOptions;
  /** The saved result that `--fail-on new` compares with. */
  readonly known: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly today: string;
  /** Hash of the specs as the other threads read them. */
  readonly specHashes: readonly string[];
  readonly files: readonly DumpPath[];
  /** Where the files begin, and the last one ends. */
  readonly bases: readonly number[];
  /** Whether records of each file may be passed over. */
  readonly cuttable: readonly boolean[];
  readonly index: SharedIndex;
  readonly range: Range;
}

/** Traces that a worker leaves to the thread that stitches them. */
export interface Aside {
  /** Numbers of traces with pieces that may belong with other traces. */
  readonly traces: readonly number[];
  /** The first traces in which nothing but a failed span is: runs only where no trace has any other. */
  readonly errorOnly: readonly number[];
  /** Some trace has a run, or a piece of one. */
  readonly isAnyRun: boolean;
  /** Some run was judged. */
  readonly isAnyWhole: boolean;
  /** Some trace is a single model call, which may be a copy of one in another trace. */
  readonly isAnyLone: boolean;
}

/** Messages from a worker. */
export type Message =
  | { readonly kind: "progress"; readonly at: number; readonly runs: number }
  | { readonly kind: "done"; readonly found: HandedOver; readonly read: Replayed; readonly aside: Aside }
  /** The dumps cannot be shared out. */
  | { readonly kind: "spoiled"; readonly why: string }
  /** Something is wrong that the user can fix. */
  | { readonly kind: "failed"; readonly message: string; readonly hint: string | undefined };
