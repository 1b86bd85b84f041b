import { Worker } from "node:worker_threads";
import { builtFile } from "../../support/process/built-file.ts";
import { UserError } from "../../support/process/exit-code.ts";
import type { HandedOver } from "../judging/found.ts";
import type { Progress } from "../progress-bar.ts";
import type { Message, Task } from "./messages.ts";

export type Done = Extract<Message, { kind: "done" }>;

/**
 * Runs each task in a thread. Returns the findings in the order of the tasks, or a text that says why several threads cannot read the
 * dumps. If several threads cannot read the dumps, the threads are terminated, and `drop` gets the findings that were already made.
 * @throws UserError if a thread exits early
 */
export async function runWorkers(
  tasks: readonly Task[],
  progress: Progress,
  drop: (found: HandedOver) => void,
): Promise<readonly Done[] | string> {
  const workers = tasks.map((task) => start(task));
  const shares = tasks.map(() => 0);
  const done: Done[] = [];
  try {
    return await new Promise<readonly Done[] | string>((resolve, reject) => {
      for (const [at, worker] of workers.entries()) {
        const broken = (why: string): void =>
          reject(
            new UserError(
              `worker thread ${at + 1} of ${workers.length} ended too early: ${why}`,
              "nothing was reported; try fewer --workers, or --workers 1",
            ),
          );
        worker.on("message", (message: Message) => {
          if (message.kind === "progress") {
            shares[at] = message.at;
            for (let run = 0; run < message.runs; run++) progress.ran();
            progress.at(shares.reduce((sum, share) => sum + share, 0) / shares.length);
          } else if (message.kind === "spoiled") resolve(message.why);
          else if (message.kind === "failed") reject(new UserError(message.message, message.hint));
          else {
            done[at] = message;
            if (Object.keys(done).length === workers.length) resolve(done);
          }
        });
        worker.on("error", (error) => broken(error.message));
        worker.on("exit", (code) => {
          if (done[at] === undefined) broken(`exit code ${code}`);
        });
      }
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
    if (Object.keys(done).length < workers.length) for (const one of Object.values(done)) drop(one.found);
  }
}

function start(task: Task): Worker {
  const file = builtFile("replay-worker", import.meta.url);
  // The file with the worker's findings must stay open after the worker has ended.
  return new Worker(file, { workerData: task, trackUnmanagedFds: false });
}
