import type { FaultKind } from "../../model/fault-kinds.ts";
import type { Fault } from "../../model-server/faults/fault.ts";
import { type FaultAccount, FaultyResponder } from "../../model-server/faults/faulty-responder.ts";
import type { Responder } from "../../model-server/server/responder.ts";
import { type AgentCall, type CallPlan, isAskable, notStarted } from "../agent/call.ts";
import type { AgentModels } from "../agent/models/agent-models.ts";
import { withFields } from "../agent/known-query.ts";

const ofTools: readonly FaultKind[] = ["unknown-tool", "bad-json", "schema-violation"];
const ofAnswers: readonly FaultKind[] = ["empty", "length", "refusal", "content-filter"];

/** One call of the agent, with or without a fault. */
export interface Trial {
  readonly plan: CallPlan;
  /** Kind of the fault; null for the call without a fault. */
  readonly kind: FaultKind | null;
  /** The injected fault and the number of its model call. Null without a fault, or if no model call suits the fault. */
  readonly fault: Fault | null;
  readonly call: AgentCall | null;
  readonly account: FaultAccount;
}

const nothingSeen: FaultAccount = { requests: 0, faults: 0, requestedTools: [] };

/** Makes each call of the agent once without a fault, then once with each kind of fault, one after another. */
export class FaultModels implements AgentModels {
  readonly trials: Trial[] = [];
  readonly #kindsOf: (queries: readonly CallPlan["query"][]) => readonly FaultKind[];
  /**
   * The queries that one call of the agent answers, by the query in the call's plan. They have equal ids and texts, and are in several
   * specs.
   */
  readonly #queriesOf = new Map<CallPlan["query"], readonly CallPlan["query"][]>();
  readonly #kindOf = new Map<CallPlan, FaultKind | null>();
  readonly #requestedToolsOf = new Map<CallPlan["query"], readonly (boolean | null)[]>();
  #models: AgentModels | null = null;
  #inner: Responder | null = null;
  #current: FaultyResponder | null = null;

  constructor(kindsOf: (queries: readonly CallPlan["query"][]) => readonly FaultKind[]) {
    this.#kindsOf = kindsOf;
  }

  /** Returns all queries that a call for this query answers. */
  queriesOf(query: CallPlan["query"]): readonly CallPlan["query"][] {
    return this.#queriesOf.get(query) ?? [query];
  }

  /** Whether a call of the agent was made that answers the query. */
  hasTried(query: CallPlan["query"]): boolean {
    return this.trials.some(({ plan }) => this.queriesOf(plan.query).includes(query));
  }

  /** Returns a responder that passes requests to `inner`, and injects the fault of the current call. */
  between(inner: Responder): Responder {
    this.#inner = inner;
    return {
      respond: (received, context) => (this.#current ?? inner).respond(received, context),
    };
  }

  open(models: AgentModels): this {
    this.#models = models;
    return this;
  }

  plans: NonNullable<AgentModels["plans"]> = (questions, folderOf) => {
    for (const { query, queries } of questions)
      this.#queriesOf.set(
        query,
        queries.map((one) => one.query),
      );
    // `plans` may return several calls of a query, one for each recording. Only the first of these calls is used.
    const once =
      this.#models?.plans?.(questions, folderOf) ??
      questions
        .filter(({ query }) => isAskable(query))
        .map(({ spec, query }) => ({ spec, query, number: 1, folder: folderOf(query, 1) }));
    const first = new Map(once.toReversed().map((plan) => [plan.query, plan]));
    return [...first.values()].toReversed().flatMap((plan) =>
      [null, ...this.#kindsOf(this.queriesOf(plan.query))].map((kind, at): CallPlan => {
        const one = { ...plan, number: at + 1, folder: folderOf(plan.query, at + 1) };
        this.#kindOf.set(one, kind);
        return one;
      }),
    );
  };

  call: AgentModels["call"] = async (plan, start) => {
    const kind = this.#kindOf.get(plan) ?? null;
    const requestedTools = this.#requestedToolsOf.get(plan.query) ?? [];
    const fault = kind === null ? null : sensibleFault(kind, requestedTools);
    if (this.#models === null || this.#inner === null || (kind !== null && fault === null)) {
      return this.#skipped(plan, kind);
    }
    const responder = new FaultyResponder(this.#inner, fault);
    this.#current = responder;
    const call = await this.#models.call(plan, start);
    const account = responder.account();
    if (kind === null) this.#requestedToolsOf.set(plan.query, account.requestedTools);
    this.trials.push({ plan, kind, fault, call, account });
    // The fault itself causes the differences from the recording, so they are not reported.
    const runs = call.runs.map((run) =>
      kind === null || run.playback === undefined
        ? run
        : withFields(run, { playback: { ...run.playback, effect: "none" as const, divergences: [] } }),
    );
    return { ...call, runs };
  };

  close = async (): Promise<void> => {
    await this.#models?.close();
  };

  #skipped(plan: CallPlan, kind: FaultKind | null): AgentCall {
    this.trials.push({ plan, kind, fault: null, call: null, account: nothingSeen });
    return notStarted(plan, "the run has no model call to which this fault applies", "");
  }
}

/**
 * Returns a fault for the model call where it has most effect; null if no model call suits the fault. A tool fault applies to the first
 * model call that requested tools, `same-tool-again` to the model call after this one. A fault of answers applies to the last model call
 * that requested no tool. Any other fault applies to the second model call, or to the first if there is only one.
 * @param requestedTools for each model call of the run without a fault: true if it requested tools, null if it failed
 */
function sensibleFault(kind: FaultKind, requestedTools: readonly (boolean | null)[]): Fault | null {
  if (requestedTools.length === 0) return null;
  const firstOfTools = requestedTools.indexOf(true);
  if (kind === "same-tool-again") {
    return firstOfTools < 0 ? null : { kind, at: firstOfTools + 2, isLasting: true };
  }
  if (ofTools.includes(kind)) {
    return firstOfTools < 0 ? null : { kind, at: firstOfTools + 1, isLasting: false };
  }
  if (ofAnswers.includes(kind)) {
    const last = requestedTools.lastIndexOf(false);
    return last < 0 ? null : { kind, at: last + 1, isLasting: false };
  }
  return { kind, at: Math.min(2, requestedTools.length), isLasting: false };
}
