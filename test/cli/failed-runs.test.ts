import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Recorded runs that ended in an error or died, and a spec with path and cost rules only. */
const dumps = readdirSync("test/fixtures/failed-runs").map((name) => `test/fixtures/failed-runs/${name}`);
const rules = `agent: "*"
queries:
  - query: "*"
    path: { max_tool_calls: 50, max_loops: 20, forbidden_tools: [drop_tables] }
    cost: { max_total_tokens: 1000000, max_llm_calls: 100, max_latency_ms: 3600000, max_cost_usd: 100 }
`;

const folder = temporaryFolder();

async function judged(
  dump: string,
  spec: string,
): Promise<{ readonly verdicts: VerdictJson[]; readonly code: number }> {
  const path = join(folder, "spec.yaml");
  writeFileSync(path, spec);
  const { code, stdout } = await runCli("test", dump, "--spec", path, "--judge", "off", "--format", "json");
  return { verdicts: (JSON.parse(stdout) as { verdicts: VerdictJson[] }).verdicts, code };
}

test.each(dumps)(
  "a run that failed or died passes no spec with path and cost rules only: %s",
  async (dump) => {
    const { verdicts, code } = await judged(dump, rules);
    const killed = dump.includes("killed");

    expect(verdicts.length).toBeGreaterThan(0);
    for (const verdict of verdicts) {
      expect(verdict.outcome).toBe(killed ? "incomplete" : "fail");
      expect(verdict.complete).toBe(!killed);
      expect(verdict.error ?? "no error").toMatch(
        killed ? /^no error$/ : /maximum context length|ENOENT|off_topic/,
      );
      const checks = Object.values(verdict.layers).flatMap((layer) => layer.checks);
      expect(checks.map(({ remedy }) => remedy ?? "").join()).not.toMatch(/content capture/i);
    }
    expect(code).toBe(killed ? 2 : 1);
  },
);

describe("docs/upgrading.md", () => {
  const page = readFileSync("docs/upgrading.md", "utf8");
  const section = page.slice(page.indexOf("run_status"));
  const restoring = /^```yaml\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? "";
  const failing = dumps.filter((dump) => !dump.includes("killed"));

  test("names the line that restores the old behaviour", () => {
    expect(restoring).toContain("run_status: any");
  });

  test.each(failing)("%s is judged with it as before, by what is written alone", async (dump) => {
    const { verdicts, code } = await judged(dump, `${restoring}${rules}`);

    expect(verdicts[0]?.outcome).toBe("pass");
    expect(verdicts[0]?.layers.correctness.outcome).toBe("skip");
    expect(verdicts[0]?.error).not.toBeNull();
    expect(code).toBe(0);
  });
});
