import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requestsOf } from "../../bench/data/real/recordings.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { recordingSets } from "../long/reader/recording-sets.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson } from "../long/runs/records.ts";
import { queryOf } from "../support/query-of.ts";
import { trueRunsOf } from "../support/recorded-truth.ts";

/** A spec that forbids a tool passes on no recording in which the tool ran, whatever its telemetry shows of it. */

const options = { reference: { missing: "not-asked", version: null }, judge: "off" } as const;

function passes(run: AgentRun, tool: string): boolean {
  const query = queryOf({ path: { forbidden_tools: [tool] } });
  return evaluateQuery(run, query, options).layers.path.checks.some(
    ({ check, outcome }) => check === "forbidden_tools" && outcome === "pass",
  );
}

/** The tools that ran, under the names that the telemetry shows. */
function toolsOf(folder: string): readonly string[] {
  const truths = trueRunsOf(readFileSync(join(folder, "expected.json"), "utf8"));
  const ran = truths.flatMap(({ tools }) =>
    tools.filter(({ executed, result, error }) => executed !== false && (result ?? error) !== undefined),
  );
  return [...new Set(ran.map(({ name, name_in_data: shown }) => shown ?? name))];
}

describe.each(recordingSets(["own"], undefined))("recordings of $name", ({ root, recordings }) => {
  const named = recordings.filter(({ name }) => existsSync(join(root, name, "expected.json")));
  test("no recording passes a spec that forbids a tool that ran", () => {
    const wrong = named.flatMap((recording) => {
      const tools = toolsOf(join(root, recording.name));
      if (tools.length === 0) return [];
      const runs = replayedRuns(requestsOf(recording).map(asJson));
      const hold = (tool: string): boolean => runs.length > 0 && runs.every((run) => passes(run, tool));
      return tools.filter(hold).map((tool) => `${recording.name}: ${tool}`);
    });
    expect(wrong).toEqual([]);
  });
});
