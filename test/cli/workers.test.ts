import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { capturedIo } from "../../src/support/process/captured-io.ts";
import { replayOnly } from "../../src/replay/replay-only.ts";
import { test as testCommand } from "../../src/replay/test.ts";
import { runWorkers } from "../../src/replay/workers/worker-pool.ts";
import { MixedDump } from "../support/mixed-dump.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const spec = (agent: string, more = ""): string => `version: 1
agent: "${agent}"
queries:
  - id: parcel
    query: "Where is my parcel?"
    path: { max_tool_calls: 0, expected_tools: [find], forbidden_tools: [lose_parcels] }
  - id: others
    query: "*"
    path: { max_tool_calls: 1 }
    cost: { max_llm_calls: 1, max_total_tokens: 20 }
    ${more}
`;

const folder = temporaryFolder();
beforeAll(() => {
  writeFileSync(join(folder, "any.yaml"), spec("*"));
});

interface Tested {
  readonly code: number;
  readonly reports: readonly string[];
  readonly stderr: string;
}

/** Every report; a dump of any size is long. */
async function tested(workers: number, ...names: readonly string[]): Promise<Tested> {
  const { io, stdout, stderr } = capturedIo(process.env, process.cwd());
  const out = mkdtempSync(join(folder, "out-"));
  const formats = ["json", "junit", "html", "csv", "markdown"];
  const code = await testCommand(
    names,
    {
      ...replayOnly,
      spec: [join(folder, "any.yaml")],
      query: [],
      config: [],
      set: [],
      format: "console",
      output: formats.map((format) => `${format}=${join(out, format)}`),
      longBytes: 0,
      workers,
    },
    io,
  );
  const reports = [stdout(), ...formats.map((format) => readFileSync(join(out, format), "utf8"))];
  return { code, reports, stderr: stderr() };
}

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Whole runs, runs over several traces, copies of calls, and traces without a run. */
function mixedDump(): MixedDump {
  const dump = new MixedDump();
  for (let at = 0; at < 6; at++) {
    dump.whole(`a${at}`, 100 * at, {
      "gen_ai.response.id": `r${at}`,
      "gen_ai.tool.definitions": '[{"type":"function","name":"lose_parcel"}]',
    });
    dump.lone(`b${at}`, 100 * at + 10, { asks: `call-${at}` });
    dump.lone(`c${at}`, 100 * at + 50, { answers: `call-${at}` });
    dump.faint(`d${at}`, 100 * at + 60);
    dump.lone(`e${at}`, 100 * at + 1, { scope: "client", values: { "gen_ai.response.id": `r${at}` } });
  }
  return dump;
}

describe("test --workers", () => {
  test("joins runs over traces and knows copies of calls as one thread does, in whatever order spans are", async () => {
    const dump = put("mixed.jsonl", mixedDump().lines(3, 7).join("\n"));
    const one = await tested(1, dump);

    expect(JSON.parse(one.reports[1] ?? "").summary).toMatchObject({ runs: 12 });
    expect(one.stderr).toContain("the agent has no tool lose_parcels; did you mean lose_parcel?");
    expect(await tested(2, dump)).toEqual(one);
  });

  test("runs over traces alone, in a folder of zipped and binary files and one that is something else", async () => {
    const dump = new MixedDump();
    for (let at = 0; at < 8; at++) {
      dump.whole(`a${at}`, 100 * at);
      dump.span(
        `b${at}`,
        "invoke_agent helper",
        { "gen_ai.operation.name": "invoke_agent" },
        { at: 100 * at },
      );
      dump.lone(`b${at}`, 100 * at + 10, { asks: `call-${at}` });
    }
    const lines = [...dump.lines(2, 3), '{"resourceSpans":[{', ...mixedDump().lines(4).slice(0, 9)];
    const dumps = mkdtempSync(join(folder, "dumps-"));
    writeFileSync(join(dumps, "a.jsonl.gz"), gzipSync(lines.slice(0, 9).join("\n")));
    writeFileSync(join(dumps, "b.json"), "[1, 2]");
    writeFileSync(join(dumps, "c.bin"), Buffer.concat(lines.slice(9, 14).map(framed)));
    writeFileSync(join(dumps, "d.json"), `[${lines.slice(14, 15).join(",\n")}]`);
    writeFileSync(join(dumps, "e.jsonl"), lines.slice(15).join("\n"));
    const one = await tested(1, dumps);

    expect(one.reports[1]).toMatch(/"invalid_input":\[\{"file":"[^"]*e\.jsonl"/);
    expect(await tested(2, dumps)).toEqual(one);
  });

  test("traces in which nothing but a span failed are runs where there is nothing else", async () => {
    const dump = new MixedDump();
    for (let at = 0; at < 6; at++) dump.faint(`d${at}`, at);
    const path = put("faint.jsonl", dump.lines(1).join("\n"));
    const one = await tested(1, path);

    expect(JSON.parse(one.reports[1] ?? "").summary).toMatchObject({ runs: 6 });
    expect(await tested(2, path)).toEqual(one);
  });

  test.each([
    [
      "records spread over lines",
      (lines: string[]) =>
        lines.map((line, at) => (at === 9 ? JSON.stringify(JSON.parse(line), null, 1) : line)),
      /not every record/,
    ],
    [
      "log records that name no trace",
      (lines: string[]) => [...lines, looseLog],
      /some log records have no trace id/,
    ],
  ])("one thread does it all where it has to, and says so: %s", async (name, change, why) => {
    const dump = put(`${name}.jsonl`, change(mixedDump().lines(3)).join("\n"));
    const one = await tested(1, dump);
    const two = await tested(2, dump);

    expect(two).toEqual({ ...one, stderr: expect.stringMatching(why) });
    expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/^tracejury-/));
  });

  test("parts of --shard, shared out as well, make the same report", async () => {
    const dump = put("shares.jsonl", mixedDump().lines(3).join("\n"));
    const words = ["test", dump, "--spec", join(folder, "any.yaml"), "--judge", "off"];
    const shared = await runCli(...words, "--shard", "1/2", "--workers", "2");
    const alone = await runCli(...words, "--shard", "2/2");
    const parts = [put("part-1", shared.stdout), put("part-2", alone.stdout)];
    const merged = await runCli("merge", ...parts, "--format", "json");

    expect(merged.stdout).toBe((await runCli(...words, "--format", "json")).stdout);
  });

  test("one thread asks models and judges conversations", async () => {
    const dump = put("few.jsonl", mixedDump().lines(3).join("\n"));
    put("talks.yaml", spec("*", "scope: conversation"));
    const words = ["test", dump, "--spec", join(folder, "talks.yaml"), "--judge", "off"];
    const many = await runCli(...words, "--workers", "2");

    expect(many.stderr).toMatch(/^note: --workers: one thread judges all runs, because conversations/);
    expect(many.stdout).toBe((await runCli(...words)).stdout);
    expect((await runCli(...words, "--workers", "0")).stderr).toMatch(/from 1 to 64 or auto/);
  });
});

test("a worker that dies ends all of them, and says which", async () => {
  const progress = {
    at: () => undefined,
    expect: () => undefined,
    ran: () => undefined,
    done: () => undefined,
  };
  const broken = [{}, {}] as unknown as Parameters<typeof runWorkers>[0];

  await expect(runWorkers(broken, progress, () => undefined)).rejects.toThrow(
    /^worker thread [12] of 2 ended too early: /,
  );
});

const looseLog = JSON.stringify({
  resourceLogs: [
    {
      resource: {},
      scopeLogs: [{ scope: { name: "agents" }, logRecords: [{ body: { stringValue: "x" } }] }],
    },
  ],
});

function framed(line: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(line));
  return Buffer.concat([length, Buffer.from(line)]);
}
