import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { type AgentTrace, agentTrace, type PlainSpan } from "../chaos/agent-trace.ts";
import { until } from "../support/eventually.ts";
import { journalPast } from "../support/left-on-disk.ts";
import { inMemory, postSpans, serve, type ServeOptions } from "../support/serve.ts";
import { specOf } from "../support/spec-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * The root of a run comes after the run was judged without it: the verdict gets a revision, and keeps its id and that of the run.
 */

const anyQuery = specOf(`version: 1
agent: "*"
queries: [{ query: "*", path: { max_tool_calls: 100 } }]
`);

const timeouts = { idleMs: 150, rootQuietMs: 100, rootOpenMs: 150, lateWindowMs: 600_000 };

interface Line {
  readonly verdict_id: string;
  readonly run_id: string;
  readonly revision: number;
  readonly query: string | null;
  readonly complete: boolean;
}

async function start(data: string, options: ServeOptions = {}): Promise<Collector> {
  const live = await serve({
    specs: [anyQuery],
    timeouts,
    export: { file: join(data, "verdicts.jsonl"), revisions: "all" },
    dataDir: data,
    ...options,
  });
  onTestFinished(() => live.stop(5_000));
  return live;
}

function lines(data: string): Line[] {
  try {
    const text = readFileSync(join(data, "verdicts.jsonl"), "utf8");
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  } catch {
    return [];
  }
}

const killed = (data: string): string => {
  const copy = temporaryFolder();
  cpSync(data, copy, { recursive: true });
  rmSync(join(copy, "journal", "lock"), { force: true });
  return copy;
};

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
  test("revises the verdict in the file, in the store and in the list of runs", async () => {
    const data = temporaryFolder();
    const live = await start(data, { store: inMemory });
    const trace = agentTrace(7, 1, 3);
    await postSpans(live, trace.tools);
    await until(() => lines(data).length === 1);
    await postSpans(live, [trace.root]);
    await until(() => lines(data).length === 2);

    expect(revised(lines(data))).toEqual(revisedTo(trace));
    const [line] = lines(data);
    await expect.poll(() => listed(live, "runs")).toMatchObject([{ run_id: line?.run_id, complete: true }]);
    expect(await listed(live, "verdicts")).toMatchObject([{ verdict_id: line?.verdict_id, revision: 2 }]);
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
    await until(() => lines(after).length === 2);

    expect(revised(lines(after))).toEqual(revisedTo(trace));
  });

  test("that joins runs leaves one in the store: that which was found first", async () => {
    const data = temporaryFolder();
    const live = await start(data, { store: inMemory });
    const trace = agentTrace(7, 3, 0);
    await postSpans(live, [...helper(trace, 1), ...helper(trace, 2)]);
    await until(() => lines(data).length === 2);
    const [first] = lines(data);
    await postSpans(live, [trace.root]);
    await until(() => lines(data).length === 3);

    expect(lines(data)[2]).toMatchObject({
      run_id: first?.run_id,
      verdict_id: first?.verdict_id,
      revision: 2,
    });
    await expect.poll(() => listed(live, "runs")).toMatchObject([{ run_id: first?.run_id }]);
    expect(await listed(live, "verdicts")).toMatchObject([{ verdict_id: first?.verdict_id, revision: 2 }]);
  });

  test("that brings the query keeps the verdict, though another query claims the run now", async () => {
    const data = temporaryFolder();
    const trace = agentTrace(7, 4, 2);
    const live = await start(data, {
      specs: [
        specOf(`version: 1
agent: "*"
queries:
  - query: "*"
    path: { max_tool_calls: 100 }
  - id: asked
    query: "question ${trace.traceId}"
    path: { max_tool_calls: 1 }
`),
      ],
      store: inMemory,
    });
    await postSpans(live, trace.tools);
    await until(() => lines(data).length === 1);
    await postSpans(live, [trace.root]);
    await until(() => lines(data).length === 2);

    expect(revised(lines(data))).toEqual(revisedTo(trace));
    await expect.poll(() => listed(live, "verdicts")).toMatchObject([{ query_id: "asked", revision: 2 }]);
  });
});
