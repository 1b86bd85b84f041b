import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "../src/evaluate/checks/registry.ts";
import type { AgentRun } from "../src/model/run.ts";
import { createJudgeRun, type JudgedRun } from "../src/pipeline/judge-run.ts";
import type { CompiledSpec } from "../src/evaluate/query/compiled.ts";
import { loadSpec } from "../src/spec/load.ts";

const file = fileURLToPath(new URL("../../bench/spec.yaml", import.meta.url));

/** The spec that the benchmarks judge by; generated runs have an agent of their own, recorded ones any. */
export function specText(agent: "agent-service" | "*" = "agent-service"): string {
  return readFileSync(file, "utf8").replace("agent: agent-service", `agent: "${agent}"`);
}

export function benchSpec(agent?: "*"): CompiledSpec {
  const loaded = loadSpec({ file, text: specText(agent) }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded));
  return loaded.spec;
}

export function judgeAll(agent?: "*"): (run: AgentRun) => JudgedRun {
  return createJudgeRun({ specs: [benchSpec(agent)], judgeSkipPolicy: { judge: "off" }, engine: "bench" });
}
