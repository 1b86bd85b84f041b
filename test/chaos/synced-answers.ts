import { readFileSync } from "node:fs";

/** What a trace of system calls shows: answers, and those among them that left before their request was on the disk. */
export interface SyncedAnswers {
  readonly answers: number;
  readonly syncs: number;
  /** Answers with no completed sync since the request before was answered. */
  readonly unsynced: number;
}

type Event = "sync" | "answer";

/**
 * Reads what `strace -f -yy -xx -s 64` wrote while requests came one after the other. Each answer must come after a sync of a segment
 * that was completed since the answer before.
 */
export function syncedAnswers(file: string): SyncedAnswers {
  const reading = new Reading();
  const events = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => reading.eventOf(line) ?? []);
  let isSynced = false;
  let unsynced = 0;
  for (const event of events) {
    if (event === "answer" && !isSynced) unsynced++;
    isSynced = event === "sync";
  }
  const count = (kind: Event): number => events.filter((event) => event === kind).length;
  return { answers: count("answer"), syncs: count("sync"), unsynced };
}

const SEGMENT = Buffer.from(".segment").toString("hex").replaceAll(/../g, "\\x$&");

class Reading {
  /** Threads that wait for a segment's sync. */
  readonly #syncing = new Set<string>();

  eventOf(line: string): Event | null {
    const [thread = ""] = line.split(" ");
    if (line.includes("fdatasync(")) {
      if (!line.includes(SEGMENT)) return null;
      if (line.endsWith(" = 0")) return "sync";
      this.#syncing.add(thread);
      return null;
    }
    if (line.includes("fdatasync resumed"))
      return this.#syncing.delete(thread) && line.endsWith(" = 0") ? "sync" : null;
    const sent = /\b(?:write|writev|sendto|sendmsg)\(\d+<TCP[^"]*(".*)/.exec(line)?.[1];
    return sent !== undefined && isAnswer(bytesOf(sent)) ? "answer" : null;
  }
}

function bytesOf(text: string): Buffer {
  const strings = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((match) => match[1] ?? "");
  return Buffer.from(strings.join("").replaceAll("\\x", ""), "hex");
}

const HEADERS = 1;
const END_STREAM = 1;

/** A status line of HTTP/1, or the first headers of an HTTP/2 answer; trailers end the stream. */
function isAnswer(bytes: Buffer): boolean {
  if (bytes.subarray(0, 12).toString("latin1") === "HTTP/1.1 200") return true;
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === HEADERS && (bytes[at + 4] ?? 0) % 2 !== END_STREAM) return true;
  }
  return false;
}
