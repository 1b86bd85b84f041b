import type { AgentRun } from "../../../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../../query/compiled.ts";
import type { Finding } from "../check.ts";
import type { UserCheck } from "./user-check.ts";

/** Runs user checks. Never rejects: a failing check gets the outcome `error`. */
export interface UserCheckPort {
  run(check: UserCheck, run: AgentRun, query: CompiledQuery, spec: CompiledSpec): Promise<Finding>;
}
