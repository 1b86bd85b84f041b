import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { type Proof, type Section, specOf } from "./harness.ts";

/** `serve` sends a digest to Slack, and takes what became of a run's changes. */
export const served: Proof = async (bench) => {
  const { received, url: hook } = await bench.judge(() => ({ body: "ok" }));
  const more = `export: { webhook: [{ url: "${hook}/slack", format: slack }] }
security: { allowed_networks: [127.0.0.0/8] }
`;
  const url = await bench.serve(
    { answer: "Sorry." },
    specOf("correctness: { not_in_answer: [sorry] }"),
    more,
  );
  await expect.poll(() => received.length).toBeGreaterThan(0);
  expect(JSON.stringify(received[0]?.body)).toMatch(/blocks.*not_in_answer/);

  const { runs } = (await (await fetch(`${url}/api/v1/runs`)).json()) as { runs: { run_id: string }[] };
  const changes = { total: 4, failed: 1, reverted: 2 };
  const posted = await fetch(`${url}/api/v1/annotations`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ run_id: runs[0]?.run_id, changes }),
  });
  expect(posted.status).toBe(201);
  expect(await (await fetch(`${url}/api/v1/changes`)).text()).toMatch(/"cfp":0\.25/);
};

export const scylla: Section = {
  "change fail percentage and revert rate from signals after the run": served,
  "ten weighted judge categories": async (bench) => {
    await bench.judge(({ body }) => {
      const ids = /"enum":(\["[a-z_]+"(?:,"[a-z_]+")+\])/.exec(JSON.stringify(body))?.[1] ?? "[]";
      const names = JSON.parse(ids) as string[];
      const all = names.map((id) => ({
        id,
        reason: "r",
        applicable: true,
        score: id === "functional_correctness" ? 0 : 1,
      }));
      return completion({ rationale: "r", criteria: all });
    });
    const { checks } = await bench.test("correctness: { llm_judge: [{ rubric: work_quality@1 }] }", {
      tools: ["edit_file"],
    });
    // All of 9.5 but the weight of functional correctness, 2.
    expect(checks["llm_judge"]?.value).toBeCloseTo(7.5 / 9.5, 9);
  },
};
