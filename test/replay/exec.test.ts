import { createServer } from "node:http";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { bundledAgent } from "../support/bundled-agent.ts";
import { outputMessages, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { argv, runCli, runCliWith } from "../support/run-cli.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testAgent } from "./test-agent.ts";

const agent = `node '${await bundledAgent("agent")}' {query}`;
const spec = "test/fixtures/specs/shop.yaml";
const dir = temporaryFolder();

const tested = (command: string, specFile: string, env: NodeJS.ProcessEnv, ...more: string[]) =>
  testAgent({ ...process.env, ...env }, "--exec", command, "--spec", specFile, ...more);

function specWith(...queries: string[]): string {
  const file = join(dir, `${queries.join("-")}.yaml`);
  const lines = queries.map(
    (name) => `  - { id: ${name}, query: "${name} please", correctness: { expected_in_answer: [way] } }`,
  );
  writeFileSync(file, `agent: shop\nqueries:\n${lines.join("\n")}\n`);
  return file;
}

describe("test --exec", () => {
  test("puts each query to the agent as often as asked, several at a time, and judges what it sends", async () => {
    const llm = createServer((_, response) => response.end("Parcel 7 is on its way.")).listen(0);
    const address = `http://127.0.0.1:${(llm.address() as AddressInfo).port}`;
    try {
      const words = argv`--query order --runs 5 --workers 4`;
      const { code, result, keep } = await tested(agent, spec, { AGENT_LLM: address }, ...words);
      expect(code).toBe(0);
      expect(result.summary).toMatchObject({ total: 5, passed: 5, runs: 5, missing: 0 });
      expect(result.verdicts.every(({ match }) => match.how === "id")).toBe(true);
      expect(result.agent_calls?.map(({ outcome }) => outcome)).toEqual(Array(5).fill("ok"));

      const replayed = await runCli("test", keep, "--spec", spec, "--format", "json");
      // A dump's run is on a line of a file; that of a call is in its folder.
      const withoutPlace = ({ verdicts }: typeof result) =>
        verdicts.map((verdict) => ({ ...verdict, source: undefined, sources: undefined }));
      expect(withoutPlace(resultSchema.parse(JSON.parse(replayed.stdout)))).toEqual(withoutPlace(result));
    } finally {
      llm.close();
    }
  });

  test("tells a crash and silence apart; none is a pass", async () => {
    const words = argv`--workers 3 --timeout 600`;
    const { code, result, stderr } = await tested(agent, specWith("crash", "silent", "order"), {}, ...words);
    expect(code).toBe(2);
    const calls = Object.fromEntries((result.agent_calls ?? []).map((call) => [call.query_id, call]));
    expect(calls["crash"]).toMatchObject({
      outcome: "failed",
      exit_code: 3,
      reason: expect.stringMatching(/the tool broke/),
    });
    expect(calls["silent"]).toMatchObject({
      outcome: "silent",
      hint: expect.stringMatching(/OTEL_EXPORTER_OTLP_ENDPOINT/),
    });
    expect(calls["order"]).toMatchObject({ outcome: "ok" });
    expect(result.missing).toMatchObject([{ query_id: "silent" }]);
    expect(
      result.verdicts.filter(({ outcome }) => outcome === "pass").map(({ query_id }) => query_id),
    ).toEqual(["order"]);
    expect(stderr).toMatch(/the agent sent nothing/);
    expect(stderr).toMatch("the received telemetry and each call's output.log: ");
  });

  test("ends an agent that hangs, with all it has started", async () => {
    const { code, result } = await tested(agent, specWith("hang"), {}, "--timeout", "2");
    expect(code).toBe(2);
    expect(result.agent_calls).toMatchObject([
      { outcome: "timed_out", reason: expect.stringMatching(/after 2 s/) },
    ]);
    const left = spawnSync("ps", ["-A", "-o", "args="], { encoding: "utf8" }).stdout.split("\n");
    expect(left.filter((line) => line.includes("agent.mjs hang"))).toEqual([]);
  });

  test("waits for what goes on after the command has ended", async () => {
    const { code, result } = await tested(`(${agent} &)`, specWith("linger"), {}, "--timeout", "600");
    expect(code).toBe(0);
    expect(result.summary).toMatchObject({ passed: 1 });
  });

  test("knows the query of an agent that says neither id nor text", async () => {
    const env = { AGENT_WITHOUT_RESOURCE: "1", AGENT_WITHOUT_TEXT: "1" };
    const { result, keep } = await tested(agent, specWith("order"), env);
    expect(result.verdicts).toMatchObject([{ query_id: "order", match: { how: "id" }, outcome: "pass" }]);
    expect(readdirSync(join(keep, "order-1"))).toEqual(["0001-traces.pb", "output.log"]);
  });

  test("quotes the exporter of an agent that sends to an address of its own", async () => {
    const refused = "connect ECONNREFUSED 127.0.0.1:4399";
    const { result } = await tested(`echo '${refused}'; exit 1`, specWith("order"), {});
    const reason = `the agent ended with exit code 1 before its telemetry contained a run: ${refused}`;
    const hint = expect.stringMatching(/if the agent's code sets an endpoint, it overrides/);
    expect(result.agent_calls).toMatchObject([{ outcome: "failed", reason, hint }]);
  });

  test("says what in the environment keeps the agent silent, and when a command does not exist", async () => {
    const muted = await tested("true", specWith("order"), { OTEL_SDK_DISABLED: "true" });
    expect(muted.result.agent_calls).toMatchObject([
      { outcome: "silent", reason: expect.stringMatching(/OTEL_SDK_DISABLED/) },
    ]);
    const absent = await tested("no-such-command-here", specWith("order"), {}, "--runs", "1");
    expect(absent.result.agent_calls).toMatchObject([{ outcome: "failed", exit_code: 127 }]);
    const thrown = "throw Object.assign(new RangeError('429 too many'), { status: 429, headers: {} })";
    const uncaught = await tested(`node -e "${thrown}"`, specWith("order"), {});
    expect(uncaught.result.agent_calls).toMatchObject([
      {
        reason:
          "the agent ended with exit code 1 before its telemetry contained a run: RangeError: 429 too many",
      },
    ]);
    const killed = await tested("echo '  line 7' && echo '    ^^^^' && exit 137", specWith("order"), {});
    expect(killed.result.agent_calls).toMatchObject([
      { reason: "the agent ended with exit code 137 (SIGKILL) before its telemetry contained a run: line 7" },
    ]);
  });
});

test("an error of several calls is printed once in the progress and once in the report", async () => {
  const folder = mkdtempSync(join(dir, "kept-"));
  const command = "echo 'Error: no key' >&2; exit 3";
  const { stdout, stderr } = await runCli(
    ...argv`test --exec ${command} --spec ${specWith("order", "price")} --workers 1 --keep ${folder}`,
  );
  expect(stderr.match(/Error: no key/g)).toHaveLength(1);
  expect(stderr).toMatch("✗ price (run 1)");
  expect(stderr).toMatch("    the same as order (run 1)\n");
  expect(stderr).toMatch(new RegExp(`^each call's output.log: ${folder}$`, "m"));
  expect(stdout).toMatch(
    "   order, run 1; price, run 1: the agent ended with exit code 3 before its telemetry contained a run: Error: no key\n",
  );
  expect(stdout.match(/Error: no key/g)).toHaveLength(1);
});

test("with --url a running agent is asked, and its runs are known by the trace", async () => {
  const port = await freePort();
  const served = createServer((request, response) => {
    request.resume();
    const [, trace = "", parent = ""] = String(request.headers["traceparent"]).split("-");
    const child = spawn("node", ["-e", exportRun(trace, parent, port)], { stdio: "ignore" });
    child.once("exit", () => response.end("done"));
  }).listen(0);
  const url = `http://127.0.0.1:${(served.address() as AddressInfo).port}/ask`;
  try {
    const { stdout, code } = await runCliWith(
      { env: process.env },
      ...argv`test --url ${url} --spec ${specWith("order", "price")} --keep ${join(dir, "url")} --format
        json --set receive.http=127.0.0.1:${String(port)} --timeout 600 --workers 2`,
    );
    const result = resultSchema.parse(JSON.parse(stdout));
    expect(result.verdicts.map(({ query_id }) => query_id).sort()).toEqual(["order", "price"]);
    expect({ code, passed: result.summary.passed }).toEqual({ code: 0, passed: 2 });
    // The agent's root hangs below the span that it was asked in, which is among what is kept and no part of the run.
    const replayed = await runCli("inspect", join(dir, "url"), "--format", "json");
    const runs = replayed.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    const whole = { complete: true, service: "shop-service", duration_ms: 1000 };
    expect(runs).toMatchObject([whole, whole]);
  } finally {
    served.close();
  }
});

/** A program that sends one run without the question's text, in the given trace, below the given span. */
function exportRun(traceId: string, parentSpanId: string, port: number): string {
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "shop",
    ...outputMessages(words("assistant", "on its way")),
  };
  const run = span("a", undefined, "invoke_agent shop", 0, 1000, attributes, { traceId, parentSpanId });
  const body = JSON.stringify(document([run], { resource: { "service.name": "shop-service" } }));
  return `fetch("http://127.0.0.1:${port}/v1/traces", { method: "POST", headers: { "content-type": "application/json" }, body: ${JSON.stringify(body)} })`;
}

test.each([
  [[], /nothing to test/],
  [["test/fixtures/runs", "--exec", "true"], /exclude each other/],
  [["--exec", "true", "--runs", "0"], /whole number from 1/],
  [["--url", "localhost:8080/ask"], /not an HTTP address/],
])("%j is refused", async (words, said) => {
  const { code, stderr } = await runCli("test", ...words, "--spec", spec);
  expect(code).toBe(2);
  expect(stderr).toMatch(said);
});
