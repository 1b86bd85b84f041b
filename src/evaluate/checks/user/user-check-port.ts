import type { AgentRun } from "../../../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../../query/compiled.ts";
import type { Finding } from "../check.ts";
import type { UserCheck } from "./user-check.ts";

/** Runs user checks (commands or modules of the project). A check that cannot run has the outcome `error`; the promise does not reject. */
export interface UserCheckPort {
  run(check: UserCheck, run: AgentRun, query: CompiledQuery, spec: CompiledSpec): Promise<Finding>;
}
