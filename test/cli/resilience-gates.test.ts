import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startModelServer } from "../../src/model-server/server/model-server.ts";
import type { Responder } from "../../src/model-server/server/responder.ts";
import { answerOf } from "../model-server/scripted.ts";
import { bundledAgent } from "../support/bundled-agent.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/* A gate on resilience passes only where each of its queries was tried and decided. */

const script = await bundledAgent("orders");
const folder = temporaryFolder();
const dump = join(folder, "orders.jsonl");
const env = { PATH: process.env["PATH"], ORDERS_CARE: "1" };

const provider: Responder = {
  respond: ({ request }) => {
    const isAnswered = (request.messages ?? []).some(({ results }) => results.length > 0);
    const call = { id: null, name: "find_order", arguments: { id: 7 } };
    return Promise.resolve({
      answer: isAnswered ? answerOf({ text: "It was shipped on Monday." }) : answerOf({ calls: [call] }),
    });
  },
};

beforeAll(async () => {
  const model = await startModelServer({ responder: provider });
  const base = { OPENAI_BASE_URL: `${model.baseUrl()}/v1`, OPENAI_API_KEY: "any" };
  const words = ["record", "--out", dump, "--", process.execPath, script, "Where is order 7?"];
  const recorded = await runCliWith({ env: { ...env, ...base } }, ...words);
  await model.close(0);
  if (recorded.code !== 0) throw new Error(recorded.stderr);
});

const asked = 'query: "Where is order 7?", correctness: { expected_in_answer: [Monday] }';
const gate = "resilience: { faults: [empty] }";

test.each<[string, string, readonly string[], number, string]>([
  ["a query without a recording", `[{ ${asked}, ${gate} }, { query: Other?, ${gate} }]`, [], 2, "recovered"],
  [
    "the same, expected by the flag",
    `[{ ${asked} }, { query: Other? }]`,
    ["--expect", "recovered"],
    2,
    "recovered",
  ],
  ["a query without a recording or a gate", `[{ ${asked}, ${gate} }, { query: Other? }]`, [], 0, "recovered"],
  [
    "another check warns with the fault than without it",
    // An empty answer makes the agent ask once more.
    `[{ ${asked}, ${gate}, path: { max_tool_calls: 0 }, cost: { max_llm_calls: 2 } }]`,
    [],
    1,
    "degraded",
  ],
  [
    "the same check warns with the fault and without it",
    `[{ ${asked}, ${gate}, path: { max_tool_calls: 0 } }]`,
    [],
    0,
    "recovered",
  ],
])("%s", async (_, queries, more, code, outcome) => {
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, `version: 1\nagent: orders\nqueries: ${queries}\n`);
  const exec = `'${process.execPath}' '${script}' {query}`;
  const words = ["--exec", exec, "--spec", spec, "--models", `replay:${dump}`, "--format", "json"];
  const data = ["--set", `data_dir=${join(folder, "data")}`];
  const ran = await runCliWith({ env }, "resilience", ...words, ...data, "--fault", "empty", ...more);
  const { rows } = JSON.parse(ran.stdout) as { rows: { fault: string | null; outcome: string | null }[] };

  expect(ran.code).toBe(code);
  expect(rows.find(({ fault }) => fault !== null)?.outcome).toBe(outcome);
});

test("of two specs that ask the same, both gates count", async () => {
  const write = (name: string, more: string): string => {
    const file = join(folder, name);
    writeFileSync(file, `version: 1\nagent: orders\nqueries: [{ id: order, ${asked}${more} }]\n`);
    return file;
  };
  const specs = [write("first.yaml", ""), write("second.yaml", ", resilience: { faults: [length] }")];
  const exec = `'${process.execPath}' '${script}' {query}`;
  const words = ["--exec", exec, ...specs.flatMap((file) => ["--spec", file]), "--models", `replay:${dump}`];
  const data = ["--set", `data_dir=${join(folder, "data")}`, "--format", "json"];
  const ran = await runCliWith({ env }, "resilience", ...words, ...data);

  expect(ran.code).toBe(1);
});
