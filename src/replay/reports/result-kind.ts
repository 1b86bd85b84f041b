import { closeSync, openSync, readSync } from "node:fs";

const HEAD_BYTES = 64 * 1024;

/** Whether a file contains verdicts: a result of `test --format json`, or verdicts as JSON lines. */
export function holdsVerdicts(file: string): boolean {
  const head = headOf(file);
  return (
    /^\s*\{/.test(head) && /"(verdict_id|verdicts)"\s*:/.test(head) && !/"resource_?(Spans|Logs)"/i.test(head)
  );
}

/** Whether `test --shard` wrote the file. */
export function isPart(file: string): boolean {
  return /^\s*\{"tracejury_part"/.test(headOf(file));
}

/**
 * Returns the beginning of a file; empty if it cannot be read. A read error is not reported here, but later, when the complete file is
 * read.
 */
function headOf(file: string): string {
  try {
    const descriptor = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(HEAD_BYTES);
      return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}
