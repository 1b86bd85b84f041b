import { hexOf } from "../../otlp/bytes/text.ts";
import type { Holding } from "../../export/forward/tail/holding.ts";
import type { ConversationRules } from "../../pipeline/conversation/conversations.ts";
import { judgesConversations } from "../../pipeline/judge-run.ts";
import {
  observeAssembler,
  recordClosedTrace,
} from "../../telemetry/metrics/instruments/collector-metrics.ts";
import { createEngine, type Engine } from "../../replay/engine.ts";
import type { Consuming } from "../inputs/kafka-accept-log.ts";
import type { Fates } from "./trace-lifecycle.ts";
import type { Journalling } from "../inputs/journal-accept-log.ts";
import type { LiveOptions, LiveSettings } from "../settings/options.ts";
import type { LiveSinks } from "../outputs/sinks.ts";
import type { RunLine } from "./evaluation-pipeline.ts";

export interface LiveEngineParts {
  readonly sinks: Pick<LiveSinks, "meter" | "results">;
  readonly line: RunLine;
  readonly fates: Fates;
  readonly holding: Holding | null;
  readonly consuming: Consuming | null;
  readonly journalling: Journalling | null;
}

/** Runs of conversations that are open; their telemetry is held. */
const MOST_CONVERSED = 10_000;

/** The engine of a process that serves: whoever keeps traces is told when one is closed, and when its spans are let go of. */
export function liveEngine({ settings, specs }: LiveOptions, parts: LiveEngineParts): Engine {
  const { sinks, line, fates, holding, consuming, journalling } = parts;
  const { results, meter } = sinks;
  const engine = createEngine({
    patience: settings.patience,
    quietMs: settings.patience.rootOpenMs,
    maxPauseMs: settings.patience.maxAgeMs,
    attributes: settings.attributes,
    prices: settings.prices,
    seed: Math.floor(Math.random() * 2 ** 32),
    conversations: judgesConversations(specs) ? conversationRules(settings) : undefined,
    onRun: (run) => line.found(run),
    onClosedTrace: (reason) => recordClosedTrace(meter.recorder, reason),
    onTrace: (trace) => {
      if (consuming?.closed(trace) !== true) journalling?.ledger.closed(trace);
      fates.closed(trace);
      results.onTrace?.(trace);
      if (consuming === null) results.onHeld([trace.traceId]); // also those that the journal had
    },
    onGoneTrace: (trace) => {
      if (consuming?.gone(trace) !== true) journalling?.ledger.gone(trace);
      holding?.gone(hexOf(trace.id));
    },
  });
  observeAssembler(meter.recorder, engine.assembler);
  return engine;
}

function conversationRules({ conversationIdleMs, patience }: LiveSettings): ConversationRules {
  return {
    idleMs: conversationIdleMs ?? patience.idleMs,
    keptMs: patience.lateWindowMs,
    mostRuns: MOST_CONVERSED,
  };
}
