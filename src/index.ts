/**
 * Library of Tracejury: the collector and its evaluation engine for programs. The command line uses the same
 * code.
 *
 * ```ts
 * import { testDumps } from "tracejury";
 * const { summary, verdicts } = await testDumps(["traces.jsonl"], { specs: ["specs/rag-agent.yaml"], judge: "off" });
 * ```
 */
export { evaluate, type EvaluateOptions } from "./interfaces/library/evaluate.ts";
export { loadSpec } from "./interfaces/library/run-checks.ts";
export { readRuns, type ReadRuns } from "./interfaces/library/test-receiver.ts";
export { TracejuryError, type CommonOptions } from "./interfaces/library/settings.ts";
export {
  startCollector,
  type Collector,
  type CollectorOptions,
} from "./interfaces/library/start-collector.ts";
export {
  startReceiver,
  type ReceiverOptions,
  type TestReceiver,
} from "./interfaces/library/test-receiver.ts";
export { testDumps, type TestDumpsOptions } from "./interfaces/library/test-dumps.ts";
export type { AgentRun, ToolCall, Handoff, ModelCall } from "./model/run.ts";
export type { Message } from "./model/message.ts";
export type { Verdict } from "./model/verdict.ts";
export type { CompiledSpec } from "./evaluate/query/compiled.ts";
export type { Outcome, Layer } from "./model/outcome.ts";
export type {
  CheckJson,
  LayerJson,
  ResultJson,
  SummaryJson,
  VerdictJson,
} from "./report/json/verdict-schema.ts";
export { version } from "./support/process/version.ts";
