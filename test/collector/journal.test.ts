import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { LONGEST_WAIT_MS, until } from "../support/eventually.ts";
import { killed, verdictFile, verdictLines } from "../support/data-folder.ts";
import { journalPast } from "../support/left-on-disk.ts";
import { postSpans, serveInTest } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { type AgentTrace, agentTrace, type PlainSpan } from "../chaos/agent-trace.ts";
import { chaosSpec } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const timeouts = { ...defaultTraceTimeouts, rootQuietMs: 150, rootOpenMs: 200, lateWindowMs: 600_000 };

async function start(data: string): Promise<Collector> {
  return serveInTest({
    specs: [chaosSpec()],
    timeouts,
    export: { file: verdictFile(data), revisions: "all" },
    dataDir: data,
  });
}

/** The verdicts in the file: revision and number of tools. */
function verdicts(data: string): { revision: number; tools: number }[] {
  return verdictLines(data).map((line) => {
    const { revision, metrics } = JSON.parse(line);
    return { revision, tools: metrics.tool_calls };
  });
}

function journalText(data: string): string {
  const journal = join(data, "journal");
  return readdirSync(journal)
    .map((name) => readFileSync(join(journal, name), "latin1"))
    .join("");
}

const late = (trace: AgentTrace): PlainSpan[] => trace.tools.slice(2);

describe("A09 after a crash", () => {
  test("what was judged and sent is not judged again; late spans make the next revision", async () => {
    const trace = agentTrace(1, 2, 4);
    const before = temporaryFolder();
    const first = await start(before);
    await postSpans(first, [trace.root, ...trace.tools.slice(0, 2)]);
    await until(() => verdictLines(before).length > 0);
    await until(async () => (await journalPast(before)).judgements.some(({ delivered }) => delivered));
    const after = killed(before);
    const second = await start(after);
    await second.whenIdle();
    expect(verdicts(after)).toEqual([{ revision: 1, tools: 2 }]);
    await postSpans(second, late(trace));
    await until(() => verdictLines(after).length > 1);

    expect(verdicts(after)).toEqual([
      { revision: 1, tools: 2 },
      { revision: 2, tools: 4 },
    ]);
  });

  test("C33 a batch that is sent again because its answer was lost changes nothing", async () => {
    const trace = agentTrace(1, 3, 2);
    const before = temporaryFolder();
    const first = await start(before);
    await postSpans(first, [trace.root, ...trace.tools]);
    const after = killed(before);
    const second = await start(after);
    await postSpans(second, [trace.root, ...trace.tools]);
    await second.whenIdle();
    await postSpans(second, [trace.root, ...trace.tools]);
    const next = agentTrace(1, 4, 1);
    await postSpans(second, [next.root, ...next.tools]);
    await second.whenIdle();
    await second.stop(LONGEST_WAIT_MS);

    expect(verdicts(after)).toEqual([
      { revision: 1, tools: 2 },
      { revision: 1, tools: 1 },
    ]);
  });

  test("a verdict whose line was written, but not yet noted as delivered, is not written twice", async () => {
    const trace = agentTrace(1, 5, 3);
    const before = temporaryFolder();
    const first = await start(before);
    await postSpans(first, [trace.root, ...trace.tools]);
    const unjudged = killed(before);
    await first.whenIdle();
    await first.stop(LONGEST_WAIT_MS);
    const [line = ""] = verdictLines(before);
    // The journal of a process that noted what it was going to say, wrote it, and was killed.
    const second = await start(unjudged);
    let noted = "";
    await until(() => {
      const copy = killed(unjudged);
      if (journalText(copy).includes(JSON.parse(line).verdict_id)) noted = copy;
      return noted !== "";
    });
    writeFileSync(verdictFile(noted), `${line}\n`);
    await second.stop(LONGEST_WAIT_MS);
    const third = await start(noted);
    await third.whenIdle();
    await third.stop(LONGEST_WAIT_MS);

    expect(verdictLines(noted)).toEqual([line]);
  });
});

test("A10 a stop leaves unfinished traces in the journal, and nothing of finished ones", async () => {
  const [done, open] = [agentTrace(1, 6, 1), agentTrace(1, 7, 3)];
  const data = temporaryFolder();
  const first = await start(data);
  await postSpans(first, [done.root, ...done.tools]);
  await postSpans(first, open.tools);
  await until(() => first.openTraces() === 1);
  await first.stop(LONGEST_WAIT_MS);
  expect(verdicts(data)).toEqual([{ revision: 1, tools: 1 }]);
  const second = await start(data);
  expect(second.openTraces()).toBe(1);
  await postSpans(second, [open.root]);
  await second.whenIdle();
  await second.stop(LONGEST_WAIT_MS);

  expect(verdicts(data)).toEqual([
    { revision: 1, tools: 1 },
    { revision: 1, tools: 3 },
  ]);
  const third = await start(data);
  expect(third.openTraces()).toBe(0);
});

test("spans of finished traces that are read again with others are counted as such, not as late", async () => {
  const [done, open] = [agentTrace(1, 6, 1), agentTrace(1, 7, 3)];
  const data = temporaryFolder();
  const first = await start(data);
  await postSpans(first, [done.root, ...done.tools, ...open.tools]);
  await until(() => first.openTraces() === 1);
  await first.stop(LONGEST_WAIT_MS);
  const second = await start(data);

  const { spans } = (await (await fetch(`http://${second.listening.admin}/api/v1/status`)).json()) as {
    spans: object;
  };
  expect(spans).toMatchObject({ finished: 2, expired: 0, released: 0 });
  expect(second.openTraces()).toBe(1);
});

test("a second process does not share a journal that was chosen, and takes one beside it where none was", async () => {
  const data = temporaryFolder();
  await start(data);
  await expect(start(data)).rejects.toThrow("uses the journal in");
});

test("a folder that cannot be written is said at the start", async () => {
  const data = temporaryFolder();
  writeFileSync(join(data, "journal"), "a file");

  await expect(start(data)).rejects.toThrow(/cannot be written .*set data_dir/);
});
