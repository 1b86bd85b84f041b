import { readFileSync } from "node:fs";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { renderProblem } from "../../src/spec/document/problems/frame.ts";
import { loadSpec } from "../../src/spec/load.ts";

/** A spec from YAML text; throws its problems if it is invalid. */
export function specOf(text: string, file = "test.yaml"): CompiledSpec {
  const loaded = loadSpec({ file, text }, { checks });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => renderProblem(problem, text)).join("\n"));
  return loaded.spec;
}

/** An example spec from `specs/`. */
export function exampleSpec(name: string): CompiledSpec {
  const file = `specs/${name}.yaml`;
  return specOf(readFileSync(file, "utf8"), file);
}

/** A spec that judges each run of `chaos/agent-trace.ts`: with more tool calls than `maxToolCalls` its path fails. */
export function chaosSpec(maxToolCalls = 100, more = ""): CompiledSpec {
  return specOf(
    `version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: ${maxToolCalls} }${more} }]\n`,
  );
}
