import { describe, expect, test } from "vitest";
import { wantedModels } from "../../src/evaluate/judge/wanted-models.ts";
import { findAddress } from "../../src/judge/providers/endpoints.ts";
import { parseModel } from "../../src/judge/providers/model-name.ts";
import { openJudges } from "../../src/judge/open-judges.ts";
import { resolveJudges } from "../../src/judge/resolve.ts";
import type { JudgeServiceSettings, ProviderSettings } from "../../src/judge/settings.ts";
import { queryOf } from "../support/query-of.ts";
import { judgedOnce } from "./support/judging.ts";
import { completion, modelServer } from "./support/model-server.ts";
import { said } from "./support/scripted-port.ts";
import { judgeDefaults } from "../support/settings-defaults.ts";

test.each([
  ["claude-sonnet-4-6", "anthropic", "claude-sonnet-4-6"],
  ["gpt-4o", "openai", "gpt-4o"],
  ["anthropic/claude-x", "anthropic", "claude-x"],
  ["openrouter/anthropic/claude-3.5-sonnet", "openrouter", "anthropic/claude-3.5-sonnet"],
  ["ollama/llama3.3:70b", "ollama", "llama3.3:70b"],
  ["anthropic:claude-x", "anthropic", "claude-x"],
])("%s is asked of %s as %s", (written, provider, id) => {
  expect(parseModel(written)).toEqual({ provider, id });
});

const named = (
  name: string,
  more: Partial<ProviderSettings> = {},
): Pick<JudgeServiceSettings, "providers"> => ({
  providers: new Map([
    [name, { kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", keyEnv: null, auth: null, ...more }],
  ]),
});
const none = { providers: new Map() };

describe("where a model is asked", () => {
  const local = { key: null, baseUrl: "http://127.0.0.1:11434/v1" };
  const house = named("house", { keyEnv: "HOUSE_KEY" });
  const endpoint = "http://h/v1";
  test.each([
    ["a key is enough", "claude-x", none, { ANTHROPIC_API_KEY: "k" }, { key: "k", baseUrl: null }],
    [
      "an endpoint is enough",
      "gpt-4o",
      none,
      { OPENAI_BASE_URL: endpoint },
      { key: null, baseUrl: endpoint },
    ],
    ["a token for Anthropic", "claude-x", none, { ANTHROPIC_AUTH_TOKEN: "t" }, { key: "t", auth: "bearer" }],
    ["a local server needs no key", "ollama/llama", named("ollama"), {}, local],
    ["a named key", "house/m", house, { HOUSE_KEY: "k" }, { key: "k" }],
    [
      "a declared provider replaces the built-in one",
      "gpt-4o",
      named("openai"),
      { OPENAI_API_KEY: "k" },
      { key: null },
    ],
  ])("%s", (_, model, settings, env, address) => {
    expect(findAddress(model, settings, env)).toMatchObject({ address });
  });

  test.each([
    ["claude-x", none, {}, "set ANTHROPIC_API_KEY"],
    ["claude-x", none, { ANTHROPIC_API_KEY: "  " }, "set ANTHROPIC_API_KEY"],
    ["gpt-4o", none, {}, "set OPENAI_API_KEY"],
    ["house/m", named("house", { keyEnv: "HOUSE_KEY" }), {}, "set HOUSE_KEY"],
    ["nowhere/m", none, {}, "declare judge.providers.nowhere"],
    [
      "house/m",
      named("house", { baseUrl: "file:///etc/passwd" }),
      {},
      "correct judge.providers.house.base_url",
    ],
    ["claude-x", none, {}, "--set judge.model=openai/gpt-4o (judge.model in the configuration"],
    ["gpt-4o", none, {}, "--set judge.model=anthropic/claude-sonnet-4-6"],
  ])("%s can not be asked: %#", (model, settings, env, remedy) => {
    expect(findAddress(model, settings, env)).toMatchObject({
      unavailable: { remedy: expect.stringContaining(remedy) },
    });
  });
});

test.each([
  [{ OPENAI_API_KEY: "k" }, "gpt-4o"],
  [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "claude-sonnet-4-6"],
  [{}, "claude-sonnet-4-6"],
])("with %j a spec that names no model is judged by %s", (env, model) => {
  expect(resolveJudges([], judgeDefaults, { env }).defaultModel).toBe(model);
});

describe("--judge", () => {
  const models = ["claude-x", "openai/gpt-4o", undefined];

  test("off asks nobody and needs nothing", () => {
    expect(resolveJudges(models, { ...judgeDefaults, mode: "off" }, { env: {} })).toMatchObject({
      port: "off",
      problems: [],
    });
  });
});

describe("what a spec wants", () => {
  const own = { rule: "r", model: "own/m" };

  test.each([
    ["names its models in each check", { llm_judge: [own] }, ["own/m"]],
    [
      "names models in lists",
      { llm_judge: [own], goal_accuracy: { models: ["a", "b"] } },
      ["own/m", "a", "b"],
    ],
    ["names no model in one rubric", { llm_judge: [own, { rule: "s" }] }, ["claude-x", "own/m"]],
    ["names no model in one check", { llm_judge: [own], safety_check: true }, ["claude-x", "own/m"]],
    ["switches a judge off", { llm_judge: [own], safety_check: false }, ["own/m"]],
    ["switches all judges off", { safety_check: false }, []],
    ["names no model in a template", { llm_judge: ["polite_refusal@1"] }, ["claude-x"]],
  ])("that %s", (_, correctness, wanted) => {
    expect([...wantedModels([queryOf({ correctness })], { model: "claude-x" }, false)]).toEqual(wanted);
  });

  test("is no model of an ensemble if each check names its model", () => {
    const ensemble = { enabled: true, models: ["x", "y"] };
    expect([...wantedModels([queryOf({ correctness: { llm_judge: [own] } })], { ensemble }, true)]).toEqual([
      "own/m",
    ]);
  });
});

test.each([
  ["no path", "", ["/chat/completions", "/v1/chat/completions"]],
  ["a path", "/v1", ["/v1/chat/completions"]],
  [
    "a path and a query, as Azure has",
    "/openai/deployments/d?api-version=2024-10-21",
    ["/openai/deployments/d/chat/completions?api-version=2024-10-21"],
  ],
])("a base_url with %s is asked at the right address", async (_, path, asked) => {
  const server = await modelServer((request) =>
    request.path === "/chat/completions" ? { status: 404, body: {} } : completion(said(4)),
  );
  const settings = { ...judgeDefaults, ...named("house", { baseUrl: `${server.url}${path}` }) };
  const { port } = resolveJudges([], settings, { env: {} });
  if (port === "off") throw new Error("off");
  const result = await judgedOnce({
    port,
    correctness: { safety_check: true },
    settings: { model: "house/m" },
  });

  expect(result.outcome).toBe("pass");
  expect(server.received.map((it) => it.path)).toEqual(asked);
  expect(server.received[0]?.headers).not.toHaveProperty("authorization");
});

test("a key can be sent as api-key", async () => {
  const server = await modelServer(() => completion(said(4)));
  const settings = {
    ...judgeDefaults,
    ...named("house", { baseUrl: server.url, keyEnv: "K", auth: "api-key" }),
  };
  const { port } = resolveJudges([], settings, { env: { K: "secret" } });
  if (port === "off") throw new Error("off");
  await judgedOnce({ port, correctness: { safety_check: true }, settings: { model: "house/m" } });
  expect(server.received[0]?.headers).toMatchObject({ "api-key": "secret" });
});

test("opening judges loads the templates and reports files that are damaged", async () => {
  const settings = { ...judgeDefaults, rubrics: ["/nowhere/rubrics"], audits: "/nowhere/audit.json" };
  const opened = await openJudges({ settings, models: [], sampleEnsemble: 0.2, surroundings: { env: {} } });
  expect(opened.judges !== "off" && opened.judges.rubrics.has("polite_refusal@1")).toBe(true);
  expect(opened.judges !== "off" && opened.judges.sampleEnsemble).toBe(0.2);
  expect(opened.warnings()).toHaveLength(2);
  await opened.close();
});
