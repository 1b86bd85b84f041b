import { parentPort, workerData } from "node:worker_threads";
import { openForReading } from "./open-database.ts";
import { readsOf } from "./reader.ts";
import type { ReadAnswer, ReadQuestion } from "./reading-thread.ts";

const reads = readsOf(openForReading(String(workerData)));

parentPort?.on("message", ({ id, name, values }: ReadQuestion) => {
  const read = reads[name] as (...given: readonly unknown[]) => unknown;
  parentPort?.postMessage(
    answer(id, () => read(...values)),
    [],
  );
});

function answer(id: number, read: () => unknown): ReadAnswer {
  try {
    return { id, value: read() };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}
