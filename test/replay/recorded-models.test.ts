import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../src/model-server/server/model-server.ts";
import { effectOf } from "../../src/replay/agent/models/playback-server.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { OrderModel } from "./order-model.ts";

const agent = "node test/fixtures/agents/looping.mjs {query}";
const question = "Where is order 7?";
const dir = temporaryFolder();
let spec = "";
let recorded = "";
const model = new OrderModel();
let provider: ModelServer;

async function run(env: NodeJS.ProcessEnv, ...more: string[]) {
  const keep = mkdtempSync(join(dir, "kept-"));
  const words = ["test", "--exec", agent, "--spec", spec, "--keep", keep, "--format", "json", ...more];
  const ran = await runCliWith({ env: { PATH: process.env["PATH"], ...env } }, ...words);
  const result = ran.stdout === "" ? null : resultSchema.parse(JSON.parse(ran.stdout));
  return { ...ran, keep, result, verdict: result?.verdicts[0] };
}

const replayed = (env: NodeJS.ProcessEnv, ...more: string[]) =>
  run(env, "--models", `replay:${recorded}`, ...more);

const live = (): NodeJS.ProcessEnv => ({
  OPENAI_BASE_URL: `${provider.baseUrl()}/v1`,
  OPENAI_API_KEY: "secret",
});

beforeAll(async () => {
  provider = await startModelServer({ responder: model });
  spec = join(dir, "shop.yaml");
  writeFileSync(
    spec,
    `agent: shop
queries:
  - id: order
    query: "${question}"
    correctness: { expected_in_answer: ["on its way"], grounded: {} }
    path: { expected_tools: [find_order] }
    cost: { max_total_tokens: 1000, max_latency_ms: 1 }
`,
  );
  recorded = (await run(live())).keep;
});
afterAll(async () => {
  await provider.close(0);
});

describe("test --exec --models replay:", () => {
  test("runs the agent without a key and without asking its model", async () => {
    const before = model.asked;
    const { code, verdict, result } = await replayed({});

    expect(model.asked).toBe(before);
    expect(code).toBe(0);
    expect(verdict).toMatchObject({
      outcome: "pass",
      tools: ["find_order"],
      answer: "Order 7 is on its way.",
    });
    expect(verdict?.playback).toMatchObject({ effect: "none", divergences: [] });
    expect(result?.models).toMatchObject({ runs: 1, calls: 2, tokens: 36 });
    const { checks } = verdict?.layers.cost ?? { checks: [] };
    expect(checks.map(({ check, outcome }) => [check, outcome])).toEqual([
      ["max_total_tokens", "pass"],
      ["max_latency_ms", "skip"],
    ]);
    expect(checks[0]?.message).toMatch(/\(recorded\)$/);
  });

  test("gives the same place of the run, in however many requests its telemetry comes", async () => {
    for (const requests of ["1", "2"]) {
      const { verdict, keep } = await replayed({ AGENT_REQUESTS: requests });
      const place = verdict?.source?.file.replace(keep, "");
      expect([place, verdict?.sources]).toEqual(["/order-1/", undefined]);
    }
  });

  test.each([
    ["incomplete", 2, "incomplete"],
    ["nearest", 0, "warn"],
    ["fail", 1, "fail"],
    // The time is the model's again.
    ["live", 0, "warn"],
  ])("where the system prompt is another, %s exits with %i", async (mode, exit, outcome) => {
    const env = { ...(mode === "live" ? live() : {}), AGENT_SYSTEM: "You help clients of a shop." };
    const { code, verdict, stderr } = await replayed(env, "--on-divergence", mode);

    expect([code, verdict?.outcome]).toEqual([exit, outcome]);
    const difference = "system prompt: You help [-customers-]{+clients+} of a shop.";
    const [status] = verdict?.layers.correctness.checks ?? [];
    // A run with the model does not know the difference.
    const [says, other] = mode === "live" ? [stderr, status?.message] : [status?.message, stderr];
    expect(says).toContain(difference);
    expect(other).not.toContain(difference);
    expect(/1 agent run, model calls differ from the recording$/m.test(stderr)).toBe(mode !== "live");
  });

  test.each([
    ["Where is order 8?", "shop", `"${question}"`],
    [question, "store", 'a run of "shop", but the spec is for the agent "store"'],
  ])("without a run for the query %s of %s, says what is recorded", async (query, name, recording) => {
    const file = join(dir, "other.yaml");
    writeFileSync(file, `agent: ${name}\nqueries:\n  - { id: o, query: "${query}", tags: [t] }\n`);
    const words = ["test", "--exec", agent, "--spec", file, "--models", `replay:${recorded}`];
    const { stderr } = await runCliWith({}, ...words);
    expect(stderr).toBe(`o: no recorded run answers this query; runs that match no query: ${recording}\n`);
  });

  test("a tool's result that is another is a warning that names the tool", async () => {
    const { code, verdict } = await replayed({ AGENT_STATE: "lost" });

    expect(code).toBe(0);
    expect(verdict?.layers.correctness.checks.find(({ check }) => check === "run_status")).toMatchObject({
      outcome: "warn",
      message: expect.stringContaining("result of tool find_order"),
    });
    const grounded = verdict?.layers.correctness.checks.find(({ check }) => check === "grounded");
    expect(grounded?.outcome).toBe("skip");
  });

  test.each([
    ["result of tool find_order", "part 3 of the history", "warn"],
    ["tool definitions", "order", "warn"],
    ["tool definitions", "tool refund", "incomplete"],
    ["system prompt", "", "incomplete"],
  ])("where %s differs, %s, the effect is %s", (what, where, effect) => {
    const divergence = { call: 1, what, where, recorded: "a", now: "b", diff: "[-a-]{+b+}" };

    expect(effectOf([divergence], "incomplete")).toBe(effect);
    expect(effectOf([divergence], "fail")).toBe("fail");
  });

  test.each([
    [["--runs", "2"], /--runs cannot be used with recorded answers/],
    [["--models", "live"], /cannot be/],
  ])("%s is refused", async (more, message) => {
    const { code, stderr } = await replayed({}, ...more);

    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  test("a cassette is as good as its dump, and written anew when it diverged", async () => {
    const out = join(dir, "cassettes");
    const packed = await runCliWith({}, "models", "pack", recorded, "--spec", spec, "--out", out);
    expect([packed.code, readdirSync(out)]).toEqual([0, ["order.cassette.yaml"]]);
    const file = join(out, "order.cassette.yaml");
    const text = readFileSync(file, "utf8");
    await runCliWith({}, "models", "pack", recorded, "--spec", spec, "--out", out);
    expect(readFileSync(file, "utf8")).toBe(text);

    const played = await run({}, "--models", `replay:${out}`);
    expect([played.code, played.verdict?.playback?.divergences]).toEqual([0, []]);

    const changed = { ...live(), AGENT_SYSTEM: "You help clients of a shop." };
    const updated = await run(changed, "--models", `replay:${out}`, "--update-recordings");
    expect([updated.code, updated.stderr]).toEqual([0, expect.stringContaining("written anew")]);
    const again = await run({ AGENT_SYSTEM: changed.AGENT_SYSTEM }, "--models", `replay:${out}`);
    expect([again.code, again.verdict?.playback?.divergences]).toEqual([0, []]);
  });

  test("a cassette whose query is the same with the model stays byte for byte", async () => {
    const out = join(dir, "kept-cassettes");
    await runCliWith({}, "models", "pack", recorded, "--spec", spec, "--out", out);
    const file = join(out, "order.cassette.yaml");
    const text = `# Kept by hand.\n${readFileSync(file, "utf8").replaceAll(/^( *)(name): /gm, "$1$2:   ")}`;
    writeFileSync(file, text);
    // The first process has another prompt, so that its requests are not those recorded.
    const mark = join(dir, "mark");
    const once = `test -e ${mark} || export AGENT_SYSTEM=Other; touch ${mark}; ${agent}`;
    const words = argv`test --exec ${once} --spec ${spec} --models replay:${out} --update-recordings`;
    const { stderr } = await runCliWith({ env: { PATH: process.env["PATH"], ...live() } }, ...words);

    expect(stderr).toContain("differs from the recording: call 1: system prompt");
    expect(stderr).toContain(
      `${file}: not changed: with the real model, the agent made the same model calls as in the recording`,
    );
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test.each([
    ["without telemetry", "0"],
    ["with telemetry", "1"],
  ])("one call of an agent %s whose model cannot be reached is one run", async (_, requests) => {
    const env = {
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      OPENAI_API_KEY: "secret",
      AGENT_SYSTEM: "You help clients of a shop.",
      AGENT_REQUESTS: requests,
      AGENT_ATTEMPTS: "3",
    };
    const { code, result } = await replayed(env, "--on-divergence", "live");

    expect(code).not.toBe(0);
    expect(result?.verdicts.map(({ query_id: id, agent: name }) => [id, name])).toEqual([["order", "shop"]]);
    expect(result?.summary.total).toBe(1);
  });

  test("a run without contents is named, with what brings them, and its query is missing", async () => {
    const bare = mkdtempSync(join(dir, "bare-"));
    for (const file of readdirSync(recorded, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith("-traces.json")) continue;
      const text = readFileSync(join(recorded, file), "utf8");
      const without = JSON.parse(text, (name, value: unknown) =>
        name === "attributes" && Array.isArray(value)
          ? value.filter(({ key }: { key: string }) => !/output\.messages|result/.test(key))
          : value,
      ) as unknown;
      writeFileSync(join(bare, "bare.json"), JSON.stringify(without));
    }
    const { code, result, stderr } = await run({}, "--models", `replay:${bare}`);

    expect(code).toBe(2);
    expect(result?.missing).toMatchObject([{ query_id: "order" }]);
    expect(stderr).toMatch(/cannot be played back: Where is order 7\?.*the model's answer is not recorded/);
  });

  test("--models-port that is taken is named", async () => {
    const { port } = provider;
    const { code, stderr } = await replayed({}, "--models-port", String(port));

    expect([code, stderr]).toEqual([2, expect.stringContaining(`--models-port ${port}: `)]);
  });

  test.each([
    [["--on-divergence", "nearest"], "--on-divergence"],
    [["--update-recordings"], "--update-recordings"],
    [["--models-port", "4320", "--models", "live"], "--models-port"],
  ])("%j is refused without recorded answers", async (flags, named) => {
    const ran = await run({}, ...flags);
    const dump = flags.filter((word) => word !== "--models" && word !== "live");
    const ofDump = await runCliWith({}, "test", recorded, "--spec", spec, ...dump);

    const message = `${named} has an effect only with recorded model answers`;
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect([ofDump.code, ofDump.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test("--fault is refused for a dump", async () => {
    const { code, stderr } = await runCliWith({}, "test", recorded, "--spec", spec, "--fault", "reset@1");

    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("--fault injects faults into the model calls of an agent"),
    ]);
  });
});
