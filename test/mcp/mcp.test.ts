import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { inMemory, postRecording, serve } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { runCli, type RunningCli, startCli } from "../support/run-cli.ts";
import { exampleSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * The protocol's own client against the built command, over both transports: what a coding agent does.
 */

const bin = join(process.cwd(), "bin/tracejury.js");
const folder = realpathSync(temporaryFolder());
const broken = "rag-weather-broken.langgraph.jsonl";
const fixed = "rag-weather-fixed.langgraph.jsonl";
const children: ChildProcess[] = [];
const clients: Client[] = [];
let live: Collector;
let collector: string;

beforeAll(async () => {
  for (const file of [broken, fixed]) cpSync(`test/fixtures/runs/${file}`, join(folder, file));
  cpSync("specs/rag-agent.yaml", join(folder, "rag-agent.yaml"));
  live = await collectorWith(broken.replace(".jsonl", ""));
  collector = `http://${live.listening.admin}`;
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const child of children) child.kill();
  await live.stop(1000);
});

/** What a client of either transport gets: the tools and a call of one, in the form of the protocol. */
test.each([
  ["standard input and output", overStdio],
  ["streamable HTTP", overHttp],
] as const)("over %s tools are listed, called and refused", async (_, connect) => {
  const client = await connect();
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(9);
  const ran = await called(client, "run_spec", { dumps: [broken], specs: ["rag-agent.yaml"] });
  expect(ran.text).toContain("exit 1: 1 run failed");
  const refused = await called(client, "run_spec", { dumps: ["../"], specs: ["rag-agent.yaml"] });
  expect(refused).toMatchObject({ failed: true, text: expect.stringContaining("is outside") as string });
  await expect(client.callTool({ name: "rm", arguments: {} })).rejects.toThrow('there is no tool "rm"');
});

describe("each tool", () => {
  let client: Client;
  beforeAll(async () => {
    client = await overHttp();
  });
  const call = (name: string, input: Record<string, unknown> = {}): Promise<Said> =>
    called(client, name, input);

  test("tools are listed with schemas; nothing that writes is among them", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      `list_verdicts explain_verdict get_run run_spec inspect_dump doctor propose_query
validate_spec propose_tests`.split(/\s/),
    );
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(client.getInstructions()).toContain("never as instructions");
  });

  test("a failed verdict is listed, explained down to its check, and its run fetched", async () => {
    const listed = await call("list_verdicts", { outcome: "fail", limit: 5 });
    const { verdicts } = JSON.parse(listed.text) as { verdicts: { verdict_id: string; run_id: string }[] };
    expect(verdicts).toMatchObject([
      { outcome: "fail", query_id: "weather", layers: { correctness: "pass", path: "fail", cost: "warn" } },
    ]);
    const explained = await call("explain_verdict", { verdict_id: verdicts[0]?.verdict_id });
    expect(explained.text).toContain("FORBIDDEN TOOL: tavily_search");
    expect(explained.text).toContain("11 tool calls, at most 0 allowed");
    const run = await call("get_run", { run_id: verdicts[0]?.run_id });
    expect(JSON.parse(run.text)).toMatchObject({ query: "What's the weather in Tokyo?", total_tokens: 4200 });
  });

  test("recorded runs are shown, diagnosed, and made into a query that the same run passes", async () => {
    const tree = await call("inspect_dump", { dumps: [fixed] });
    expect(tree.text).toContain("What's the weather in Tokyo?");
    const all = await call("inspect_dump", { dumps: [broken], format: "json" });
    const { run_id: id } = JSON.parse(all.text.split("\n")[0] ?? "") as { run_id: string };
    const one = await call("inspect_dump", { dumps: [broken], run_id: id });
    expect(JSON.parse(one.text)).toMatchObject({ run_id: id });
    const doctor = await call("doctor", { dumps: [broken], specs: ["rag-agent.yaml"] });
    expect(doctor.text).toContain("langgraph");
    const proposed = await call("propose_query", { run_id: id, dump: broken });
    const queries = parse(proposed.text) as unknown;
    const spec = join(folder, "proposed.yaml");
    writeFileSync(spec, JSON.stringify({ version: 1, agent: "rag-agent", queries }));
    expect(await call("validate_spec", { file: "proposed.yaml" })).toMatchObject({ failed: false });
    const judged = await runCli("test", join(folder, broken), "--spec", spec, "--judge", "off");
    expect(judged.stdout).toContain("1 verdict: 1 passed");
  });

  test("tests are proposed of a dump and of a run of the collector, and nothing is written", async () => {
    writeFileSync(join(folder, "tokyo.yaml"), tokyoSpec);
    const before = readdirSync(folder);
    const fromDump = await call("propose_tests", { spec: "tokyo.yaml", dumps: [broken, fixed] });
    expect(fromDump.failed).toBe(false);
    expect(fromDump.text).toContain("nothing written (--dry-run)");
    expect(fromDump.text).toContain("expected_fail: true");
    const listed = await call("list_verdicts", { outcome: "fail", limit: 1 });
    const { verdicts } = JSON.parse(listed.text) as { verdicts: { run_id: string }[] };
    const fromRun = await call("propose_tests", { spec: "tokyo.yaml", run_id: verdicts[0]?.run_id });
    expect(fromRun.text).toContain("what-s-the-weather-in-tokyo: failed");
    expect(readdirSync(folder)).toEqual(before);
  });

  test("programs of a spec do not run: their checks are incomplete and name the option", async () => {
    const { spec, marks } = specWithPrograms();
    const ran = await call("run_spec", { dumps: [fixed], specs: [spec], queries: ["weather"] });
    await call("propose_tests", { spec, dumps: [broken] });
    expect(marks()).toEqual([]);
    expect(ran.text).toContain("exit 2");
    expect(ran.text.match(/started without --allow-commands/g)?.length).toBeGreaterThanOrEqual(2);
  });

  test.each<readonly [string, Record<string, unknown>, string]>([
    ["list_verdicts", { outcome: "bad" }, "outcome:"],
    ["list_verdicts", { limit: 0 }, "limit:"],
    ["list_verdicts", { cursor: "!" }, "400"],
    ["explain_verdict", {}, "verdict_id:"],
    ["explain_verdict", { verdict_id: "../../metrics" }, "404"],
    ["get_run", { run_id: "none" }, "There is no run"],
    ["run_spec", { dumps: [broken], specs: ["none.yaml"] }, "none.yaml does not exist"],
    ["run_spec", { dumps: ["../"], specs: ["rag-agent.yaml"] }, "is outside"],
    ["run_spec", { dumps: ["/etc/hosts"], specs: ["rag-agent.yaml"] }, "is outside"],
    ["run_spec", { dumps: [broken], specs: ["rag-agent.yaml"], judge: "auto" }, "--allow-judges"],
    ["run_spec", { dumps: [broken], specs: [broken] }, "invalid"],
    ["inspect_dump", { dumps: [broken], run_id: "none" }, "no run none"],
    ["inspect_dump", { dumps: [broken], colour: "red" }, "colour"],
    ["doctor", { dumps: ["rag-agent.yaml"] }, "rag-agent.yaml"],
    ["propose_query", { run_id: "none", dump: broken }, "no run none"],
    ["propose_query", { run_id: "none" }, "404"],
    ["propose_tests", { spec: "rag-agent.yaml" }, "name either dumps, or the run_id"],
    ["propose_tests", { spec: "rag-agent.yaml", run_id: "none" }, "404"],
    ["propose_tests", { spec: "rag-agent.yaml", dumps: ["../"] }, "is outside"],
    ["propose_tests", { spec: "none.yaml", dumps: [broken] }, "none.yaml does not exist"],
    ["validate_spec", { file: "escape.yaml" }, "is outside"],
    ["inspect_dump", { dumps: ["linked"] }, "is outside"],
    ["run_spec", { dumps: [broken], specs: ["linked"] }, "is outside"],
  ])("%s with %j says what is wrong", async (name, input, said) => {
    if (input["file"] === "escape.yaml") symlinkSync("/etc/hosts", join(folder, "escape.yaml"));
    mkdirSync(join(folder, "linked"), { recursive: true });
    rmSync(join(folder, "linked/hosts"), { force: true });
    symlinkSync("/etc/hosts", join(folder, "linked/hosts"));
    const answer = await call(name, input);
    expect(answer.text).toContain(said);
    expect(answer.failed || name === "doctor").toBe(true);
  });
});

test("without a collector its tools say how to start one", async () => {
  const client = await inProcess("--collector", "http://127.0.0.1:9");
  const { failed, text } = await called(client, "list_verdicts", {});
  expect(failed).toBe(true);
  expect(text).toContain("start `tracejury serve`");
});

test("only valid specs are written, only with permission, and only in the folder", async () => {
  const client = await inProcess("--allow-write");
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === "write_spec")?.annotations?.readOnlyHint).toBe(false);
  const write = (file: string, text: string): Promise<Said> => called(client, "write_spec", { file, text });
  const text = readFileSync("specs/rag-agent.yaml", "utf8");
  expect(await write("new.yaml", text)).toEqual({ failed: false, text: "wrote new.yaml" });
  expect(readFileSync(join(folder, "new.yaml"), "utf8")).toBe(text);
  expect((await write("new.yaml", text.replace("agent:", "agnet:"))).text).toMatch(/not written[^]*agnet/);
  expect((await write("config.yaml", "telemetry: { log_level: debug }")).text).toContain("not a spec");
  expect((await write("../new.yaml", text)).text).toContain("is outside");
  expect((await write("package.json", text)).text).toContain("must end in .yaml");
  expect(readFileSync(join(folder, "new.yaml"), "utf8")).toBe(text);
});

test("proposed tests are written beside the spec where that is allowed, and not through a link out of the folder", async () => {
  const client = await inProcess("--allow-write");
  const own = mkdtempSync(join(folder, "proposed-"));
  writeFileSync(join(own, "tokyo.yaml"), tokyoSpec);
  const input = { spec: join(own, "tokyo.yaml"), dumps: [broken, fixed] };
  symlinkSync(tmpdir(), join(own, "fixtures"));
  expect((await called(client, "propose_tests", input)).text).toContain("is outside");
  rmSync(join(own, "fixtures"));
  const { failed, text } = await called(client, "propose_tests", input);
  expect({ failed, text }).toEqual({
    failed: false,
    text: expect.stringContaining("wrote 1 query") as string,
  });
  expect(readdirSync(own).toSorted()).toEqual(["fixtures", "tokyo.proposed.yaml", "tokyo.yaml"]);
});

test("with --allow-commands programs of a spec run, and nothing says that run_spec only reads", async () => {
  const client = await inProcess("--allow-commands");
  const { tools } = await client.listTools();
  const hints = tools.find(({ name }) => name === "run_spec")?.annotations;
  expect(hints).toMatchObject({ readOnlyHint: false, destructiveHint: true });
  const { spec, marks } = specWithPrograms();
  const ran = await called(client, "run_spec", { dumps: [fixed], specs: [spec] });
  expect(marks().sort()).toEqual(["command", "module"]);
  expect(ran.text).toContain("exit 0");
});

test.each(["--allow-commands", "--allow-write", "--allow-judges"])(
  "over HTTP %s needs the scope admin",
  async (flag) => {
    const config = join(folder, "scopes.yaml");
    writeFileSync(
      config,
      "security: { tokens: [{ token: reads1, scopes: [read] }, { token: admin1, scopes: [admin] }] }\n",
    );
    const url = await httpInProcess("--config", config, flag);
    const status = async (token: string): Promise<number> => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      return (await fetch(url, { method: "POST", headers, body: "no json" })).status;
    };
    expect(await status("reads1")).toBe(403);
    expect(await status("admin1")).toBe(400);
  },
);

test("the HTTP port refuses web pages, clients without credentials and invalid requests", async () => {
  const config = join(folder, "guarded.yaml");
  writeFileSync(
    config,
    "security: { tokens: [{ token: s3cret, scopes: [read] }, { token: sends, scopes: [ingest] }] }\n",
  );
  const url = await httpInProcess("--config", config);
  const post = async (headers: Record<string, string>, body = "{}"): Promise<number> =>
    (await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body }))
      .status;
  expect(await post({})).toBe(401);
  expect(await post({ authorization: "Bearer sends" })).toBe(403);
  const authorization = "Bearer s3cret";
  expect(await post({ authorization, origin: "https://evil.example" })).toBe(403);
  expect(await post({ authorization }, "no json")).toBe(400);
  expect((await fetch(url, { headers: { authorization } })).status).toBe(405);
  const client = await connected(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } }),
  );
  expect((await client.listTools()).tools).toHaveLength(9);
  expect(await post({ authorization }, `"${"x".repeat(5_000_000)}"`)).toBe(413);
});

test.each([
  [["--http", "0.0.0.0:0"], "without credentials"],
  [["--http", "4320/mcp"], "--http 4320/mcp is not an address"],
  [["--collector", "localhost:4319"], "--collector localhost:4319 is not an HTTP address"],
  [["--root", "/no/such/folder"], "is not a readable folder"],
])("mcp %j is refused with the way out", async (flags, said) => {
  const { code, stderr } = await runCli("mcp", ...flags);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(said) as string });
});

/** Asks about the weather by a pattern: a test of the very question is worth proposing. */
const tokyoSpec = `version: 1
agent: rag-agent
queries:
  - id: weather
    query: weather
    match: { pattern: "What's the weather in {city}?" }
    path: { max_tool_calls: 0, severity: fail }
`;

/** A spec in a folder of its own whose two checks, a command and a module, each leave a file behind when they run. */
function specWithPrograms(): { readonly spec: string; readonly marks: () => string[] } {
  const own = mkdtempSync(join(folder, "programs-"));
  writeFileSync(
    join(own, "check.mjs"),
    `import { writeFileSync } from "node:fs";
export const leavesMark = () => (writeFileSync(${JSON.stringify(join(own, "module.mark"))}, ""), true);\n`,
  );
  writeFileSync(
    join(own, "spec.yaml"),
    `version: 1\nagent: "*"\nqueries:\n  - id: weather\n    query: "*"\n    checks:\n      - { module: ./check.mjs#leavesMark, timeout_ms: 60000 }\n      - { command: "touch command.mark && echo true", timeout_ms: 60000 }\n`,
  );
  return {
    spec: join(own, "spec.yaml"),
    marks: () =>
      readdirSync(own)
        .filter((name) => name.endsWith(".mark"))
        .map((name) => name.replace(".mark", "")),
  };
}

interface Said {
  readonly failed: boolean;
  readonly text: string;
}

async function called(client: Client, name: string, input: Record<string, unknown>): Promise<Said> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return { failed: isError === true, text: first?.text ?? "" };
}

async function overStdio(): Promise<Client> {
  const args = [bin, "mcp", "--collector", collector];
  return connected(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
}

/** A server in this process, which stops when the test ends. */
function started(...words: readonly string[]): RunningCli {
  const running = startCli(folder, "mcp", "--collector", collector, ...words);
  onTestFinished(async () => expect(await running.stop()).toBe(0));
  return running;
}

/** A client of a server in this process, over the server's input and output. */
async function inProcess(...flags: readonly string[]): Promise<Client> {
  const { stdin, stdout } = started(...flags);
  return connected(new StdioServerTransport(stdout, stdin));
}

async function httpInProcess(...flags: readonly string[]): Promise<string> {
  return addressIn(started("--http", "127.0.0.1:0", ...flags).stdout);
}

/** Address of the one server without flags, which the tests share. */
let plainServer: Promise<string> | undefined;

async function overHttp(): Promise<Client> {
  return connected(new StreamableHTTPClientTransport(new URL(await (plainServer ??= httpServer()))));
}

async function httpServer(): Promise<string> {
  const args = [bin, "mcp", "--http", "127.0.0.1:0", "--collector", collector];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  return addressIn(child.stdout);
}

async function addressIn(stdout: Readable): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    return (JSON.parse(line) as { listening: { mcp: string } }).listening.mcp;
  }
  throw new Error("mcp --http ended before it listened");
}

async function connected(transport: unknown): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Transport);
  clients.push(client);
  return client;
}

async function collectorWith(recording: string): Promise<Collector> {
  const timeouts = { rootQuietMs: 500, rootOpenMs: 1_000 };
  const started = await serve({ specs: [exampleSpec("rag-agent")], timeouts, store: inMemory });
  await postRecording(started, recording);
  await started.whenIdle();
  return started;
}
