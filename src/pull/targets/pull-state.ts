import { existsSync, renameSync } from "node:fs";
import { readConfined, writeConfined } from "../../support/process/confined.ts";
import { documentBounds, parseJson } from "../../model/json.ts";
import { join } from "node:path";
import { z } from "zod";
import { PullError } from "../pull-error.ts";

const FILE = ".tracejury-pull.json";
const MAX_BYTES = 16 * 2 ** 20;

const count = z.number().int().nonnegative();

const sourceState = z.object({
  /** The request of the user. The same request continues an unfinished pull. */
  asked: z.string(),
  /** A name in the folder, as `startOf` makes it. */
  file: z.string().regex(/^[\w-][\w.-]*\.jsonl$/),
  since_ms: z.number(),
  until_ms: z.number(),
  /** Length of the file when `cursor` was reached; what is behind it belongs to a page that was not finished. */
  bytes: count,
  cursor: z.string().nullable(),
  spans: count,
  traces: count,
  files: count,
  is_done: z.boolean(),
});
const stateFile = z.object({ version: z.literal(1), sources: z.record(z.string(), sourceState) });

/** End of the last pull from a source. */
export type SourceState = z.infer<typeof sourceState>;

/** The state file of a folder: how far each source was pulled into it. */
export class PullState {
  readonly #folder: string;
  readonly #path: string;
  readonly #sources: Record<string, SourceState>;

  /** @throws PullError when the file is damaged */
  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, FILE);
    this.#sources = existsSync(this.#path) ? this.#read() : {};
  }

  get(source: string): SourceState | undefined {
    return this.#sources[source];
  }

  /** Replaces the file at once, so that a pull that is killed leaves a whole one. */
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
      throw new PullError(`${this.#path} is damaged`, "delete it: pulls then start again, in new files");
    }
  }
}
