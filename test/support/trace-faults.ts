import { VerdictDelivery } from "../../src/collector/evaluation/verdict-delivery.ts";
import type { Finding } from "../../src/evaluate/checks/check.ts";
import type { UserCheckPort } from "../../src/evaluate/checks/user/user-check-port.ts";
import type { UserCheck } from "../../src/evaluate/checks/user/user-check.ts";
import { pass } from "../../src/evaluate/result/finding.ts";
import { HeldTrace } from "../../src/export/forward/tail/held-trace.ts";
import { TailBuffer } from "../../src/export/forward/tail/tail-buffer.ts";
import { Resumption } from "../../src/journal/resumption.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { Redactor } from "../../src/support/redact/redactor.ts";
import { TraceEntry } from "../../src/assemble/trace-entry.ts";
import { DeliveryLedger } from "../../src/journal/delivery-ledger.ts";
import { hexOf } from "../../src/otlp/bytes/text.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { Conversations } from "../../src/pipeline/conversation/conversations.ts";
import { TraceLifecycle } from "../../src/pipeline/lifecycle/trace-lifecycle.ts";
import { AssembledRun } from "../../src/runs/assembled-run.ts";
import { FragmentReading } from "../../src/runs/fragment-reader.ts";
import { SpanFacts } from "../../src/runs/facts/span-facts.ts";
import { FragmentBoundary } from "../../src/runs/waiting/fragment-boundary.ts";
import { RunStitcher } from "../../src/runs/waiting/run-stitcher.ts";

/** A place in the code where an error can be injected for one trace. */
export interface FaultPlace {
  readonly name: string;
  /** Makes the place throw for this trace. The returned function removes the fault and returns how often it threw. */
  readonly inject: (traceId: string) => () => number;
}

type Prototype = Record<string, unknown>;

/** A fault in a method or getter that is called for the trace. */
function member(
  { prototype, name: owner }: { readonly prototype: object; readonly name: string },
  name: string,
  traceOf: (self: never, args: never) => string | undefined,
): FaultPlace {
  return {
    name: `${owner}.${name}`,
    inject(traceId) {
      const before = Object.getOwnPropertyDescriptor(prototype, name);
      if (before === undefined) throw new Error(`${owner} has no ${name}`);
      let thrown = 0;
      const guarded = (original: (...args: unknown[]) => unknown) =>
        function (this: unknown, ...args: unknown[]): unknown {
          if (traceOf(this as never, args as never) !== traceId) return original.apply(this, args);
          thrown++;
          throw new RangeError(`injected by the test in ${owner}.${name}`);
        };
      Object.defineProperty(
        prototype,
        name,
        before.get === undefined
          ? { ...before, value: guarded(before.value as (...args: unknown[]) => unknown) }
          : // oxlint-disable-next-line typescript/unbound-method -- it is applied to what it is called on
            { ...before, get: guarded(before.get) },
      );
      return () => {
        Object.defineProperty(prototype, name, before);
        return thrown;
      };
    },
  };
}

function getters(
  owner: { readonly prototype: object; readonly name: string },
  traceOf: (self: never) => string | undefined,
): FaultPlace[] {
  return Object.entries(Object.getOwnPropertyDescriptors(owner.prototype as Prototype)).flatMap(
    ([name, property]) =>
      property.get === undefined || name === "span" ? [] : [member(owner, name, traceOf)],
  );
}

/** A fault in a field of the trace's run that the reader computes immediately. */
function runField(field: keyof AgentRun): FaultPlace {
  return {
    name: `run.${field}`,
    inject(traceId) {
      let thrown = 0;
      const names = ["emit", "drain"] as const;
      const prototype = RunStitcher.prototype as unknown as Record<
        (typeof names)[number],
        (...args: unknown[]) => AgentRun[]
      >;
      const before = names.map((name) => [name, prototype[name]] as const);
      for (const [name, original] of before) {
        prototype[name] = function (...args: unknown[]) {
          const runs = original.apply(this, args);
          for (const run of runs) {
            if (run.traceId !== traceId) continue;
            const get = (): never => {
              thrown++;
              throw new RangeError(`injected by the test in run.${field}`);
            };
            Object.defineProperty(run, field, { get, configurable: true, enumerable: true });
          }
          return runs;
        };
      }
      return () => {
        for (const [name, original] of before) prototype[name] = original;
        return thrown;
      };
    },
  };
}

function ignored(): void {
  // What is written to a property that throws when it is read.
}

/** A fault in assembling the trace from its rows. */
const assembling: FaultPlace = {
  name: "buildTrace",
  inject(traceId) {
    let thrown = 0;
    const prototype = TraceEntry.prototype as Pick<TraceEntry, "shareOf">;
    const before = Object.getOwnPropertyDescriptor(prototype, "shareOf") ?? {};
    const shareOf = before.value as (this: TraceEntry, ...args: Parameters<TraceEntry["shareOf"]>) => never;
    prototype.shareOf = function (this: TraceEntry, batch) {
      if (hexOf(this.id) === traceId) {
        const get = (): never => {
          thrown++;
          throw new RangeError("injected by the test in buildTrace");
        };
        // This property is read only while the trace is assembled.
        Object.defineProperty(this, "emittedFingerprint", { get, set: ignored, configurable: true });
      }
      return shareOf.call(this, batch);
    };
    return () => {
      Object.defineProperty(prototype, "shareOf", before);
      return thrown;
    };
  },
};

type RunLike = Pick<AgentRun, "traceId">;

/** Places between span rows and runs. */
export const readingPlaces: readonly FaultPlace[] = [
  assembling,
  member(FragmentReading, "next", ({ trace }: FragmentReading) => trace.traceId),
  ...getters(SpanFacts, ({ span }: SpanFacts) => span.traceId),
  ...getters(FragmentBoundary, ({ fragment }: FragmentBoundary) => fragment.traceId),
  member(RunStitcher, "add", (_, [fragments]: [readonly RunLike[]]) => fragments[0]?.traceId),
  ...getters(AssembledRun, ({ traceId }: AssembledRun) => traceId),
  ...(
    ["agent", "query", "answer", "tools", "usage", "llm", "startUnixMs", "complete", "status"] as const
  ).map(runField),
  member(Conversations, "add", (_, [run]: [RunLike]) => run.traceId),
];

const askedFor = /question ([0-9a-f]{32})/;

/** Returns a pass for each user check, instead of running a module. */
export class PassingUserChecks implements UserCheckPort {
  run(_check: UserCheck, run: AgentRun): Promise<Finding> {
    return Promise.resolve(pass(null, `looked at ${run.traceId}`));
  }
}

/** Places that a verdict passes through on its way to the outputs, and a trace when it is restored. */
export const stagePlaces: readonly FaultPlace[] = [
  member(Redactor, "text", (_, [text]: [string]) => askedFor.exec(text)?.[1]),
  member(PassingUserChecks, "run", (_, [, run]: [unknown, RunLike]) => run.traceId),
  member(SqliteStore, "add", (_, [{ run }]: [{ run: Pick<AgentRun, "traceIds"> }]) => run.traceIds[0]),
  member(VerdictDelivery, "publish", (_, [run]: [RunLike]) => run.traceId),
  member(TraceLifecycle, "exported", (_, [runId]: [string]) => runId.slice(0, 32)),
  runField("rootEndUnixNano"),
  runField("attributes"),
  member(TailBuffer, "closed", (_, [trace]: [RunLike]) => trace.traceId),
  member(TailBuffer, "gone", (_, [traceId]: [string]) => traceId),
  member(TailBuffer, "judged", (_, [run]: [RunLike]) => run.traceId),
  member(HeldTrace, "add", ({ traceId }: HeldTrace) => traceId),
  member(HeldTrace, "outcomes", ({ traceId }: HeldTrace) => traceId),
  member(Resumption, "resume", (_, [runId]: [string]) => runId.slice(0, 32)),
];

/** Places that report traces and runs of the collector. */
export const reportingPlaces: readonly FaultPlace[] = [
  member(TraceLifecycle, "closed", (_, [trace]: [RunLike]) => trace.traceId),
  member(TraceLifecycle, "found", (_, [run]: [RunLike]) => run.traceId),
  member(TraceLifecycle, "decided", (_, [decision]: [RunLike]) => decision.traceId),
  member(DeliveryLedger, "begin", (_, [run]: [RunLike]) => run.traceId),
];
