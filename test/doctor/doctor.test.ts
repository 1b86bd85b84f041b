import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needsByKey } from "../../src/authoring/doctor/needs.ts";
import { adapters } from "../../adapters/index.ts";
import { producerOf } from "../../src/runs/facts/producers.ts";
import { checkOf } from "../../src/evaluate/checks/registry.ts";
import { document, logDocument, span } from "../support/otlp.ts";
import { argv, runCli, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const weather = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const cancel = "test/fixtures/runs/support-cancel.agents-sdk.jsonl";

interface Report {
  readonly runs: number;
  readonly complete_runs: number;
  readonly dialects: readonly string[];
  readonly producers: readonly Record<string, unknown>[];
  readonly evidence: Readonly<Record<string, { state: string; have: number; of: number }>>;
  readonly advice: readonly { evidence: readonly string[]; set: string; page: string }[];
  readonly instrumentations: readonly {
    service: string;
    runs: number;
    producers: readonly { version: string }[];
    advice: readonly { evidence: readonly string[]; set: string }[];
    other_versions: readonly object[];
  }[];
  readonly specs: readonly {
    checks: readonly {
      check: string;
      support: string;
      missing: readonly string[];
      judge: boolean;
      advice: readonly { set: string }[];
    }[];
  }[];
}

const folder = temporaryFolder();

const spanIdsOf = (dump: string): readonly string[] =>
  [...readFileSync(dump, "utf8").matchAll(/"spanId":"(\w+)"/g)].flatMap(([, id]) => id ?? []);

interface Resource {
  readonly scopeSpans: { spans: { readonly spanId: string }[] }[];
}

/** The dump under other trace ids, without these spans. */
function cutDump(dump: string, missing: ReadonlySet<string>): string {
  const lines = readFileSync(dump, "utf8").trimEnd().split("\n");
  return lines
    .map((line) => {
      const body = JSON.parse(line) as { readonly resourceSpans: Resource[] };
      for (const { scopeSpans } of body.resourceSpans)
        for (const scope of scopeSpans)
          scope.spans = scope.spans.filter(({ spanId }) => !missing.has(spanId));
      return JSON.stringify(body).replaceAll(/"traceId":"../g, '"traceId":"fe');
    })
    .join("\n");
}

async function report(...words: readonly string[]): Promise<Report & { code: number }> {
  const { code, stdout } = await runCli("doctor", ...words, "--format", "json");
  return { ...JSON.parse(stdout), code };
}

/** A run of one call as a client's instrumentation shows it, with or without what was said, and with a tool that keeps its data. */
function clientRun(content: boolean, tool = false): string {
  const said = (key: string, role: string, words: string) =>
    content ? { [key]: JSON.stringify([{ role, parts: [{ type: "text", content: words }] }]) } : {};
  const call = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.usage.input_tokens": 12,
    "gen_ai.usage.output_tokens": 3,
    ...said("gen_ai.input.messages", "user", "Where is my order?"),
    ...said("gen_ai.output.messages", "assistant", "On its way."),
  };
  const lookup = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "lookup" };
  const more = { traceId: "0af7651916cd43dd8448eb211c80319c", kind: 3 };
  const spans = [
    span("a", undefined, "chat gpt-4o-mini", 0, 1_000, call, more),
    ...(tool ? [span("b", "a", "execute_tool lookup", 0, 1_000, lookup, more)] : []),
  ];
  const sdk = { "telemetry.sdk.language": "python", "telemetry.sdk.version": "1.45.2" };
  const scope = "opentelemetry.instrumentation.genai.openai";
  return JSON.stringify(
    document(spans, { scope, version: "1.2b0", resource: { "service.name": "shop", ...sdk } }),
  );
}

async function reportOf(stdin: string, ...words: readonly string[]): Promise<Report & { code: number }> {
  const { code, stdout } = await runCliWith({ stdin }, "doctor", "-", ...words, "--format", "json");
  return { ...JSON.parse(stdout), code };
}

describe("what a dump holds", () => {
  test("names the instrumentation with its version and dialect, and counts the evidence", async () => {
    const found = await report(weather);

    expect(found).toMatchObject({ code: 0, runs: 1, dialects: ["openinference"] });
    expect(found.producers).toMatchObject([
      {
        scope: "@arizeai/openinference-instrumentation-langchain",
        version: "4.1.1",
        name: "OpenInference for LangChain (JavaScript)",
        page: "docs/agents/langgraph-javascript.md",
      },
    ]);
    expect(found.evidence["tool_arguments"]).toMatchObject({ state: "present", have: 11, of: 11 });
    expect(found.evidence["usage"]).toMatchObject({ state: "present", have: 11, of: 11 });
    expect(found.evidence["session_ids"]).toMatchObject({ state: "absent" });
  });

  test("tells agents that name themselves from services that stand in", async () => {
    expect((await report(cancel)).evidence["agent_names"]?.state).toBe("present");
    expect((await report(weather)).evidence["agent_names"]?.state).toBe("absent");
  });

  test("says which setting of this instrumentation brings what is missing, and nothing about what is there", async () => {
    const hidden = await reportOf(clientRun(false));
    const shown = await reportOf(clientRun(true));
    const capture = /^OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=/;

    expect(hidden.evidence["answer"]?.state).toBe("absent");
    expect(hidden.advice.find(({ set }) => capture.test(set))).toMatchObject({
      evidence: expect.arrayContaining(["query", "answer"]),
      page: "docs/agents/opentelemetry-genai.md",
    });
    expect(shown.evidence["answer"]?.state).toBe("present");
    expect(shown.advice.filter(({ evidence }) => evidence.includes("answer"))).toEqual([]);
  });

  test("content capture is not to be switched on where every run has its query and its answer", async () => {
    const { evidence, advice } = await reportOf(clientRun(true, true));

    expect(evidence["tool_results"]?.state).toBe("absent");
    expect(advice.filter(({ set }) => set.includes("CAPTURE_MESSAGE_CONTENT"))).toEqual([]);
  });

  test("what nothing could have shown is not called missing", async () => {
    const { evidence, advice } = await reportOf(clientRun(true));

    expect(evidence["tool_arguments"]).toMatchObject({ state: "not_seen", of: 0 });
    expect(advice.flatMap((one) => one.evidence)).not.toContain("tool_arguments");
  });

  test.each([weather, cancel])(
    "runs that were cut off say nothing about what is recorded: %s",
    async (dump) => {
      const whole = await report(dump);
      const spans = spanIdsOf(dump);
      const halves = [spans.slice(0, spans.length / 2), spans.slice(spans.length / 2), spans.slice(0, 1)];
      let cut = 0;
      for (const [at, missing] of halves.entries()) {
        const file = join(folder, `cut-${at}.jsonl`);
        writeFileSync(file, cutDump(dump, new Set(missing)));
        const { runs, complete_runs: complete } = await report(file);
        if (runs === 0 || complete > 0) continue;
        cut++;
        const both = await report(dump, file);
        expect(both.evidence).toEqual(whole.evidence);
        expect(both.advice).toEqual(whole.advice);
        const { stdout } = await runCli("doctor", dump, file);
        expect(stdout).toMatch(
          /not complete; for a service that also has complete runs, their evidence is not counted/,
        );
        const alone = await report(file);
        expect(Object.values(alone.evidence).some(({ of }) => of > 0)).toBe(true);
      }
      expect(cut).toBeGreaterThan(0);
    },
  );

  test("services and their instrumentations apart: each has advice for what it lacks, and for nothing else", async () => {
    const { instrumentations } = await report(weather, cancel);

    expect(instrumentations.map(({ service, runs }) => ({ service, runs }))).toEqual([
      { service: "rag-agent", runs: 1 },
      { service: "support-router", runs: 1 },
    ]);
    const [lossy, whole] = instrumentations.map(({ advice }) => advice.flatMap(({ evidence }) => evidence));
    expect(lossy).toContain("agent_names");
    expect(whole).not.toContain("agent_names");

    const { stdout } = await runCli("doctor", weather, cancel);
    expect(stdout).toMatch(
      /Missing evidence by service and instrumentation.*\n {2}rag-agent · OpenInference for LangChain \(JavaScript\)\n {4}1 run · .* 4\.1\.1\n {4}missing: .*agent names in 1 of 1 run.*\n(.*\n)*? {4}→ .*createAgent\(\{ name \}\)/,
    );
    expect(stdout).not.toContain("\nSwitch on\n");
  });

  test("another version of the same instrumentation that shows what one lacks is named", async () => {
    const dump = [clientRun(false), clientRun(true).replaceAll("1.2b0", "1.3b0")].map((run, at) =>
      run.replaceAll("0af7651916cd43dd8448eb211c80319c", `0af7651916cd43dd8448eb211c80319${at}`),
    );
    const { instrumentations } = await reportOf(dump.join("\n"));

    expect(instrumentations.map(({ producers }) => producers[0]?.version)).toEqual(["1.2b0", "1.3b0"]);
    expect(instrumentations[0]?.other_versions).toContainEqual({
      evidence: "answer",
      version: "1.3b0",
      have: 1,
      of: 1,
    });
    expect(instrumentations[1]?.other_versions).toEqual([]);
  });

  test("prints the same for people", async () => {
    const { code, stdout } = await runCli("doctor", weather, "--spec", "specs/rag-agent.yaml");

    expect(code).toBe(0);
    expect(stdout).toContain("1 run in 1 trace, 83 spans; 11 tool calls");
    expect(stdout).toContain("✓ tool arguments       11 of 11 tool calls");
    expect(stdout).toContain("✓ supported  path.forbidden_tools");
  });

  test.each<[string, object, RegExp]>([
    [
      "nothing",
      { resourceSpans: [] },
      /the input has no span and no log record of an agent: export the agent's traces/,
    ],
    [
      "log records",
      logDocument([{ body: { stringValue: "hi" } }]),
      /the input has no span and no log record of an agent: export the agent's traces/,
    ],
    [
      "a server's spans",
      document([span("a", undefined, "GET", 0, 1_000, {}, { kind: 2 })], { scope: "http" }),
      /1 received span belongs to no agent \(service shop: server, scope http\): .* next: run the agent again; .* tracejury doctor - --propose-dialect/,
    ],
  ])("no run is no diagnosis: of %s it says what came, and the next step", async (_, body, said) => {
    const { code, stdout, stderr } = await runCliWith({ stdin: JSON.stringify(body) }, "doctor", "-");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^no agent run in the input\n/);
    expect(stderr).toMatch(said);
    expect(stdout).not.toContain("Evidence");
  });

  test("a model without a price is told apart from calls without tokens", async () => {
    const dump = readFileSync(weather, "utf8").replaceAll("gpt-4o-mini", "my-own-llm");
    const words = ["doctor", "-", "--spec", "specs/rag-agent.yaml", "--format", "json"] as const;
    const { stdout } = await runCliWith({ stdin: dump }, ...words);
    const { advice } = JSON.parse(stdout) as Report;
    const ofCost = advice.filter(({ evidence }) => evidence.includes("cost"));
    expect(ofCost.map(({ set }) => set)).toEqual([
      expect.stringMatching(
        /^Add the price to the configuration, .*: prices: \{ "my-own-llm.*": \{ input: …/,
      ),
    ]);
  });
});

describe("which checks of a spec the telemetry can carry", () => {
  test("all that have their evidence; comparisons need a baseline, judge checks a judge", async () => {
    const { specs } = await report(weather, "--spec", "specs/rag-agent.yaml");
    const support = new Map(specs[0]?.checks.map((check) => [check.check, check]));

    expect(support.get("forbidden_tools")?.support).toBe("supported");
    expect(support.get("max_total_tokens")?.support).toBe("supported");
    expect(support.get("max_cost_multiplier")?.support).toBe("needs_reference");
    expect(support.get("llm_judge")).toMatchObject({ support: "supported", judge: true });
  });

  test("runs that failed say nothing against the checks of the answer, and none waits for a baseline", async () => {
    const { specs } = await report(
      ...argv`test/fixtures/failed-runs/dev-llm-error.agents-sdk.jsonl --spec specs/rag-agent.yaml`,
    );
    const support = new Map(specs[0]?.checks.map((check) => [check.check, check]));

    expect(support.get("expected_in_answer")).toMatchObject({ support: "not_seen", missing: [] });
    expect(support.get("llm_judge")).toMatchObject({ support: "not_seen", missing: [] });
    expect(support.get("run_status")).toMatchObject({ support: "supported" });
  });

  test("an answer check without answers is not supported, with the setting that helps, and the exit code says so", async () => {
    const { code, specs } = await reportOf(clientRun(false), "--spec", "specs/rag-agent.yaml");
    const support = new Map(specs[0]?.checks.map((check) => [check.check, check]));

    expect(code).toBe(2);
    expect(support.get("expected_in_answer")).toMatchObject({ support: "unsupported", missing: ["answer"] });
    expect(support.get("expected_in_answer")?.advice[0]?.set).toContain("CAPTURE_MESSAGE_CONTENT");
    expect(support.get("max_total_tokens")?.support).toBe("supported");
  });
});

describe("the table of instrumentations", () => {
  test.each([
    ["opentelemetry.instrumentation.openai_agents", ["openllmetry"], "openllmetry.md"],
    ["opentelemetry.instrumentation.openai_agents", ["otel-genai"], "openai-agents-python.md"],
    ["", ["respan"], "other-platforms.md"],
    ["@opentelemetry/instrumentation-http", [], undefined],
  ])("%s with %j", (scope, dialects, page) => {
    expect(producerOf(adapters, scope, dialects)?.page).toBe(page);
  });

  test("every page it sends people to is there", () => {
    const pages = [...new Set(adapters.flatMap(({ producers = [] }) => producers.map(({ page }) => page)))];

    expect(pages.filter((page) => !existsSync(`docs/agents/${page}`))).toEqual([]);
  });

  test("every check it knows needs of exists", () => {
    expect(Object.keys(needsByKey).filter((key) => checkOf(key) === undefined)).toEqual([]);
  });
});
