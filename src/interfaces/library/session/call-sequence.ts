import { startTimer } from "../../../support/process/timer.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CallReceiver, Received } from "../../../replay/agent/call-receiver.ts";
import {
  type MissingTelemetry,
  missingTelemetryOf,
} from "../../../replay/agent/process/missing-telemetry.ts";

export interface CallSequenceOptions {
  readonly receiver: CallReceiver;
  readonly env: NodeJS.ProcessEnv;
  readonly readRuns: (files: readonly string[]) => Promise<readonly AgentRun[]>;
}

export interface CallRuns {
  readonly runs: readonly AgentRun[];
  /** Files from which the runs were read. */
  readonly files: readonly string[];
  readonly requests: number;
  readonly spans: number;
  /** The reason why the call has no run; null if it has a run. */
  readonly silence: MissingTelemetry | null;
}

/**
 * Assigns telemetry to consecutive calls of an agent, all of which send to one receiver. Late spans of an earlier call do not become runs
 * of a later call.
 */
export class CallSequence {
  readonly #options: CallSequenceOptions;
  readonly #runIds = new Set<string>();
  readonly #traceIds = new Set<string>();
  #old: ReadonlySet<string> = new Set();
  #before: Received;

  constructor(options: CallSequenceOptions) {
    this.#options = options;
    this.#before = snapshot(options.receiver.received);
  }

  begin(): void {
    const { receiver } = this.#options;
    this.#old = new Set(receiver.kept);
    this.#before = snapshot(receiver.received);
  }

  /**
   * Returns the runs that have arrived since `begin`. Waits until there is at least one and all are complete, but at most `waitMs`
   * milliseconds.
   */
  async finish(waitMs: number): Promise<CallRuns> {
    const { receiver } = this.#options;
    const deadline = startTimer(waitMs, "deadline");
    try {
      for (;;) {
        // The promise is created before the files are read, so that a request that arrives while files are read is not missed.
        const next = receiver.next();
        const files = receiver.kept.filter((file) => !this.#old.has(file));
        const runs = files.length === 0 ? [] : await this.#read(files);
        const isSettled = runs.length > 0 && runs.every(({ complete }) => complete);
        if (isSettled || (await Promise.race([next, deadline.reached])) === "deadline") {
          return this.#conclude(runs, files);
        }
      }
    } finally {
      deadline.stop();
    }
  }

  async #read(files: readonly string[]): Promise<readonly AgentRun[]> {
    const runs = await this.#options.readRuns(files);
    return runs.filter(
      ({ runId, traceId, complete }) =>
        !this.#runIds.has(runId) && (complete || !this.#traceIds.has(traceId)),
    );
  }

  #conclude(runs: readonly AgentRun[], files: readonly string[]): CallRuns {
    const { receiver, env } = this.#options;
    for (const { runId, traceIds } of runs) {
      this.#runIds.add(runId);
      for (const traceId of traceIds) this.#traceIds.add(traceId);
    }
    const received = difference(receiver.received, this.#before);
    const { requests, spans } = received;
    const silence = runs.length > 0 ? null : missingTelemetryOf(received, env, receiver.endpoint);
    return { runs, files, requests, spans, silence };
  }
}

/** Returns a copy of the counts, which later requests do not change. */
export function snapshot(received: Received): Received {
  return { ...received, refused: new Map(received.refused) };
}

/** Returns the counts of what was received since an earlier snapshot. */
export function difference(now: Received, before: Received): Received {
  const refused = new Map(
    [...now.refused].flatMap(([outcome, count]) => {
      const more = count - (before.refused.get(outcome) ?? 0);
      return more > 0 ? [[outcome, more] as const] : [];
    }),
  );
  return {
    requests: now.requests - before.requests,
    spans: now.spans - before.spans,
    logRecords: now.logRecords - before.logRecords,
    metricRequests: now.metricRequests - before.metricRequests,
    refused,
  };
}
