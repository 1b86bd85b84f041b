import type { Result } from "./result.ts";
import type { Options } from "./paired.ts";

export interface Settings extends Options {
  /** A folder of OTLP/JSON lines that is decoded besides the generated data. */
  readonly recordings: string;
  /** A folder of recordings for the profile `real`; absent: the project's recordings. */
  readonly replicated: string | undefined;
}

/** A unit of measurement: one figure, or several figures from the same rounds. */
export interface Figure {
  /** Names of the results. */
  readonly names: readonly string[];
  /** Names of the goals in docs/performance.md. */
  readonly rows: readonly string[];
  measure(settings: Settings): Promise<Result[]> | Result[];
}

/** A group of figures. `--only` selects by the name of the group, of a figure or of a goal. */
export interface Case {
  readonly name: string;
  readonly figures: readonly Figure[];
}
