import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test("every command has help with an example", async () => {
  for (const command of ["serve", "test", "inspect", "validate", "schema"]) {
    const { code, stdout } = await runCli(command, "--help");

    expect(code).toBe(0);
    expect(stdout).toMatch(/Example:\n {2}tracejury /);
  }
});

test("inspect prints one object a run, in the contract's order of keys", async () => {
  const { code, stdout } = await cli`inspect test/fixtures/runs/rag-install.langgraph.jsonl --format json`;
  const [line, ...rest] = stdout.trim().split("\n");
  const run = JSON.parse(line ?? "");

  expect(code).toBe(0);
  expect(rest).toEqual([]);
  expect(Object.keys(run).slice(0, 9).join(" ")).toBe(
    "trace_id run_id root_span_id service agent final_agent conversation_id query answer",
  );
  expect(run).toMatchObject({
    agent: "rag-agent",
    query: "How do I install AgentCI?",
    status: "ok",
    llm_calls: 2,
    input_tokens: 610,
    output_tokens: 58,
    cached_tokens: 128,
    complete: true,
    close_reason: "eof",
    tools: [{ name: "retriever_tool", executed: true, error: null }],
  });
});

test.each([
  ["explain", "inspect DUMP --explain"],
  ["lint", "validate FILE"],
])("%s is no command: %s does it", async (name, meant) => {
  const { code, stderr } = await runCli(name);
  expect(code).toBe(2);
  expect(stderr).toContain(`did you mean tracejury ${meant}?`);
});

test("inspect says when there is nothing to see", async () => {
  expect(await runCli("inspect", "test/fixtures/specs")).toMatchObject({ code: 2, stdout: "" });
});

test("validate: 0 for the example specs, 1 for an invalid file with its place, 2 for one that cannot be read", async () => {
  expect(
    (await runCli("validate", "specs/rag-agent.yaml", "specs/dev-agent.yaml", "specs/support-router.yaml"))
      .code,
  ).toBe(0);
  const invalid = await runCli("validate", "test/fixtures/specs/typo.yaml");
  expect(invalid.code).toBe(1);
  expect(invalid.stdout).toMatch(/typo\.yaml:6:7/);
  expect(invalid.stdout).toMatch(/max_tool_calls/);
  expect((await runCli("validate", "no-such-file.yaml")).code).toBe(2);
});

test.each(["calibrate", "coverage", "strength", "judge-audit"])(
  "%s asks for a spec if the configuration names none",
  async (command) => {
    const { code, stdout, stderr } = await runCli(command, "test/fixtures/runs", "--set", "specs=[]");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("no spec is given\n  fix: name one, as in --spec");
  },
);

test("without --spec the configuration's specs are used", async () => {
  const words = ["coverage", "test/fixtures/runs", "--format", "json"];
  const configured = await runCli(...words, "--set", "specs=[specs/rag-agent.yaml]");
  expect(configured).toEqual(await runCli(...words, "--spec", "specs/rag-agent.yaml"));
  expect(configured.code).toBe(0);
});

test.each(["spec", "config", "verdict"])("schema %s prints a JSON Schema", async (which) => {
  const { code, stdout } = await runCli("schema", which);

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty("$schema");
});

test("serve that cannot listen leaves no data folder behind", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = temporaryFolder();
  const { port } = server.address() as AddressInfo;
  try {
    const settings = [`data_dir=${join(folder, "data")}`, `admin=127.0.0.1:${port}`, "receive.http=off"];
    const words = [...settings, "receive.grpc=127.0.0.1:0"].flatMap((one) => ["--set", one]);
    const { code, stderr } = await runCli("serve", "--no-config", ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(String(port))]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    server.close();
  }
});
