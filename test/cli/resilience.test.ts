import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { answerOf, ScriptedResponder, serverOf } from "../model-server/scripted.ts";
import type { Responder } from "../../src/model-server/server/responder.ts";
import { startModelServer } from "../../src/model-server/server/model-server.ts";
import { bundledAgent } from "../support/bundled-agent.ts";
import { argv, runCliWith, type Ran } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const env = { PATH: process.env["PATH"] };

/** Files of an agent, and the options that run it with the answers of its recording. */
function agentOf(name: string, script: string) {
  const [spec, dump] = [join(folder, `${name}.yaml`), join(folder, `${name}.jsonl`)];
  const exec = `'${process.execPath}' '${script}' {query}`;
  const common = argv`--exec ${exec} --spec ${spec} --models replay:${dump}
    --set data_dir=${join(folder, "data")}`;
  return { name, script, spec, dump, common };
}

/** An agent on an SDK, and one without, which starts in a third of the time. */
const [orders, shop] = [
  agentOf("orders", await bundledAgent("orders")),
  agentOf("shop", "test/fixtures/agents/looping.mjs"),
];

interface Row {
  readonly fault: string | null;
  readonly outcome: string | null;
  readonly model_calls: number;
  readonly why: string;
}

/** The agents' runs with a model, which the tests play back. */
beforeAll(async () => {
  for (const agent of [orders, shop]) await recordRun(agent);
});

async function recordRun({ name, script, spec, dump }: ReturnType<typeof agentOf>): Promise<void> {
  writeFileSync(
    spec,
    `version: 1\nagent: ${name}\nqueries:\n  - query: "Where is order 7?"\n    correctness: { expected_in_answer: ["Monday"] }\n    path: { expected_tools: [find_order] }\n`,
  );
  const call = { id: null, name: "find_order", arguments: { id: 7 } };
  const responder = new ScriptedResponder([
    answerOf({ calls: [call] }),
    answerOf({ text: "It was shipped on Monday." }),
  ]);
  const model = await startModelServer({ responder });
  const recorded = await runCliWith(
    { env: { ...env, OPENAI_BASE_URL: `${model.baseUrl()}/v1`, OPENAI_API_KEY: "any" } },
    ...`record --out ${dump} -- ${process.execPath} ${script}`.split(" "),
    "Where is order 7?",
  );
  await model.close(0);
  if (recorded.code !== 0) throw new Error(recorded.stderr);
}

const careful: NodeJS.ProcessEnv = { ...env, ORDERS_CARE: "1", AGENT_ATTEMPTS: "4" };

async function tried(
  { common }: ReturnType<typeof agentOf>,
  agentEnv: NodeJS.ProcessEnv,
  ...more: readonly string[]
): Promise<Ran> {
  return runCliWith({ env: agentEnv }, "resilience", ...common, ...more);
}

const faultsOf = (...kinds: readonly string[]) => kinds.flatMap((fault) => ["--fault", fault]);

/** The outcome by kind of fault. */
function outcomesOf({ stdout, stderr }: Ran): Record<string, string | null> {
  if (stdout === "") throw new Error(stderr);
  const { rows } = JSON.parse(stdout) as { rows: Row[] };
  return Object.fromEntries(
    rows.map(({ fault, outcome, why }) => [
      (fault ?? "none").replace(/@.*/, ""),
      outcome === "undecided" ? `undecided: ${why}` : outcome,
    ]),
  );
}

describe("resilience tells an agent that tries again from one that does not", () => {
  test("an agent with retries", async () => {
    const faults = faultsOf("rate-limit", "bad-json", "same-tool-again", "context-length");
    const ran = await tried(orders, careful, "--format", "json", ...faults);

    expect(outcomesOf(ran)).toEqual({
      none: null,
      "rate-limit": "recovered",
      "bad-json": "recovered",
      "same-tool-again": "failed",
      "context-length": "crashed",
    });
    expect(ran.code).toBe(0);
  });

  test("an agent without", async () => {
    const faults = faultsOf("rate-limit", "empty", "same-tool-again");
    const ran = await tried(shop, env, "--format", "json", "--expect", "recovered", ...faults);

    expect(outcomesOf(ran)).toEqual({
      none: null,
      "rate-limit": "crashed",
      empty: "failed",
      "same-tool-again": "looped",
    });
    expect(ran.code).toBe(1);
  });

  test("a table, and what the command line cannot mean", async () => {
    const ran = await tried(shop, careful, "--fault", "server-error");
    const unknown = await tried(shop, careful, "--fault", "flood");

    expect(ran.stdout).toMatch(
      /fault +outcome +model calls +cost +time\n +none +pass +2 .*\n +server-error@2 +recovered +3 /,
    );
    expect(ran.stdout).toMatch(/1 recovered\n$/);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain("--fault flood: unknown kind of fault");
  });
});

const recover = ["rate-limit", "same-tool-again"];
const cases: readonly (readonly [
  name: string,
  place: "query" | "root",
  block: object,
  flags: string,
  code: number,
  faults: readonly string[],
])[] = [
  ["not met", "query", { expect: "recovered", faults: recover }, "", 1, recover],
  ["for the whole spec", "root", { faults: ["length"] }, "", 1, ["length"]],
  ["other faults named", "query", { faults: recover }, "--fault rate-limit", 0, ["rate-limit"]],
  ["expected by the flag", "root", {}, "--fault length --expect degraded", 1, ["length"]],
];

test.each(cases)("a spec's resilience is a gate: %s", async (name, place, block, flags, code, faults) => {
  const resilience = Object.keys(block).length === 0 ? {} : { resilience: block };
  const file = join(folder, `${name.replaceAll(" ", "-")}.yaml`);
  const query = { query: "Where is order 7?", correctness: { expected_in_answer: ["Monday"] } };
  const inQuery = place === "query" ? resilience : {};
  const whole = { version: 1, agent: "shop", ...(place === "root" ? resilience : {}) };
  writeFileSync(file, JSON.stringify({ ...whole, queries: [{ ...query, ...inQuery }] }));
  const others = shop.common.map((one) => (one === shop.spec ? file : one));

  const ran = await runCliWith(
    { env: careful },
    ...argv`resilience ${others} --format json ${flags.split(" ").filter(Boolean)}`,
  );

  expect([ran.code, Object.keys(outcomesOf(ran))]).toEqual([code, ["none", ...faults]]);
});

test("--fault of test judges a run with one fault", async () => {
  const ran = ({ common }: ReturnType<typeof agentOf>, fault: string): Promise<Ran> =>
    runCliWith({ env }, "test", ...common, ...`--fault ${fault} --on-divergence nearest`.split(" "));

  expect((await ran(orders, "server-error@2")).stdout).toContain("InternalServerError: 500");
  expect((await ran(shop, "server-error@9")).code).toBe(0);
  expect(await ran(shop, "server-error@0")).toMatchObject({ code: 2 });
});

describe("a gate on resilience passes only where each of its queries was tried and decided", () => {
  const asked = 'query: "Where is order 7?", correctness: { expected_in_answer: [Monday] }';
  const gate = "resilience: { faults: [empty] }";
  const warns = "path: { max_tool_calls: 0 }";

  async function withSpecs(queries: readonly string[], ...more: readonly string[]): Promise<Ran> {
    const specs = queries.map((text, at) => {
      const file = join(folder, `gate-${at}.yaml`);
      writeFileSync(file, `version: 1\nagent: shop\nqueries: ${text}\n`);
      return file;
    });
    const others = shop.common.filter((one) => one !== "--spec" && one !== shop.spec);
    const named = specs.flatMap((file) => ["--spec", file]);
    return runCliWith({ env: careful }, "resilience", ...others, ...named, "--format", "json", ...more);
  }

  test.each<[string, string, readonly string[], number, string]>([
    ["without a recording", `[{ ${asked}, ${gate} }, { query: Other?, ${gate} }]`, [], 2, "recovered"],
    ["expected by the flag", `[{ ${asked} }, { query: Other? }]`, ["--expect", "recovered"], 2, "recovered"],
    ["without one or a gate", `[{ ${asked}, ${gate} }, { query: Other? }]`, [], 0, "recovered"],
    // An empty answer makes the agent ask once more.
    ["a new warning", `[{ ${asked}, ${gate}, ${warns}, cost: { max_llm_calls: 2 } }]`, [], 1, "degraded"],
    ["the same warning", `[{ ${asked}, ${gate}, ${warns} }]`, [], 0, "recovered"],
  ])("%s", async (_, queries, more, code, outcome) => {
    const ran = await withSpecs([queries], "--fault", "empty", ...more);

    const { rows } = JSON.parse(ran.stdout) as { rows: Row[] };
    expect([ran.code, rows.find(({ fault }) => fault !== null)?.outcome]).toEqual([code, outcome]);
  });

  test("of two specs that ask the same, both gates count", async () => {
    const two = ["", ", resilience: { faults: [length] }"].map((more) => `[{ id: order, ${asked}${more} }]`);

    expect((await withSpecs(two)).code).toBe(1);
  });
});

test("with the real provider each fault meets the agent, and all other answers are the provider's", async () => {
  /** Asks for the tool until its result is there. */
  const provider: Responder = {
    respond: ({ request }) => {
      const isAnswered = (request.messages ?? []).some(({ results }) => results.length > 0);
      const call = { id: null, name: "find_order", arguments: { id: 7 } };
      return Promise.resolve({
        answer: isAnswered ? answerOf({ text: "It was shipped on Monday." }) : answerOf({ calls: [call] }),
      });
    },
  };
  const model = await serverOf(provider);
  const base = { OPENAI_BASE_URL: `${model.baseUrl()}/v1`, OPENAI_API_KEY: "any" };
  const words = orders.common.map((word) => (word.startsWith("replay:") ? "live" : word));
  const faults = faultsOf("stream-cut", "reset", "unknown-tool");
  const asked = { env: { ...careful, ...base } };
  const ran = await runCliWith(asked, "resilience", ...words, "--format", "json", ...faults);

  expect(outcomesOf(ran)).toEqual({
    none: null,
    // The SDK does not ask again for the rest of a body.
    "stream-cut": "crashed",
    reset: "recovered",
    "unknown-tool": "degraded",
  });
});
