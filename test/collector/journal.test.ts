import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { until } from "../support/eventually.ts";
import { journalPast } from "../support/left-on-disk.ts";
import { postSpans, serve } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { type Accounts, settle } from "../chaos/accounts.ts";
import { type AgentTrace, agentTrace, type PlainSpan } from "../chaos/agent-trace.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const spec = specOf(`version: 1
agent: chaos
queries:
  - query: "*"
    path:
      max_tool_calls: 100
`);

const timeouts = { ...defaultTraceTimeouts, rootQuietMs: 150, rootOpenMs: 200, lateWindowMs: 600_000 };

const folders: string[] = [];
const lives: Collector[] = [];

afterEach(async () => {
  for (const live of lives.splice(0)) await live.stop(2_000);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = temporaryFolder();
  folders.push(made);
  return made;
}

async function start(data: string): Promise<Collector> {
  const live = await serve({
    specs: [spec],
    timeouts,
    export: { file: join(data, "verdicts.jsonl"), revisions: "all" },
    dataDir: data,
  });
  lives.push(live);
  return live;
}

async function stop(live: Collector): Promise<void> {
  lives.splice(lives.indexOf(live), 1);
  await live.stop(60_000);
}

/** What the disk holds at this moment, as a process that is killed now leaves it. */
function killed(data: string): string {
  const copy = folder();
  cpSync(data, copy, { recursive: true });
  rmSync(join(copy, "journal", "lock"), { force: true });
  return copy;
}

/** The verdicts in the file: revision and number of tools. */
function verdicts(data: string): { revision: number; tools: number }[] {
  return lines(data).map((line) => {
    const { revision, metrics } = JSON.parse(line);
    return { revision, tools: metrics.tool_calls };
  });
}

function lines(data: string): string[] {
  try {
    return readFileSync(join(data, "verdicts.jsonl"), "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

function journalText(data: string): string {
  const journal = join(data, "journal");
  return readdirSync(journal)
    .map((name) => readFileSync(join(journal, name), "latin1"))
    .join("");
}

const late = (trace: AgentTrace): PlainSpan[] => trace.tools.slice(2);

describe("A09 after a crash", () => {
  test("a trace of which half had come is judged once, whole", async () => {
    const trace = agentTrace(1, 1, 4);
    const before = folder();
    const first = await start(before);
    expect(await postSpans(first, trace.tools)).toBe(200);
    const after = killed(before);
    const second = await start(after);
    expect(second.openTraces()).toBe(1);
    await postSpans(second, [trace.root]);
    await until(() => lines(after).length > 0);
    await stop(second);

    expect(verdicts(after)).toEqual([{ revision: 1, tools: 4 }]);
  });

  test("what was judged and sent is not judged again; late spans make the next revision", async () => {
    const trace = agentTrace(1, 2, 4);
    const before = folder();
    const first = await start(before);
    await postSpans(first, [trace.root, ...trace.tools.slice(0, 2)]);
    await until(() => lines(before).length > 0);
    await until(async () => (await journalPast(before)).judgements.some(({ delivered }) => delivered));
    const after = killed(before);
    const second = await start(after);
    await second.whenIdle();
    expect(verdicts(after)).toEqual([{ revision: 1, tools: 2 }]);
    await postSpans(second, late(trace));
    await until(() => lines(after).length > 1);

    expect(verdicts(after)).toEqual([
      { revision: 1, tools: 2 },
      { revision: 2, tools: 4 },
    ]);
  });

  test("C33 a batch that is sent again because its answer was lost changes nothing", async () => {
    const trace = agentTrace(1, 3, 2);
    const before = folder();
    const first = await start(before);
    await postSpans(first, [trace.root, ...trace.tools]);
    const after = killed(before);
    const second = await start(after);
    await postSpans(second, [trace.root, ...trace.tools]);
    await until(() => lines(after).length > 0);
    await postSpans(second, [trace.root, ...trace.tools]);
    const next = agentTrace(1, 4, 1);
    await postSpans(second, [next.root, ...next.tools]);
    await until(() => lines(after).some((line) => line.includes(next.traceId)));
    await stop(second);

    expect(verdicts(after)).toEqual([
      { revision: 1, tools: 2 },
      { revision: 1, tools: 1 },
    ]);
  });

  test("at whatever moment it comes, each trace has one verdict with all of its spans", async () => {
    const data = folder();
    const live = await start(data);
    const left: string[] = [];
    const sent: Map<string, number>[] = [];
    const acknowledged = new Map<string, number>();
    const crash = (): void => {
      left.push(killed(data));
      sent.push(new Map(acknowledged));
    };
    for (let n = 1; n <= 12; n++) {
      const trace = agentTrace(2, n, 1 + (n % 4));
      await postSpans(live, trace.tools);
      if (n === 4) crash();
      await postSpans(live, [trace.root]);
      acknowledged.set(trace.traceId, trace.tools.length);
      if (n === 7) crash();
      if (n === 9) await until(() => lines(data).length >= 5);
      if (n === 9) crash();
    }
    await until(() => lines(data).length === 12);
    crash();
    const restarted = await Promise.all(left.map((copy) => start(copy)));
    const accountsOf = (index: number): Accounts =>
      settle(join(left[index] ?? "", "verdicts.jsonl"), sent[index] ?? new Map());
    await until(() => left.every((_, index) => accountsOf(index).missing.length === 0));
    await Promise.all(restarted.map((one) => stop(one)));

    for (const index of left.keys()) {
      expect(accountsOf(index)).toMatchObject({
        missing: [],
        wrong: [],
        doubled: [],
        revised: 0,
        brokenLines: 0,
      });
    }
  });

  test("a verdict whose line was written, but not yet noted as delivered, is not written twice", async () => {
    const trace = agentTrace(1, 5, 3);
    const before = folder();
    const first = await start(before);
    await postSpans(first, [trace.root, ...trace.tools]);
    const unjudged = killed(before);
    await until(() => lines(before).length > 0);
    const [line = ""] = lines(before);
    await stop(first);
    // The journal of a process that noted what it was going to say, wrote it, and was killed.
    const second = await start(unjudged);
    let noted = "";
    await until(() => {
      const copy = killed(unjudged);
      if (journalText(copy).includes(JSON.parse(line).verdict_id)) noted = copy;
      return noted !== "";
    });
    writeFileSync(join(noted, "verdicts.jsonl"), `${line}\n`);
    await stop(second);
    const third = await start(noted);
    await third.whenIdle();
    await stop(third);

    expect(lines(noted)).toEqual([line]);
  });
});

describe("a stop", () => {
  test("A10 leaves unfinished traces in the journal, and nothing of finished ones", async () => {
    const [done, open] = [agentTrace(1, 6, 1), agentTrace(1, 7, 3)];
    const data = folder();
    const first = await start(data);
    await postSpans(first, [done.root, ...done.tools]);
    await postSpans(first, open.tools);
    await until(() => lines(data).length > 0);
    await stop(first);
    expect(verdicts(data)).toEqual([{ revision: 1, tools: 1 }]);
    const second = await start(data);
    expect(second.openTraces()).toBe(1);
    await postSpans(second, [open.root]);
    await until(() => lines(data).length > 1);
    await stop(second);

    expect(verdicts(data)).toEqual([
      { revision: 1, tools: 1 },
      { revision: 1, tools: 3 },
    ]);
    const third = await start(data);
    expect(third.openTraces()).toBe(0);
  });
});

test("spans of finished traces that are read again with others are counted as such, not as late", async () => {
  const [done, open] = [agentTrace(1, 6, 1), agentTrace(1, 7, 3)];
  const data = folder();
  const first = await start(data);
  await postSpans(first, [done.root, ...done.tools, ...open.tools]);
  await until(() => lines(data).length > 0);
  await stop(first);
  const second = await start(data);

  const { spans } = (await (await fetch(`http://${second.listening.admin}/api/v1/status`)).json()) as {
    spans: object;
  };
  expect(spans).toMatchObject({ finished: 2, expired: 0, released: 0 });
  expect(second.openTraces()).toBe(1);
});

test("a second process does not share a journal that was chosen, and takes one beside it where none was", async () => {
  const data = folder();
  await start(data);
  await expect(start(data)).rejects.toThrow("uses the journal in");
});

test("a folder that cannot be written is said at the start", async () => {
  const data = folder();
  mkdirSync(join(data, "journal"), { recursive: true });
  rmSync(join(data, "journal"), { recursive: true });
  writeFileSync(join(data, "journal"), "a file");

  await expect(start(data)).rejects.toThrow(/cannot be written .*set data_dir/);
});
