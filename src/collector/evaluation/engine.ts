import { hexOf } from "../../otlp/bytes/text.ts";
import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { ConversationRules } from "../../pipeline/conversation/conversations.ts";
import { judgesConversations } from "../../pipeline/claim.ts";
import {
  observeAssembler,
  recordClosedTrace,
} from "../../support/telemetry/metrics/instruments/collector-metrics.ts";
import { createEngine, type Engine } from "../../replay/engine.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { CollectorOptions, CollectorSettings } from "../settings/options.ts";
import { type OnFault, traceFault } from "../../pipeline/faults/faulty-run.ts";
import type { CollectorSinks } from "../outputs/sinks.ts";
import type { EvaluationPipeline } from "./evaluation-pipeline.ts";

export interface EngineParts {
  readonly onFault: OnFault;
  readonly sinks: Pick<CollectorSinks, "meter" | "results">;
  readonly pipeline: EvaluationPipeline;
  readonly lifecycle: TraceLifecycle;
  readonly tailForwarder: TailForwarder | null;
  readonly acceptLogs: AcceptLogs;
}

/** Maximum number of runs in open conversations. Each of these runs keeps its telemetry in memory. */
const MOST_CONVERSED = 10_000;

/** Creates the engine, which reports closed traces, and traces whose spans were released, to the other parts of the collector. */
export function collectorEngine({ settings, specs }: CollectorOptions, parts: EngineParts): Engine {
  const { sinks, pipeline, lifecycle, tailForwarder, acceptLogs, onFault } = parts;
  const { results, meter } = sinks;
  const engine = createEngine({
    timeouts: settings.timeouts,
    quietMs: settings.timeouts.rootOpenMs,
    maxPauseMs: settings.timeouts.maxAgeMs,
    attributes: settings.attributes,
    prices: settings.prices,
    dialects: settings.dialects,
    seed: Math.floor(Math.random() * 2 ** 32),
    conversations: judgesConversations(specs) ? conversationRules(settings) : undefined,
    identify: (run) => lifecycle.identify(run),
    onRun: (run) => pipeline.found(run),
    onFault,
    onClosedTrace: (reason) => recordClosedTrace(meter.recorder, reason),
    onTrace: (trace) => {
      lifecycle.closed(trace, Date.now());
      tailForwarder?.closed(trace);
      results.onTrace?.(trace);
      // Not for Kafka. `onTrace` is also called for traces that were restored from the journal, so their spans are noted here, too.
      if (acceptLogs.kafka === null) results.onHeld([trace.traceId]);
    },
    onForgottenTrace: (trace) => {
      const traceId = hexOf(trace.id);
      const contained = (release: () => void): boolean => {
        try {
          release();
          return true;
        } catch (error) {
          onFault(traceFault("publish", error, { traceId }));
          return false;
        }
      };
      // Each step runs even if an earlier step throws.
      const isRecorded = contained(() => acceptLogs.released(trace));
      const isFollowed = contained(() => lifecycle.released(trace));
      contained(() => tailForwarder?.gone(traceId));
      if (!isRecorded || !isFollowed) void acceptLogs.abandoned(trace);
    },
  });
  observeAssembler(meter.recorder, engine.assembler);
  return engine;
}

function conversationRules({ conversationIdleMs, timeouts }: CollectorSettings): ConversationRules {
  return {
    idleMs: conversationIdleMs ?? timeouts.idleMs,
    keptMs: timeouts.lateWindowMs,
    mostRuns: MOST_CONVERSED,
  };
}
