import type { AgentRun } from "../../../model/run.ts";
import type { CheckResult } from "../../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../../query/compiled.ts";
import type { Assessment } from "../../assess/assess.ts";
import type { Finding } from "../check.ts";
import { runCheck, toCheckResult } from "../../result/run-check.ts";
import type { UserCheckPort } from "./user-check-port.ts";

/** Returns the results of user checks that no port runs. Each result is a `skip`. */
export function notRun({ user, contexts }: Assessment): readonly CheckResult[] {
  return user.map((bound) => runCheck(bound, contexts[bound.check.layer]));
}

/** Runs the user checks in parallel. The promise does not reject. */
export async function runUserChecks(
  { user, contexts }: Assessment,
  port: UserCheckPort,
  run: AgentRun,
  query: CompiledQuery,
  spec: CompiledSpec,
): Promise<readonly CheckResult[]> {
  return Promise.all(
    user.map(async (bound) => {
      const { check } = bound;
      const finding = check.user === undefined ? lost : await port.run(check.user, run, query, spec);
      return toCheckResult(bound, finding, contexts[check.layer]);
    }),
  );
}

const lost: Finding = { outcome: "error", value: null, message: "no check of the project has this name" };
