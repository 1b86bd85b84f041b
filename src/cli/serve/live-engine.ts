import { hexOf } from "../../otlp/text.ts";
import type { Holding } from "../../forward/holding.ts";
import type { ConversationRules } from "../../pipeline/conversation/conversations.ts";
import { judgesConversations } from "../../pipeline/judge-run.ts";
import { observeAssembler, recordClosedTrace } from "../../telemetry/collector-metrics.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import type { Consuming } from "./consuming.ts";
import type { Fates } from "./fates.ts";
import type { Journalling } from "./journalling.ts";
import type { LiveOptions, LiveSettings } from "./live-options.ts";
import type { LiveSinks } from "./live-sinks.ts";
import type { RunLine } from "./run-line.ts";

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
