import type { Result } from "./result.ts";
import type { Options } from "./paired.ts";

export interface Settings extends Options {
  /** A folder of recordings in OTLP/JSON lines to measure besides the generated data; the fixtures when not given. */
  readonly recordings: string;
}

/** A group of figures; `--only` chooses by its name, a figure's, or a goal's. */
export interface Case {
  readonly name: string;
  /** The goals that its figures stand for. */
  readonly rows: readonly string[];
  run(settings: Settings): Promise<Result[]> | Result[];
}
