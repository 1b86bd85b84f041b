import { parentPort, workerData } from "node:worker_threads";
import { readsOf, stepsOf } from "../../read/reads.ts";
import { openForReading } from "../open-database.ts";
import type { ReadAnswer, ReadingSetUp, ReadQuestion } from "./reading-thread.ts";
import { SqliteSession } from "../session.ts";
import { sqliteDialect } from "../sqlite-dialect.ts";
import { messageOf } from "../../../support/structures/error-message.ts";

const { path, closed } = workerData as ReadingSetUp;
const session = new SqliteSession(openForReading(path));
const reads = readsOf(sqliteDialect);

parentPort?.on("message", (question: ReadQuestion | null) => {
  if (question === null) parentPort?.close();
  else if (Atomics.load(closed, 0) === 0) parentPort?.postMessage(answerTo(question), []);
});

function answerTo({ id, name, values }: ReadQuestion): ReadAnswer {
  try {
    return { id, value: session.run(stepsOf(reads, name, values as never)) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}
