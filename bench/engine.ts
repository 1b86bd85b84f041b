import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { checks } from "../src/evaluate/checks/registry.ts";
import type { AgentRun } from "../src/model/run.ts";
import { createJudgeRun, type JudgedRun } from "../src/pipeline/judge-run.ts";
import { loadSpec } from "../src/spec/load.ts";

const file = fileURLToPath(new URL("../../bench/spec.yaml", import.meta.url));

/** The spec of the benchmarks; `agent` is `*` for recorded runs, which have many different agents. */
export function specText(agent: "agent-service" | "*" = "agent-service"): string {
  return readFileSync(file, "utf8").replace("agent: agent-service", `agent: "${agent}"`);
}

export function judgeAll(agent?: "*"): (run: AgentRun) => JudgedRun {
  const loaded = loadSpec({ file, text: specText(agent) }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded));
  return createJudgeRun({ specs: [loaded.spec], judgeSkipPolicy: { judge: "off" }, engine: "bench" });
}
