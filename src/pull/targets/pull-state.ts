import { existsSync, renameSync } from "node:fs";
import { readConfined, writeConfined } from "../../support/process/confined.ts";
import { documentBounds, parseJson } from "../../model/json.ts";
import { join } from "node:path";
import { z } from "zod";
import { UserError } from "../../support/process/io.ts";

const FILE = ".tracejury-pull.json";
const MAX_BYTES = 16 * 2 ** 20;

const count = z.number().int().nonnegative();

const problems = z.array(z.string()).default([]);

const sourceState = z.object({
  /** The user's request as text. A pull with the same request continues an interrupted pull. */
  asked: z.string(),
  /** Name of the file with the traces, which is in the same folder. */
  file: z.string().regex(/^[\w-][\w.-]*\.jsonl$/),
  since_ms: z.number(),
  until_ms: z.number(),
  /** Length of the file in bytes when `cursor` was recorded. Later bytes in the file belong to an incomplete page. */
  bytes: count,
  cursor: z.string().nullable(),
  spans: count,
  traces: count,
  files: count,
  is_done: z.boolean(),
  /** Problems of the pages so far, so that a pull that continues an interrupted pull reports them, too. */
  gaps: problems,
  invalid: problems,
});
const stateFile = z.object({ version: z.literal(1), sources: z.record(z.string(), sourceState) });

/** Progress of the last pull from a source. */
export type SourceState = z.infer<typeof sourceState>;

/** The state file of a folder, with the progress of each source. */
export class PullState {
  readonly #folder: string;
  readonly #path: string;
  readonly #sources: Record<string, SourceState>;

  /** @throws UserError if the state file is damaged */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, FILE);
    this.#sources = existsSync(this.#path) ? this.#read() : {};
  }

  /** The sources, in the order in which they were pulled first. */
  get sources(): readonly string[] {
    return Object.keys(this.#sources);
  }

  get(source: string): SourceState | undefined {
    return this.#sources[source];
  }

  /** Replaces the state file atomically, so that the state file is complete even if the pull is killed. */
  save(source: string, state: SourceState): void {
    this.#sources[source] = state;
    const text = `${JSON.stringify({ version: 1, sources: this.#sources }, null, 2)}\n`;
    writeConfined(this.#folder, `${FILE}.new`, text);
    renameSync(`${this.#path}.new`, this.#path);
  }

  #read(): Record<string, SourceState> {
    try {
      return stateFile.parse(parseJson(readConfined(this.#folder, FILE, MAX_BYTES), documentBounds)).sources;
    } catch {
      throw new UserError(
        `${this.#path} is damaged`,
        "delete this file: pulls then start again, with new files",
      );
    }
  }
}
