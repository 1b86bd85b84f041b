import type { AgentRun } from "../../../model/run.ts";

/** What a session knows better than the telemetry of a run. */
export type RunFields = Partial<Pick<AgentRun, "answer" | "missing" | "source">>;

/** The same run with these fields in place of its own, which it reads only when asked. */
export function adjustedRun(run: AgentRun, fields: RunFields): AgentRun {
  return new Proxy(run, {
    get: (target, field) =>
      Object.hasOwn(fields, field) ? Reflect.get(fields, field) : Reflect.get(target, field, target),
  });
}
