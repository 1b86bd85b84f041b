import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import { unlimitedTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { createEngine } from "../../src/replay/engine.ts";
import type { AgentRun } from "../../src/model/run.ts";
import type { DialectTable } from "../../src/runs/facts/dialect-table.ts";
import { decodeRequest } from "../../src/receive/body/decode-request.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The example of docs/runs.md, on the dump of the example of adapters/README.md, whose adapter says the same. */

const dump = "test/adapters/example/failed-tool.jsonl";
const folder = temporaryFolder();
const config = join(folder, "config.yaml");
writeFileSync(
  config,
  /```yaml\n(dialects:[\s\S]+?)```/.exec(readFileSync("docs/runs.md", "utf8"))?.[1] ?? "",
);

it("the example of docs/runs.md gives the run that adapters/README.md shows for its adapter", async () => {
  const shown = JSON.parse(
    /```json\n([\s\S]+?)```/.exec(readFileSync("adapters/README.md", "utf8"))?.[1] ?? "",
  ) as { readonly tools: readonly object[] };
  const { stdout } = await runCli("inspect", dump, "--config", config, "--format", "json");
  expect(JSON.parse(stdout)).toMatchObject({ ...shown, dialects: ["acme"] });
});

it("inspect --explain names the dialect of the configuration", async () => {
  const { stdout } = await runCli("inspect", dump, "--config", config, "--format", "json", "--explain");
  const { explain } = JSON.parse(stdout) as { explain: object };
  expect(JSON.stringify(explain)).toMatch(/"attribute":"acme\.question","dialect":"acme"/);
});

it("doctor names the dialect of the configuration", async () => {
  const { stdout } = await runCli("doctor", dump, "--config", config, "--format", "json");
  expect((JSON.parse(stdout) as { dialects: string[] }).dialects).toContain("acme");
});

it("doctor --propose-dialect writes a draft that gives the same run, but for what only a person knows", async () => {
  const { code, stdout } = await runCli("doctor", dump, "--propose-dialect");
  expect(code).toBe(0);
  expect(stdout).toContain("acme.kind has other values, too: action, note");
  const draft = join(folder, "draft.yaml");
  writeFileSync(draft, stdout);
  const inspected = await runCli("inspect", dump, "--config", draft, "--format", "json");
  expect(JSON.parse(inspected.stdout)).toMatchObject({
    dialects: ["acme"],
    agent: "river_watch",
    query: "How high is the river?",
    answer: "I could not read the gauge.",
    llm_calls: 2,
  });
});

it("doctor --propose-dialect proposes nothing for what is known", async () => {
  const { code, stdout, stderr } = await runCli("doctor", "adapters/mastra/fixtures", "--propose-dialect");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("no dialect can be proposed");
});

it("an engine that reads on takes other dialects", () => {
  const acme = (attribute: string): DialectTable => {
    const fields = { agent: [attribute] };
    return { name: "acme", markers: ["acme.kind"], scopes: [], roles: {}, names: {}, fields, apart: [] };
  };
  const runs: AgentRun[] = [];
  const engine = createEngine({
    timeouts: unlimitedTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 0,
    dialects: [acme("acme.agent")],
    onRun: (run) => runs.push(run),
  });
  const read = (traceIdEnd: string) => {
    for (const { signal, document } of recordingsBelow(["test/adapters/example"]).flatMap(requestsOf)) {
      const text = JSON.stringify(document).replace(/("traceId":"\w{31})\w/g, `$1${traceIdEnd}`);
      const decoded = decodeRequest(Buffer.from(text), signal, "json");
      if (decoded.ok && decoded.batch !== null) engine.pipeline.accept(decoded.batch, 0);
    }
    engine.pipeline.drain("eof", 0);
    return runs.at(-1)?.agent;
  };
  expect(read("1")).toBe("river_watch");
  engine.readBy([acme("acme.chat_id")]);
  expect(read("2")).toBe("chat-3");
  expect(engine.dialects).toEqual([acme("acme.chat_id")]);
});
