import { type EvidenceName, evidenceNames } from "../../../adapters/producer-type.ts";
import { unpricedModel } from "../../evaluate/rules/cost-gap.ts";
import type { AgentRun, ModelCall, ToolCall } from "../../model/run.ts";

export type { EvidenceName };

/**
 * Whether all, some or none of the runs (or calls) have one kind of evidence, such as tool results.
 * `not_seen` means that no run could have the evidence, for example because no tool was called.
 */
export type EvidenceState = "present" | "partial" | "absent" | "not_seen";

/**
 * One kind of evidence, such as tool results. `have` is the number of runs or calls with this evidence, `of`
 * the number of runs or calls that could have the evidence.
 */
export interface EvidenceCount {
  readonly name: EvidenceName;
  readonly have: number;
  readonly of: number;
  readonly unit: "run" | "tool call" | "model call" | "retrieval";
  readonly state: EvidenceState;
}

type Unit = EvidenceCount["unit"];

const units: Partial<Record<EvidenceName, Unit>> = {
  tool_names: "tool call",
  tool_arguments: "tool call",
  tool_results: "tool call",
  models: "model call",
  finish_reasons: "model call",
  usage: "model call",
  cost: "model call",
  retrieved_documents: "retrieval",
};

const MOST_UNPRICED = 100;

/** Counts the evidence of runs, without storing the runs. */
export class EvidenceTally {
  readonly #have = new Map<EvidenceName, number>();
  readonly #of = new Map<EvidenceName, number>();
  readonly #unpriced = new Set<string>();

  /** @param namesAgent false if no span names the agent, so that the run's agent can be the service name */
  add(run: AgentRun, namesAgent: boolean): void {
    this.#count("query", run.query !== null);
    if (run.status !== "error") this.#count("answer", run.answer !== null);
    this.#count("model_calls", run.llmCalls !== null);
    this.#count("agent_names", run.agent !== null && (namesAgent || run.agent !== run.service));
    this.#count("session_ids", run.conversationId !== null);
    if (run.handoffs.length > 0) this.#count("handoffs_available", run.handoffsAvailable !== null);
    if (run.llm.length > 0) {
      this.#count("messages", run.messages.length > 0);
      this.#count("system_instructions", run.systemInstructions !== null);
      this.#count("tool_definitions", run.toolDefinitions !== null);
    }
    for (const tool of run.tools) this.#tool(tool);
    for (const call of run.llm) this.#call(call);
    for (const { documents } of run.retrievals) {
      this.#count(
        "retrieved_documents",
        documents.some(({ content }) => content !== null),
      );
    }
  }

  /** Adds the counts of another tally. */
  addAll(other: EvidenceTally): void {
    for (const [counts, others] of [
      [this.#have, other.#have],
      [this.#of, other.#of],
    ] as const)
      for (const [name, count] of others) counts.set(name, (counts.get(name) ?? 0) + count);
    for (const model of other.#unpriced) if (this.#unpriced.size < MOST_UNPRICED) this.#unpriced.add(model);
  }

  counts(): readonly EvidenceCount[] {
    return evidenceNames.map((name) => {
      const have = this.#have.get(name) ?? 0;
      const of = this.#of.get(name) ?? 0;
      return { name, have, of, unit: units[name] ?? "run", state: stateOf(have, of) };
    });
  }

  /** Returns the models without a price, sorted alphabetically. */
  unpricedModels(): readonly string[] {
    return [...this.#unpriced].sort();
  }

  #tool(tool: ToolCall): void {
    this.#count("tool_names", tool.name !== null);
    this.#count("tool_arguments", tool.arguments !== undefined);
    if (tool.executed !== false && tool.error === null)
      this.#count("tool_results", tool.result !== undefined);
  }

  /** Counts the evidence of a model call. For a failed call, only the model's name is counted, because such a call reports no usage. */
  #call(call: ModelCall): void {
    this.#count("models", call.model !== null || call.responseModel !== null);
    if (call.error !== null) return;
    this.#count("finish_reasons", call.finishReason !== null);
    this.#count("usage", call.usage.input !== null && call.usage.output !== null);
    this.#count("cost", call.costUsd !== null);
    const unpriced = unpricedModel(call);
    if (unpriced !== null && this.#unpriced.size < MOST_UNPRICED) this.#unpriced.add(unpriced);
  }

  #count(name: EvidenceName, has: boolean): void {
    this.#of.set(name, (this.#of.get(name) ?? 0) + 1);
    if (has) this.#have.set(name, (this.#have.get(name) ?? 0) + 1);
  }
}

/**
 * Counts the evidence of the complete runs of one service. An incomplete run may lack evidence that its instrumentation records, so
 * incomplete runs count only if no run is complete.
 */
export class CompleteRunsTally {
  readonly #complete = new EvidenceTally();
  readonly #cut = new EvidenceTally();
  #hasComplete = false;

  add(run: AgentRun, namesAgent: boolean): void {
    if (run.complete) this.#hasComplete = true;
    (run.complete ? this.#complete : this.#cut).add(run, namesAgent);
  }

  get counted(): EvidenceTally {
    return this.#hasComplete ? this.#complete : this.#cut;
  }
}

function stateOf(have: number, of: number): EvidenceState {
  if (of === 0) return "not_seen";
  if (have === of) return "present";
  return have === 0 ? "absent" : "partial";
}
