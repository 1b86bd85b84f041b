import { open } from "node:fs/promises";
import { rotatedFiles } from "./rotation.ts";

/** Number of bytes that are read at the end of a file, to find the lines that were written shortly before a crash. */
const TAIL_BYTES = 64 * 2 ** 20;
const VERDICT_ID = /"verdict_id":"([^"\\]+)"/;

export interface WrittenVerdict {
  readonly verdictId: string;
  readonly revision: number;
}

/**
 * Returns the verdicts and revisions in the last lines of the file and of its newest rotated file. With `verdictIds`, returns only these
 * verdicts. A missing file counts as empty.
 */
export async function writtenVerdicts(
  path: string,
  verdictIds?: ReadonlySet<string>,
): Promise<readonly WrittenVerdict[]> {
  if (verdictIds?.size === 0) return [];
  const aside = (await rotatedFiles(path)).at(-1);
  const texts = await Promise.all([...(aside === undefined ? [] : [aside]), path].map(readTail));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .slice(0, -1)
      .filter((line) => verdictIds?.has(VERDICT_ID.exec(line)?.[1] ?? "") ?? true)
      .flatMap((line) => verdictOfLine(line) ?? []),
  );
}

/** Parses a line of the verdict file. Returns null if the line is not a verdict. */
export function verdictOfLine(line: string): WrittenVerdict | null {
  try {
    const { verdict_id: verdictId, revision }: { verdict_id?: unknown; revision?: unknown } =
      JSON.parse(line);
    return typeof verdictId === "string" && typeof revision === "number" ? { verdictId, revision } : null;
  } catch {
    return null;
  }
}

async function readTail(path: string): Promise<string> {
  const file = await open(path, "r").catch(() => null);
  if (file === null) return "";
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
