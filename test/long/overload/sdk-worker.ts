import { parentPort, Worker, workerData } from "node:worker_threads";
import { SdkLane } from "./sdk-lane.ts";

/** What became of the batches of an application with the OpenTelemetry SDK. */
export interface SdkAccount {
  readonly exported: number;
  readonly spans: number;
  readonly lost: number;
  /** What the SDK said of those, and how often. */
  readonly reasons: ReadonlyMap<string, number>;
}

interface Task {
  readonly sdkFor: { readonly http: string; readonly ms: number };
}

/** Runs the application for so long on a thread of its own, so that it does not wait for those who flood. */
export function runSdk(http: string, ms: number): Promise<SdkAccount> {
  const task: Task = { sdkFor: { http, ms } };
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task });
    worker.once("message", resolve).once("error", reject);
  });
}

const given = workerData as Task | null;
if (parentPort !== null && given !== null && "sdkFor" in given) {
  const { http, ms } = given.sdkFor;
  const until = performance.now() + ms;
  const lane = new SdkLane(http);
  await lane.run(() => performance.now() > until);
  const { exported, spans, lost, reasons } = lane;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort.postMessage({ exported, spans, lost, reasons });
}
