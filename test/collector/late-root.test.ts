import { describe, expect, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { type AgentTrace, agentTrace, type PlainSpan } from "../chaos/agent-trace.ts";
import { LONGEST_WAIT_MS, until } from "../support/eventually.ts";
import { killed, verdictFile, verdictLines } from "../support/data-folder.ts";
import { journalPast } from "../support/left-on-disk.ts";
import { type ServeOptions, inMemory, postSpans, serveInTest } from "../support/serve.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * The root of a run comes after the run was judged without it: the verdict gets a revision, and keeps its id and that of the run.
 */

const timeouts = { idleMs: 150, rootQuietMs: 100, rootOpenMs: 150, lateWindowMs: 600_000 };

interface Line {
  readonly verdict_id: string;
  readonly run_id: string;
  readonly revision: number;
  readonly query: string | null;
  readonly complete: boolean;
}

async function start(data: string, options: ServeOptions = {}): Promise<Collector> {
  return serveInTest({
    specs: [specOf('agent: "*"\nqueries: [{ query: "*", path: { max_tool_calls: 100 } }]\n')],
    timeouts,
    export: { file: verdictFile(data), revisions: "all" },
    dataDir: data,
    ...options,
  });
}

const lines = (data: string): Line[] => verdictLines(data).map((line) => JSON.parse(line) as Line);

async function listed<Item>(live: Collector, path: string): Promise<Item[]> {
  const answer = await fetch(`http://${live.listening.admin}/api/v1/${path}`);
  const body = (await answer.json()) as Record<string, unknown>;
  return Object.values(body).find(Array.isArray) as Item[];
}

/** A helper under the root that works and answers by itself. */
function helper({ traceId, root }: AgentTrace, n: number): PlainSpan[] {
  const said = (role: string, content: string): string =>
    JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
  const messages = {
    "gen_ai.input.messages": said("user", `part ${n}`),
    "gen_ai.output.messages": said("assistant", `done ${n}`),
  };
  const [agentId, chatId] = [`${n}`.padStart(16, "a"), `${n}`.padStart(16, "c")];
  const agent = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": `helper-${n}`, ...messages };
  const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "small", ...messages };
  const span = (spanId: string, parentSpanId: string, attributes: Record<string, string>): PlainSpan => ({
    traceId,
    spanId,
    parentSpanId,
    name: attributes["gen_ai.operation.name"] ?? "",
    startMs: root.startMs + 10 * n,
    endMs: root.startMs + 10 * n + 5,
    attributes,
  });
  return [span(agentId, root.spanId, agent), span(chatId, agentId, chat)];
}

/** What two revisions of one verdict have in common, and what the root adds. */
function revised(lines: readonly Line[]): unknown {
  const ids = new Set(lines.flatMap(({ run_id, verdict_id }) => [run_id, verdict_id]));
  return {
    ids: ids.size,
    revisions: lines.map(({ revision, query, complete }) => [revision, query, complete]),
  };
}

const revisedTo = ({ traceId }: AgentTrace): unknown => ({
  ids: 2,
  revisions: [
    [1, null, false],
    [2, `question ${traceId}`, true],
  ],
});

describe("a late root", () => {
  test("revises the verdict in the file, in the store and in the list of runs, though another query claims the run now", async () => {
    const data = temporaryFolder();
    const trace = agentTrace(7, 1, 3);
    const spec = specOf(`version: 1
agent: "*"
queries:
  - query: "*"
    path: { max_tool_calls: 100 }
  - id: asked
    query: "question ${trace.traceId}"
    path: { max_tool_calls: 1 }
`);
    const live = await start(data, { specs: [spec], store: inMemory });
    await postSpans(live, trace.tools);
    await expect.poll(() => listed(live, "verdicts")).toMatchObject([{ revision: 1 }]);
    await postSpans(live, [trace.root]);
    await expect.poll(() => listed(live, "verdicts")).toMatchObject([{ revision: 2, query_id: "asked" }]);
    const [verdict] = await listed<Line>(live, "verdicts");
    await expect
      .poll(() => listed(live, "runs"))
      .toMatchObject([{ run_id: verdict?.run_id, complete: true }]);
    await live.stop(LONGEST_WAIT_MS);
    expect(revised(lines(data))).toEqual(revisedTo(trace));
    expect(lines(data)[0]).toMatchObject({ verdict_id: verdict?.verdict_id, run_id: verdict?.run_id });
  });

  test("after a restart revises what the process before said", async () => {
    const before = temporaryFolder();
    const first = await start(before);
    const trace = agentTrace(7, 2, 3);
    await postSpans(first, trace.tools);
    await until(async () => (await journalPast(before)).judgements.some(({ delivered }) => delivered));
    const after = killed(before);
    const second = await start(after);
    await postSpans(second, [trace.root]);
    await second.whenIdle();
    await second.stop(LONGEST_WAIT_MS);

    expect(revised(lines(after))).toEqual(revisedTo(trace));
  });

  test("that joins runs leaves one in the store: that which was found first", async () => {
    const data = temporaryFolder();
    const live = await start(data, { store: inMemory });
    const trace = agentTrace(7, 3, 0);
    await postSpans(live, [...helper(trace, 1), ...helper(trace, 2)]);
    await expect.poll(async () => (await listed(live, "verdicts")).length).toBe(2);
    await postSpans(live, [trace.root]);
    await expect.poll(() => listed(live, "verdicts")).toMatchObject([{ revision: 2 }]);
    await expect.poll(async () => (await listed(live, "runs")).length).toBe(1);
    const [[verdict], [run]] = [await listed<Line>(live, "verdicts"), await listed<Line>(live, "runs")];
    await live.stop(LONGEST_WAIT_MS);
    const [first, , third] = lines(data);
    const ids = { run_id: first?.run_id, verdict_id: first?.verdict_id };
    expect([lines(data).length, third, verdict]).toMatchObject([3, { ...ids, revision: 2 }, ids]);
    expect(run?.run_id).toBe(first?.run_id);
  });
});
