import { open } from "node:fs/promises";

/** What was written in the last moments before a crash is at the end. */
const TAIL_BYTES = 64 * 2 ** 20;
const VERDICT_ID = /"verdict_id":"([^"\\]+)"/;

/** Which of these verdicts whole lines of the file hold, with their revisions. A file that is not there holds none. */
export async function writtenVerdicts(
  path: string,
  verdictIds: ReadonlySet<string>,
): Promise<readonly { readonly verdictId: string; readonly revision: number }[]> {
  if (verdictIds.size === 0) return [];
  const lines = (await readTail(path)).split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const verdictId = VERDICT_ID.exec(line)?.[1];
    if (verdictId === undefined || !verdictIds.has(verdictId)) return [];
    const revision = revisionOf(line);
    return revision === null ? [] : [{ verdictId, revision }];
  });
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

function revisionOf(line: string): number | null {
  try {
    const { revision }: { revision?: unknown } = JSON.parse(line);
    return typeof revision === "number" ? revision : null;
  } catch {
    return null;
  }
}
