import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HeldRuns } from "../../src/pipeline/held-runs.ts";
import { bytesOfSpan } from "../../src/otlp/rows/span-view.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import { runOf } from "../support/run-of.ts";
import { replayed } from "../support/replayed.ts";

test("a held run counts the body of its spans at least twice, once, until it is released", async () => {
  const lines = readFileSync("test/fixtures/runs/rag-aws.langgraph.jsonl", "utf8").trim().split("\n");
  const [run] = await replayed(...lines.map((line) => JSON.parse(line) as unknown));
  expect(run !== undefined && isExplained(run)).toBe(true);
  if (run === undefined || !isExplained(run)) return;
  const body = [...run.spans].reduce((sum, one) => sum + bytesOfSpan(one), 0);
  const held = new HeldRuns();
  held.add(run);
  const { bytes } = held;
  expect(bytes).toBeGreaterThan(2 * body);
  expect(body).toBeGreaterThan(0);
  held.add(run);
  expect(held.bytes).toBe(bytes);
  const conversation = runOf({ runId: "conversation", turns: [run, run] });
  held.add(conversation);
  expect(held.bytes).toBe(3 * bytes);
  held.release(run);
  held.release(run);
  held.release(conversation);
  expect(held.bytes).toBe(0);
});
