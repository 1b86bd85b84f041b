import { queryIdAttribute } from "../../match/matcher.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { AgentRun } from "../../model/run.ts";
import { type AgentCall, textOfPlan } from "./call.ts";

/**
 * Returns the runs of a call. All telemetry on the port of this call belongs to the call's query. So if the call has only one run, and the
 * run has neither a query id nor the query's text, the query's id is added.
 */
export function runsWithQuery({ plan, runs }: Pick<AgentCall, "plan" | "runs">): readonly AgentRun[] {
  const text = normaliseText(textOfPlan(plan));
  const tells = (run: AgentRun): boolean =>
    run.attributes.has(queryIdAttribute) || (run.query !== null && normaliseText(run.query) === text);
  if (runs.some(tells)) return runs;
  const [only, ...others] = runs;
  return only === undefined || others.length > 0 ? runs : [withQueryId(only, plan.query.id)];
}

/**
 * Returns the question in the call's telemetry if it differs from the question that was sent. Null if one of the two questions contains the
 * other, or the telemetry has no question.
 */
export function otherQuestion({ plan, runs }: Pick<AgentCall, "plan" | "runs">): string | null {
  const asked = normaliseText(textOfPlan(plan));
  const recorded = runs.flatMap(({ query }) => (query === null ? [] : [query]));
  const agrees = recorded.some((query) => {
    const text = normaliseText(query);
    return text.includes(asked) || asked.includes(text);
  });
  return agrees ? null : (recorded[0] ?? null);
}

/** Returns the run with the query id as an additional attribute. */
export function withQueryId(run: AgentRun, id: string): AgentRun {
  return withFields(run, { attributes: new Map(run.attributes).set(queryIdAttribute, id) });
}

/** Returns the run with the values in `fields`. All other fields of the run are still computed at first use. */
export function withFields(run: AgentRun, fields: Partial<AgentRun>): AgentRun {
  return new Proxy(run, {
    get: (target, field) =>
      Object.hasOwn(fields, field) ? Reflect.get(fields, field) : Reflect.get(target, field, target),
  });
}
