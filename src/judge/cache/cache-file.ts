import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { documentBounds, type JsonValue, parseJson } from "../../model/json.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../../support/process/private-files.ts";
import { jsonValue } from "../../support/structures/json-schema.ts";

const FORMAT = 1;
const MAX_ENTRIES = 1_000_000;

const tokens = z.int().min(0).nullable();

const entrySchema = z.object({
  v: z.literal(FORMAT),
  key: z.string().regex(/^[0-9a-f]{64}$/),
  model: z.string(),
  rubric: z.string(),
  prompt_hash: z.string(),
  content_hash: z.string(),
  /** Usage of the original call; absent in files of earlier versions. */
  usage: z
    .object({ input: tokens, output: tokens, cached: tokens, cacheWrite: tokens.exactOptional() })
    .exactOptional(),
  reply: jsonValue,
});

/**
 * A cached reply. `content_hash` is the first 16 hex digits of the SHA-256 of the request's user message. It is only written, never read.
 */
export type CacheEntry = Omit<z.infer<typeof entrySchema>, "reply"> & { readonly reply: JsonValue };

export type KeptReply = Pick<CacheEntry, "reply" | "usage">;

export interface VerdictCache {
  get(key: string): KeptReply | undefined;
  /** Stores a new entry in memory and, in the background, appends it to the file. Does nothing if the key exists or the cache is full. */
  put(entry: Omit<CacheEntry, "v">): void;
  /** Errors of reading and writing, and unusable lines. */
  readonly problems: readonly string[];
  /** Resolves when all pending entries are in the file, or a write has failed. */
  flush(): Promise<void>;
}

/**
 * Opens a cache file in JSON lines; the first reply creates the file. Files of several jobs can be concatenated: for each key, the first
 * entry counts.
 * @param maxBytes a larger file is renamed to `PATH.1` when it is opened, and its entries are still read. An earlier `PATH.1` is replaced.
 * Null means no limit
 */
export async function openVerdictCache(path: string, maxBytes: number | null = null): Promise<VerdictCache> {
  const problems: string[] = [];
  const entries = new Map<string, KeptReply>();
  if (maxBytes !== null) {
    await putAside(path, maxBytes);
    readEntries(`${path}.1`, await readIfThere(`${path}.1`, problems), entries, problems);
  }
  readEntries(path, await readIfThere(path, problems), entries, problems);
  let writing: Promise<void> = Promise.resolve();
  let isFolderMade = false;
  let broken = false;
  const append = async (line: string): Promise<void> => {
    if (broken) return;
    try {
      if (!isFolderMade) makePrivateFolder(dirname(path));
      isFolderMade = true;
      await appendFile(path, line, { mode: PRIVATE_FILE });
    } catch (error) {
      broken = true;
      problems.push(`${path}: cannot be written (${codeOf(error)}); replies are not cached`);
    }
  };
  return {
    problems,
    get: (key) => entries.get(key),
    put: (entry) => {
      if (entries.has(entry.key) || entries.size >= MAX_ENTRIES) return;
      entries.set(entry.key, entry);
      const line = `${JSON.stringify({ v: FORMAT, ...entry })}\n`;
      writing = writing.then(() => append(line));
    },
    flush: () => writing,
  };
}

async function putAside(path: string, maxBytes: number): Promise<void> {
  const size = await stat(path).then(
    (it) => it.size,
    () => 0,
  );
  // If renaming fails, the file continues to grow.
  if (size > maxBytes) await rename(path, `${path}.1`).catch(() => undefined);
}

async function readIfThere(path: string, problems: string[]): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) !== "ENOENT") problems.push(`${path}: cannot be read (${codeOf(error)})`);
    return "";
  }
}

function readEntries(path: string, text: string, entries: Map<string, KeptReply>, problems: string[]): void {
  const bad: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const entry = entrySchema.safeParse(parseJson(line, documentBounds));
    if (!entry.success) bad.push(index + 1);
    else if (!entries.has(entry.data.key) && entries.size < MAX_ENTRIES)
      entries.set(entry.data.key, entry.data);
  }
  if (bad.length > 0) problems.push(`${path}: ${bad.length} unusable lines are skipped (${listed(bad)})`);
}

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(", ");
  return `line ${shown}${lines.length > 5 ? ", …" : ""}`;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code ?? "unknown error";
}
