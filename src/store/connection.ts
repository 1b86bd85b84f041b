import { Annotations } from "./annotations.ts";
import type { Database } from "./database.ts";
import { type Reads, readsOf } from "./reader.ts";
import { ReadingThread } from "./reading-thread.ts";
import { Writer } from "./writer.ts";

/** One open database, with everything that is prepared for it. */
export interface Connection {
  readonly database: Database;
  readonly writer: Writer;
  readonly reads: Reads;
  readonly thread: ReadingThread | undefined;
  readonly annotations: Annotations;
}

/** @param threadPath the file, where it is to be read in a thread of its own */
export function connect(database: Database, threadPath: string | undefined): Connection {
  const reads = readsOf(database);
  return {
    database,
    writer: new Writer(database),
    reads,
    thread: threadPath === undefined ? undefined : new ReadingThread(threadPath, reads),
    annotations: new Annotations(database),
  };
}

export function disconnect({ thread, database }: Connection): void {
  thread?.close();
  database.close();
}

/** Rejects when it cannot be read. */
export async function readFrom<Name extends keyof Reads>(
  { thread, reads }: Connection,
  name: Name,
  values: Parameters<Reads[Name]>,
): Promise<ReturnType<Reads[Name]>> {
  if (thread !== undefined) return thread.ask(name, ...values);
  await Promise.resolve();
  const read = reads[name] as (...given: Parameters<Reads[Name]>) => ReturnType<Reads[Name]>;
  return read(...values);
}
