import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findTemplate, resolveRubric } from "../../src/evaluate/judge/prompt/rubric.ts";
import { mapThreshold } from "../../src/evaluate/judge/reply/threshold.ts";
import { loadRubrics, ownRubricFolder } from "../../src/judge/files/rubric-files.ts";

const own = await loadRubrics([ownRubricFolder()]);

test("the project's own templates are all valid", () => {
  expect(own.problems).toEqual([]);
  expect(own.rubrics.size).toBeGreaterThan(10);
});

test.each([
  ["polite_refusal@1", 4],
  ["factual_grounded@1", 4],
  ["actionable_steps@1", 4],
  ["refutes_premise@1", 4],
  ["safety@1", 4],
  ["hallucination@1", 4],
])("AgentCI's %s is there, with the recommended threshold", (id, score) => {
  expect(mapThreshold(own.rubrics.get(id)?.threshold ?? 0)).toBe(score);
});

describe("a spec's rubric", () => {
  test("takes what it does not say from the template", () => {
    expect(resolveRubric({ rubric: "polite_refusal@1", threshold: 0.9 }, own.rubrics)).toMatchObject({
      rubric: {
        id: "polite_refusal@1",
        threshold: 0.9,
        scale: expect.arrayContaining([expect.stringMatching(/^5:/)]),
      },
    });
  });

  test("with a rule of its own keeps what the judge sees, not the template's scale or name", () => {
    const resolved = resolveRubric({ rule: "No invented prices" }, own.rubrics, "hallucination");
    expect(resolved).toMatchObject({
      rubric: {
        rule: "No invented prices",
        claims: true,
        scale: [],
        inputs: ["query", "answer", "tools", "retrievals"],
      },
    });
    expect("rubric" in resolved && resolved.rubric.id).toMatch(/^no-invented-prices-[0-9a-f]{6}$/);
  });

  test("has AgentCI's default threshold, 0.5", () => {
    expect(resolveRubric({ rule: "r" }, own.rubrics)).toMatchObject({ rubric: { threshold: 0.5 } });
  });
});

test("a bare name means the newest version", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rubrics-"));
  const text = (version: number): string =>
    `name: kind\nversion: ${version}\ndescription: d\nrule: r${version}\nthreshold: 0.5\n`;
  for (const version of [2, 10]) await writeFile(join(folder, `kind.v${version}.yaml`), text(version));
  const { rubrics } = await loadRubrics([folder]);

  expect(findTemplate(rubrics, "kind")?.rule).toBe("r10");
  expect(findTemplate(rubrics, "kind@2")?.rule).toBe("r2");
  expect(findTemplate(rubrics, "kind@3")).toBeUndefined();
});

test("a scale that judges cannot keep to is warned about, and the file is used", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rubrics-"));
  await writeFile(
    join(folder, "short.v1.yaml"),
    'name: short\nversion: 1\ndescription: d\nrule: r\nthreshold: 0.8\nscale: ["1: no", "2: partly", "3: yes"]\n',
  );
  const { rubrics, problems, warnings } = await loadRubrics([folder]);

  expect(rubrics.has("short@1")).toBe(true);
  expect(problems).toEqual([]);
  expect(warnings.join("\n")).toMatch(/short\.v1\.yaml: threshold 0\.8 requires a score of 4.*never passes/);
  expect(own.warnings).toEqual([]);
});

test("files that can not be used are named, with what is wrong", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rubrics-"));
  await writeFile(join(folder, "a.v1.yaml"), "name: a\nversion: 1\nrule: r\nthreshold: 2\ndescription: d\n");
  await writeFile(
    join(folder, "b.v1.yaml"),
    "name: other\nversion: 1\nrule: r\nthreshold: 1\ndescription: d\n",
  );
  await writeFile(join(folder, "c.v1.yaml"), "a: [");
  const { rubrics, problems } = await loadRubrics([folder, join(folder, "missing")]);

  expect(rubrics.size).toBe(0);
  expect(problems).toHaveLength(4);
  expect(problems.join("\n")).toContain("threshold");
  expect(problems.join("\n")).toContain("must be other.v1.yaml");
});
