import type { AgentRun } from "../../../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../../query/compiled.ts";
import type { Finding } from "../check.ts";
import type { UserCheck } from "./user-check.ts";

/** Runs the checks of the project's own. Never rejects: what goes wrong with one is its finding, an `error`. */
export interface UserCheckPort {
  run(check: UserCheck, run: AgentRun, query: CompiledQuery, spec: CompiledSpec): Promise<Finding>;
}
