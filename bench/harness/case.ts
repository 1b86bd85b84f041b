import type { Result } from "./result.ts";
import type { Options } from "./paired.ts";

export interface Settings extends Options {
  /** A folder of recordings in OTLP/JSON lines to measure besides the generated data; the fixtures when not given. */
  readonly recordings: string;
  /** A folder of recordings that the profile `real` is made of; the project's own when absent. */
  readonly replicated: string | undefined;
}

/** What is measured at one time: a figure, or a few that come from the same rounds. */
export interface Figure {
  /** Names of the results. */
  readonly names: readonly string[];
  /** The goals that they stand for. */
  readonly rows: readonly string[];
  measure(settings: Settings): Promise<Result[]> | Result[];
}

/** A group of figures; `--only` chooses by its name, a figure's, or a goal's. */
export interface Case {
  readonly name: string;
  readonly figures: readonly Figure[];
}
