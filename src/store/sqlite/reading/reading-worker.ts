import { parentPort, workerData } from "node:worker_threads";
import { readsOf, stepsOf } from "../../read/reads.ts";
import { openForReading } from "../open-database.ts";
import type { ReadAnswer, ReadQuestion } from "./reading-thread.ts";
import { SqliteSession } from "../session.ts";
import { sqliteDialect } from "../sqlite-dialect.ts";
import { messageOf } from "../../../support/structures/error-message.ts";

const session = new SqliteSession(openForReading(String(workerData)));
const reads = readsOf(sqliteDialect);

parentPort?.on("message", (question: ReadQuestion) => parentPort?.postMessage(answerTo(question), []));

function answerTo({ id, name, values }: ReadQuestion): ReadAnswer {
  try {
    return { id, value: session.run(stepsOf(reads, name, values as never)) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}
